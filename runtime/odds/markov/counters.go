package markov

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Counters. A procedure that counts its events, "rolls: state.rolls + 1", has a state for every number, without end, though
// nothing that happens depends on it. Its loops could not be solved: they never come back to a state. So fields that only
// count are the same in all states, unless an output that reads them is asked for.
//
// A counter is an int of the state that may be any int, or any from some int on. Every event leaves it, sets it, or adds
// to it. Nothing that the course depends on reads it: no guard, no requirement, no die, no end, no other field. What is
// added is bounded, so the sum leaves the int64s after more than 2^31 events, which is the one failure that is not seen.

// maxAdded bounds what one event adds to a counter.
const maxAdded = math.MaxInt32

// A counterSearch looks for counters. Fields leave it one by one, until those that are left read only themselves.
type counterSearch struct {
	*Process
	fields []plan.Member // of the state
	slots  [][2]int32    // of each field, where it stands in the record
	counts []bool        // of each field, whether it may be a counter
}

// findCounters returns, for each field of the state, whether it is a counter under a policy, given the outputs that are
// asked for; nil where there is none.
func (p *Process) findCounters(policy Policy, outputs []string) []bool {
	written := p.plan.Start.Next[0].Type
	if written.Kind != plan.Record || len(written.Fields) != len(p.plan.State.Fields) {
		return nil
	}
	s := &counterSearch{Process: p, fields: p.plan.State.Fields}
	for i := range s.fields {
		m := &s.fields[i]
		from, to, ok := p.plan.State.SlotsAt(m.Name)
		s.slots = append(s.slots, [2]int32{from, to})
		s.counts = append(s.counts, ok && m.Shape.Kind == plan.Int && !m.Optional && m.Shape.Max == nil &&
			m.Shape.Not == nil)
	}
	for _, m := range policy {
		if m.StateReads == nil && (m.Guard != nil || m.Inputs != nil) {
			return nil
		}
		s.dropNames(m.StateReads)
		for _, c := range p.choices[m.Event] {
			if c.StateReads == nil {
				return nil
			}
			s.dropNames(c.StateReads)
		}
	}
	roots := slices.Clone(p.plan.Close.Ends)
	record := &p.plan.Close.Outputs
	for i := range record.Fields {
		if slices.Contains(outputs, record.Type.Fields[i].Name) {
			roots = append(roots, record.Fields[i])
		}
	}
	s.dropRead(&p.plan.Close, roots)
	for before := -1; before != s.countFields(); {
		before = s.countFields()
		for i := range p.plan.Events {
			s.dropOtherReads(&p.plan.Events[i])
		}
	}
	if s.countFields() == 0 {
		return nil
	}
	return s.counts
}

// countFields returns the number of fields that may still be counters.
func (s *counterSearch) countFields() (n int) {
	for _, is := range s.counts {
		if is {
			n++
		}
	}
	return n
}

func (s *counterSearch) dropNames(names []string) {
	for i := range s.fields {
		if slices.Contains(names, s.fields[i].Name) {
			s.counts[i] = false
		}
	}
}

// dropRead drops the fields that the values in a graph need.
func (s *counterSearch) dropRead(g *plan.Graph, values []plan.Value) {
	isNeeded := neededNodes(g, values)
	for id := range g.Nodes {
		if field := s.fieldOf(g, plan.ID(id)); field >= 0 && isNeeded[id] {
			s.counts[field] = false
		}
	}
}

// fieldOf returns the field that a node reads; -1 when it reads none.
func (s *counterSearch) fieldOf(g *plan.Graph, id plan.ID) int {
	if g.Nodes[id].Op != plan.OpLeaf {
		return -1
	}
	l := g.Leaves[g.Nodes[id].Imm]
	return slices.IndexFunc(s.slots, func(at [2]int32) bool {
		return l.Root == plan.StateRoot && l.Offset >= at[0] && l.Offset < at[1]
	})
}

// dropOtherReads drops the fields that an event reads otherwise than to count.
func (s *counterSearch) dropOtherReads(e *plan.Event) {
	g := &e.Graph
	next := &g.Next[0]
	roots := append([]plan.Value{g.When}, g.Next[1:]...)
	for i := range next.Fields {
		k := slices.IndexFunc(s.fields, func(m plan.Member) bool { return m.Name == next.Type.Fields[i].Name })
		if k < 0 || !s.counts[k] {
			roots = append(roots, next.Fields[i])
		}
	}
	roots = append(roots, valueOfNode(next.Fault), valueOfNode(next.Present))
	if next.Fields == nil { // written as a whole
		roots = append(roots, *next)
	}
	for _, d := range g.Decisions {
		roots = append(roots, d.When, d.Least, d.Most)
	}
	effects, faults := effectsOf(g)
	s.dropRead(g, append(roots, effects...))
	if s.countFields() == 0 {
		return
	}
	bounds := interval.Analyse(s.image.Plan(), g, s.shapesOf(e))
	for _, id := range faults {
		c := &counting{search: s, graph: g, bounds: bounds, minimum: math.MinInt64}
		if !c.onlyOverflows(id) {
			s.dropRead(g, []plan.Value{valueOfNode(id)})
		}
	}
	for i := range next.Fields {
		k := slices.IndexFunc(s.fields, func(m plan.Member) bool { return m.Name == next.Type.Fields[i].Name })
		if k < 0 || !s.counts[k] {
			continue
		}
		c := &counting{search: s, graph: g, field: k, bounds: bounds, minimum: math.MinInt64}
		if b := s.fields[k].Shape.Min; b != nil {
			c.minimum = int64(math.Ceil(b.Value))
			if b.Open && float64(c.minimum) == b.Value {
				c.minimum++
			}
		}
		v := &next.Fields[i]
		s.counts[k] = v.Present == plan.None && c.isCount(v.ID) && (v.Fault == plan.None || c.onlyOverflows(v.Fault))
	}
}

