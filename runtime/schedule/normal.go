package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Normal returns the normal form of a graph: it gives the same answers to all inputs that the shapes admit, under all
// options, with fewer traces of how it was written. Constants are computed, impossible branches are left out, and some
// forms stand for others of the same value. Graphs with equal normal forms answer alike. It is for comparing, not for
// execution: places are not kept.
func Normal(p *plan.Plan, g *plan.Graph, shapes [plan.NumRoots]*plan.Shape) *plan.Graph {
	g = invertComparisons(g)
	w := newWork(p, g, Options{Shapes: shapes})
	w.foldBounds()
	w.walkNodes(0, w.simplifyNode)
	w.foldNodes()
	w.shareNodes()
	out := w.viewGraph()
	for id := range out.Nodes {
		if n := &out.Nodes[id]; n.Op == plan.OpConst {
			n.Args = nil
		}
	}
	out.Outputs, out.When = w.replaceValue(g.Outputs), w.replaceValue(g.When)
	out.Next, out.Ends = w.replaceValues(g.Next), w.replaceValues(g.Ends)
	return out
}

// invertComparisons returns a graph in which a < b is !(b <= a), so that one comparison of integers is enough.
func invertComparisons(g *plan.Graph) *plan.Graph {
	out := *g
	out.Nodes, out.Blocks = slices.Clone(g.Nodes), slices.Clone(g.Blocks)
	for b := range out.Blocks {
		var nodes []plan.ID
		for _, id := range g.Blocks[b].Nodes {
			if n := &out.Nodes[id]; n.Op == plan.OpLtInt {
				most := plan.ID(len(out.Nodes))
				nodes = append(nodes, most)
				compared := plan.Node{Op: plan.OpLeInt, Kind: plan.Bool, Args: []plan.ID{n.Args[1], n.Args[0]}, Site: -1}
				*n = plan.Node{Op: plan.OpNot, Kind: plan.Bool, Args: []plan.ID{most}, Site: -1}
				out.Nodes = append(out.Nodes, compared)
			}
			nodes = append(nodes, id)
		}
		out.Blocks[b].Nodes = nodes
	}
	return &out
}

func (w *work) replaceValues(list []plan.Value) []plan.Value {
	var out []plan.Value
	for _, v := range list {
		out = append(out, w.replaceValue(v))
	}
	return out
}

// replaceValue returns a value in the nodes that replace its own.
func (w *work) replaceValue(v plan.Value) plan.Value {
	if v.Type == nil {
		return v
	}
	for _, id := range []*plan.ID{&v.ID, &v.Fault, &v.Present} {
		if *id != plan.None {
			*id = w.same[*id]
		}
	}
	if v.Fault != plan.None && w.isConstant(v.Fault, 0) {
		v.Fault = plan.None
	}
	v.Fields = w.replaceValues(v.Fields)
	return v
}

// simplifyNode replaces a node by one that always has the same value. Integers wrap here as they do in execution, so that
// this holds beside a fault too. Doubles are left alone: 0 has a sign, and NaN equals nothing.
func (w *work) simplifyNode(id plan.ID) {
	n := &w.nodes[id]
	if n.Op.Has(plan.Divides) {
		w.dropNeutral(id, 1, 1)
	}
	switch n.Op {
	case plan.OpAddInt:
		w.dropNeutral(id, 0, 0)
		w.dropNeutral(id, 1, 0)
	case plan.OpSubInt:
		w.dropNeutral(id, 1, 0)
	case plan.OpMulInt:
		w.dropNeutral(id, 0, 1)
		w.dropNeutral(id, 1, 1)
	case plan.OpMinInt, plan.OpMaxInt:
		if w.operandOf(n, 0) == w.operandOf(n, 1) {
			w.replaceNode(id, n.Args[0])
		}
	case plan.OpNot:
		w.simplifyNot(id)
	case plan.OpSelect:
		w.simplifySelect(id)
	}
}

// dropNeutral lets a node be its other operand when one is the neutral constant.
func (w *work) dropNeutral(id plan.ID, operand int, constant int64) {
	if n := &w.nodes[id]; w.same[id] == id && w.isConstant(n.Args[operand], constant) {
		w.replaceNode(id, n.Args[1-operand])
	}
}

// simplifyNot removes a double negation.
func (w *work) simplifyNot(id plan.ID) {
	if inner := w.nodeOf(w.nodes[id].Args[0]); inner.Op == plan.OpNot {
		w.replaceNode(id, inner.Args[0])
	}
}

// simplifySelect exchanges the arms of a choice by a negated condition, and replaces a choice between true and false by its
// condition.
func (w *work) simplifySelect(id plan.ID) {
	n := &w.nodes[id]
	if c := w.nodeOf(n.Args[0]); c.Op == plan.OpNot {
		n.Args = []plan.ID{c.Args[0], n.Args[2], n.Args[1]}
	}
	if n.Kind == plan.Bool && w.isConstant(n.Args[1], 1) && w.isConstant(n.Args[2], 0) {
		w.replaceNode(id, n.Args[0])
	}
}
