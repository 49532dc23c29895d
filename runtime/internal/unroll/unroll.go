package unroll

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Limits beyond which a graph is not unrolled: then it is carried out with its loops.
const (
	maxElements = 64      // of a list, and iterations of a loop
	maxNodes    = 8_000   // of the graph that is made
	maxWork     = 200_000 // values that are looked at
)

// An unroller makes the straight graph. It asks for the value of a node when somebody reads it, but for what has an effect
// when its turn comes, so that dice fall in their order.
type unroller struct {
	Given
	from        *plan.Graph
	bounds      []interval.Interval // of from's nodes
	types       []*plan.Type        // of from's lists
	blockOf     []int32             // of from's nodes, the block that they stand in
	store       *vm.Frame           // lists of which all is known
	out         *plan.Graph
	nodeOfKey   map[string]plan.ID // nodes of out, by what they compute
	leafOfSpan  map[int64]plan.ID  // leaves of out, by the lists of the store that they are
	spanOfCells map[string]int64   // spans of cells, by these
	leafSpans   []int64            // of those leaves, the spans

	values  map[plan.ID]operand   // of from's nodes
	carried map[plan.ID][]operand // of from's loops, when they have ended
	params  [][]operand           // of each block
	walks   map[int32]walk        // of the bodies of loops that walk a list
	guard   operand               // whether what is evaluated happens at all
	work    int
	failed  bool
}

// A walk is the place of a loop in the list whose elements it is repeated for: reading the list at the number of the
// iteration gives the element.
type walk struct {
	list    plan.ID // of from
	element *element
}

func (u *unroller) giveUp() operand {
	u.failed = true
	return bitsOf(0)
}

// evaluateEffects evaluates what a block does besides giving values, in its order.
func (u *unroller) evaluateEffects(block int64) {
	for _, id := range u.from.Blocks[block].Nodes {
		switch n := &u.from.Nodes[id]; {
		case u.failed:
			return
		case n.Op == plan.OpRoll, n.Op == plan.OpRequire, n.Op == plan.OpLoop && u.hasEffects(n.Imm):
			u.valueOf(id)
		}
	}
}

// hasEffects reports whether a block rolls dice or may end the evaluation.
func (u *unroller) hasEffects(block int64) bool {
	return slices.ContainsFunc(u.from.Blocks[block].Nodes, func(id plan.ID) bool {
		n := &u.from.Nodes[id]
		return n.Op == plan.OpRoll || n.Op == plan.OpRequire || n.Op == plan.OpLoop && u.hasEffects(n.Imm)
	})
}

// valueOf returns what is known of the value of a node.
func (u *unroller) valueOf(id plan.ID) operand {
	if o, done := u.values[id]; done {
		return o
	}
	if u.work++; u.failed || u.work > maxWork || len(u.out.Nodes) > maxNodes {
		return u.giveUp()
	}
	o := u.evaluateNode(id)
	u.values[id] = o
	return o
}

func (u *unroller) operandsOf(ids []plan.ID) []operand {
	out := make([]operand, len(ids))
	for i, id := range ids {
		out[i] = u.valueOf(id)
	}
	return out
}

