package rewrite

import (
	"cmp"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// sumOf returns the sum of the elements, Σ count·value. It wraps modulo 2^64 as the sum of the single elements does;
// whether the rule may overflow is asked by its fault node.
func (x *expander) sumOf(b *bag) plan.ID {
	x.judgeReader(b, true)
	x.beginReader(b)
	sum := x.constantNode(plan.Int, 0)
	for _, r := range b.rankedRuns() {
		x.noteView(r, r.slots[0])
		sum = x.emitOp(plan.OpAddInt, plan.Int, sum, x.emitProduct(r.count, r.slots[0]))
	}
	return sum
}

// extremeOf returns the least or the greatest element, 0 of an empty list. Runs that are empty take part as the worst
// of all numbers. An element may itself be that number, and the answer is right all the same, because emptiness is
// asked of the size. A stream serves the extremes of dice, and not those of values that a loop makes of them.
func (x *expander) extremeOf(b *bag, op plan.Op) plan.ID {
	showsFaces := !slices.ContainsFunc(b.runs, func(r run) bool { return r.face == nil || r.slots[0] != r.face.value })
	x.judgeReader(b, showsFaces)
	x.beginReader(b)
	better, worst := plan.OpMaxInt, int64(math.MinInt64)
	if op == plan.OpLeast {
		better, worst = plan.OpMinInt, math.MaxInt64
	}
	none := x.constantNode(plan.Int, worst)
	best := none
	for i, r := range b.rankedRuns() {
		x.noteView(r, r.slots[0])
		v := r.slots[0]
		if !x.isConstant(r.count, 1) {
			v = x.emitChoice(plan.Int, x.isThere(r.count), v, none)
		}
		if i == 0 {
			best = v
			continue
		}
		best = x.emitOp(better, plan.Int, best, v)
	}
	size := x.sizeOf(b)
	if n, known := x.constantValue(size); known && n > 0 {
		if _, known := x.constantValue(best); showsFaces && x.isWholePool(b) && !known {
			x.pairs.noteExtreme(best, b, op, n)
		}
		return best
	}
	return x.emitChoice(plan.Int, x.emitOp(plan.OpLtInt, plan.Bool, x.constantNode(plan.Int, 0), size), best,
		x.constantNode(plan.Int, 0))
}

// emitMembership returns the node of the condition that a value is in a bag.
func (x *expander) emitMembership(b *bag, v plan.ID) plan.ID {
	x.judgeReader(b, false)
	x.beginReader(b)
	found := x.constantNode(plan.Bool, 0)
	for _, r := range b.rankedRuns() {
		same := x.emitEqual(r.slots[0], v)
		x.noteView(r, same)
		found = x.emitOp(plan.OpOr, plan.Bool, found, x.emitOp(plan.OpAnd, plan.Bool, same, x.isThere(r.count)))
	}
	return found
}

// countFaces lists how many elements of a bag are from, from+1, … to. Each of these counts is one element of the list that
// comes out, so a loop over it has one iteration for each face, and meets the face's draw there.
func (x *expander) countFaces(b *bag, from, to plan.ID) (operand, bool) {
	lo, known := x.constantValue(from)
	hi, sure := x.constantValue(to)
	if !known || !sure || b.stride != 1 {
		return operand{}, false
	}
	out := &bag{stride: 1, isOrdered: true, size: plan.None, room: plan.None}
	if hi < lo || uint64(hi)-uint64(lo) >= plan.MaxRange { // too many are a fault of the rule
		return operand{id: plan.None, bag: out}, true
	}
	x.judgeReader(b, false)
	x.beginReader(b)
	zero := x.constantNode(plan.Int, 0)
	for v := lo; v <= hi; v++ {
		value, sum := x.constantNode(plan.Int, v), zero
		for _, r := range b.rankedRuns() {
			same := x.emitEqual(r.slots[0], value)
			x.noteView(r, same)
			sum = x.emitOp(plan.OpAddInt, plan.Int, sum, x.emitChoice(plan.Int, same, r.count, zero))
		}
		x.appendElement(out, []plan.ID{sum})
	}
	return operand{id: plan.None, bag: out}, true
}

// evaluateElement evaluates the element of a list at an index. The cases go from the cheapest to the dearest: the element
// of the iteration in a loop over the list; an element of a constant; the i-th run where each is one element; else, of an
// ordered bag, a choice among its runs by lower <= index < upper. With the counts 1, 0, 2, 0 of 3d4 the bounds are 0..1,
// 1..1, 1..3 and 3..3, and index 1 chooses the face 3. Exactly one run holds a valid index; of any other the node is 0 and
// its fault decides (elementFault).
func (x *expander) evaluateElement(n *plan.Node) (operand, bool) {
	slot := int(uint32(n.Imm))
	if w, ok := x.walks[n.Args[1]]; ok && w.list == n.Args[0] {
		return x.elementAt(w.run.slots[slot]), true
	}
	v := x.values[n.Args[0]]
	index := x.nodeOf(n.Args[1])
	i, known := x.constantValue(index)
	if v.bag == nil {
		list, constant := x.constantValue(v.id)
		stride := n.Imm >> 32
		if !known || !constant || i < 0 || i >= int64(uint32(list)) {
			return operand{}, false
		}
		return operand{id: x.constantNode(n.Kind, x.from.Plan.Consts[list>>32+i*stride+int64(slot)])}, true
	}
	b := v.bag
	switch {
	case x.isSingle(b) && known && 0 <= i && i < int64(len(b.runs)):
		return x.elementAt(b.runs[i].slots[slot]), true
	case x.isSingle(b) && n.Kind == plan.List:
		return x.nestedAt(b, slot, index)
	case v.id != plan.None && !x.isRandom(b):
		return operand{}, false
	case !b.isOrdered || n.Kind == plan.List || n.Kind == plan.Map:
		return operand{}, false
	}
	x.beginReader(b)
	x.voteDirection(b, i, i+1, known, true)
	for _, p := range b.pools {
		p.readers++
	}
	runs := slices.Clone(b.runs)
	x.addUp(b, runs)
	stood := slices.Clone(runs)
	slices.SortStableFunc(runs, func(r, s run) int { return cmp.Compare(r.at.rank, s.at.rank) })
	out := x.constantNode(n.Kind, 0)
	for i, r := range runs {
		x.noteView(r, r.slots[slot])
		if i == 0 && x.isSingle(b) { // then it is one of the others that holds the index, or the index is invalid
			out = r.slots[slot]
			continue
		}
		here := x.emitOp(plan.OpAnd, plan.Bool,
			x.emitOp(plan.OpLeInt, plan.Bool, r.lower, index), x.emitOp(plan.OpLtInt, plan.Bool, index, r.upper))
		out = x.emitChoice(n.Kind, here, r.slots[slot], out)
	}
	if known && n.Kind == plan.Int {
		x.pairs.noteStatistic(out, b, stood, i)
	}
	return operand{id: out}, true
}

// elementFault returns the fault of an index outside of a bag.
func (x *expander) elementFault(n *plan.Node, b *bag) plan.ID {
	if _, ok := x.walks[n.Args[1]]; ok {
		return x.constantNode(plan.Fault, 0)
	}
	size, index := x.sizeOf(b), x.nodeOf(n.Args[1])
	i, known := x.constantValue(index)
	count, sure := x.constantValue(size)
	if known && sure && 0 <= i && i < count {
		return x.constantNode(plan.Fault, 0)
	}
	return x.emit(plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{size, index}, Site: n.Site})
}

