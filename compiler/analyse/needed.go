package analyse

import "github.com/tabletop-rules/rules/runtime/plan"

// neededBy reports of each node whether answers depend on it: outputs, next states, guards, ends, requirements and dice. A
// node that only a trace shows is not needed.
//
// Named lets that only a trace shows are left out on purpose: a table that is looked up for such a let alone has no use for
// a player, and its columns count as unread.
func neededBy(g *plan.Graph) []bool {
	n := &needs{graph: g, of: make([]bool, len(g.Nodes))}
	n.markValue(&g.Outputs)
	n.markValue(&g.When)
	for i := range g.Next {
		n.markValue(&g.Next[i])
	}
	for i := range g.Ends {
		n.markValue(&g.Ends[i])
	}
	for id := range g.Nodes {
		if op := g.Nodes[id].Op; op == plan.OpRequire || op == plan.OpRoll {
			n.markNode(plan.ID(id))
		}
	}
	return n.of
}

// needs marks nodes, and all that they are computed from.
type needs struct {
	graph *plan.Graph
	of    []bool
}

// markValue marks the nodes of a value. A record has no node of its own, and the nodes of its fields are marked instead.
func (n *needs) markValue(v *plan.Value) {
	if v.Type == nil {
		return
	}
	n.markNode(v.Fault)
	n.markNode(v.Present)
	if v.Type.Kind != plan.Record {
		n.markNode(v.ID)
	}
	for i := range v.Fields {
		n.markValue(&v.Fields[i])
	}
}

// markNode marks a node and its operands, and of a loop the results of its rounds. It ends since a marked node is not
// followed again.
func (n *needs) markNode(id plan.ID) {
	if id < 0 || n.of[id] {
		return
	}
	n.of[id] = true
	x := &n.graph.Nodes[id]
	for _, a := range x.Args {
		n.markNode(a)
	}
	if x.Op == plan.OpLoop {
		for _, a := range n.graph.Blocks[x.Imm].Results {
			n.markNode(a)
		}
	}
}
