package unroll

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// listAt returns the elements of the list that a node is, and false where they are not known.
func (u *unroller) listAt(id plan.ID) (*list, bool) { return u.listOf(u.valueOf(id), u.kindsOf(id)) }

// kindsOf returns the kinds of the slots of the elements of the list that a node is; nil where nothing says them.
func (u *unroller) kindsOf(id plan.ID) (kinds []plan.Kind) {
	if t := u.types[id]; t != nil && t.Kind == plan.List {
		for slot := range t.Stride() {
			kinds = append(kinds, t.SlotKind(slot))
		}
	}
	return kinds
}

// evaluateList evaluates an operation that makes or reads a list. It reports false for one that is applied to the slots of
// its operands, as to a map that an index chooses.
func (u *unroller) evaluateList(n *plan.Node) (operand, bool) {
	switch n.Op {
	case plan.OpNewSpan:
		return operandOfList(&list{}), true
	case plan.OpRange:
		return u.makeRange(n)
	case plan.OpElem, plan.OpElemFault:
		return u.readElement(n)
	case plan.OpSize:
		return u.sizeOf(u.valueOf(n.Args[0])), true
	case plan.OpEmptyFault:
		return u.faultIf(u.computeOp(plan.OpEqInt, plan.Bool, u.sizeOf(u.valueOf(n.Args[0])), bitsOf(0))), true
	case plan.OpPush, plan.OpConcat, plan.OpSlice, plan.OpSliceFault, plan.OpSort, plan.OpSortBy, plan.OpSumInt,
		plan.OpSumIntFault, plan.OpSumDouble, plan.OpLeast, plan.OpGreatest, plan.OpHas, plan.OpCounts:
	case plan.OpPour, plan.OpPourFault:
		return u.pourAmount(n)
	case plan.OpWith, plan.OpKeys, plan.OpEqual:
		return u.giveUp(), true
	default:
		return operand{}, false
	}
	l, ok := u.listAt(n.Args[0])
	if !ok {
		return u.giveUp(), true
	}
	switch n.Op {
	case plan.OpPush:
		return u.pushElement(n, l), true
	case plan.OpConcat:
		return u.concatLists(n, l), true
	case plan.OpSlice:
		return u.sliceList(n, l), true
	case plan.OpSliceFault:
		isSlice, _ := u.sliceEnds(n, l)
		return u.faultIf(u.computeNot(isSlice)), true
	case plan.OpSort:
		return u.sortBy(n.Imm, l, l), true
	case plan.OpSortBy:
		keys, ok := u.listAt(n.Args[1])
		if !ok {
			return u.giveUp(), true
		}
		return u.sortBy(int64(uint32(n.Imm)), l, keys), true
	case plan.OpHas:
		return u.hasElement(n, l), true
	case plan.OpCounts:
		return u.countInts(n, l), true
	case plan.OpLeast, plan.OpGreatest:
		return u.extremeOf(n, l), true
	}
	return u.sumOf(n, l), true
}

// faultIf is 1 where something is wrong.
func (u *unroller) faultIf(wrong operand) operand {
	return u.chooseSlot(wrong, plan.Fault, bitsOf(1), bitsOf(0))
}

// makeRange returns the integers from one to another that is not among them.
func (u *unroller) makeRange(n *plan.Node) (operand, bool) {
	from, to := u.valueOf(n.Args[0]), u.valueOf(n.Args[1])
	most := u.bounds[n.Args[1]].Max
	if to.kind == bitsKind {
		most = to.bits
	}
	if from.kind != bitsKind || most-from.bits > maxElements {
		return u.giveUp(), true
	}
	l := &list{kinds: []plan.Kind{plan.Int}}
	for i := from.bits; i < most; i++ {
		there := u.computeOp(plan.OpLtInt, plan.Bool, bitsOf(i), to)
		l.elements = append(l.elements, &element{there, []operand{bitsOf(i)}})
	}
	return operandOfList(l), true
}

