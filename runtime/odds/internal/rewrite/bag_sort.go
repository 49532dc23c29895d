package rewrite

import (
	"cmp"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// sortBag sorts a bag of ints: by their values when these are constant, else by inserting one after the other. Constant
// values cost nothing: faces have a fixed order, whatever their counts, so sorting dice is listing their runs by value.
func (x *expander) sortBag(b *bag) (operand, bool) {
	constant := !slices.ContainsFunc(b.runs, func(r run) bool { _, known := x.constantValue(r.slots[0]); return !known })
	switch {
	case constant && len(b.runs) > 0:
		keys := make([]int64, len(b.runs))
		x.beginReader(b)
		for i, r := range b.runs {
			keys[i], _ = x.constantValue(r.slots[0])
			x.noteView(r, r.slots[0])
		}
		return operand{id: plan.None, bag: x.arrangeRuns(b, keys)}, true
	case x.isSingle(b) && len(b.runs) <= maxInsertion && x.isRandom(b):
		return operand{id: plan.None, bag: x.insertionSort(b)}, true
	}
	return operand{}, false
}

// sortByKeys sorts a bag by keys that are constant.
func (x *expander) sortByKeys(b, keys *bag) (operand, bool) {
	if len(b.runs) != len(keys.runs) || len(b.runs) == 0 || b.isOrdered != keys.isOrdered {
		return operand{}, false
	}
	order := make([]int64, len(b.runs))
	for i, r := range b.runs {
		k := i
		if !b.isOrdered { // the runs of the keys may stand in another order
			k = slices.IndexFunc(keys.runs, func(key run) bool { return key.count == r.count })
		}
		if k < 0 || keys.runs[k].count != r.count {
			return operand{}, false
		}
		key, known := x.constantValue(keys.runs[k].slots[0])
		if !known || !b.isOrdered && slices.ContainsFunc(b.runs[:i], func(s run) bool { return s.count == r.count }) {
			return operand{}, false
		}
		order[i] = key
	}
	if !b.isOrdered && len(slices.Compact(slices.Sorted(slices.Values(order)))) < len(order) {
		return operand{}, false // elements of the same key stay as they fell
	}
	x.beginReader(b)
	for i, r := range b.runs {
		x.noteView(r, x.constantNode(plan.Int, order[i]))
	}
	return operand{id: plan.None, bag: x.arrangeRuns(b, order)}, true
}

// arrangeRuns puts the runs of a bag in the order of their keys. Bounds that the runs have remain when the order is the
// same or the reverse.
func (e *emitter) arrangeRuns(b *bag, keys []int64) *bag {
	out := &bag{stride: b.stride, isOrdered: true, size: e.sizeOf(b), room: plan.None, pools: b.pools}
	at := make([]int, len(keys))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(keys[i], keys[j]) })
	same, reverse := true, true
	for i, k := range at {
		same, reverse = same && k == i, reverse && k == len(at)-1-i
	}
	for _, k := range at {
		r := b.runs[k]
		switch {
		case same || r.upper == plan.None:
		case reverse:
			from, to := r.upper, r.lower
			r.lower = e.emitOp(plan.OpSubInt, plan.Int, out.size, from)
			r.upper = e.emitOp(plan.OpSubInt, plan.Int, out.size, to)
		default:
			r.lower, r.upper = plan.None, plan.None
		}
		out.runs = append(out.runs, r)
	}
	return out
}

// insertionSort sorts random elements by a network of comparisons. There are two networks: one keeps the least elements
// of those inserted so far without looking at the others, one the greatest. An element is taken from the network in
// which it depends on fewer others; unread nodes of either are never computed.
//
// It is insertion as a sorting network (Knuth, The Art of Computer Programming 3, 5.3.4), n(n-1)/2 comparisons each. It
// suits elimination because least[i] depends on least[0] to least[i] of the step before and on the new element alone.
// So the two lowest of six keep two values from one roll to the next, where a network of fewer comparisons, such as a
// merge, would keep all six. Elements are inserted as they are met, which need not be the order of the list.
func (x *expander) insertionSort(b *bag) *bag {
	x.beginReader(b)
	var least, greatest []plan.ID // ascending; descending
	for _, r := range b.rankedRuns() {
		least = x.insertSorted(least, r.slots[0], plan.OpMinInt, plan.OpMaxInt)
		greatest = x.insertSorted(greatest, r.slots[0], plan.OpMaxInt, plan.OpMinInt)
	}
	out := &bag{stride: 1, isOrdered: true, size: plan.None, room: plan.None, pools: b.pools}
	for i := range least {
		if i < len(least)/2 {
			x.appendElement(out, least[i:i+1])
		} else {
			x.appendElement(out, greatest[len(greatest)-1-i:][:1])
		}
	}
	return out
}

// insertSorted returns a sorted list with one element more. stays picks of two elements the one that comes first, goes
// the other. The element moves down the list: 2 into 1, 3 stays behind 1 as max(1, 2) = 2, takes the place of 3 as
// min(3, 2) = 2, and 3 goes to the end.
func (e *emitter) insertSorted(list []plan.ID, v plan.ID, stays, goes plan.Op) (out []plan.ID) {
	for _, id := range list {
		out = append(out, e.emitOp(stays, plan.Int, id, v))
		v = e.emitOp(goes, plan.Int, id, v)
	}
	return append(out, v)
}