// shapesOf returns the records that an event reads.
func (s *counterSearch) shapesOf(e *plan.Event) (out [plan.NumRoots]*plan.Shape) {
	out[plan.CharacterRoot], out[plan.InputRoot] = s.image.Plan().Character, s.plan.Input
	out[plan.StateRoot], out[plan.EventRoot] = s.plan.State, e.Input
	return out
}

// A counting is how an event changes one field.
type counting struct {
	search  *counterSearch
	graph   *plan.Graph
	field   int
	bounds  []interval.Interval // of each node
	minimum int64               // that the field may be
}

// readsCounter reports whether a node needs any field that may be a counter.
func (c *counting) readsCounter(id plan.ID) bool {
	for node, is := range neededNodes(c.graph, []plan.Value{valueOfNode(id)}) {
		if is {
			if k := c.search.fieldOf(c.graph, plan.ID(node)); k >= 0 && c.search.counts[k] {
				return true
			}
		}
	}
	return false
}

// isCount reports whether a node is the field, left as it is, set, or added to, and never less than it may be.
func (c *counting) isCount(id plan.ID) bool {
	n := &c.graph.Nodes[id]
	switch {
	case c.search.fieldOf(c.graph, id) == c.field:
		return true
	case !c.readsCounter(id):
		return c.bounds[id].Min >= c.minimum
	case n.Op == plan.OpSelect:
		return !c.readsCounter(n.Args[0]) && c.isCount(n.Args[1]) && c.isCount(n.Args[2])
	case n.Op == plan.OpAddInt:
		return c.isAdded(n.Args[1]) && c.isCount(n.Args[0]) || c.isAdded(n.Args[0]) && c.isCount(n.Args[1])
	}
	return false
}

// isAdded reports whether a node is no more than may be added to a counter.
func (c *counting) isAdded(id plan.ID) bool {
	b := c.bounds[id]
	least := int64(-maxAdded)
	if c.minimum > math.MinInt64 {
		least = 0
	}
	return b.Min >= least && b.Max <= maxAdded && !c.readsCounter(id)
}

// onlyOverflows reports whether a failure that needs a counter can only be a sum that leaves the int64s.
func (c *counting) onlyOverflows(id plan.ID) bool {
	n := &c.graph.Nodes[id]
	switch {
	case !c.readsCounter(id):
		return true
	case n.Op == plan.OpAddIntFault:
		return c.isAdded(n.Args[1]) || c.isAdded(n.Args[0])
	case n.Op == plan.OpSelect:
		return !c.readsCounter(n.Args[0]) && c.onlyOverflows(n.Args[1]) && c.onlyOverflows(n.Args[2])
	case n.Op == plan.OpFirstFault:
		return c.onlyOverflows(n.Args[0]) && c.onlyOverflows(n.Args[1])
	}
	return false
}

// effectsOf returns the values that the effects of a graph need, and the failures with which requirements end it.
func effectsOf(g *plan.Graph) (values []plan.Value, faults []plan.ID) {
	for id := range g.Nodes {
		n := &g.Nodes[id]
		switch {
		case n.Op == plan.OpRequire:
			last := len(n.Args) - 1
			for _, a := range n.Args[:last] {
				values = append(values, valueOfNode(a))
			}
			faults = append(faults, n.Args[last])
		case n.Op.Has(plan.Effect):
			values = append(values, valueOfNode(plan.ID(id)))
		}
	}
	return values, faults
}

// valueOfNode is a node as a value by itself.
func valueOfNode(id plan.ID) plan.Value {
	return plan.Value{Type: &plan.Type{Kind: plan.Int}, ID: id, Fault: plan.None, Present: plan.None}
}

// neededNodes finds the nodes that values need. Of a loop that is all of its body.
func neededNodes(g *plan.Graph, values []plan.Value) []bool {
	out := make([]bool, len(g.Nodes))
	var mark func(id plan.ID)
	mark = func(id plan.ID) {
		if id == plan.None || out[id] {
			return
		}
		out[id] = true
		n := &g.Nodes[id]
		for _, a := range n.Args {
			mark(a)
		}
		if n.Op == plan.OpLoop {
			for _, inner := range g.Blocks[n.Imm].Nodes {
				mark(inner)
			}
		}
	}
	var markValue func(v *plan.Value)
	markValue = func(v *plan.Value) {
		if v.Type == nil {
			return
		}
		if v.Type.Kind != plan.Record {
			mark(v.ID)
		}
		mark(v.Fault)
		mark(v.Present)
		for i := range v.Fields {
			markValue(&v.Fields[i])
		}
	}
	for i := range values {
		markValue(&values[i])
	}
	return out
}
