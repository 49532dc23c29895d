package schedule

import (
	"fmt"
	"math"
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
}

// Reduce returns the graph of a body for the values of the options. The reader of the result raises some faults in a way of
// its own when it computes the value that fails: they are none here, unless nothing computes the value for certain.
func Reduce(p *plan.Plan, body plan.Body, values []int, isRaised func(plan.Op) bool) *Reduced {
	none := map[plan.ID]bool{}
	for id := range body.Graph.Nodes {
		if isRaised(body.Graph.Nodes[id].Op) {
			none[plan.ID(id)] = true
		}
	}
	out := reduce(p, body, values, none)
	if out.keepLost(body.Graph, none) {
		out = reduce(p, body, values, none)
	}
	return out
}

// keepLost takes out of some faults those that may be and whose values are not computed for certain. It reports whether
// there are any.
func (r *Reduced) keepLost(g *plan.Graph, dropped map[plan.ID]bool) (found bool) {
	computed, certain := map[string]bool{}, r.findCertain(g)
	key := func(op plan.Op, args []plan.ID) string { return fmt.Sprint(op, args) }
	for id := range g.Nodes {
		n := &g.Nodes[id]
		if fails := n.Op.Operation().Fails; fails != plan.OpInvalid && certain[r.same[id]] {
			computed[key(fails, n.Args)] = true
		}
	}
	for id := range dropped {
		if n := &g.Nodes[id]; r.mayOverflow(n) && !computed[key(n.Op, n.Args)] {
			delete(dropped, id)
			found = true
		}
	}
	return found
}

// findCertain returns which nodes are computed whichever arms are taken. A fault of a value in an arm may stand outside of
// it: the operands of a function are all judged, also those that it does not need.
func (r *Reduced) findCertain(g *plan.Graph) []bool {
	certain := make([]bool, len(r.Nodes))
	var visitBlock func(block int32)
	var visit func(id plan.ID)
	visit = func(id plan.ID) {
		if id = r.Replacement(id); id == plan.None || certain[id] || !r.IsComputed(id) {
			return
		}
		certain[id] = true
		n := &r.Nodes[id]
		for k, a := range n.Args {
			isArm := n.Op == plan.OpSelect || n.Op == plan.OpAnd || n.Op == plan.OpOr
			if !isArm || k == 0 {
				visit(a)
			}
		}
		if n.Op == plan.OpLoop {
			visitBlock(int32(n.Imm))
		}
	}
	visitBlock = func(block int32) {
		for _, id := range r.Order(block) {
			if op := r.Nodes[id].Op; op.Has(plan.Effect) || op == plan.OpPush {
				visit(id)
			}
		}
		for _, id := range r.Blocks[block].Results {
			visit(id)
		}
	}
	visitBlock(0)
	for _, v := range slices.Concat([]plan.Value{g.Outputs, g.When}, g.Next, g.Ends) {
		for _, id := range listIDs(nil, &v) {
			visit(id)
		}
	}
	return certain
}

// mayOverflow reports whether ints that the operands of an operation may be have no result in 64 bits.
func (r *Reduced) mayOverflow(n *plan.Node) bool {
	size := make([]float64, len(n.Args)) // of the greatest operand by amount
	for k, a := range n.Args {
		x := r.Nodes[r.same[a]]
		b := r.Bounds[r.same[a]]
		if size[k] = max(-float64(b.Min), float64(b.Max)); x.Op == plan.OpConst {
			size[k] = math.Abs(float64(x.Imm))
		}
	}
	switch n.Op {
	case plan.OpMulIntFault:
		return size[0]*size[1] >= 1<<63
	case plan.OpAddIntFault, plan.OpSubIntFault:
		return size[0]+size[1] >= 1<<63
	case plan.OpNegIntFault, plan.OpAbsIntFault:
		return size[0] >= 1<<63
	}
	return true
}

func reduce(p *plan.Plan, body plan.Body, values []int, none map[plan.ID]bool) *Reduced {
	w := newWork(p, body.Graph, Options{Values: values, Shapes: body.Shapes})
	if err := w.askOutputs(nil); err != nil {
		panic("schedule: all outputs are asked for, and one is unknown")
	}
	w.walkNodes(0, func(id plan.ID) {
		if none[id] {
			w.makeConstant(id, 0)
		}
	})
	// A fault that folding removes lets bounds decide what reads it, and shared nodes have the bounds of all their readers.
	for range 2 {
		w.foldBounds()
		w.walkNodes(0, w.simplifyNode)
		w.foldNodes()
		w.shareNodes()
	}
	w.dropDead()
	view := w.viewGraph()
	return &Reduced{Nodes: view.Nodes, Blocks: view.Blocks, Bounds: interval.Analyse(p, view, body.Shapes),
		Home: w.home, Loops: w.loop, same: w.same, live: w.live}
}

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
