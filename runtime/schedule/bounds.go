package schedule

import (
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// foldBounds makes constants of the nodes whose intervals leave one value, above all of the faults that cannot happen.
func (w *work) foldBounds() {
	w.bounds = w.boundNodes(w.viewGraph())
	w.walkNodes(0, func(id plan.ID) {
		if w.same[id] == id && w.isDecided(id) {
			w.makeConstant(id, w.bounds[id].Min)
		}
	})
}

func (w *work) boundNodes(g *plan.Graph) []interval.Interval {
	return interval.AnalyseWithin(w.plan, g, w.shapes, w.ints)
}

// viewGraph returns the graph as the passes have left it.
func (w *work) viewGraph() *plan.Graph {
	out := *w.graph
	out.Nodes = make([]plan.Node, len(w.nodes))
	for id, n := range w.nodes {
		n.Args = make([]plan.ID, len(n.Args))
		for k := range n.Args {
			n.Args[k] = w.operandOf(&w.nodes[id], k)
		}
		out.Nodes[id] = n
	}
	out.Blocks = make([]plan.Block, len(w.graph.Blocks))
	for i, b := range w.graph.Blocks {
		results := make([]plan.ID, len(b.Results))
		for k, id := range b.Results {
			results[k] = w.same[id]
		}
		out.Blocks[i] = plan.Block{Nodes: b.Nodes, Results: results}
	}
	return &out
}

// isDecided reports whether a node can hold only one value, and may as well be that.
func (w *work) isDecided(id plan.ID) bool {
	n := &w.nodes[id]
	switch n.Op {
	case plan.OpLoop, plan.OpConst, plan.OpParam, plan.OpResult:
		return false
	case plan.OpSelect, plan.OpAnd, plan.OpOr, plan.OpFirstFault, plan.OpAndFault, plan.OpOrFault:
		return false // these fold when their operands are constant, and only then are sides cut off that names stand in
	}
	if n.Op.Has(plan.Effect) {
		return false
	}
	switch n.Kind {
	case plan.Int, plan.Bool, plan.String, plan.Fault:
		return w.bounds[id].Single()
	}
	return false
}