func (u *unroller) evaluateNode(id plan.ID) operand {
	n := &u.from.Nodes[id]
	if n.Op != plan.OpRequire && n.Op != plan.OpRoll {
		if b := &u.bounds[id]; n.Kind == plan.Fault && b.Max == 0 || (n.Kind == plan.Int || n.Kind == plan.Bool) &&
			b.Min == b.Max {
			return bitsOf(b.Min)
		}
	}
	switch n.Op {
	case plan.OpConst:
		return bitsOf(n.Imm)
	case plan.OpLeaf:
		return u.readLeaf(n)
	case plan.OpOption:
		return bitsOf(u.Image.Plan().Options[n.Imm].Symbols[u.Options[n.Imm]])
	case plan.OpParam:
		return u.params[u.blockOf[id]][n.Imm]
	case plan.OpLoop:
		u.unrollLoop(id, n)
		return bitsOf(0)
	case plan.OpResult:
		if u.valueOf(n.Args[0]); u.failed {
			return bitsOf(0)
		}
		return u.carried[n.Args[0]][n.Imm]
	case plan.OpRoll:
		return u.rollDie(id, n)
	case plan.OpRequire:
		args := u.operandsOf(n.Args)
		return u.emitNode(plan.Node{Op: n.Op, Kind: plan.Bool, Imm: n.Imm, Site: n.Site},
			u.computeAnd(u.guard, args[0]), args[1], args[2])
	case plan.OpSelect:
		if n.Kind == plan.List {
			return u.chooseValue(id, u.valueOf(n.Args[0]), u.valueOf(n.Args[1]), u.valueOf(n.Args[2]))
		}
	}
	if o, ok := u.evaluateList(n); ok || u.failed {
		return o
	}
	return u.applyOp(*n, u.operandsOf(n.Args))
}

// readLeaf returns a slot of a record.
func (u *unroller) readLeaf(n *plan.Node) operand {
	l := u.from.Leaves[n.Imm]
	switch {
	case len(n.Args) > 0: // it is decided when dice have fallen
		return u.giveUp()
	case l.Root != plan.StateRoot:
		return bitsOf(u.Fixed[l.Root][l.Offset])
	}
	s := u.State.slots[l.Offset]
	if !s.isList {
		return u.readPlace(s.first)
	}
	out := &list{kinds: make([]plan.Kind, s.stride)}
	for i := range int(s.n) {
		e := &element{there: bitsOf(1)}
		for slot := range s.stride {
			at := s.first + i*s.stride + slot
			out.kinds[slot] = u.State.places[at].Shape.Kind
			e.slots = append(e.slots, u.readPlace(at))
		}
		out.elements = append(out.elements, e)
	}
	return operandOfList(out)
}

// readPlace returns the number at a place of the state.
func (u *unroller) readPlace(at int) operand {
	return u.emitNode(plan.Node{Op: plan.OpLeaf, Kind: u.State.places[at].Shape.Kind, Imm: int64(at), Site: -1})
}

// unrollLoop evaluates a loop: its body once for each iteration, or for each element that there may be.
func (u *unroller) unrollLoop(id plan.ID, n *plan.Node) {
	body := int32(n.Imm)
	carried := u.operandsOf(n.Args[1:])
	results := u.from.Blocks[body].Results
	around := u.guard
	iterate := func(index, there operand) {
		u.params[body] = append([]operand{index}, carried...)
		u.guard = u.computeAnd(around, there)
		u.evaluateEffects(int64(body))
		next := u.operandsOf(results)
		for k, r := range results {
			next[k] = u.chooseValue(r, there, next[k], carried[k])
		}
		carried = next
		u.guard = around
		u.forgetBlock(int64(body))
	}
	times := u.valueOf(n.Args[0])
	list, isWalk := u.walkedList(n.Args[0])
	switch most := u.bounds[n.Args[0]].Max; {
	case times.kind == bitsKind:
		for i := range times.bits {
			if i == maxElements || u.failed {
				u.giveUp()
				return
			}
			iterate(bitsOf(i), bitsOf(1))
		}
	case isWalk:
		index := bitsOf(0)
		for _, e := range list.elements {
			if u.failed {
				return
			}
			u.walks[body] = walk{u.from.Nodes[n.Args[0]].Args[0], e}
			iterate(index, e.there)
			index = u.computeOp(plan.OpAddInt, plan.Int, index, e.there)
		}
		delete(u.walks, body)
	case most <= maxElements:
		for i := range most {
			if u.failed {
				return
			}
			iterate(bitsOf(i), u.computeOp(plan.OpLtInt, plan.Bool, bitsOf(i), times))
		}
	default:
		u.giveUp()
	}
	u.carried[id] = carried
}

