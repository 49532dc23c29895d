package unroll

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An operand is what is known of a value of the graph that is unrolled: one of
//
//   - bits: the value itself, of a list or a map its span in the store;
//   - cells: the value for each index of a list, where a node computes the index and all else is known, as the skill of
//     the fighter whose turn it is;
//   - a list whose elements are operands;
//   - a node of the new graph.
type operand struct {
	kind  operandKind
	bits  int64
	cells []int64 // by the index
	node  plan.ID // of the value or, of cells, of the index
	list  *list
}

type operandKind uint8

const (
	bitsKind operandKind = iota
	cellsKind
	listKind
	nodeKind
)

func bitsOf(bits int64) operand     { return operand{kind: bitsKind, bits: bits} }
func nodeOf(id plan.ID) operand     { return operand{kind: nodeKind, node: id} }
func operandOfList(l *list) operand { return operand{kind: listKind, list: l} }

// isBits reports whether an operand is known to have these bits.
func (o operand) isBits(bits int64) bool { return o.kind == bitsKind && o.bits == bits }

// isSame reports whether two operands are known to be the same value.
func (o operand) isSame(other operand) bool {
	if o.kind != other.kind || o.node != other.node || o.list != other.list || o.bits != other.bits {
		return false
	}
	return slices.Equal(o.cells, other.cells)
}

// cellsOf returns an operand for each index of a list: known, where all are the same.
func cellsOf(index plan.ID, cells []int64) operand {
	if len(cells) > 0 && !slices.ContainsFunc(cells, func(v int64) bool { return v != cells[0] }) {
		return bitsOf(cells[0])
	}
	return operand{kind: cellsKind, node: index, cells: cells}
}

// A list is the elements that it may have, in their order, each there under a condition. Of a list that is to be sorted,
// keys are what it is sorted by: nothing moves until somebody reads an element.
type list struct {
	kinds    []plan.Kind // of the slots of an element
	elements []*element
	keys     []operand // ints; nil of a list that is in its order
}

// An element of a list.
type element struct {
	there operand // whether it is one
	slots []operand
}

// hasAll reports whether all elements of a list are there.
func (l *list) hasAll() bool {
	return !slices.ContainsFunc(l.elements, func(e *element) bool { return !e.there.isBits(1) })
}

// listOf returns the elements of a list, and false where they are not known. Elements of a list in the store are bits;
// of one that an index chooses from several, cells.
func (u *unroller) listOf(o operand, kinds []plan.Kind) (*list, bool) {
	switch o.kind {
	case listKind:
		return o.list, true
	case bitsKind:
		return u.listChosen(plan.None, []int64{o.bits}, kinds)
	case cellsKind:
		return u.listChosen(o.node, o.cells, kinds)
	}
	return nil, false
}

// listChosen returns the list that an index chooses from several in the store: as many elements as the longest of them has.
func (u *unroller) listChosen(index plan.ID, spans []int64, kinds []plan.Kind) (*list, bool) {
	longest := int64(0)
	for _, span := range spans {
		longest = max(longest, vm.SpanSize(span))
	}
	if longest > maxElements || longest > 0 && kinds == nil {
		return nil, false
	}
	l := &list{kinds: kinds}
	each := func(value func(span int64) int64) operand {
		cells := make([]int64, len(spans))
		for k, span := range spans {
			cells[k] = value(span)
		}
		return cellsOf(index, cells)
	}
	for i := range longest {
		e := &element{there: each(func(span int64) int64 { return bitOf(i < vm.SpanSize(span)) })}
		for slot := range kinds {
			e.slots = append(e.slots, each(func(span int64) int64 {
				return u.store.Element(span, i, int64(len(kinds)), int64(slot))
			}))
		}
		l.elements = append(l.elements, e)
	}
	return l, true
}

