package eliminate

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// newJoint returns the answer that is in the rows of a table.
func newJoint[W pmf.Weight[W]](r *Rule, w *preparedGraph, t *Table[W], e *engine[W]) *odds.Joint {
	out := &odds.Joint{Names: r.names, Spent: e.budget.spent, States: e.budget.states}
	if e.isExact {
		out.Den = t.den
	}
	rows := &Table[W]{width: t.width, rows: t.rows, w: t.w, den: t.den, ended: t.ended}
	if len(t.rows) < leastTaken || t.stays {
		rows.rows, rows.w = slices.Clone(t.rows), slices.Clone(t.w)
		e.releaseTable(t)
	}
	for _, v := range w.Network.Values {
		var order []string
		if v.Type != nil {
			order = v.Type.Order()
		}
		out.Orders = append(out.Orders, order)
	}
	out.FillLater(newReading(w, rows, e).readAll)
	return out
}

// leastTaken is from how many slots on the memory of a table becomes that of an answer, and is not copied.
const leastTaken = 1 << 14

// newReading reads the values that are asked for in the rows of a table.
func newReading[W pmf.Weight[W]](w *preparedGraph, rows *Table[W], e *engine[W]) *reading[W] {
	x := &reading[W]{graph: w.Network, frame: e.executor.Snapshot(), rows: rows, isExact: e.isExact}
	x.areDistinct = len(w.decidedFields) == 0
	for _, v := range w.Network.Values {
		at := valueReader{Location: vm.Locate(v, func(id plan.ID) int32 { return int32(w.columns[id]) })}
		scalar := v.Type != nil && (v.Type.Kind == plan.Int || v.Type.Kind == plan.Bool)
		if l := w.Counted[v.ID]; l != nil {
			at.runs, scalar = w.runsOf(l, v.Type.Elem, x.frame), true
		}
		x.areDistinct = x.areDistinct && scalar && v.Fault == plan.None && v.Present == plan.None
		x.readers = append(x.readers, at)
	}
	return x
}

// A reading makes values of the rows of a table.
//
// It outlives the question: frame is a snapshot of the memory in which lists and strings lie, and rows are its own. So
// an answer may be read after the engine has gone on to another question. areDistinct saves the comparison of values:
// numbers and truths without faults are different whenever their slots are.
type reading[W pmf.Weight[W]] struct {
	graph       *rewrite.Network
	readers     []valueReader // of each value that is asked for
	frame       *vm.Frame
	rows        *Table[W]
	isExact     bool
	areDistinct bool           // different rows have different values
	room        []jsonio.Value // for the values of rows to come
}

// A valueReader says where in a row a value stands.
type valueReader struct {
	vm.Location
	runs []countedElement // of a list that is told by counts
}

// readAll reads every row. Rows whose values cannot be told apart are one outcome; one whose value cannot be had is an
// ending.
func (x *reading[W]) readAll() ([]odds.Outcome, []odds.Ended) {
	t := x.rows
	all := odds.Collector{Outcomes: make([]odds.Outcome, 0, len(t.w))}
	weights := make([]W, 0, len(t.w))
	for i, weight := range t.w {
		values, failure := x.readValues(t.Row(i))
		if failure != nil {
			t.addEnding(odds.Ending{Kind: odds.Failed, Message: failure.Error()}, weight)
			continue
		}
		k := len(weights)
		if x.areDistinct {
			all.Outcomes = append(all.Outcomes, odds.Outcome{Values: values})
		} else {
			k = all.IndexOf(values)
		}
		if k == len(weights) {
			weights = append(weights, weight)
			continue
		}
		weights[k] = weights[k].Plus(weight)
	}
	for k := range all.Outcomes {
		all.Outcomes[k].P, all.Outcomes[k].N = probabilityOf(weights[k], t.den, x.isExact)
	}
	return all.Outcomes, endingsOf(t, x.isExact)
}

// endingsOf returns the endings of a table that have some weight.
func endingsOf[W pmf.Weight[W]](t *Table[W], isExact bool) (out []odds.Ended) {
	for _, ended := range t.ended {
		p, n := probabilityOf(ended.w, t.den, isExact)
		if p > 0 {
			out = append(out, odds.Ended{Ending: ended.why, P: p, N: n})
		}
	}
	slices.SortFunc(out, odds.CompareEndings)
	return out
}

// readValues returns the values that are asked for.
func (x *reading[W]) readValues(row []int64) ([]jsonio.Value, *vm.Failure) {
	out := x.allocateValues(len(x.readers))
	for i := range x.readers {
		at := &x.readers[i]
		if at.runs != nil && (at.Fault < 0 || row[at.Fault] == 0) {
			out[i] = jsonio.ListValue(x.readElements(at.runs, row))
			continue
		}
		v, fault := jsonio.ReadValue(x.frame, &at.Location, vm.NewView(row, 1))
		if fault != 0 {
			return nil, vm.FailureOf(x.frame, x.graph.Graph, fault)
		}
		if bad := v.NotANumber(); bad != "" {
			return nil, &vm.Failure{Msg: "the value is " + bad + ", not a number"}
		}
		out[i] = v
	}
	return out, nil
}

// allocateValues returns room for n values. It is taken from a larger piece, because there may be a row for each of a
// million values.
func (x *reading[W]) allocateValues(n int) []jsonio.Value {
	const most = 1 << 10
	if len(x.room) < n {
		x.room = make([]jsonio.Value, max(n, min(most, n*len(x.rows.w))))
	}
	out := x.room[:n:n]
	x.room = x.room[n:]
	return out
}

func probabilityOf[W pmf.Weight[W]](w W, den *big.Int, exact bool) (float64, *big.Int) {
	switch w := any(w).(type) {
	case pmf.Numerator:
		return w.Over(den), w.Int()
	case pmf.Float:
		return float64(w), nil
	}
	panic(fmt.Sprintf("odds: a weight of type %T", w))
}

// locateValue finds the columns of one of the values that are asked for.
func (w *preparedGraph) locateValue(i int) vm.Location {
	return vm.Locate(w.Network.Values[i], func(id plan.ID) int32 { return int32(w.columns[id]) })
}

// A countedElement is an element as a value, and the column that says how often it is there.
type countedElement struct {
	column int
	value  jsonio.Value
}

// runsOf finds the elements of a list in the rows of an answer.
func (w *preparedGraph) runsOf(l *rewrite.CountedList, element *plan.Type, kept *vm.Frame) []countedElement {
	out := []countedElement{}
	for _, r := range l.Runs {
		at := vm.Location{Type: element, Slot: 0, Fault: -1, Present: -1}
		v, _ := jsonio.ReadValue(kept, &at, vm.NewView([]int64{r.Element}, 1)) // a constant has no fault
		out = append(out, countedElement{w.columns[r.Count], v})
	}
	return out
}

// readElements returns the elements of a list in a row.
func (x *reading[W]) readElements(runs []countedElement, row []int64) []jsonio.Value {
	n := 0
	for i := range runs {
		n += int(row[runs[i].column])
	}
	if n == 0 {
		return nil
	}
	out := x.allocateValues(n)[:0]
	for i := range runs {
		for range row[runs[i].column] {
			out = append(out, runs[i].value)
		}
	}
	return out
}
