package interval

import "github.com/tabletop-rules/rules/runtime/plan"

// A valuation is the best that is known of each node, at first that of its kind. Transfer functions read it.
//
// roots are the slots of what is given, laid out like the frame; known tells roots without a schema.
type valuation struct {
	plan   *plan.Plan
	graph  *plan.Graph
	roots  [plan.NumRoots][]Interval
	known  [plan.NumRoots]bool
	ints   Interval   // all ints: what an operation gives beyond is a fault, and wraps or is 0
	at     []Interval // of each node
	params []Interval // of the block that is followed
}

// arg returns the interval of an operand.
func (v *valuation) arg(n *plan.Node, k int) Interval { return v.at[n.Args[k]] }

// hasInts reports whether ints of these bounds are ints at all.
func (v *valuation) hasInts(x Interval) bool { return v.ints.Min <= x.Min && x.Max <= v.ints.Max }

// limit returns the bounds of an int that is 0 beside the fault of leaving all ints.
func (v *valuation) limit(x Interval) Interval {
	if !v.hasInts(x) {
		x.Min, x.Max = min(0, max(x.Min, v.ints.Min)), max(0, min(x.Max, v.ints.Max))
	}
	return x
}

// bits returns the interval of an operand's slot, read as an int.
func (v *valuation) bits(n *plan.Node, k int) Interval {
	if v.graph.Nodes[n.Args[k]].Kind == plan.Double {
		return anyOfKind(plan.Int)
	}
	return v.arg(n, k)
}

// intervalsOf returns the intervals of operands.
func (v *valuation) intervalsOf(args []plan.ID) []Interval {
	out := make([]Interval, len(args))
	for i, id := range args {
		out[i] = v.at[id]
	}
	return out
}

// A transfer bounds what a node gives from the bounds of its operands.
type transfer func(v *valuation, n *plan.Node) Interval

// boundByKind knows nothing but the kind.
func boundByKind(_ *valuation, n *plan.Node) Interval { return anyOfKind(n.Kind) }
