package interval

import "github.com/tabletop-rules/rules/runtime/plan"

// The values that nothing in the graph computes: constants and what is given.

func boundConst(v *valuation, n *plan.Node) Interval {
	if n.Kind == plan.List || n.Kind == plan.Map {
		size := int64(uint32(n.Imm))
		return intInterval(size, size)
	}
	return constantInterval(n.Kind, n.Imm)
}

func boundLeaf(v *valuation, n *plan.Node) Interval {
	l := v.graph.Leaves[n.Imm]
	if !v.known[l.Root] {
		return anyOfKind(n.Kind)
	}
	return v.roots[l.Root][l.Offset]
}
