package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A work is a graph under the passes: a copy that they may change. Nodes keep their ids. A node that another one
// replaces stays where it is, and same tells which; a node that has become a constant keeps the operands that made it
// one, so that it is still known which named values it came from.
type work struct {
	plan  *plan.Plan
	graph *plan.Graph // as lowered, never written
	nodes []plan.Node
	same  []plan.ID // of each node, the node that stands for it: itself, or one that nothing replaces
	home  []int32   // of each node, the block it stands in; -1 when it stands in none
	loop  []plan.ID // of each block, the loop that repeats it; None for the outermost
	roots []plan.ID // what must be in the frame in the end
	live  []bool    // what is computed; nil: everything

	shapes [plan.NumRoots]*plan.Shape // of the records that are given; nil: unknown
	ints   interval.Interval          // all ints that there are
	bounds []interval.Interval        // of each node; nil: unknown
	dense  []Dense                    // the tables of OpDense

	reuse     bool // whether slots that nothing reads any more are given to other values
	overwrite bool // whether loops write the next carried value where the last one stands
}

func newWork(p *plan.Plan, g *plan.Graph, opt Options) *work {
	w := &work{plan: p, graph: g, nodes: slices.Clone(g.Nodes), shapes: opt.Shapes, ints: opt.ints()}
	w.same, w.home = make([]plan.ID, len(g.Nodes)), make([]int32, len(g.Nodes))
	w.loop = slices.Repeat([]plan.ID{plan.None}, len(g.Blocks))
	for id := range w.nodes {
		w.same[id], w.home[id] = plan.ID(id), -1
		w.nodes[id].Args = slices.Clone(g.Nodes[id].Args)
	}
	w.enterBlock(0, opt)
	return w
}

// enterBlock notes where the nodes of a block stand, and makes constants of the options.
func (w *work) enterBlock(block int64, opt Options) {
	for _, id := range w.graph.Blocks[block].Nodes {
		w.home[id] = int32(block)
		w.chooseOption(id, opt)
		if n := &w.nodes[id]; n.Op == plan.OpLoop {
			w.loop[n.Imm] = id
			w.enterBlock(n.Imm, opt)
		}
	}
}

// chooseOption makes an option the constant that is played. Where no options are chosen the nodes stay as they are.
func (w *work) chooseOption(id plan.ID, opt Options) {
	if n := &w.nodes[id]; n.Op == plan.OpOption && opt.Values != nil {
		o := &w.plan.Options[n.Imm]
		n.Op, n.Imm = plan.OpConst, o.Symbols[opt.Values[n.Imm]]
	}
}

// nodeOf returns the node that replaces the one of an id.
func (w *work) nodeOf(id plan.ID) *plan.Node { return &w.nodes[w.same[id]] }

// operandOf returns the node that replaces an operand.
func (w *work) operandOf(n *plan.Node, k int) plan.ID { return w.same[n.Args[k]] }

// replaceNode makes another node stand for one.
func (w *work) replaceNode(id, by plan.ID) { w.same[id] = w.same[by] }

// makeConstant makes a node a constant.
func (w *work) makeConstant(id plan.ID, bits int64) {
	n := &w.nodes[id]
	n.Op, n.Imm, n.Site = plan.OpConst, bits, -1
}

// constantOf returns the value of a constant.
func (w *work) constantOf(id plan.ID) (bits int64, ok bool) {
	n := w.nodeOf(id)
	return n.Imm, n.Op == plan.OpConst
}

// isConstant reports whether an id is a certain constant.
func (w *work) isConstant(id plan.ID, bits int64) bool {
	c, ok := w.constantOf(id)
	return ok && c == bits
}

// walkNodes visits the nodes of a block, and of the loops in it, in the order of execution. A loop is visited before
// its body.
func (w *work) walkNodes(block int64, visit func(plan.ID)) {
	for _, id := range w.graph.Blocks[block].Nodes {
		visit(id)
		if n := &w.nodes[id]; n.Op == plan.OpLoop {
			w.walkNodes(n.Imm, visit)
		}
	}
}

// nextCarried returns the next carried values of a loop.
func (w *work) nextCarried(loop plan.ID) []plan.ID { return w.graph.Blocks[w.nodes[loop].Imm].Results }

// initialCarried returns the value with which a loop begins to carry its k-th.
func (w *work) initialCarried(loop plan.ID, k int64) plan.ID { return w.nodes[loop].Args[k+1] }
