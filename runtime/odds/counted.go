package odds

import (
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// Lists that are told by counts.
//
// The problem. "The six scores, sorted" has 54,264 outcomes, each of them a list. Were it made of the counts of the
// faces, a formula would push up to six elements for each of sixteen faces, in each of as many states: most of what the
// answer takes.
//
// The idea. A list whose elements are constants, each in one run, is known when it is known how often each element is in
// it, and different counts are different lists. So the counts are the columns of the answer, and nobody makes the list
// before its value is read (joint.go). Runs of equal elements that stand side by side are one run, whose count is the
// sum: of "sort(d).map(f, f > 3)" only two counts remain.

// A countedList is a list that is asked for, of which only the counts of its elements are computed.
type countedList struct{ runs []countedRun }

// A countedRun is so many equal elements side by side.
type countedRun struct {
	count   plan.ID
	element int64 // a slot
}

// countedRoot gives a value that is asked for counts instead of a list. It reports false when the value is no such list.
func (x *expander) countedRoot(v *plan.Value) (root plan.Value, ok bool) {
	if v.Type == nil || v.Type.Kind != plan.List {
		return root, false
	}
	b := x.values[v.ID].bag
	if b == nil || !b.ordered || b.stride != 1 || len(b.pools) == 0 || x.values[v.ID].id != plan.None {
		return root, false
	}
	list, ok := x.countElements(b)
	if !ok || !isWhole(v.Type.Elem.Kind) {
		return root, false
	}
	x.seeAll(b)
	root = *v
	root.ID = x.emit(plan.Node{
		Op: plan.OpNewSpan, Kind: plan.List, Args: []plan.ID{x.constant(plan.Int, 0)}, Imm: int64(b.stride), Site: -1,
	})
	root.Fault, root.Present = x.faultOf(v), x.node(v.Present)
	x.counted[root.ID] = list
	return root, true
}

// countElements joins the runs of a bag. It reports false when some element is no constant, or stands at two places.
func (x *expander) countElements(b *bag) (*countedList, bool) {
	out, seen := &countedList{}, map[int64]bool{}
	for from := 0; from < len(b.runs); {
		element, known := x.known(b.runs[from].slots[0])
		if !known || seen[element] {
			return nil, false
		}
		seen[element] = true
		to := from + 1
		for to < len(b.runs) && x.is(b.runs[to].slots[0], element) {
			to++
		}
		out.runs = append(out.runs, countedRun{x.sizeOf(&bag{runs: b.runs[from:to], size: plan.None}), element})
		from = to
	}
	return out, true
}

// counts are the nodes of the counts.
func (l *countedList) counts() (out []plan.ID) {
	for _, r := range l.runs {
		out = append(out, r.count)
	}
	return out
}

// A countedElement is an element as a value, and the column that says how often it is there.
type countedElement struct {
	column int
	value  runtime.Value
}

// runsOf finds the elements of a list in the rows of an answer.
func (w *way) runsOf(l *countedList, element *plan.Type, kept *vm.Frame) []countedElement {
	out := []countedElement{}
	for _, r := range l.runs {
		at := vm.Location{Type: element, Slot: 0, Fault: -1, Present: -1}
		v, _ := jsonio.ReadValue(kept, &at, vm.NewView([]int64{r.element}, 1)) // a constant has no fault
		out = append(out, countedElement{w.columns[r.count], v})
	}
	return out
}

// elements are the elements of a list in a row.
func (x *reading[W]) elements(runs []countedElement, row []int64) []runtime.Value {
	n := 0
	for i := range runs {
		n += int(row[runs[i].column])
	}
	if n == 0 {
		return nil
	}
	out := x.take(n)[:0]
	for i := range runs {
		for range row[runs[i].column] {
			out = append(out, runs[i].value)
		}
	}
	return out
}
