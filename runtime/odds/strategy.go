package odds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// A Strategy decides fields of the input when dice have fallen.
type Strategy struct {
	Choices []Choice
	// Worth is what a choice is made for: the choices whose mean worth is greatest are taken. Without one every field must
	// have a single choice.
	Worth func(*Outcome) (float64, error)
}

// decides reports whether a strategy decides the field at a path.
func (s *Strategy) decides(path string) bool {
	return slices.ContainsFunc(s.Choices, func(c Choice) bool { return c.Path == path })
}

// A Choice is what a field may be decided to be.
type Choice struct {
	Path  string   // of the field in its record: "spend.speed"
	Reads []string // the named values that Options reads
	// Options are the values that may be chosen, given the records and the values of Reads. Without it they are all that the
	// field may be.
	Options func(records Records, known []jsonio.Value) ([]jsonio.Value, error)
}

// maxOptions is how many values of one field are compared.
const maxOptions = 1_000

// A strategyRun is a strategy while a question is answered.
type strategyRun struct {
	records  Records
	compares bool                 // choices are compared by their worth
	options  []map[string][]int64 // of each decision, the choices in each state that was met
	best     []map[string]int64   // of each decision, the best of them
	open     int                  // the decision whose choices are compared, and so are those before it; -1 when all are made
}

// runDecided carries a program out under the strategy of its rule. The decisions are settled from the last to the first:
// while all choices of one are compared, those after it are the best ones already, and those before it are all shown,
// because every state that they may lead to needs a choice.
func (e *engine[W]) runDecided(r *Rule, w *way, top *program, q Question) (*table[W], error) {
	n := len(r.decided)
	e.play = &strategyRun{
		records: q.Records, compares: r.worth != nil, open: -1,
		options: make([]map[string][]int64, n), best: make([]map[string]int64, n),
	}
	for k := range n {
		e.play.options[k], e.play.best[k] = map[string][]int64{}, map[string]int64{}
	}
	if r.worth != nil {
		for k := n - 1; k >= 0; k-- {
			if w.leafOf(r.decided[k]) == plan.None {
				continue
			}
			e.play.open = k
			t, err := e.run(top, e.certain())
			if err != nil {
				return nil, err
			}
			if err := e.chooseBest(r, w, t, k); err != nil {
				return nil, err
			}
			e.release(t)
		}
		e.play.open = -1
	}
	return e.run(top, e.certain())
}

// leafOf is the node of a decided field; None when nothing needs it.
func (g *graph) leafOf(d *decidedField) plan.ID {
	for id := range g.nodes {
		if n := &g.nodes[id]; g.needed[id] && g.isDecision(plan.ID(id)) && g.Leaves[n.Imm] == d.leaf {
			return plan.ID(id)
		}
	}
	return plan.None
}

// isDecision reports whether a node is a field that is decided: a leaf that reads what is known then.
func (g *graph) isDecision(id plan.ID) bool {
	n := &g.nodes[id]
	return n.Op == plan.OpLeaf && len(n.Args) > 0
}

// decide gives the choices of a decision, each with the same weight.
func (e *engine[W]) decide(s *source, ins []int64) (*table[W], error) {
	k := slices.IndexFunc(e.choices, func(d *decidedField) bool { return d.leaf == e.Leaves[e.nodes[s.id].Imm] })
	d, p := e.choices[k], e.play
	key := stateKey(ins)
	options, ok := p.options[k][key]
	if !ok {
		var err error
		if options, err = e.listOptions(d, ins); err != nil {
			return nil, fmt.Errorf("deciding %s: %w", d.Path, err)
		}
		p.options[k][key] = options
	}
	if k > p.open {
		chosen, known := p.best[k][key]
		if !known { // nothing came of any choice in this state, or there is but one
			chosen = options[0]
		}
		return e.certain(chosen), nil
	}
	out := e.table(1)
	for _, v := range options {
		out.add([]int64{v}, e.unit)
	}
	return out, nil
}

func stateKey(values []int64) string {
	var key []byte
	for _, v := range values {
		key = binary.AppendVarint(key, v)
	}
	return string(key)
}

// listOptions lists what a field may be decided to be in a state, as slots.
func (e *engine[W]) listOptions(d *decidedField, ins []int64) ([]int64, error) {
	kept, view := e.stage.Snapshot(), vm.NewView(ins, 1)
	read := func(at *vm.Location) (jsonio.Value, error) {
		v, fault := jsonio.ReadValue(kept, at, view)
		if fault != 0 {
			return v, vm.FailureOf(kept, e.graph.Graph, fault)
		}
		return v, nil
	}
	if d.when != nil {
		if when, err := read(d.when); err != nil || !when.Bool() {
			return []int64{ins[d.given]}, nil // nothing is decided; where when fails the rule says so
		}
	}
	lo, hi, err := d.findLimits(read)
	if err != nil {
		return nil, err
	}
	if d.Options == nil {
		return e.listAll(d, lo, hi)
	}
	var known []jsonio.Value
	for i := range d.reads {
		v, err := read(&d.reads[i])
		if err != nil {
			return nil, err
		}
		known = append(known, v)
	}
	values, err := d.Options(e.play.records, known)
	if err != nil {
		return nil, err
	}
	var out []int64
	for _, v := range values {
		bits, ok := e.slotOf(d.shape, v, lo, hi)
		if ok && !slices.Contains(out, bits) {
			out = append(out, bits)
		}
	}
	switch {
	case len(out) == 0 && len(values) == 0:
		return nil, errors.New("there is nothing to choose from")
	case len(out) == 0:
		return nil, fmt.Errorf("it may not be %s", values[0])
	case len(out) > 1 && !e.play.compares:
		return nil, fmt.Errorf("there are %d values to choose from, and nothing says which is best", len(out))
	}
	return out, nil
}