// readElement returns the slot of an element, or whether there is no element at an index. Of a list that an index
// chooses, it is left to the code.
func (u *unroller) readElement(n *plan.Node) (operand, bool) {
	slot := int(uint32(n.Imm))
	if w, ok := u.walkAt(n); ok {
		if n.Op == plan.OpElemFault {
			return bitsOf(0), true
		}
		return w.element.slots[slot], true
	}
	o, index := u.valueOf(n.Args[0]), u.valueOf(n.Args[1])
	if n.Op == plan.OpElemFault {
		size := u.sizeOf(o)
		isBefore := u.computeOp(plan.OpLtInt, plan.Bool, index, bitsOf(0))
		return u.faultIf(u.computeOr(isBefore, u.computeOp(plan.OpLeInt, plan.Bool, size, index))), true
	}
	switch {
	case o.kind == bitsKind && index.kind == nodeKind && vm.SpanSize(o.bits) > 0 && vm.SpanSize(o.bits) <= maxElements:
		cells := make([]int64, vm.SpanSize(o.bits))
		for i := range cells {
			cells[i] = u.store.Element(o.bits, int64(i), n.Imm>>32, int64(slot))
		}
		return cellsOf(index.node, cells), true
	case o.kind == listKind:
		return u.elementAt(o.list, index, slot), true
	}
	return operand{}, false
}

// walkAt returns the walk whose element a node reads.
func (u *unroller) walkAt(n *plan.Node) (walk, bool) {
	index := &u.from.Nodes[n.Args[1]]
	if index.Op != plan.OpParam || index.Imm != 0 {
		return walk{}, false
	}
	w, ok := u.walks[u.blockOf[n.Args[1]]]
	return w, ok && w.list == n.Args[0]
}

func (u *unroller) pushElement(n *plan.Node, l *list) operand {
	out := &list{kinds: make([]plan.Kind, len(n.Args)-2), elements: slices.Clip(u.sortElements(l).elements)}
	for k, a := range n.Args[2:] {
		out.kinds[k] = u.from.Nodes[a].Kind
	}
	if there := u.valueOf(n.Args[1]); !there.isBits(0) {
		out.elements = append(out.elements, &element{there, u.operandsOf(n.Args[2:])})
	}
	return operandOfList(out)
}

func (u *unroller) concatLists(n *plan.Node, l *list) operand {
	behind, ok := u.listAt(n.Args[1])
	if !ok {
		return u.giveUp()
	}
	l, behind = u.sortElements(l), u.sortElements(behind)
	out := &list{kinds: l.kinds, elements: slices.Concat(l.elements, behind.elements)}
	if len(l.elements) == 0 {
		out.kinds = behind.kinds
	}
	return operandOfList(out)
}

// sliceEnds returns whether a part of a list is one, and where it ends.
func (u *unroller) sliceEnds(n *plan.Node, l *list) (isSlice operand, ends [2]operand) {
	ends = [2]operand{u.valueOf(n.Args[1]), u.valueOf(n.Args[2])}
	isSlice = u.computeOp(plan.OpLeInt, plan.Bool, bitsOf(0), ends[0])
	isSlice = u.computeAnd(isSlice, u.computeOp(plan.OpLeInt, plan.Bool, ends[0], ends[1]))
	return u.computeAnd(isSlice, u.computeOp(plan.OpLeInt, plan.Bool, ends[1], u.countThere(l.elements))), ends
}

// sliceList returns the elements of a list that stand between two places; none where there are no such places.
func (u *unroller) sliceList(n *plan.Node, l *list) operand {
	l = u.sortElements(l)
	isSlice, ends := u.sliceEnds(n, l)
	out, at := &list{kinds: l.kinds}, bitsOf(0)
	for _, e := range l.elements {
		within := u.computeAnd(u.computeOp(plan.OpLeInt, plan.Bool, ends[0], at),
			u.computeOp(plan.OpLtInt, plan.Bool, at, ends[1]))
		if there := u.computeAnd(e.there, u.computeAnd(isSlice, within)); !there.isBits(0) {
			out.elements = append(out.elements, &element{there, e.slots})
		}
		at = u.computeOp(plan.OpAddInt, plan.Int, at, e.there)
	}
	return operandOfList(out)
}

// sortBy returns a list that is sorted by keys, of which each element has one. of is the type of the list of keys.
func (u *unroller) sortBy(of int64, l, keys *list) operand {
	if u.Image.Plan().Types[of].Elem.Kind != plan.Int {
		return u.giveUp() // doubles and strings are not compared as ints
	}
	l, keys = u.sortElements(l), u.sortElements(keys)
	if len(l.elements) != len(keys.elements) {
		return u.giveUp()
	}
	out := &list{kinds: l.kinds, elements: l.elements, keys: []operand{}}
	for i, k := range keys.elements {
		if !k.there.isSame(l.elements[i].there) {
			return u.giveUp()
		}
		out.keys = append(out.keys, k.slots[0])
	}
	return operandOfList(out)
}

