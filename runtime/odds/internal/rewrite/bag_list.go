package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// evaluateList evaluates an operation that reads or makes a list. It reports false when the operation is to be copied with
// the lists themselves as operands.
func (x *expander) evaluateList(id plan.ID, n *plan.Node) (operand, bool) {
	switch n.Op {
	case plan.OpNewSpan:
		b := &bag{stride: int(n.Imm), isOrdered: true, size: plan.None, room: x.nodeOf(n.Args[0])}
		return operand{id: plan.None, bag: b}, true
	case plan.OpRange:
		return x.evaluateRange(n), true
	case plan.OpSelect:
		return x.chooseList(n)
	case plan.OpElem:
		return x.evaluateElement(n)
	}
	if len(n.Args) == 0 {
		return operand{}, false
	}
	v := x.values[n.Args[0]]
	b := v.bag
	if b == nil {
		if n.Op == plan.OpSize {
			if list, known := x.constantValue(v.id); known {
				return operand{id: x.constantNode(plan.Int, int64(uint32(list)))}, true
			}
			if _, counts := x.pairs.sums[v.id]; counts {
				return v, true
			}
		}
		return operand{}, false
	}
	scalar := func(id plan.ID) (operand, bool) { return operand{id: id}, true }
	switch n.Op {
	case plan.OpSize:
		return scalar(x.sizeOf(b))
	case plan.OpEmptyFault:
		if size, known := x.constantValue(x.sizeOf(b)); known && size > 0 {
			return scalar(x.constantNode(plan.Fault, 0))
		}
		return scalar(x.emit(plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{x.sizeOf(b)}, Site: n.Site}))
	case plan.OpElemFault:
		return scalar(x.elementFault(n, b))
	case plan.OpSliceFault:
		return scalar(x.sliceFault(n, b))
	case plan.OpPush:
		return x.evaluatePush(id, n, b)
	case plan.OpConcat:
		return x.concatenateBag(n, b)
	case plan.OpSumInt:
		return scalar(x.sumOf(b))
	case plan.OpLeast, plan.OpGreatest:
		if n.Kind == plan.Int {
			return scalar(x.extremeOf(b, n.Op))
		}
	case plan.OpHas:
		if b.stride == 1 && isWhole(x.from.Plan.Types[n.Imm].Elem.Kind) {
			return scalar(x.emitMembership(b, x.nodeOf(n.Args[1])))
		}
	case plan.OpSort:
		if b.stride == 1 && x.from.Plan.Types[n.Imm].Elem.Kind == plan.Int {
			return x.sortBag(b)
		}
	case plan.OpCounts:
		return x.countFaces(b, x.nodeOf(n.Args[1]), x.nodeOf(n.Args[2]))
	case plan.OpSortBy:
		if keys := x.values[n.Args[1]].bag; keys != nil && x.from.Plan.Types[uint32(n.Imm)].Elem.Kind == plan.Int {
			return x.sortByKeys(b, keys)
		}
	case plan.OpSlice:
		return x.sliceBag(b, x.nodeOf(n.Args[1]), x.nodeOf(n.Args[2]))
	}
	return operand{}, false
}

// isWhole reports whether values of a kind are equal when their slots are.
func isWhole(k plan.Kind) bool { return k == plan.Int || k == plan.Bool || k == plan.String }

func (x *expander) evaluateRange(n *plan.Node) operand {
	v := operand{id: x.copyNode(n)}
	from, known := x.constantValue(x.nodeOf(n.Args[0]))
	to, sure := x.constantValue(x.nodeOf(n.Args[1]))
	if !known || !sure || !x.fitsLimit(to-from, x.limits.Unrolled, WideLimits().Unrolled) {
		return v
	}
	v.bag = &bag{stride: 1, isOrdered: true, size: plan.None, room: plan.None}
	for i := from; i < to; i++ {
		x.appendElement(v.bag, []plan.ID{x.constantNode(plan.Int, i)})
	}
	return v
}

