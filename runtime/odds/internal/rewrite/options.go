package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// foldOptions computes the values that the chosen options decide. A choice that they make loses its other arm, whose
// own nodes are then not needed, and never eliminated. Choices remain nodes, since roots name them.
func (g *Network) foldOptions() {
	if !slices.ContainsFunc(g.Graph.Nodes, func(n plan.Node) bool { return n.Op == plan.OpOption }) {
		return
	}
	for id := range g.Nodes {
		if g.BlockOf[id] >= 0 {
			g.foldNode(&g.Nodes[id])
		}
	}
}

// foldNode makes a node whose operands decide it a constant, or a choice of two times the same.
func (g *Network) foldNode(n *plan.Node) {
	switch n.Op {
	case plan.OpSelect:
		if c, known := g.Constant(n.Args[0]); known {
			chosen := n.Args[2]
			if c != 0 {
				chosen = n.Args[1]
			}
			if bits, known := g.Constant(chosen); known {
				n.Op, n.Imm, n.Args = plan.OpConst, bits, nil
				return
			}
			n.Args[1], n.Args[2] = chosen, chosen
		}
		return
	case plan.OpAnd, plan.OpOr:
		deciding := int64(0)
		if n.Op == plan.OpOr {
			deciding = 1
		}
		for _, a := range n.Args {
			if c, known := g.Constant(a); known && c == deciding {
				n.Op, n.Imm, n.Args = plan.OpConst, deciding, nil
				return
			}
		}
	}
	var v [2]int64
	if len(n.Args) == 0 || len(n.Args) > len(v) || n.Op == plan.OpPush || n.Op == plan.OpLoop {
		return
	}
	for k, a := range n.Args {
		c, known := int64(0), false
		if a != plan.None {
			c, known = g.Constant(a)
		}
		if !known {
			return
		}
		v[k] = c
	}
	if bits, ok := schedule.FoldConstants(n.Op, n.Imm, v[0], v[1]); ok {
		n.Op, n.Imm, n.Args = plan.OpConst, bits, nil
	}
}
