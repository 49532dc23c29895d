package schedule

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// What is known when a player decides.
//
// A decision is a field that is read after some dice have fallen. To ask for it, the body must be carried out up to there,
// although the field has no value yet. A made-up value would do harm: a requirement could fail that the real one meets. So
// the graph is cut instead. The rolls that come later are taken out, and the requirements that read the field or such a
// roll; nothing that is left reads the field, and so nothing of it has to be known.

// A Cut is a graph as far as it can be carried out before a decision.
type Cut struct {
	// Graph has the bounds of the decision as its first outputs, as they are declared: when, least, most. Then come the
	// values of Names.
	Graph *plan.Graph
	Names []string // of the values that depend on dice and are known by then: "quality", "roll.success"
	// Early are the dice that fall before the decision and read the field all the same. A compiled plan has none.
	Early []int
}

// CutAt cuts a body before a decision of it. leftOut are the dice that nothing needs, as FindNeeds tells: what depends on
// them is not known. The options that count and what is given are those of FindNeeds.
func CutAt(p *plan.Plan, b plan.Body, d *plan.Decision, opt Options, given Given, leftOut []bool) *Cut {
	g := b.Graph
	n := &needs{work: newWork(p, g, opt), given: given}
	n.settleKnown()
	c := &cutter{work: n.work, decision: d, leftOut: leftOut}
	from, to, _ := b.Shapes[d.Root].SlotsAt(d.Path)
	for id := range g.Nodes {
		if n := &g.Nodes[id]; n.Op == plan.OpLeaf {
			leaf := g.Leaves[n.Imm]
			if leaf.Root == d.Root && leaf.Offset >= from && leaf.Offset < to {
				c.fields = append(c.fields, plan.ID(id))
			}
		}
	}
	out := &Cut{Early: c.findEarly()}
	cut := *g
	cut.Blocks = slices.Clone(g.Blocks)
	for i := range cut.Blocks {
		cut.Blocks[i].Nodes = slices.DeleteFunc(slices.Clone(cut.Blocks[i].Nodes), c.comesLater)
	}
	cut.Next, cut.Ends, cut.Decisions = nil, nil, nil
	cut.Names = nil // they may name what is taken out
	cut.Outputs = plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None, Present: plan.None}
	for _, bound := range []*plan.Value{&d.When, &d.Least, &d.Most} {
		if bound.ID != plan.None {
			addOutput(&cut.Outputs, "", bound)
		}
	}
	for i := range g.Names {
		if n := &g.Names[i]; !strings.Contains(n.Name, ".") && n.Kind <= plan.DieName {
			out.Names = c.addKnown(&cut.Outputs, out.Names, n.Name, &n.Value)
		}
	}
	out.Graph = &cut
	return out
}

// A cutter tells what comes before a decision.
type cutter struct {
	*work
	decision *plan.Decision
	leftOut  []bool
	fields   []plan.ID // the leaves of the field
}

// addOutput adds a value to the outputs.
func addOutput(to *plan.Value, name string, v *plan.Value) {
	to.Fields = append(to.Fields, *v)
	to.Type.Fields = append(to.Type.Fields, plan.Field{Name: name, Type: v.Type, Fallible: v.Fault != plan.None})
}

// addKnown adds a named value, or those of its fields, that depends on dice which have fallen and on nothing later.
func (c *cutter) addKnown(to *plan.Value, names []string, name string, v *plan.Value) []string {
	if v.Type.Kind == plan.Record {
		for i := range v.Fields {
			names = c.addKnown(to, names, name+"."+v.Type.Fields[i].Name, &v.Fields[i])
		}
		return names
	}
	found := c.reachFrom(v.ID, v.Fault, v.Present)
	rolled := false
	for id := range c.graph.Nodes {
		if n := &c.graph.Nodes[id]; found[id] && n.Op == plan.OpRoll {
			if rolled = true; c.leftOut != nil && c.leftOut[n.Imm] {
				return names
			}
		}
	}
	if !rolled || c.readsLater(found) || v.Type.Kind == plan.Map || v.Present != plan.None ||
		v.Type.Kind == plan.List && !v.Type.Elem.Scalar() {
		return names
	}
	addOutput(to, name, v)
	return append(names, name)
}

// reachFrom tells all that some nodes need.
func (c *cutter) reachFrom(ids ...plan.ID) []bool {
	s := &search{work: c.work, found: make([]bool, len(c.nodes))}
	for _, id := range ids {
		if id != plan.None {
			s.need(id)
		}
	}
	for len(s.open) > 0 {
		id := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.operands(id)
	}
	return s.found
}

// readsLater reports whether the field is among what is reached, or a roll that comes after the decision.
func (c *cutter) readsLater(found []bool) bool {
	return c.readsField(found) || slices.ContainsFunc(c.allRolls(), func(id plan.ID) bool {
		return found[id] && c.graph.Nodes[id].Imm >= int64(c.decision.Dice)
	})
}

func (c *cutter) readsField(found []bool) bool {
	return slices.ContainsFunc(c.fields, func(id plan.ID) bool { return found[id] })
}

func (c *cutter) allRolls() (out []plan.ID) {
	for id := range c.graph.Nodes {
		if c.graph.Nodes[id].Op == plan.OpRoll {
			out = append(out, plan.ID(id))
		}
	}
	return out
}

// comesLater reports whether an effect cannot be carried out before the decision.
func (c *cutter) comesLater(id plan.ID) bool {
	switch n := &c.graph.Nodes[id]; n.Op {
	case plan.OpRoll:
		return n.Imm >= int64(c.decision.Dice)
	case plan.OpRequire:
		return c.readsLater(c.reachFrom(n.Args...))
	case plan.OpCover:
		return true
	}
	return false
}

// findEarly finds the dice that fall before the decision and read its field.
func (c *cutter) findEarly() (out []int) {
	for _, id := range c.allRolls() {
		n := &c.graph.Nodes[id]
		if n.Imm < int64(c.decision.Dice) && c.readsField(c.reachFrom(append(slices.Clone(n.Args), id)...)) {
			out = append(out, int(n.Imm))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