func (x *expander) sliceFault(n *plan.Node, b *bag) plan.ID {
	size, from, to := x.sizeOf(b), x.nodeOf(n.Args[1]), x.nodeOf(n.Args[2])
	if valid, known := x.constantValue(x.isSlice(size, from, to)); known && valid != 0 {
		return x.constantNode(plan.Fault, 0)
	}
	return x.emit(plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{size, from, to}, Site: n.Site})
}

// isSlice returns the condition that a part of a list is one: 0 <= from <= to <= size.
func (e *emitter) isSlice(size, from, to plan.ID) plan.ID {
	begins := e.emitOp(plan.OpLeInt, plan.Bool, e.constantNode(plan.Int, 0), from)
	order := e.emitOp(plan.OpLeInt, plan.Bool, from, to)
	ends := e.emitOp(plan.OpLeInt, plan.Bool, to, size)
	return e.emitOp(plan.OpAnd, plan.Bool, e.emitOp(plan.OpAnd, plan.Bool, begins, order), ends)
}

// sliceBag takes a part of a bag: of each run as many elements as lie between its ends.
//
// 4d6kh3 is the elements 1 to 3 of the sorted dice. The pool is flipped: its faces are drawn from the 6 down, and lower is
// how many dice are left behind a face's draw. Let the dice be 6, 5, 5, 2. At the 6, lower..upper is 3..4, and min(4, 4) -
// max(3, 1) = 1 is taken. At the 5 it is 1..3, and 2 are. At the 4 and the 3 it is 1..1: none. At the 2 it is 0..1, and
// min(1, 4) - max(0, 1) = 0: the die that is dropped. So the counts of the slice are 1, 2, 0, 0, 0, 0 and its sum is 16.
// Nothing but the dice left and the sum so far is kept between two faces, 5·19 states at most. (Were this sum the only
// reader, a stream would serve it as well and the pool would be given up: see improveSettings.)
//
// Ends that are no part of the list make an empty bag; the rule's fault node tells of them.
func (x *expander) sliceBag(b *bag, from, to plan.ID) (operand, bool) {
	if !b.isOrdered {
		return operand{}, false
	}
	size := x.sizeOf(b)
	valid := x.isSlice(size, from, to)
	lo, known := x.constantValue(from)
	hi, sure := x.constantValue(to)
	out := &bag{stride: b.stride, isOrdered: true, size: plan.None, room: plan.None, pools: b.pools, isPart: true}
	if ok, decided := x.constantValue(valid); x.isSingle(b) && known && sure && decided {
		if ok != 0 {
			out.runs = slices.Clone(b.runs[lo:hi])
		}
		return operand{id: plan.None, bag: out}, true
	}
	count, sized := x.constantValue(size)
	out.isKept = x.isWholePool(b) && known && sure && sized && (lo == 0 || hi == count)
	x.voteDirection(b, lo, hi, known && sure, !out.isKept)
	runs, zero := slices.Clone(b.runs), x.constantNode(plan.Int, 0)
	x.addUp(b, runs)
	for _, r := range runs {
		ends := x.emitOp(plan.OpMinInt, plan.Int, r.upper, to)
		begins := x.emitOp(plan.OpMaxInt, plan.Int, r.lower, from)
		taken := x.emitOp(plan.OpMaxInt, plan.Int, zero, x.emitOp(plan.OpSubInt, plan.Int, ends, begins))
		r.count = x.emitChoice(plan.Int, valid, taken, zero)
		r.upper, r.lower = plan.None, plan.None
		if sure && known {
			r.maxCount = min(r.maxCount, max(0, hi-lo))
		}
		out.runs = append(out.runs, r)
	}
	out.size = x.emitChoice(plan.Int, valid, x.emitOp(plan.OpSubInt, plan.Int, to, from), zero)
	return operand{id: plan.None, bag: out}, true
}
