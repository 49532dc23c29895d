package interval

import "github.com/tabletop-rules/rules/runtime/plan"

// The values that nothing in the graph computes: constants and what is given.

func (a *analyser) boundConst(n *plan.Node) Interval {
	if n.Kind == plan.List || n.Kind == plan.Map {
		size := int64(uint32(n.Imm))
		return intInterval(size, size)
	}
	return constantInterval(n.Kind, n.Imm)
}

func (a *analyser) boundLeaf(n *plan.Node) Interval {
	l := a.graph.Leaves[n.Imm]
	if !a.known[l.Root] {
		return anyOfKind(n.Kind)
	}
	return a.roots[l.Root][l.Offset]
}
