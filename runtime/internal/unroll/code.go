package unroll

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vector"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Given is what a graph is unrolled for.
type Given struct {
	Image   *vm.Image
	Options []int                  // of each of the plan's options, the index of the value that is played
	Store   *vm.Frame              // the lists of what is fixed; it is added to
	Fixed   [plan.NumRoots][]int64 // the slots of the records that are always the same
	State   *Layout                // of the state, the only record that changes
}

// Wanted is what is wanted of a graph.
type Wanted struct {
	State  *plan.Value   // a state, whose numbers are results in the order of the layout; nil for none
	Values []*plan.Value // numbers, truths and strings, which are results, too
	Sound  []*plan.Value // values of which it is only asked that none of them has failed
}

// Code is a graph as straight code, with the lists that it reads.
type Code struct {
	Code    *schedule.Code
	Results []int32 // the slots of what is wanted
	fault   int32   // the slot of the first failure
	store   *vm.Frame
	given   []int64
}

// Make unrolls a graph. It returns nil for one that cannot be unrolled, or is too long when it is.
func Make(given Given, body plan.Body, want Wanted) (*Code, error) {
	p := given.Image.Plan()
	g := body.Graph
	out := &plan.Graph{Blocks: []plan.Block{{}}, Sites: g.Sites, Requires: g.Requires}
	u := &unroller{
		Given: given, from: g, out: out, store: given.Store, guard: bitsOf(1),
		bounds: interval.Analyse(p, g, body.Shapes), types: plan.ListTypes(p, g, body.Shapes),
		blockOf:   make([]int32, len(g.Nodes)),
		nodeOfKey: map[string]plan.ID{}, leafOfSpan: map[int64]plan.ID{}, spanOfCells: map[string]int64{},
		values:  map[plan.ID]operand{},
		carried: map[plan.ID][]operand{}, params: make([][]operand, len(g.Blocks)), walks: map[int32]walk{},
	}
	for b := range g.Blocks {
		for _, id := range g.Blocks[b].Nodes {
			u.blockOf[id] = int32(b)
		}
	}
	for at := range given.State.Size() {
		out.Leaves = append(out.Leaves, plan.Leaf{Root: plan.StateRoot, Offset: int32(at)})
	}
	u.evaluateEffects(0)
	w := resultCollector{unroller: u, fault: bitsOf(0)}
	if want.State != nil {
		w.addState(want.State, given.State.schema.Shape)
	}
	for _, v := range want.Values {
		w.addNumber(v, v.Type.Kind)
	}
	for _, v := range want.Sound {
		w.addFaults(v)
	}
	if u.failed || want.State != nil && len(w.results) < given.State.Size() {
		return nil, nil
	}
	return w.scheduleResults()
}

// resultCollector collects what is wanted.
type resultCollector struct {
	*unroller
	results []plan.ID
	kinds   []plan.Kind
	fault   operand
	laid    int // slots of the layout whose numbers are results
}

func (w *resultCollector) noteFault(id plan.ID) {
	if id != plan.None {
		w.fault = w.computeOp(plan.OpFirstFault, plan.Fault, w.fault, w.valueOf(id))
	}
}

func (w *resultCollector) addResult(o operand, kind plan.Kind) {
	w.results, w.kinds = append(w.results, w.nodeFor(o, kind)), append(w.kinds, kind)
}

// addNumber adds a number.
func (w *resultCollector) addNumber(v *plan.Value, kind plan.Kind) {
	w.noteFault(v.Fault)
	w.addResult(w.valueOf(v.ID), kind)
}

// addState adds the numbers of a state, in the order of its shape. Its lists must be as long as they were.
func (w *resultCollector) addState(v *plan.Value, shape *plan.Shape) {
	if v.Present != plan.None {
		w.giveUp()
	}
	switch shape.Kind {
	case plan.Record:
		w.noteFault(v.Fault)
		for i := range shape.Fields {
			field := slices.IndexFunc(v.Type.Fields, func(f plan.Field) bool { return f.Name == shape.Fields[i].Name })
			if field < 0 {
				w.giveUp()
				return
			}
			w.addState(&v.Fields[field], shape.Fields[i].Shape)
		}
	case plan.List:
		w.addList(v, shape)
	default:
		w.laid++
		w.addNumber(v, shape.Kind)
	}
}

