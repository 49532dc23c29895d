package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// What is known when a player decides.
//
// A decision is a field that is read after some dice have fallen. To ask for it, the body must be carried out up to there,
// although the field has no value yet. A made-up value would do harm: a requirement could fail that the real one meets. So
// the graph is cut instead. The rolls that come later are taken out, and the requirements that read such a roll, the field,
// or a field that is decided after it; nothing that is left reads one of them, and so nothing of them has to be known.

// A Cut is a graph as far as it can be carried out before a decision.
type Cut struct {
	// Graph has the bounds of the decision as its first outputs, as they are declared: when, least, most. Then come the
	// values of Names.
	Graph *plan.Graph
	Names []string // of the values that depend on dice and are known by then: "quality", "roll.success"
	// Early are the dice that fall before the decision and read the field all the same. A compiled plan has none.
	Early []int
	// HasOpenBound is whether a bound reads what is not known by then: a later roll, the field, or one that is decided
	// after it. Then Graph cannot be carried out. A compiled plan has no such bound.
	HasOpenBound bool
}

// CutAt returns a body up to its k-th decision. leftOut are the dice that nothing needs, by FindNeeds: values that depend
// on them are not known, nor are outputs that are not asked for. The options and the given values are those of FindNeeds.
func CutAt(p *plan.Plan, b plan.Body, k int, opt Options, given Given, leftOut []bool) *Cut {
	c, out := cutBefore(p, b, k, opt, given)
	c.leftOut = leftOut
	for i := range b.Graph.Names {
		n := &b.Graph.Names[i]
		isUnasked := n.Kind == plan.OutputName && opt.Outputs != nil && !slices.Contains(opt.Outputs, n.Name)
		if !strings.Contains(n.Name, ".") && n.Kind <= plan.DieName && !isUnasked {
			out.Names = c.addKnown(&out.Graph.Outputs, out.Names, n.Name, &n.Value)
		}
	}
	return out
}

// CutForFormula returns a body up to its k-th decision without its requirements, for a formula that decides: Names are
// those that it reads, of records the parts that are known by then.
func CutForFormula(p *plan.Plan, b plan.Body, k int, opt Options, names []string) (*Cut, error) {
	c, out := cutBefore(p, b, k, opt, Given{})
	for i := range out.Graph.Blocks {
		block := &out.Graph.Blocks[i]
		block.Nodes = slices.DeleteFunc(block.Nodes, func(id plan.ID) bool { return c.nodes[id].Op == plan.OpRequire })
	}
	for _, name := range names {
		at := slices.IndexFunc(b.Graph.Names, func(n plan.Named) bool { return n.Name == name && n.Kind <= plan.DieName })
		var known *plan.Value
		if at >= 0 {
			known = c.knownPart(&b.Graph.Names[at].Value)
		}
		if known == nil {
			return nil, fmt.Errorf("%s is not known when %s is decided", name, c.decision.Path)
		}
		addOutput(&out.Graph.Outputs, name, known)
		out.Names = append(out.Names, name)
	}
	return out, nil
}

// cutBefore returns a body up to its k-th decision, with the bounds of the decision as its outputs.
func cutBefore(p *plan.Plan, b plan.Body, k int, opt Options, given Given) (*cutter, *Cut) {
	g := b.Graph
	d := &g.Decisions[k]
	n := &needs{work: newWork(p, g, opt), given: given}
	n.propagateConstants()
	c := &cutter{work: n.work, decision: d, known: map[[3]plan.ID]int{}}
	c.field = c.openLeaves(b, d)
	for i := range g.Decisions[k:] {
		c.open = append(c.open, c.openLeaves(b, &g.Decisions[k+i])...)
	}
	out := &Cut{Early: c.findEarly()}
	cut := *g
	cut.Nodes = c.foldedNodes()
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
			out.HasOpenBound = out.HasOpenBound ||
				c.readsLater(c.reachFrom([]plan.ID{bound.ID, bound.Fault, bound.Present}, false))
		}
	}
	out.Graph = &cut
	return c, out
}

