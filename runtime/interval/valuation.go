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
	at     []Interval // of each node
	params []Interval // of the block that is followed
}

// arg returns the interval of an operand.
func (v *valuation) arg(n *plan.Node, k int) Interval { return v.at[n.Args[k]] }

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
