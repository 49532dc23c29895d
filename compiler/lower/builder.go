package lower

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A builder makes one graph. Pure nodes are shared and placed in the outermost block that has their operands, so what
// does not change from one iteration to the next is computed once, before the loop.
//
// This is common subexpression elimination by hash consing, and loop-invariant code motion, at no
// cost of a pass: a node is looked up when it is made (Click, "Global Code Motion / Global Value
// Numbering", 1995, does both on a finished graph). It is sound because pure nodes never trap: a
// division by zero gives 0 and its fault says so, so that computing it earlier, or for nothing, is
// harmless.
type builder struct {
	plan *planner
	g    plan.Graph
	open []*block // the blocks under construction, outermost first
	// depth is of each node how many loops are around it. As blocks are nested, that is the index in
	// open of the block in which the node stands: it may use operands of its own depth or less.
	depth []int
	sites map[plan.Site]int32
	cover bool // count the branches that are taken
	trace *termRecorder

	// foundRows has, for the number of a cell of a table with two keys, the row that it was computed from.
	foundRows map[plan.ID]plan.ID
	// parts has the lists of which a list was joined, for those whose readers are lowered part by part.
	parts      map[plan.ID][]plan.ID
	walksParts bool // in a loop over the elements of each part
}

// A block under construction.
type block struct {
	index  int // in Graph.Blocks
	shared map[nodeKey]plan.ID
}

// A nodeKey identifies pure nodes that compute the same.
// The site is part of it: two faults of the same operands at different places give different
// messages. Value nodes have site -1 and are shared wherever they stand.
type nodeKey struct {
	op         plan.Op
	kind       plan.Kind
	n          int
	a, b, c, d plan.ID
	imm        int64
	site       int32
}

func newBuilder(p *planner) *builder {
	b := &builder{plan: p, sites: map[plan.Site]int32{}, cover: p.cover, trace: &termRecorder{terms: p.idleTerms[:0]},
		foundRows: map[plan.ID]plan.ID{}, parts: map[plan.ID][]plan.ID{}}
	p.idleTerms = nil // which is this builder's until it has encoded its terms
	b.openBlock()
	return b
}

func (b *builder) internSite(s plan.Site) int32 {
	i, ok := b.sites[s]
	if !ok {
		i = int32(len(b.g.Sites))
		b.g.Sites = append(b.g.Sites, s)
		b.sites[s] = i
	}
	return i
}

func (b *builder) openBlock() {
	b.g.Blocks = append(b.g.Blocks, plan.Block{})
	b.open = append(b.open, &block{index: len(b.g.Blocks) - 1, shared: map[nodeKey]plan.ID{}})
}

func (b *builder) closeBlock() *block {
	top := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	return top
}

func (b *builder) currentLevel() int { return len(b.open) - 1 }

// buildAtLevel calls build with only the blocks up to a level open, so that the new nodes stand before the loops within.
func (b *builder) buildAtLevel(level int, build func()) {
	inner := slices.Clone(b.open[level+1:])
	b.open = b.open[:level+1]
	build()
	b.open = append(b.open[:level+1], inner...)
}

// placeNode appends a node to an open block.
func (b *builder) placeNode(level int, n plan.Node) plan.ID {
	id := plan.ID(len(b.g.Nodes))
	b.g.Nodes = append(b.g.Nodes, n)
	b.depth = append(b.depth, level)
	body := &b.g.Blocks[b.open[level].index]
	body.Nodes = append(body.Nodes, id)
	return id
}

// placeHere appends a node that must stay where it is: it has an effect, or makes a span of its own.
func (b *builder) placeHere(n plan.Node) plan.ID { return b.placeNode(b.currentLevel(), n) }

// sharedNode returns the node with these operands, an older one when there is one. A node with more than four operands is
// not looked up. The table of a block dies with the block: a node of an inner block is not seen from outside, where its
// operands do not exist.
func (b *builder) sharedNode(n plan.Node) plan.ID {
	level := 0
	for _, a := range n.Args {
		level = max(level, b.depth[a])
	}
	if len(n.Args) > 4 {
		return b.placeNode(level, n)
	}
	key := nodeKey{op: n.Op, kind: n.Kind, n: len(n.Args), imm: n.Imm, site: n.Site}
	for i, to := range []*plan.ID{&key.a, &key.b, &key.c, &key.d}[:len(n.Args)] {
		*to = n.Args[i]
	}
	shared := b.open[level].shared
	if id, ok := shared[key]; ok {
		return id
	}
	id := b.placeNode(level, n)
	shared[key] = id
	return id
}

// op builds a value node, which cannot fail.
func (b *builder) op(op plan.Op, kind plan.Kind, args ...plan.ID) plan.ID {
	return b.sharedNode(plan.Node{Op: op, Kind: kind, Args: args, Site: -1})
}

// opImm builds a value node with an immediate.
func (b *builder) opImm(op plan.Op, kind plan.Kind, imm int64, args ...plan.ID) plan.ID {
	return b.sharedNode(plan.Node{Op: op, Kind: kind, Args: args, Imm: imm, Site: -1})
}

// faultOp builds a fault node.
func (b *builder) faultOp(op plan.Op, site int32, imm int64, args ...plan.ID) plan.ID {
	return b.sharedNode(plan.Node{Op: op, Kind: plan.Fault, Args: args, Imm: imm, Site: site})
}

// constBits builds a constant. A list or a map is shared with no other: its bits do not say its type, and one without
// elements has the bits of every other such.
func (b *builder) constBits(kind plan.Kind, bits int64) plan.ID {
	n := plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits, Site: -1}
	if kind == plan.List || kind == plan.Map {
		return b.placeNode(0, n)
	}
	return b.sharedNode(n)
}