// CutOutputs cuts a body to those of some outputs that read none of the dice that are open. Requirements are left out: they
// are judged once everything that they read is known. The options that count are those of FindNeeds.
func CutOutputs(p *plan.Plan, b plan.Body, opt Options, names []string, open []bool) *plan.Graph {
	g := b.Graph
	c := &cutter{work: newWork(p, g, opt)}
	isOpen := func(n *plan.Node) bool { return n.Op == plan.OpRoll && open[n.Imm] }
	readsOpen := func(found []bool) bool {
		return slices.ContainsFunc(c.allRolls(), func(id plan.ID) bool { return found[id] && isOpen(&g.Nodes[id]) })
	}
	cut := *g
	cut.Blocks = slices.Clone(g.Blocks)
	for i := range cut.Blocks {
		cut.Blocks[i].Nodes = slices.DeleteFunc(slices.Clone(cut.Blocks[i].Nodes), func(id plan.ID) bool {
			n := &g.Nodes[id]
			// A roll that nothing needs is not open, but cannot be carried out either where it reads one that is.
			return n.Op == plan.OpRequire || n.Op == plan.OpRoll && readsOpen(c.reachFrom([]plan.ID{id}, false))
		})
	}
	cut.Next, cut.Ends, cut.Decisions, cut.Names = nil, nil, nil, nil
	cut.Outputs = plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None, Present: plan.None}
	for i := range g.Outputs.Fields {
		name, v := g.Outputs.Type.Fields[i].Name, &g.Outputs.Fields[i]
		if !slices.Contains(names, name) {
			continue
		}
		if !readsOpen(c.reachFrom(listIDs(nil, v), false)) {
			addOutput(&cut.Outputs, name, v)
		}
	}
	return &cut
}

// CutGuard cuts the body of an event to its guard, which reads nothing that comes with the event.
func CutGuard(g *plan.Graph) *plan.Graph {
	cut := *g
	cut.Blocks = slices.Clone(g.Blocks)
	for i := range cut.Blocks {
		cut.Blocks[i].Nodes = slices.DeleteFunc(slices.Clone(cut.Blocks[i].Nodes), func(id plan.ID) bool {
			n := &g.Nodes[id]
			return n.Op == plan.OpRoll || n.Op == plan.OpCover || n.Op == plan.OpRequire && !g.Requires[n.Imm].IsGuard()
		})
	}
	cut.Next, cut.Ends, cut.Decisions, cut.Names = nil, nil, nil, nil
	cut.Outputs = plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None, Present: plan.None}
	return &cut
}

// listIDs appends the nodes of a value and of its fields.
func listIDs(out []plan.ID, v *plan.Value) []plan.ID {
	out = append(out, v.ID, v.Fault, v.Present)
	for i := range v.Fields {
		out = listIDs(out, &v.Fields[i])
	}
	return out
}

// A cutter tells what comes before a decision.
type cutter struct {
	*work
	decision *plan.Decision
	leftOut  []bool
	field    []plan.ID          // the leaves of the field that are not known
	open     []plan.ID          // these, and those of the fields that are decided after it
	known    map[[3]plan.ID]int // where among the names a value stands: a let of a used rule's output is the same value
}

// openLeaves returns the leaves of the field of a decision that are not known.
func (c *cutter) openLeaves(b plan.Body, d *plan.Decision) (out []plan.ID) {
	shape := b.Shapes[d.Root]
	if shape == nil {
		return nil
	}
	from, to, _ := shape.SlotsAt(d.Path)
	for id := range c.nodes {
		if n := &c.nodes[id]; n.Op == plan.OpLeaf {
			leaf := c.graph.Leaves[n.Imm]
			if leaf.Root == d.Root && leaf.Offset >= from && leaf.Offset < to {
				out = append(out, plan.ID(id))
			}
		}
	}
	return out
}