func bitOf(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

// storeList puts a list of which all is known into the store, and returns its span.
func (u *unroller) storeList(l *list) (span int64, ok bool) {
	var slots []int64
	if !l.hasAll() || l.keys != nil {
		return 0, false
	}
	for _, e := range l.elements {
		for _, o := range e.slots {
			if o.kind == listKind {
				within, ok := u.storeList(o.list)
				if !ok {
					return 0, false
				}
				o = bitsOf(within)
			}
			if o.kind != bitsKind {
				return 0, false
			}
			slots = append(slots, o.bits)
		}
	}
	if len(l.elements) == 0 {
		return 0, true
	}
	return u.store.Store(slots, len(l.elements)), true
}

// sizeOf returns how many elements a list or a map has.
func (u *unroller) sizeOf(o operand) operand {
	switch o.kind {
	case bitsKind:
		return bitsOf(vm.SpanSize(o.bits))
	case cellsKind:
		cells := make([]int64, len(o.cells))
		for i, span := range o.cells {
			cells[i] = vm.SpanSize(span)
		}
		return cellsOf(o.node, cells)
	case listKind:
		return u.countThere(o.list.elements)
	}
	return u.computeOp(plan.OpSize, plan.Int, o)
}

// countThere returns how many of some elements are there. A truth is the number 0 or 1.
func (u *unroller) countThere(elements []*element) operand {
	sum := bitsOf(0)
	for _, e := range elements {
		sum = u.computeOp(plan.OpAddInt, plan.Int, sum, e.there)
	}
	return sum
}

// elementAt returns a slot of the element of a list at an index; 0 outside of the list.
func (u *unroller) elementAt(l *list, index operand, slot int) operand {
	if l.keys != nil {
		return u.sortedAt(l, index, slot)
	}
	if l.hasAll() {
		if index.kind == bitsKind {
			if uint64(index.bits) < uint64(len(l.elements)) {
				return l.elements[index.bits].slots[slot]
			}
			return bitsOf(0)
		}
		if cells, ok := u.cellsAt(l, slot); ok && index.kind == nodeKind {
			return cellsOf(index.node, cells)
		}
	}
	at, out := bitsOf(0), bitsOf(0)
	places := make([]operand, len(l.elements))
	for i, e := range l.elements {
		places[i] = at
		at = u.computeOp(plan.OpAddInt, plan.Int, at, e.there)
	}
	for i, e := range slices.Backward(l.elements) { // the first that fits is chosen last
		fits := e.there
		if !index.isBits(0) { // the first that is there is the element at 0
			fits = u.computeAnd(fits, u.computeOp(plan.OpEqInt, plan.Bool, places[i], index))
		}
		out = u.chooseSlot(fits, l.kinds[slot], e.slots[slot], out)
	}
	return out
}

// cellsAt returns the bits of a slot of each element, and false where not all are known.
func (u *unroller) cellsAt(l *list, slot int) ([]int64, bool) {
	cells := make([]int64, len(l.elements))
	for i, e := range l.elements {
		if e.slots[slot].kind != bitsKind {
			return nil, false
		}
		cells[i] = e.slots[slot].bits
	}
	return cells, len(cells) > 0
}

// sortedAt returns a slot of the element that stands at an index once a list is sorted: the first is found by comparing,
// another one by how many stand before it. Of equal keys the one that stood first stays first.
func (u *unroller) sortedAt(l *list, index operand, slot int) operand {
	out := bitsOf(0)
	if index.isBits(0) {
		found, least := bitsOf(0), bitsOf(0)
		for i, e := range l.elements {
			less := u.computeOp(plan.OpLtInt, plan.Bool, l.keys[i], least)
			better := u.computeAnd(e.there, u.computeOr(u.computeNot(found), less))
			least = u.chooseSlot(better, plan.Int, l.keys[i], least)
			out = u.chooseSlot(better, l.kinds[slot], e.slots[slot], out)
			found = u.computeOr(found, e.there)
		}
		return out
	}
	for i, e := range l.elements {
		fits := u.computeAnd(e.there, u.computeOp(plan.OpEqInt, plan.Bool, u.rankOf(l, i), index))
		out = u.chooseSlot(fits, l.kinds[slot], e.slots[slot], out)
	}
	return out
}

// rankOf returns how many elements of a list that is to be sorted will stand before one of them.
func (u *unroller) rankOf(l *list, at int) operand {
	rank := bitsOf(0)
	for i, e := range l.elements {
		if i == at {
			continue
		}
		op := plan.OpLtInt
		if i < at {
			op = plan.OpLeInt
		}
		rank = u.computeOp(plan.OpAddInt, plan.Int, rank,
			u.computeAnd(e.there, u.computeOp(op, plan.Bool, l.keys[i], l.keys[at])))
	}
	return rank
}

// sortElements returns a list whose elements stand in their order.
func (u *unroller) sortElements(l *list) *list {
	if l.keys == nil {
		return l
	}
	out, size := &list{kinds: l.kinds}, u.countThere(l.elements)
	for i := range l.elements {
		at := bitsOf(int64(i))
		e := &element{there: u.computeOp(plan.OpLtInt, plan.Bool, at, size)}
		for slot := range l.kinds {
			e.slots = append(e.slots, u.sortedAt(l, at, slot))
		}
		out.elements = append(out.elements, e)
	}
	return out
}

// chooseList returns one of two lists. Elements that both begin with are there whatever is chosen.
func (u *unroller) chooseList(c operand, a, b *list) *list {
	a, b = u.sortElements(a), u.sortElements(b)
	common := 0
	for common < len(a.elements) && common < len(b.elements) && a.elements[common] == b.elements[common] {
		common++
	}
	out := &list{kinds: a.kinds, elements: slices.Clone(a.elements[:common])}
	if len(a.elements) == 0 {
		out.kinds = b.kinds
	}
	add := func(elements []*element, c operand) {
		for _, e := range elements {
			out.elements = append(out.elements, &element{u.computeAnd(e.there, c), e.slots})
		}
	}
	add(a.elements[common:], c)
	add(b.elements[common:], u.computeNot(c))
	return out
}