func (b *builder) int(v int64) plan.ID { return b.constBits(plan.Int, v) }
func (b *builder) double(v float64) plan.ID {
	return b.constBits(plan.Double, int64(math.Float64bits(v)))
}
func (b *builder) symbolConst(s string) plan.ID {
	return b.constBits(plan.String, b.plan.internSymbol(s))
}
func (b *builder) isConstant(id plan.ID) bool  { return b.g.Nodes[id].Op == plan.OpConst }
func (b *builder) isTrue(id plan.ID) bool      { return b.isConstant(id) && b.g.Nodes[id].Imm == 1 }
func (b *builder) kindOf(id plan.ID) plan.Kind { return b.g.Nodes[id].Kind }

func (b *builder) bool(v bool) plan.ID {
	if v {
		return b.constBits(plan.Bool, 1)
	}
	return b.constBits(plan.Bool, 0)
}

// ok returns a fault that did not happen, as a node; where None will do, use None.
func (b *builder) ok() plan.ID { return b.constBits(plan.Fault, 0) }

// faultOrOK gives every fault a node: None, which means that an operation cannot fail, becomes the constant 0 where a
// slot must hold something.
func (b *builder) faultOrOK(fault plan.ID) plan.ID {
	if fault == plan.None {
		return b.ok()
	}
	return fault
}

func (b *builder) and(x, y plan.ID) plan.ID {
	switch {
	case b.isTrue(x):
		return y
	case b.isTrue(y):
		return x
	}
	return b.op(plan.OpAnd, plan.Bool, x, y)
}

func (b *builder) or(x, y plan.ID) plan.ID { return b.op(plan.OpOr, plan.Bool, x, y) }
func (b *builder) not(x plan.ID) plan.ID   { return b.op(plan.OpNot, plan.Bool, x) }

func (b *builder) selectValue(c, x, y plan.ID) plan.ID {
	if x == y || b.isTrue(c) {
		return x
	}
	return b.op(plan.OpSelect, b.kindOf(x), c, x, y)
}

// selFault chooses between two faults.
func (b *builder) selFault(c, x, y plan.ID) plan.ID {
	if x == plan.None && y == plan.None {
		return plan.None
	}
	return b.selectValue(c, b.faultOrOK(x), b.faultOrOK(y))
}

// firstFault returns the first of several faults, in the order of evaluation.
func (b *builder) firstFault(faults ...plan.ID) plan.ID {
	out := plan.None
	for _, f := range faults {
		switch {
		case f == plan.None || f == out:
		case out == plan.None:
			out = f
		default:
			out = b.op(plan.OpFirstFault, plan.Fault, out, f)
		}
	}
	return out
}

// loop repeats a body and returns the values after the last iteration. The body takes the iteration and the carried values,
// and returns the next carried values; those that are missing at the end of its result are not carried at all.
//
// For xs.all(x, x > 0) init is [true, ok] and the body returns [acc && x > 0], as the comparison cannot fail: the second
// carried value, a fault that never happens, is then taken out of the block again and is no result. Whether the body can
// fail is known only when it is lowered, which is why it is offered a place first.
func (b *builder) loop(n plan.ID, init []plan.ID, body func(i plan.ID, carried []plan.ID) []plan.ID) []plan.ID {
	b.openBlock()
	i := b.blockParam(plan.Int, 0)
	carried := make([]plan.ID, len(init))
	for k, id := range init {
		carried[k] = b.blockParam(b.kindOf(id), int64(k)+1)
	}
	next := body(i, carried)
	done := b.closeBlock()
	within := &b.g.Blocks[done.index]
	within.Results = next
	within.Nodes = slices.DeleteFunc(within.Nodes,
		func(id plan.ID) bool { return slices.Contains(carried[len(next):], id) })
	args := append([]plan.ID{n}, init[:len(next)]...)
	loop := b.placeHere(plan.Node{Op: plan.OpLoop, Kind: plan.Int, Args: args, Imm: int64(done.index), Site: -1})
	out := make([]plan.ID, len(next))
	for k := range next {
		out[k] = b.placeHere(plan.Node{Op: plan.OpResult, Kind: b.kindOf(init[k]), Args: []plan.ID{loop}, Imm: int64(k),
			Site: -1})
	}
	return out
}

func (b *builder) blockParam(kind plan.Kind, k int64) plan.ID {
	return b.placeHere(plan.Node{Op: plan.OpParam, Kind: kind, Imm: k, Site: -1})
}

// newSpan starts a list or map of at most n elements; its stride may be set later, when the elements are known.
func (b *builder) newSpan(n plan.ID, stride int) plan.ID {
	return b.placeHere(plan.Node{Op: plan.OpNewSpan, Kind: plan.List, Args: []plan.ID{n}, Imm: int64(stride), Site: -1})
}

// pushElement pushes an element, when a condition holds.
func (b *builder) pushElement(span, cond plan.ID, slots []plan.ID) plan.ID {
	args := append([]plan.ID{span, cond}, slots...)
	return b.placeHere(plan.Node{Op: plan.OpPush, Kind: plan.List, Args: args, Site: -1})
}

func (b *builder) sizeOf(span plan.ID) plan.ID { return b.op(plan.OpSize, plan.Int, span) }

func (b *builder) elementSlot(span, i plan.ID, kind plan.Kind, stride, offset int) plan.ID {
	return b.opImm(plan.OpElem, kind, int64(stride)<<32|int64(offset), span, i)
}

// carryFault returns the fault of a loop after one more iteration, as the end of the body's result: none if it cannot fail.
func (b *builder) carryFault(sofar, fault plan.ID) []plan.ID {
	if fault == plan.None {
		return nil
	}
	return []plan.ID{b.firstFault(sofar, fault)}
}