// findLimits are the bounds of a number that is decided.
func (d *decidedField) findLimits(read func(*vm.Location) (jsonio.Value, error)) (lo, hi int64, err error) {
	lo, hi = math.MinInt64, math.MaxInt64
	if b := d.shape.Min; b != nil {
		if lo = int64(math.Ceil(b.Value)); b.Open && float64(lo) == b.Value {
			lo++
		}
	}
	if b := d.shape.Max; b != nil {
		if hi = int64(math.Floor(b.Value)); b.Open && float64(hi) == b.Value {
			hi--
		}
	}
	if d.least != nil {
		v, err := read(d.least)
		if err != nil {
			return 0, 0, err
		}
		lo = max(lo, int64(math.Ceil(number(v))))
	}
	if d.most != nil {
		v, err := read(d.most)
		if err != nil {
			return 0, 0, err
		}
		hi = min(hi, int64(math.Floor(number(v))))
	}
	return lo, hi, nil
}

// listAll lists all that a field may be.
func (e *engine[W]) listAll(d *decidedField, lo, hi int64) (out []int64, err error) {
	switch d.shape.Kind {
	case plan.Bool:
		return []int64{0, 1}, nil
	case plan.String:
		for _, text := range d.shape.Enum {
			out = append(out, e.symbolOf(text))
		}
	case plan.Int:
		if lo > hi {
			return nil, fmt.Errorf("it may be nothing: at least %d and at most %d", lo, hi)
		}
		if lo == math.MinInt64 || hi == math.MaxInt64 || hi-lo >= maxOptions {
			return nil, errors.New("it has no bounds, or too many values to compare: name those that it may be, as a list")
		}
		for v := lo; v <= hi; v++ {
			if !isExcluded(d.shape, v) {
				out = append(out, v)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("name the values that it may be, as a list")
	}
	return out, nil
}

func isExcluded(s *plan.Shape, v int64) bool {
	return slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == float64(v) })
}

// slotOf is a value as a slot; not ok when the field may not be that.
func (e *engine[W]) slotOf(s *plan.Shape, v jsonio.Value, lo, hi int64) (bits int64, ok bool) {
	if v.Kind() != s.Kind {
		return 0, false
	}
	switch s.Kind {
	case plan.Bool:
		return v.Int(), true
	case plan.String:
		return e.symbolOf(v.Text()), s.Enum == nil || slices.Contains(s.Enum, v.Text())
	}
	return v.Int(), lo <= v.Int() && v.Int() <= hi && !isExcluded(s, v.Int())
}

// An assessment is what comes of a choice in a state.
type assessment struct {
	mass, worth, size float64 // size is the sum of what was added to worth, without signs
}

// chooseBest takes the best choice of a decision in every state. A choice that the rule refuses, or that leads to no value,
// is not taken while another one leads to more. Of equally good ones the first is taken.
func (e *engine[W]) chooseBest(r *Rule, w *way, t *table[W], k int) error {
	leaf := w.leafOf(r.decided[k])
	operands := e.nodes[leaf].Args
	all := map[string]map[int64]*assessment{}
	x := newReading(w, t, e)
	state := make([]int64, len(operands))
	for i := range t.w {
		row := t.row(i)
		values, failure := x.values(row)
		if failure != nil {
			continue
		}
		worth, err := r.worth(&Outcome{Values: values})
		if err != nil {
			return err
		}
		for j, id := range operands {
			state[j] = row[w.columns[id]]
		}
		key, chosen := stateKey(state), row[w.columns[leaf]]
		if all[key] == nil {
			all[key] = map[int64]*assessment{}
		}
		a := all[key][chosen]
		if a == nil {
			a = &assessment{}
			all[key][chosen] = a
		}
		p, _ := probability(t.w[i], t.den, e.whole)
		a.mass, a.worth, a.size = a.mass+p, a.worth+p*worth, a.size+p*math.Abs(worth)
	}
	for key, byChoice := range all {
		e.play.best[k][key] = bestOf(e.play.options[k][key], byChoice)
	}
	return nil
}

// roundingOfSums is how far two sums of floats may be apart that ought to be equal, as a part of what was summed.
const roundingOfSums = 1e-9

func bestOf(options []int64, byChoice map[int64]*assessment) (best int64) {
	most := 0.0
	for _, a := range byChoice {
		most = max(most, a.mass)
	}
	var of *assessment
	for _, v := range options {
		a := byChoice[v]
		if a == nil || a.mass < most*(1-roundingOfSums) {
			continue
		}
		if of == nil || a.worth > of.worth+roundingOfSums*max(a.size, of.size) {
			best, of = v, a
		}
	}
	return best
}
