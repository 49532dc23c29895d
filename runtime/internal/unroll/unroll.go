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
	from   *plan.Graph
	bounds []interval.Interval // of from's nodes
	types  []*plan.Type        // of from's lists
	home   []int32             // of from's nodes, the block that they stand in
	store  *vm.Frame           // lists of which all is known
	out    *plan.Graph
	known  map[string]plan.ID // nodes of out, by what they compute
	spans  map[int64]plan.ID  // leaves of out, by the lists of the store that they are
	stored map[string]int64   // spans of cells, by these
	given  []int64            // of those leaves, the spans

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

func (u *unroller) fail() operand {
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
			u.value(id)
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

// value returns what is known of the value of a node.
func (u *unroller) value(id plan.ID) operand {
	if o, done := u.values[id]; done {
		return o
	}
	if u.work++; u.failed || u.work > maxWork || len(u.out.Nodes) > maxNodes {
		return u.fail()
	}
	o := u.evaluate(id)
	u.values[id] = o
	return o
}

func (u *unroller) operands(ids []plan.ID) []operand {
	out := make([]operand, len(ids))
	for i, id := range ids {
		out[i] = u.value(id)
	}
	return out
}

func (u *unroller) evaluate(id plan.ID) operand {
	n := &u.from.Nodes[id]
	if n.Op != plan.OpRequire && n.Op != plan.OpRoll {
		if b := &u.bounds[id]; n.Kind == plan.Fault && b.Max == 0 || (n.Kind == plan.Int || n.Kind == plan.Bool) && b.Min == b.Max {
			return bitsOf(b.Min)
		}
	}
	switch n.Op {
	case plan.OpConst:
		return bitsOf(n.Imm)
	case plan.OpLeaf:
		return u.leaf(n)
	case plan.OpOption:
		return bitsOf(u.Image.Plan().Options[n.Imm].Symbols[u.Options[n.Imm]])
	case plan.OpParam:
		return u.params[u.home[id]][n.Imm]
	case plan.OpLoop:
		u.repeat(id, n)
		return bitsOf(0)
	case plan.OpResult:
		if u.value(n.Args[0]); u.failed {
			return bitsOf(0)
		}
		return u.carried[n.Args[0]][n.Imm]
	case plan.OpRoll:
		return u.roll(id, n)
	case plan.OpRequire:
		args := u.operands(n.Args)
		return u.emit(plan.Node{Op: n.Op, Kind: plan.Bool, Imm: n.Imm, Site: n.Site},
			u.and(u.guard, args[0]), args[1], args[2])
	case plan.OpSelect:
		if n.Kind == plan.List {
			return u.chooseValue(id, u.value(n.Args[0]), u.value(n.Args[1]), u.value(n.Args[2]))
		}
	}
	if o, ok := u.evaluateList(n); ok || u.failed {
		return o
	}
	return u.apply(*n, u.operands(n.Args))
}

// leaf returns a slot of a record.
func (u *unroller) leaf(n *plan.Node) operand {
	l := u.from.Leaves[n.Imm]
	switch {
	case len(n.Args) > 0: // it is decided when dice have fallen
		return u.fail()
	case l.Root != plan.StateRoot:
		return bitsOf(u.Fixed[l.Root][l.Offset])
	}
	s := u.State.slots[l.Offset]
	if !s.isList {
		return u.place(s.first)
	}
	out := &list{kinds: make([]plan.Kind, s.stride)}
	for i := range int(s.n) {
		e := &element{there: bitsOf(1)}
		for slot := range s.stride {
			at := s.first + i*s.stride + slot
			out.kinds[slot] = u.State.places[at].Shape.Kind
			e.slots = append(e.slots, u.place(at))
		}
		out.elements = append(out.elements, e)
	}
	return operandOfList(out)
}

// place returns the number at a place of the state.
func (u *unroller) place(at int) operand {
	return u.emit(plan.Node{Op: plan.OpLeaf, Kind: u.State.places[at].Shape.Kind, Imm: int64(at), Site: -1})
}

// repeat evaluates a loop: its body once for each iteration, or for each element that there may be.
func (u *unroller) repeat(id plan.ID, n *plan.Node) {
	body := int32(n.Imm)
	carried := u.operands(n.Args[1:])
	results := u.from.Blocks[body].Results
	around := u.guard
	iterate := func(index, there operand) {
		u.params[body] = append([]operand{index}, carried...)
		u.guard = u.and(around, there)
		u.evaluateEffects(int64(body))
		next := u.operands(results)
		for k, r := range results {
			next[k] = u.chooseValue(r, there, next[k], carried[k])
		}
		carried = next
		u.guard = around
		u.forget(int64(body))
	}
	times := u.value(n.Args[0])
	list, isWalk := u.walkedList(n.Args[0])
	switch most := u.bounds[n.Args[0]].Max; {
	case times.kind == known:
		for i := range times.bits {
			if i == maxElements || u.failed {
				u.fail()
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
			index = u.compute(plan.OpAddInt, plan.Int, index, e.there)
		}
		delete(u.walks, body)
	case most <= maxElements:
		for i := range most {
			if u.failed {
				return
			}
			iterate(bitsOf(i), u.compute(plan.OpLtInt, plan.Bool, bitsOf(i), times))
		}
	default:
		u.fail()
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
		l = u.inOrder(l)
		u.values[n.Args[0]] = operandOfList(l)
	}
	return l, true
}

// forget drops the values of a block, which another iteration has again.
func (u *unroller) forget(block int64) {
	for _, id := range u.from.Blocks[block].Nodes {
		delete(u.values, id)
		if n := &u.from.Nodes[id]; n.Op == plan.OpLoop {
			u.forget(n.Imm)
		}
	}
}

// roll rolls a die, or one die after the other of a list.
func (u *unroller) roll(id plan.ID, n *plan.Node) operand {
	args := u.operands(n.Args)
	die := u.from.Dice[n.Imm]
	die.Loops = nil
	guard := u.and(u.guard, args[0])
	rollOne := func(guard operand) operand {
		u.out.Dice = append(u.out.Dice, die)
		n := plan.Node{Op: plan.OpRoll, Kind: plan.Int, Imm: int64(len(u.out.Dice) - 1), Site: -1}
		n.Args = u.nodes(&n, []operand{guard, args[1], bitsOf(-1), args[3]})
		return nodeOf(u.append(n))
	}
	if !die.List {
		return rollOne(guard)
	}
	most := u.bounds[n.Args[2]]
	if args[2].kind == known {
		most.Min, most.Max = args[2].bits, args[2].bits
	}
	if die.Distinct || most.Min < 0 || most.Max > maxElements || die.Most > 0 && most.Max > die.Most {
		return u.fail()
	}
	die.List, die.Most = false, 0
	out := &list{kinds: []plan.Kind{plan.Int}}
	for i := range most.Max {
		there := u.compute(plan.OpLtInt, plan.Bool, bitsOf(i), args[2])
		falls := u.and(guard, there)
		out.elements = append(out.elements, &element{falls, []operand{rollOne(falls)}})
	}
	return operandOfList(out)
}

// chooseValue returns one of two values of the kind of a node.
func (u *unroller) chooseValue(of plan.ID, c, a, b operand) operand {
	kind := u.from.Nodes[of].Kind
	switch {
	case c.is(1), a.same(b):
		return a
	case c.is(0):
		return b
	case kind != plan.List:
		return u.choose(c, kind, a, b)
	}
	x, isX := u.listOf(a, u.kindsOf(of))
	y, isY := u.listOf(b, u.kindsOf(of))
	switch {
	case isX && isY:
		return operandOfList(u.chooseList(c, x, y))
	case a.kind == listed || b.kind == listed:
		return u.fail()
	}
	return u.choose(c, kind, a, b)
}

// Truths and choices of operands.

func (u *unroller) and(a, b operand) operand { return u.compute(plan.OpAnd, plan.Bool, a, b) }
func (u *unroller) or(a, b operand) operand  { return u.compute(plan.OpOr, plan.Bool, a, b) }
func (u *unroller) not(a operand) operand    { return u.compute(plan.OpNot, plan.Bool, a) }

func (u *unroller) choose(c operand, kind plan.Kind, a, b operand) operand {
	return u.compute(plan.OpSelect, kind, c, a, b)
}

// compute applies an operation that cannot fail.
func (u *unroller) compute(op plan.Op, kind plan.Kind, args ...operand) operand {
	return u.apply(plan.Node{Op: op, Kind: kind, Site: -1}, args)
}

// apply applies an operation to operands: to bits at once, to cells of one index cell by cell, else when the code runs.
func (u *unroller) apply(n plan.Node, args []operand) operand {
	if o, ok := u.simplify(&n, args); ok {
		return o
	}
	index, cells := plan.None, 1
	for _, o := range args {
		switch {
		case o.kind == known:
		case o.kind == indexed && (index == plan.None || index == o.node):
			index, cells = o.node, len(o.cells)
		default:
			return u.emit(n, args...)
		}
	}
	results := make([]int64, cells)
	for i := range results {
		v := make([]int64, len(args))
		for k, o := range args {
			if v[k] = o.bits; o.kind == indexed {
				v[k] = o.cells[i]
			}
		}
		bits, ok := u.fold(&n, v)
		if !ok {
			return u.emit(n, args...)
		}
		results[i] = bits
	}
	return cellsOf(index, results)
}

// fold computes an operation of bits. A fault is 1: which it is does not matter, since whoever meets one is carried out again
// with its loops.
func (u *unroller) fold(n *plan.Node, v []int64) (bits int64, ok bool) {
	switch n.Op {
	case plan.OpFirstFault:
		return max(v[0], v[1]), true
	case plan.OpAndFault:
		return truth(vm.FaultOfSides(v[0]^1, v[1], v[2]^1, v[3]) != 0), true
	case plan.OpOrFault:
		return truth(vm.FaultOfSides(v[0], v[1], v[2], v[3]) != 0), true
	case plan.OpNoFault:
		return truth(v[0] == 0), true
	case plan.OpRowFault:
		return truth(v[0] < 0), true
	case plan.OpFind:
		return vm.FindKey(u.store, v[0], v[1], u.Image.Plan().Types[n.Imm].Stride()), true
	case plan.OpFindFault:
		return truth(vm.FindKey(u.store, v[0], v[1], u.Image.Plan().Types[n.Imm].Stride()) < 0), true
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

// simplify returns the value of an operation that some of its operands decide.
func (u *unroller) simplify(n *plan.Node, args []operand) (operand, bool) {
	switch n.Op {
	case plan.OpSelect:
		switch {
		case args[0].is(0), args[1].same(args[2]):
			return args[2], true
		case args[0].is(1):
			return args[1], true
		}
	case plan.OpAnd:
		return u.simplifySides(args, 0)
	case plan.OpOr:
		return u.simplifySides(args, 1)
	case plan.OpFirstFault, plan.OpAddInt:
		for k, o := range args {
			if o.is(0) {
				return args[1-k], true
			}
		}
	case plan.OpAndFault, plan.OpOrFault:
		if args[1].is(0) && args[3].is(0) {
			return bitsOf(0), true
		}
		decides := truth(n.Op == plan.OpOrFault)
		for k := range 2 {
			side, fault, other := args[2*k], args[2*k+1], args[3-2*k]
			switch {
			case !fault.is(0):
			case side.is(decides):
				return bitsOf(0), true
			case side.is(1 - decides):
				return other, true
			}
		}
	}
	return operand{}, false
}

func (u *unroller) simplifySides(args []operand, decides int64) (operand, bool) {
	for k, o := range args {
		switch {
		case o.is(decides):
			return o, true
		case o.is(1 - decides):
			return args[1-k], true
		}
	}
	return args[0], args[0].same(args[1])
}

// emit appends an operation, unless there is one that computes the same.
func (u *unroller) emit(n plan.Node, args ...operand) operand {
	n.Args = u.nodes(&n, args)
	key := binary.AppendVarint(append(binary.AppendUvarint(nil, uint64(n.Op)), byte(n.Kind)), n.Imm)
	for _, a := range n.Args {
		key = binary.AppendVarint(key, int64(a))
	}
	id, ok := u.known[string(key)]
	if !ok {
		id = u.append(n)
		u.known[string(key)] = id
	}
	return nodeOf(id)
}

// append appends a node.
func (u *unroller) append(n plan.Node) plan.ID {
	id := plan.ID(len(u.out.Nodes))
	u.out.Nodes = append(u.out.Nodes, n)
	u.out.Blocks[0].Nodes = append(u.out.Blocks[0].Nodes, id)
	return id
}

// nodes returns the nodes of the operands of an operation.
func (u *unroller) nodes(n *plan.Node, args []operand) []plan.ID {
	out := make([]plan.ID, len(args))
	kinds := n.Op.Operation().Operands
	for k, o := range args {
		out[k] = u.node(o, u.kindOf(n, kinds[k]))
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

// node returns the node of an operand of a kind.
func (u *unroller) node(o operand, kind plan.Kind) plan.ID {
	isSpan := kind == plan.List || kind == plan.Map
	switch o.kind {
	case computed:
		return o.node
	case indexed:
		key := fmt.Sprint(o.cells)
		span, ok := u.stored[key]
		if !ok {
			span = u.store.Store(o.cells, len(o.cells))
			u.stored[key] = span
		}
		return u.emit(plan.Node{Op: plan.OpElem, Kind: kind, Imm: 1 << 32, Site: -1}, bitsOf(span), nodeOf(o.node)).node
	case listed:
		span, ok := u.storeList(o.list)
		if !ok {
			u.fail()
		}
		o = bitsOf(span)
	}
	if isSpan {
		return u.spanLeaf(o.bits, kind)
	}
	return u.emit(plan.Node{Op: plan.OpConst, Kind: kind, Imm: o.bits, Site: -1}).node
}

// spanLeaf returns the leaf that is a list or a map of the store.
func (u *unroller) spanLeaf(span int64, kind plan.Kind) plan.ID {
	id, ok := u.spans[span]
	if !ok {
		u.out.Leaves = append(u.out.Leaves, plan.Leaf{Root: plan.InputRoot, Offset: int32(len(u.given))})
		id = u.append(plan.Node{Op: plan.OpLeaf, Kind: kind, Imm: int64(len(u.out.Leaves) - 1), Site: -1})
		u.given = append(u.given, span)
		u.spans[span] = id
	}
	return id
}