// walkedList returns the list whose elements a loop is repeated for, if its number of iterations is the size of one.
func (u *unroller) walkedList(times plan.ID) (*list, bool) {
	n := &u.from.Nodes[times]
	if n.Op != plan.OpSize {
		return nil, false
	}
	l, ok := u.listAt(n.Args[0])
	if !ok {
		return nil, false
	}
	if l.keys != nil {
		l = u.sortElements(l)
		u.values[n.Args[0]] = operandOfList(l)
	}
	return l, true
}

// forgetBlock drops the values of a block, which another iteration has again.
func (u *unroller) forgetBlock(block int64) {
	for _, id := range u.from.Blocks[block].Nodes {
		delete(u.values, id)
		if n := &u.from.Nodes[id]; n.Op == plan.OpLoop {
			u.forgetBlock(n.Imm)
		}
	}
}

// rollDie rolls a die, or one die after the other of a list.
func (u *unroller) rollDie(id plan.ID, n *plan.Node) operand {
	args := u.operandsOf(n.Args)
	die := u.from.Dice[n.Imm]
	die.Loops = nil
	guard := u.computeAnd(u.guard, args[0])
	rollOne := func(guard operand) operand {
		u.out.Dice = append(u.out.Dice, die)
		n := plan.Node{Op: plan.OpRoll, Kind: plan.Int, Imm: int64(len(u.out.Dice) - 1), Site: -1}
		n.Args = u.nodesFor(&n, []operand{guard, args[1], bitsOf(-1), args[3]})
		return nodeOf(u.appendNode(n))
	}
	if !die.List {
		return rollOne(guard)
	}
	most := u.bounds[n.Args[2]]
	if args[2].kind == bitsKind {
		most.Min, most.Max = args[2].bits, args[2].bits
	}
	if die.Distinct || most.Min < 0 || most.Max > maxElements || die.Most > 0 && most.Max > die.Most {
		return u.giveUp()
	}
	die.List, die.Most = false, 0
	out := &list{kinds: []plan.Kind{plan.Int}}
	for i := range most.Max {
		there := u.computeOp(plan.OpLtInt, plan.Bool, bitsOf(i), args[2])
		falls := u.computeAnd(guard, there)
		out.elements = append(out.elements, &element{falls, []operand{rollOne(falls)}})
	}
	return operandOfList(out)
}

// chooseValue returns one of two values of the kind of a node.
func (u *unroller) chooseValue(of plan.ID, c, a, b operand) operand {
	kind := u.from.Nodes[of].Kind
	switch {
	case c.isBits(1), a.isSame(b):
		return a
	case c.isBits(0):
		return b
	case kind != plan.List:
		return u.chooseSlot(c, kind, a, b)
	}
	x, isX := u.listOf(a, u.kindsOf(of))
	y, isY := u.listOf(b, u.kindsOf(of))
	switch {
	case isX && isY:
		return operandOfList(u.chooseList(c, x, y))
	case a.kind == listKind || b.kind == listKind:
		return u.giveUp()
	}
	return u.chooseSlot(c, kind, a, b)
}

// Truths and choices of operands.

func (u *unroller) computeAnd(a, b operand) operand { return u.computeOp(plan.OpAnd, plan.Bool, a, b) }
func (u *unroller) computeOr(a, b operand) operand  { return u.computeOp(plan.OpOr, plan.Bool, a, b) }
func (u *unroller) computeNot(a operand) operand    { return u.computeOp(plan.OpNot, plan.Bool, a) }

func (u *unroller) chooseSlot(c operand, kind plan.Kind, a, b operand) operand {
	return u.computeOp(plan.OpSelect, kind, c, a, b)
}