// addList adds the numbers of the elements of a list.
func (w *resultCollector) addList(v *plan.Value, shape *plan.Shape) {
	w.noteFault(v.Fault)
	l, ok := w.listAt(v.ID)
	if !ok || !shape.Elem.Type().Same(v.Type.Elem) {
		w.giveUp()
		return
	}
	l = w.sortElements(l)
	if !l.hasAll() || int64(len(l.elements)) != w.State.slots[w.laid].n {
		w.giveUp()
		return
	}
	w.laid++
	for _, e := range l.elements {
		for slot, o := range e.slots {
			w.addResult(o, l.kinds[slot])
		}
	}
}

// addFaults adds the faults of a value and its parts. Lists are among them whose elements cannot fail each by itself.
func (w *resultCollector) addFaults(v *plan.Value) {
	w.noteFault(v.Fault)
	for i := range v.Fields {
		w.addFaults(&v.Fields[i])
	}
	switch v.Type.Kind {
	case plan.List:
		if _, ok := w.listAt(v.ID); !ok || !hasNumbers(v.Type.Elem) {
			w.giveUp()
		}
	case plan.Map:
		w.giveUp()
	}
}

// hasNumbers reports whether a value of a type is numbers, truths and strings alone, none of which fails by itself.
func hasNumbers(t *plan.Type) bool {
	if t.Kind == plan.Record {
		return !slices.ContainsFunc(t.Fields, func(f plan.Field) bool { return f.Fallible || !hasNumbers(f.Type) })
	}
	return t.Scalar()
}

// scheduleResults schedules what was made.
func (w *resultCollector) scheduleResults() (*Code, error) {
	w.results, w.kinds = append(w.results, w.nodeFor(w.fault, plan.Fault)), append(w.kinds, plan.Fault)
	record := &plan.Type{Kind: plan.Record}
	none := plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None}
	all := none
	all.Type = record
	for k, id := range w.results {
		t := &plan.Type{Kind: w.kinds[k]}
		record.Fields = append(record.Fields, plan.Field{Type: t})
		all.Fields = append(all.Fields, plan.Value{Type: t, ID: id, Fault: plan.None, Present: plan.None})
	}
	w.out.Outputs, w.out.When = all, none
	opt := schedule.Options{Values: w.Options}
	opt.Roots[plan.StateRoot], opt.Roots[plan.InputRoot] = w.State.Size(), len(w.leafSpans)
	opt.Shapes[plan.StateRoot] = w.State.shape()
	code, err := schedule.Make(w.Image.Plan(), w.out, opt)
	if err != nil || !vector.CanRun(code) {
		return nil, err
	}
	w.Image.PrepareTables(code)
	out := &Code{Code: code, store: w.store, given: w.leafSpans}
	for _, id := range w.results {
		slot, ok := code.Slot(id)
		if !ok {
			return nil, nil
		}
		out.Results = append(out.Results, slot)
	}
	last := len(out.Results) - 1
	out.Results, out.fault = out.Results[:last], out.Results[last]
	return out, nil
}

// Columns returns columns in which the code runs for many states at once, with its lists.
func (c *Code) Columns() *vector.Columns {
	out := vector.NewColumns(c.store.Image(), c.Code)
	out.Frame.TakeFrom(c.store)
	for k, span := range c.given {
		out.Fill(int(c.Code.Base[plan.InputRoot])+k, span)
	}
	return out
}

// Run runs the code for the first n rows, and marks those in which it ended early or something that is wanted has failed.
func (c *Code) Run(x *vector.Columns, n int, failed []bool) {
	x.Frame.ForgetFaults()
	x.Run(n)
	for row, fault := range x.Column(uint16(c.fault)) {
		failed[row] = failed[row] || fault != 0 || x.HasEnded(row)
	}
}