func (u *unroller) hasElement(n *plan.Node, l *list) operand {
	op, found, v := plan.OpEqInt, bitsOf(0), u.valueOf(n.Args[1])
	if u.Image.Plan().Types[n.Imm].Elem.Kind == plan.Double {
		op = plan.OpEqDouble
	}
	for _, e := range l.elements {
		found = u.computeOr(found, u.computeAnd(e.there, u.computeOp(op, plan.Bool, e.slots[0], v)))
	}
	return found
}

// countInts returns how often each integer of a range is in a list.
func (u *unroller) countInts(n *plan.Node, l *list) operand {
	from, to := u.valueOf(n.Args[1]), u.valueOf(n.Args[2])
	if from.kind != bitsKind || to.kind != bitsKind || to.bits-from.bits >= maxElements {
		return u.giveUp()
	}
	out := &list{kinds: []plan.Kind{plan.Int}}
	for v := from.bits; v <= to.bits; v++ {
		sum := bitsOf(0)
		for _, e := range l.elements {
			is := u.computeAnd(e.there, u.computeOp(plan.OpEqInt, plan.Bool, e.slots[0], bitsOf(v)))
			sum = u.computeOp(plan.OpAddInt, plan.Int, sum, is)
		}
		out.elements = append(out.elements, &element{bitsOf(1), []operand{sum}})
	}
	return operandOfList(out)
}

// extremeOf returns the first of the least or the greatest elements; 0 of an empty list.
func (u *unroller) extremeOf(n *plan.Node, l *list) operand {
	less := plan.OpLtInt
	if n.Kind == plan.Double {
		less = plan.OpLtDouble
	}
	found, best := bitsOf(0), bitsOf(0)
	for _, e := range u.sortElements(l).elements {
		a, b := e.slots[0], best
		if n.Op == plan.OpGreatest {
			a, b = b, a
		}
		beats := u.computeOr(u.computeNot(found), u.computeOp(less, plan.Bool, a, b))
		best = u.chooseSlot(u.computeAnd(e.there, beats), n.Kind, e.slots[0], best)
		found = u.computeOr(found, e.there)
	}
	return best
}

// pourAmount returns the share of each capacity in an amount that fills them in order, or whether one of them is negative.
func (u *unroller) pourAmount(n *plan.Node) (operand, bool) {
	amount := u.valueOf(n.Args[0])
	capacities, ok := u.listAt(n.Args[1])
	if !ok {
		return u.giveUp(), true
	}
	isNegative := u.computeOp(plan.OpLtInt, plan.Bool, amount, bitsOf(0))
	out := &list{kinds: []plan.Kind{plan.Int}}
	for _, e := range u.sortElements(capacities).elements {
		capacity := u.chooseSlot(e.there, plan.Int, e.slots[0], bitsOf(0))
		isNegative = u.computeOr(isNegative, u.computeOp(plan.OpLtInt, plan.Bool, capacity, bitsOf(0)))
		share := u.computeOp(plan.OpMaxInt, plan.Int, bitsOf(0), u.computeOp(plan.OpMinInt, plan.Int, amount, capacity))
		amount = u.computeOp(plan.OpSubInt, plan.Int, amount, share)
		out.elements = append(out.elements, &element{e.there, []operand{share}})
	}
	if n.Op == plan.OpPourFault {
		return u.faultIf(isNegative), true
	}
	return operandOfList(out), true
}

// sumOf adds up a list, or tells whether its sum overflows on the way.
func (u *unroller) sumOf(n *plan.Node, l *list) operand {
	op, kind := plan.OpAddInt, plan.Int
	if n.Op == plan.OpSumDouble {
		op, kind = plan.OpAddDouble, plan.Double
	}
	sum, overflows := bitsOf(0), bitsOf(0)
	for _, e := range u.sortElements(l).elements {
		if n.Op == plan.OpSumIntFault {
			fault := u.computeOp(plan.OpAddIntFault, plan.Fault, sum, e.slots[0])
			overflows = u.computeOp(plan.OpFirstFault, plan.Fault, overflows,
				u.chooseSlot(e.there, plan.Fault, fault, bitsOf(0)))
		}
		sum = u.chooseSlot(e.there, kind, u.computeOp(op, kind, sum, e.slots[0]), sum)
	}
	if n.Op == plan.OpSumIntFault {
		return overflows
	}
	return sum
}