// addOutput adds a value to the outputs.
func addOutput(to *plan.Value, name string, v *plan.Value) {
	to.Fields = append(to.Fields, *v)
	to.Type.Fields = append(to.Type.Fields, plan.Field{Name: name, Type: v.Type, Fallible: v.Fault != plan.None})
}

// addKnown adds a named value, or those of its fields, that depends on dice which have fallen and on nothing later. A value
// that has several names is added once, by the name with the fewest steps: quality rather than roll.quality.
func (c *cutter) addKnown(to *plan.Value, names []string, name string, v *plan.Value) []string {
	if v.Type.Kind == plan.Record {
		for i := range v.Fields {
			names = c.addKnown(to, names, name+"."+v.Type.Fields[i].Name, &v.Fields[i])
		}
		return names
	}
	ids := [3]plan.ID{v.ID, v.Fault, v.Present}
	if at, again := c.known[ids]; again {
		if strings.Count(name, ".") < strings.Count(names[at], ".") {
			names[at] = name
		}
		return names
	}
	found := c.reachFrom(ids[:], false)
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
	c.known[ids] = len(names)
	return append(names, name)
}

// knownPart returns the part of a value that reads nothing later than the decision, nil when none does.
func (c *cutter) knownPart(v *plan.Value) *plan.Value {
	ids := []plan.ID{v.Fault, v.Present}
	if v.Type.Kind != plan.Record {
		ids = append(ids, v.ID)
	}
	if c.readsLater(c.reachFrom(ids, false)) {
		return nil
	}
	if v.Type.Kind != plan.Record {
		return v
	}
	out := *v
	out.Type, out.Fields = &plan.Type{Kind: plan.Record}, nil
	for i := range v.Fields {
		if f := c.knownPart(&v.Fields[i]); f != nil {
			field := v.Type.Fields[i]
			field.Type = f.Type
			out.Type.Fields, out.Fields = append(out.Type.Fields, field), append(out.Fields, *f)
		}
	}
	if len(out.Fields) == 0 {
		return nil
	}
	return &out
}

// readsLater reports whether the reached nodes include a field that is not decided yet, or a roll behind the decision.
func (c *cutter) readsLater(found []bool) bool {
	return readsAny(found, c.open) || slices.ContainsFunc(c.allRolls(), func(id plan.ID) bool {
		return found[id] && c.graph.Nodes[id].Imm >= int64(c.decision.Dice)
	})
}

// readsAny reports whether one of some nodes is reached.
func readsAny(found []bool, ids []plan.ID) bool {
	return slices.ContainsFunc(ids, func(id plan.ID) bool { return found[id] })
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
		return c.readsLater(c.reachFrom(n.Args, false))
	case plan.OpCover:
		return true
	}
	return false
}

// foldedNodes returns the nodes of the graph, with a constant for each that has but one value for everything that is given.
// What stays may read a later roll only through such a node: it has no value if it is computed from a roll that is taken
// out. Texts keep their nodes, as their symbols are those of another frame.
func (c *cutter) foldedNodes() []plan.Node {
	out := slices.Clone(c.graph.Nodes)
	for id := range out {
		switch n := &out[id]; n.Kind {
		case plan.Int, plan.Double, plan.Bool, plan.Fault:
			if bits, isConstant := c.constantOf(plan.ID(id)); isConstant {
				*n = plan.Node{Op: plan.OpConst, Kind: n.Kind, Imm: bits, Site: -1}
			}
		}
	}
	return out
}

// findEarly finds the dice that fall before the decision and read its field.
func (c *cutter) findEarly() (out []int) {
	for _, id := range c.allRolls() {
		n := &c.graph.Nodes[id]
		if n.Imm < int64(c.decision.Dice) && readsAny(c.reachFrom(append(slices.Clone(n.Args), id), false), c.field) {
			out = append(out, int(n.Imm))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
