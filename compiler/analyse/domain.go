package analyse

import (
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A domain is a graph with what is known of the values that are given to it.
//
// A node of a loop's body stands for one element of any, and its interval for all of them; only
// nodes of the first block have one value for an evaluation. What is asked exactly must lie there
// (newQuestion).
type domain struct {
	plan     *plan.Plan
	graph    *plan.Graph
	bounds   []interval.Interval // of each node
	home     []int               // of each node, its block
	optional map[plan.Leaf]optional
	judged   *domain // likewise with a state that fits its shape; nil where none is known to
}

// An optional is a field that need not be given.
type optional struct {
	presence plan.Leaf
	bounds   interval.Interval // where it is given
	inner    bool              // it lies in a struct that need not be given, or is no single value
}

// domainOf analyses a graph once, for all questions that are asked about it.
func domainOf(p *plan.Plan, g *plan.Graph, roots [plan.NumRoots]*plan.Shape) *domain {
	d := &domain{plan: p, graph: g, bounds: interval.Analyse(p, g, roots), home: blocksOfNodes(g),
		optional: map[plan.Leaf]optional{}}
	for root, s := range roots {
		if s != nil {
			d.addOptionalFields(plan.Root(root), 0, s, false)
		}
	}
	return d
}

// blocksOfNodes tells for each node in which block it stands; the body of a loop is a block of its own.
func blocksOfNodes(g *plan.Graph) []int {
	out := make([]int, len(g.Nodes))
	for b := range g.Blocks {
		for _, id := range g.Blocks[b].Nodes {
			out[id] = b
		}
	}
	return out
}

// addOptionalFields finds the optional fields of a record that begins at a slot, and gives the slot behind it.
//
// The offsets repeat the layout that the decoder writes and the lowering reads: a presence slot
// before an optional field, then the slots of its shape. A change of that layout must come here
// too.
func (d *domain) addOptionalFields(root plan.Root, at int32, s *plan.Shape, inner bool) int32 {
	for i := range s.Fields {
		m := &s.Fields[i]
		o := optional{presence: plan.Leaf{Root: root, Offset: at}, inner: inner || m.Shape.Kind == plan.Record}
		if m.Optional {
			at++
		}
		switch {
		case m.Shape.Kind == plan.Record:
			at = d.addOptionalFields(root, at, m.Shape, inner || m.Optional)
			continue
		case m.Optional || inner:
			o.bounds = d.boundsOfShape(m.Shape)
			d.optional[plan.Leaf{Root: root, Offset: at}] = o
		}
		at++
	}
	return at
}

// boundsOfShape bounds a value that is given.
//
// A field that need not be given is bounded by interval analysis together with the 0 of its
// absence. Here it is analysed once more, alone, as a field that must be given: without the 0.
func (d *domain) boundsOfShape(s *plan.Shape) interval.Interval {
	g := &plan.Graph{
		Nodes:  []plan.Node{{Op: plan.OpLeaf, Kind: s.Kind, Site: -1}},
		Blocks: []plan.Block{{Nodes: []plan.ID{0}}},
		Leaves: []plan.Leaf{{Root: plan.InputRoot}},
	}
	only := &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "only", Shape: s}}}
	return interval.Analyse(d.plan, g, [plan.NumRoots]*plan.Shape{plan.InputRoot: only})[0]
}
