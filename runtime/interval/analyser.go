package interval

import "github.com/tabletop-rules/rules/runtime/plan"

// An analyser follows intervals through a graph, in the order of execution.
//
// at has for each node the best that is known, at first that of its kind: within a loop a node is
// followed several times, and its last bounds are those that hold in every iteration. roots are the
// slots of what is given, laid out like the frame; known tells roots without a schema. symbols is
// made when the first enum asks.
type analyser struct {
	plan    *plan.Plan
	graph   *plan.Graph
	roots   [plan.NumRoots][]Interval
	known   [plan.NumRoots]bool
	symbols map[string]int64
	at      []Interval // of each node
	params  []Interval // of the block that is followed
	left    int        // nodes that may still be followed before everything is given up that moves
}

// symbolOf returns the symbol of a string.
func (a *analyser) symbolOf(s string) (id int64, ok bool) {
	if a.symbols == nil {
		a.symbols = make(map[string]int64, len(a.plan.Symbols))
		for i, text := range a.plan.Symbols {
			a.symbols[text] = int64(i)
		}
	}
	id, ok = a.symbols[s]
	return id, ok
}

// arg returns the interval of an operand.
func (a *analyser) arg(n *plan.Node, k int) Interval { return a.at[n.Args[k]] }

// bits returns the interval of an operand's slot, read as an int.
func (a *analyser) bits(n *plan.Node, k int) Interval {
	if a.graph.Nodes[n.Args[k]].Kind == plan.Double {
		return anyOfKind(plan.Int)
	}
	return a.arg(n, k)
}

// intervalsOf returns the intervals of operands.
func (a *analyser) intervalsOf(args []plan.ID) []Interval {
	out := make([]Interval, len(args))
	for i, id := range args {
		out[i] = a.at[id]
	}
	return out
}

// A transfer bounds what a node gives from the bounds of its operands.
type transfer func(a *analyser, n *plan.Node) Interval

// boundByKind knows nothing but the kind.
func boundByKind(_ *analyser, n *plan.Node) Interval { return anyOfKind(n.Kind) }
