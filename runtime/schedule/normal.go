package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Normal is a graph that gives the same answers as another to all that its shapes admit, under all options, with less in
// it that only says how it was written: what is constant is computed, what cannot happen is left out, and some forms
// stand for others that always give the same. Graphs whose normal ones are equal answer alike. It is for comparing, not
// for execution: places are not kept.
func Normal(p *plan.Plan, g *plan.Graph, shapes [plan.NumRoots]*plan.Shape) *plan.Graph {
	g = denied(g)
	w := newWork(p, g, Options{Shapes: shapes})
	w.bound()
	w.walk(0, w.simplify)
	w.fold()
	w.share()
	out := w.view()
	for id := range out.Nodes {
		if n := &out.Nodes[id]; n.Op == plan.OpConst {
			n.Args = nil
		}
	}
	out.Outputs, out.When = w.stands(g.Outputs), w.stands(g.When)
	out.Next, out.Ends = w.stand(g.Next), w.stand(g.Ends)
	return out
}

// denied is a graph in which a is less than b where b is not at most a, so that one comparison of integers is enough.
func denied(g *plan.Graph) *plan.Graph {
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

func (w *work) stand(list []plan.Value) []plan.Value {
	var out []plan.Value
	for _, v := range list {
		out = append(out, w.stands(v))
	}
	return out
}

// stands is a value of the nodes that stand for its own.
func (w *work) stands(v plan.Value) plan.Value {
	if v.Type == nil {
		return v
	}
	for _, id := range []*plan.ID{&v.ID, &v.Fault, &v.Present} {
		if *id != plan.None {
			*id = w.same[*id]
		}
	}
	if v.Fault != plan.None && w.is(v.Fault, 0) {
		v.Fault = plan.None
	}
	v.Fields = w.stand(v.Fields)
	return v
}

// simplify lets a node stand for one that always has the same value. Integers wrap here as they do in execution, so that
// this holds beside a fault too. Doubles are left alone: 0 has a sign, and what is no number equals nothing.
func (w *work) simplify(id plan.ID) {
	n := &w.nodes[id]
	if n.Op.Has(plan.Divides) {
		w.neutral(id, 1, 1)
	}
	switch n.Op {
	case plan.OpAddInt:
		w.neutral(id, 0, 0)
		w.neutral(id, 1, 0)
	case plan.OpSubInt:
		w.neutral(id, 1, 0)
	case plan.OpMulInt:
		w.neutral(id, 0, 1)
		w.neutral(id, 1, 1)
	case plan.OpMinInt, plan.OpMaxInt:
		if w.arg(n, 0) == w.arg(n, 1) {
			w.replace(id, n.Args[0])
		}
	case plan.OpNot:
		w.simplifyNot(id)
	case plan.OpSelect:
		w.simplifySelect(id)
	}
}

// neutral lets a node be its other operand when one is the neutral constant.
func (w *work) neutral(id plan.ID, operand int, constant int64) {
	if n := &w.nodes[id]; w.same[id] == id && w.is(n.Args[operand], constant) {
		w.replace(id, n.Args[1-operand])
	}
}

// simplifyNot lets what is denied twice be what it is.
func (w *work) simplifyNot(id plan.ID) {
	if inner := w.node(w.nodes[id].Args[0]); inner.Op == plan.OpNot {
		w.replace(id, inner.Args[0])
	}
}

// simplifySelect exchanges the arms of a choice by what is denied, and lets a choice of truths be its condition.
func (w *work) simplifySelect(id plan.ID) {
	n := &w.nodes[id]
	if c := w.node(n.Args[0]); c.Op == plan.OpNot {
		n.Args = []plan.ID{c.Args[0], n.Args[2], n.Args[1]}
	}
	if n.Kind == plan.Bool && w.is(n.Args[1], 1) && w.is(n.Args[2], 0) {
		w.replace(id, n.Args[0])
	}
}