// computeOp applies an operation that cannot fail.
func (u *unroller) computeOp(op plan.Op, kind plan.Kind, args ...operand) operand {
	return u.applyOp(plan.Node{Op: op, Kind: kind, Site: -1}, args)
}

// applyOp applies an operation to operands: to bits at once, to cells of one index cell by cell, else when the code runs.
func (u *unroller) applyOp(n plan.Node, args []operand) operand {
	if o, ok := u.simplifyOp(&n, args); ok {
		return o
	}
	index, cells := plan.None, 1
	for _, o := range args {
		switch {
		case o.kind == bitsKind:
		case o.kind == cellsKind && (index == plan.None || index == o.node):
			index, cells = o.node, len(o.cells)
		default:
			return u.emitNode(n, args...)
		}
	}
	results := make([]int64, cells)
	for i := range results {
		v := make([]int64, len(args))
		for k, o := range args {
			if v[k] = o.bits; o.kind == cellsKind {
				v[k] = o.cells[i]
			}
		}
		bits, ok := u.foldBits(&n, v)
		if !ok {
			return u.emitNode(n, args...)
		}
		results[i] = bits
	}
	return cellsOf(index, results)
}

// foldBits computes an operation of bits. A fault is 1: which it is does not matter, since whoever meets one is carried
// out again with its loops.
func (u *unroller) foldBits(n *plan.Node, v []int64) (bits int64, ok bool) {
	switch n.Op {
	case plan.OpFirstFault:
		return max(v[0], v[1]), true
	case plan.OpAndFault:
		return bitOf(vm.FaultOfSides(v[0]^1, v[1], v[2]^1, v[3]) != 0), true
	case plan.OpOrFault:
		return bitOf(vm.FaultOfSides(v[0], v[1], v[2], v[3]) != 0), true
	case plan.OpNoFault:
		return bitOf(v[0] == 0), true
	case plan.OpRowFault:
		return bitOf(v[0] < 0), true
	case plan.OpFind:
		return vm.FindKey(u.store, v[0], v[1], u.Image.Plan().Types[n.Imm].Stride()), true
	case plan.OpFindFault:
		return bitOf(vm.FindKey(u.store, v[0], v[1], u.Image.Plan().Types[n.Imm].Stride()) < 0), true
	case plan.OpElem:
		return u.store.Element(v[0], v[1], n.Imm>>32, int64(uint32(n.Imm))), true
	}
	if len(v) == 0 || len(v) > 3 {
		return 0, false
	}
	var three [3]int64
	copy(three[:], v)
	if bits, ok = schedule.FoldOperands(u.Image.Plan(), n.Op, n.Imm, three); ok {
		return bits, true
	}
	return 1, n.Op.Operation().Result == 'f' && (builtin.ScalarOf(n.Op) != nil || n.Op == plan.OpToIntFault)
}

// simplifyOp returns the value of an operation that some of its operands decide.
func (u *unroller) simplifyOp(n *plan.Node, args []operand) (operand, bool) {
	switch n.Op {
	case plan.OpSelect:
		switch {
		case args[0].isBits(0), args[1].isSame(args[2]):
			return args[2], true
		case args[0].isBits(1):
			return args[1], true
		}
	case plan.OpAnd:
		return u.simplifySides(args, 0)
	case plan.OpOr:
		return u.simplifySides(args, 1)
	case plan.OpFirstFault, plan.OpAddInt:
		for k, o := range args {
			if o.isBits(0) {
				return args[1-k], true
			}
		}
	case plan.OpAndFault, plan.OpOrFault:
		if args[1].isBits(0) && args[3].isBits(0) {
			return bitsOf(0), true
		}
		decides := bitOf(n.Op == plan.OpOrFault)
		for k := range 2 {
			side, fault, other := args[2*k], args[2*k+1], args[3-2*k]
			switch {
			case !fault.isBits(0):
			case side.isBits(decides):
				return bitsOf(0), true
			case side.isBits(1 - decides):
				return other, true
			}
		}
	}
	return operand{}, false
}

