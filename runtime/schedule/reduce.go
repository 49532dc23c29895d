package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Reduced is a graph under a choice, as the passes leave it that make no instructions: what back ends translate that do
// not execute instructions. Nodes keep their ids.
type Reduced struct {
	Nodes  []plan.Node // their operands are the nodes that replace those of the plan
	Blocks []plan.Block
	Bounds []interval.Interval
	Home   []int32   // of each node, the block it stands in; -1 when it stands in none
	Loops  []plan.ID // of each block, the loop that repeats it; None for the outermost
	same   []plan.ID
	live   []bool
	none   []bool // of each node, whether it is a fault that has been found to be none before the outputs
}

// Reduce returns the graph of a body for the values of the options, carried out with ints of at most an amount; 0: of 64
// bits. idle are the dice that may be left out; nil: none.
func Reduce(p *plan.Plan, body plan.Body, values []int, mostInt int64, idle []bool) *Reduced {
	w := newWork(p, body.Graph, Options{Values: values, Shapes: body.Shapes, MostInt: mostInt})
	if err := w.askOutputs(nil); err != nil {
		panic("schedule: all outputs are asked for, and one is unknown")
	}
	// A fault that folding removes lets bounds decide what reads it, and shared nodes have the bounds of all their readers.
	for range 2 {
		w.foldBounds()
		w.walkNodes(0, w.simplifyNode)
		w.foldNodes()
		w.shareNodes()
	}
	w.dropDead()
	var none []bool
	for range 2 { // a check that is taken out leaves less to be known, and what it read may be read by one other
		none = w.propagateChecks(idle)
		w.foldNodes()
		w.shareNodes()
		w.dropDead()
	}
	view := w.viewGraph()
	return &Reduced{Nodes: view.Nodes, Blocks: view.Blocks, Bounds: w.boundNodes(view), Home: w.home, Loops: w.loop,
		same: w.same, live: w.live, none: none}
}

// IsNone reports whether a node of the plan's graph is a fault that is none behind all requirements and dice.
func (r *Reduced) IsNone(id plan.ID) bool { return r.none[r.same[id]] || r.IsConstant(id, 0) }

// IsComputed reports whether a node stands for itself, is needed, and is no constant.
func (r *Reduced) IsComputed(id plan.ID) bool {
	return r.live[id] && r.same[id] == id && r.Nodes[id].Op != plan.OpConst
}

// Replacement returns the node that stands for one of the plan's graph; None for None.
func (r *Reduced) Replacement(id plan.ID) plan.ID {
	if id == plan.None {
		return id
	}
	return r.same[id]
}

// IsConstant reports whether a node is a certain constant.
func (r *Reduced) IsConstant(id plan.ID, bits int64) bool {
	n := &r.Nodes[r.same[id]]
	return n.Op == plan.OpConst && n.Imm == bits
}

// Order returns the nodes of a block that are computed, in the order of execution.
func (r *Reduced) Order(block int32) []plan.ID {
	return slices.DeleteFunc(slices.Clone(r.Blocks[block].Nodes), func(id plan.ID) bool { return !r.IsComputed(id) })
}
