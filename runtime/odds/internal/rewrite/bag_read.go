package rewrite

import (
	"cmp"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

func (x *expander) sumOf(b *bag) plan.ID {
	x.read(b, true)
	x.beginReader(b)
	sum := x.constant(plan.Int, 0)
	for _, r := range b.ranked() {
		x.note(r, r.slots[0])
		sum = x.compute(plan.OpAddInt, plan.Int, sum, x.times(r.count, r.slots[0]))
	}
	return sum
}

// extremeOf is the least or the greatest element, 0 of an empty list.
func (x *expander) extremeOf(b *bag, op plan.Op) plan.ID {
	x.read(b, true)
	x.beginReader(b)
	better, worst := plan.OpMaxInt, int64(math.MinInt64)
	if op == plan.OpLeast {
		better, worst = plan.OpMinInt, math.MaxInt64
	}
	none := x.constant(plan.Int, worst)
	best := none
	for i, r := range b.ranked() {
		x.note(r, r.slots[0])
		v := r.slots[0]
		if !x.is(r.count, 1) {
			v = x.choose(plan.Int, x.isThere(r.count), v, none)
		}
		if i == 0 {
			best = v
			continue
		}
		best = x.compute(better, plan.Int, best, v)
	}
	size := x.sizeOf(b)
	if n, known := x.known(size); known && n > 0 {
		return best
	}
	return x.choose(plan.Int, x.compute(plan.OpLtInt, plan.Bool, x.constant(plan.Int, 0), size), best,
		x.constant(plan.Int, 0))
}

// membership is whether a value is in a bag.
func (x *expander) membership(b *bag, v plan.ID) plan.ID {
	x.read(b, false)
	x.beginReader(b)
	found := x.constant(plan.Bool, 0)
	for _, r := range b.ranked() {
		same := x.equal(r.slots[0], v)
		x.note(r, same)
		found = x.compute(plan.OpOr, plan.Bool, found, x.compute(plan.OpAnd, plan.Bool, same, x.isThere(r.count)))
	}
	return found
}

// evaluateElement evaluates the element of a list at an index.
func (x *expander) evaluateElement(n *plan.Node) (operand, bool) {
	slot := int(uint32(n.Imm))
	if w, ok := x.walks[n.Args[1]]; ok && w.list == n.Args[0] {
		return operand{id: w.run.slots[slot]}, true
	}
	v := x.values[n.Args[0]]
	index := x.node(n.Args[1])
	i, known := x.known(index)
	if v.bag == nil {
		list, constant := x.known(v.id)
		stride := n.Imm >> 32
		if !known || !constant || i < 0 || i >= int64(uint32(list)) {
			return operand{}, false
		}
		return operand{id: x.constant(n.Kind, x.from.Plan.Consts[list>>32+i*stride+int64(slot)])}, true
	}
	b := v.bag
	switch {
	case x.isSingle(b) && known && 0 <= i && i < int64(len(b.runs)):
		return operand{id: b.runs[i].slots[slot]}, true
	case v.id != plan.None && !x.isRandom(b):
		return operand{}, false
	case !b.ordered || n.Kind == plan.List || n.Kind == plan.Map:
		return operand{}, false
	}
	x.beginReader(b)
	x.vote(b, i, i+1, known, true)
	runs := slices.Clone(b.runs)
	x.addUp(b, runs)
	stood := slices.Clone(runs)
	slices.SortStableFunc(runs, func(r, s run) int { return cmp.Compare(r.rank, s.rank) })
	out := x.constant(n.Kind, 0)
	for _, r := range runs {
		x.note(r, r.slots[slot])
		here := x.compute(plan.OpAnd, plan.Bool,
			x.compute(plan.OpLeInt, plan.Bool, r.lower, index), x.compute(plan.OpLtInt, plan.Bool, index, r.upper))
		out = x.choose(n.Kind, here, r.slots[slot], out)
	}
	if known && n.Kind == plan.Int {
		x.noteStatistic(out, b, stood, i)
	}
	return operand{id: out}, true
}

// elementFault is the fault of an index outside of a bag.
func (x *expander) elementFault(n *plan.Node, b *bag) plan.ID {
	if _, ok := x.walks[n.Args[1]]; ok {
		return x.constant(plan.Fault, 0)
	}
	size, index := x.sizeOf(b), x.node(n.Args[1])
	i, known := x.known(index)
	count, sure := x.known(size)
	if known && sure && 0 <= i && i < count {
		return x.constant(plan.Fault, 0)
	}
	return x.emit(plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{size, index}, Site: n.Site})
}

func (x *expander) sliceFault(n *plan.Node, b *bag) plan.ID {
	size, from, to := x.sizeOf(b), x.node(n.Args[1]), x.node(n.Args[2])
	if valid, known := x.known(x.isSlice(size, from, to)); known && valid != 0 {
		return x.constant(plan.Fault, 0)
	}
	return x.emit(plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{size, from, to}, Site: n.Site})
}

// isSlice is the condition that a part of a list is one: 0 <= from <= to <= size.
func (x *expander) isSlice(size, from, to plan.ID) plan.ID {
	begins := x.compute(plan.OpLeInt, plan.Bool, x.constant(plan.Int, 0), from)
	order := x.compute(plan.OpLeInt, plan.Bool, from, to)
	ends := x.compute(plan.OpLeInt, plan.Bool, to, size)
	return x.compute(plan.OpAnd, plan.Bool, x.compute(plan.OpAnd, plan.Bool, begins, order), ends)
}

// sliceBag takes a part of a bag: of each run as many elements as lie between its ends.
func (x *expander) sliceBag(b *bag, from, to plan.ID) (operand, bool) {
	if !b.ordered {
		return operand{}, false
	}
	size := x.sizeOf(b)
	valid := x.isSlice(size, from, to)
	lo, known := x.known(from)
	hi, sure := x.known(to)
	out := &bag{stride: b.stride, ordered: true, size: plan.None, room: plan.None, pools: b.pools}
	if ok, decided := x.known(valid); x.isSingle(b) && known && sure && decided {
		if ok != 0 {
			out.runs = slices.Clone(b.runs[lo:hi])
		}
		return operand{id: plan.None, bag: out}, true
	}
	count, sized := x.known(size)
	out.kept = x.isWholePool(b) && known && sure && sized && (lo == 0 || hi == count)
	x.vote(b, lo, hi, known && sure, !out.kept)
	runs, zero := slices.Clone(b.runs), x.constant(plan.Int, 0)
	x.addUp(b, runs)
	for _, r := range runs {
		ends := x.compute(plan.OpMinInt, plan.Int, r.upper, to)
		begins := x.compute(plan.OpMaxInt, plan.Int, r.lower, from)
		taken := x.compute(plan.OpMaxInt, plan.Int, zero, x.compute(plan.OpSubInt, plan.Int, ends, begins))
		r.count = x.choose(plan.Int, valid, taken, zero)
		r.upper, r.lower = plan.None, plan.None
		if sure && known {
			r.most = min(r.most, max(0, hi-lo))
		}
		out.runs = append(out.runs, r)
	}
	out.size = x.choose(plan.Int, valid, x.compute(plan.OpSubInt, plan.Int, to, from), zero)
	return operand{id: plan.None, bag: out}, true
}