func (u *unroller) simplifySides(args []operand, decides int64) (operand, bool) {
	for k, o := range args {
		switch {
		case o.isBits(decides):
			return o, true
		case o.isBits(1 - decides):
			return args[1-k], true
		}
	}
	return args[0], args[0].isSame(args[1])
}

// emitNode appends an operation, unless there is one that computes the same.
func (u *unroller) emitNode(n plan.Node, args ...operand) operand {
	n.Args = u.nodesFor(&n, args)
	key := binary.AppendVarint(append(binary.AppendUvarint(nil, uint64(n.Op)), byte(n.Kind)), n.Imm)
	for _, a := range n.Args {
		key = binary.AppendVarint(key, int64(a))
	}
	id, ok := u.nodeOfKey[string(key)]
	if !ok {
		id = u.appendNode(n)
		u.nodeOfKey[string(key)] = id
	}
	return nodeOf(id)
}

// appendNode appends a node.
func (u *unroller) appendNode(n plan.Node) plan.ID {
	id := plan.ID(len(u.out.Nodes))
	u.out.Nodes = append(u.out.Nodes, n)
	u.out.Blocks[0].Nodes = append(u.out.Blocks[0].Nodes, id)
	return id
}

// nodesFor returns the nodes of the operands of an operation.
func (u *unroller) nodesFor(n *plan.Node, args []operand) []plan.ID {
	out := make([]plan.ID, len(args))
	kinds := n.Op.Operation().Operands
	for k, o := range args {
		out[k] = u.nodeFor(o, u.kindOf(n, kinds[k]))
	}
	return out
}

// kindOf returns the kind of an operand from its letter in the table of operations. Slots that are only compared by their
// bits may be of any kind.
func (u *unroller) kindOf(n *plan.Node, letter byte) plan.Kind {
	switch letter {
	case 'b':
		return plan.Bool
	case 'd':
		return plan.Double
	case 's':
		return plan.String
	case 'f':
		return plan.Fault
	case 'l', 'p':
		return plan.List
	case 'm':
		return plan.Map
	case '*':
		if n.Op == plan.OpSelect {
			return n.Kind
		}
	}
	return plan.Int
}

// nodeFor returns the node of an operand of a kind.
func (u *unroller) nodeFor(o operand, kind plan.Kind) plan.ID {
	isSpan := kind == plan.List || kind == plan.Map
	switch o.kind {
	case nodeKind:
		return o.node
	case cellsKind:
		key := fmt.Sprint(o.cells)
		span, ok := u.spanOfCells[key]
		if !ok {
			span = u.store.Store(o.cells, len(o.cells))
			u.spanOfCells[key] = span
		}
		return u.emitNode(plan.Node{Op: plan.OpElem, Kind: kind, Imm: 1 << 32, Site: -1}, bitsOf(span), nodeOf(o.node)).node
	case listKind:
		span, ok := u.storeList(o.list)
		if !ok {
			u.giveUp()
		}
		o = bitsOf(span)
	}
	if isSpan {
		return u.spanLeaf(o.bits, kind)
	}
	return u.emitNode(plan.Node{Op: plan.OpConst, Kind: kind, Imm: o.bits, Site: -1}).node
}

// spanLeaf returns the leaf that is a list or a map of the store.
func (u *unroller) spanLeaf(span int64, kind plan.Kind) plan.ID {
	id, ok := u.leafOfSpan[span]
	if !ok {
		u.out.Leaves = append(u.out.Leaves, plan.Leaf{Root: plan.InputRoot, Offset: int32(len(u.leafSpans))})
		id = u.appendNode(plan.Node{Op: plan.OpLeaf, Kind: kind, Imm: int64(len(u.out.Leaves) - 1), Site: -1})
		u.leafSpans = append(u.leafSpans, span)
		u.leafOfSpan[span] = id
	}
	return id
}