// chooseList chooses between lists of which at least one is a bag. The choice has the runs of both, and the condition goes
// into their counts: c ? [K×5] : [1×7] is (c ? K : 0)×5, (c ? 0 : 1)×7. One of the two is always empty, so that the runs
// stand in the order of the list whatever is chosen.
func (x *expander) chooseList(n *plan.Node) (operand, bool) {
	a, b := x.values[n.Args[1]], x.values[n.Args[2]]
	if a.bag == nil && b.bag == nil {
		return operand{}, false
	}
	c := x.nodeOf(n.Args[0])
	switch v, known := x.constantValue(c); {
	case known && v != 0:
		return a, true
	case known:
		return b, true
	case a.bag == nil || b.bag == nil || a.id != plan.None && b.id != plan.None || a.bag.stride != b.bag.stride:
		return operand{}, false
	}
	return operand{id: plan.None, bag: x.chooseBag(c, a.bag, b.bag)}, true
}

// chooseBag returns a where a condition holds, else b.
func (e *emitter) chooseBag(c plan.ID, a, b *bag) *bag {
	out := &bag{stride: a.stride, size: plan.None, room: plan.None, pools: joinPools(a, b)}
	out.isOrdered = a.isOrdered && b.isOrdered
	zero := e.constantNode(plan.Int, 0)
	for side, from := range [...]*bag{a, b} {
		for _, r := range from.runs {
			if side == 0 {
				r.count = e.emitChoice(plan.Int, c, r.count, zero)
			} else {
				r.count = e.emitChoice(plan.Int, c, zero, r.count)
			}
			r.upper, r.lower = plan.None, plan.None
			out.runs = append(out.runs, r)
		}
	}
	return out
}

// evaluatePush appends an element that is there under a condition.
func (x *expander) evaluatePush(id plan.ID, n *plan.Node, b *bag) (operand, bool) {
	c := x.nodeOf(n.Args[1])
	var slots []plan.ID
	for _, a := range n.Args[2:] {
		slots = append(slots, x.slotOf(a))
	}
	b = x.pushRun(b, run{slots: slots, count: x.asCount(c), maxCount: 1, at: x.latestOf(append(slots, c)...)})
	if x.from.isWholeList(id) {
		return x.poolOfDice(id, b), true
	}
	return operand{id: plan.None, bag: b}, true
}

// slotOf returns the slot of an element that one of from's nodes becomes. A bag has an empty list in its place, from which
// elementAt finds it again: so a list of lists of dice need not be made to read them one by one.
func (x *expander) slotOf(id plan.ID) plan.ID {
	v := x.values[id]
	if v.bag == nil || v.id != plan.None {
		return x.nodeOf(id)
	}
	none := []plan.ID{x.constantNode(plan.Int, 0)}
	slot := x.emit(plan.Node{Op: plan.OpNewSpan, Kind: plan.List, Args: none, Imm: int64(v.bag.stride), Site: -1})
	x.random[slot] = x.isRandom(v.bag)
	x.nested[slot] = v.bag
	return slot
}

// elementAt returns the operand that replaces the slot of an element.
func (x *expander) elementAt(slot plan.ID) operand {
	if b := x.nested[slot]; b != nil {
		return operand{id: plan.None, bag: b}
	}
	return operand{id: slot}
}

// nestedAt returns the list within a list at a random index, a choice among all. It reports false when some element is
// a list of its own.
func (x *expander) nestedAt(b *bag, slot int, index plan.ID) (operand, bool) {
	var out *bag
	for i, r := range b.runs {
		within := x.nested[r.slots[slot]]
		switch {
		case within == nil || out != nil && within.stride != out.stride:
			return operand{}, false
		case out == nil:
			out = within
		default:
			out = x.chooseBag(x.emitEqual(index, x.constantNode(plan.Int, int64(i))), within, out)
		}
	}
	return operand{id: plan.None, bag: out}, out != nil
}

func (x *expander) concatenateBag(n *plan.Node, a *bag) (operand, bool) {
	b := x.values[n.Args[1]].bag
	if b == nil || a.stride != b.stride {
		return operand{}, false
	}
	out := &bag{stride: a.stride, isOrdered: a.isOrdered && b.isOrdered, size: plan.None,
		room: plan.None, pools: joinPools(a, b)}
	for _, r := range slices.Concat(a.runs, b.runs) {
		r.upper, r.lower = plan.None, plan.None
		out.runs = append(out.runs, r)
	}
	return operand{id: plan.None, bag: out}, true
}
