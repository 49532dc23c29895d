package odds

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A bag is a list whose elements an expansion knows: runs of equal elements, each with a count that may be a node.
type bag struct {
	runs    []run
	stride  int
	ordered bool    // the runs stand in the order of the list; faces of a pool do not before they are sorted
	size    plan.ID // None until it is asked for
	room    plan.ID // how many elements may be pushed to it
	pools   []*pool // of whose faces it is made
	kept    bool    // it is the highest or the lowest of a pool's dice
}

// A run is equal elements of a bag.
type run struct {
	slots []plan.ID
	count plan.ID
	most  int64 // count is at most so many
	rank  int   // runs are met in this order when the order of the list does not matter
	// Of a run of an ordered list, how many elements stand before its end and before its beginning; None when that must
	// be added up.
	upper, lower plan.ID
	face         *face // of a pool, that the run shows; nil when it is no single one
}

// isSingle reports whether every run is exactly one element, so that the i-th run is the i-th element.
func (x *expander) isSingle(b *bag) bool {
	return b.ordered && !slices.ContainsFunc(b.runs, func(r run) bool { return !x.is(r.count, 1) })
}

// isRandom reports whether dice decide what is in a bag.
func (x *expander) isRandom(b *bag) bool {
	return slices.ContainsFunc(b.runs, func(r run) bool {
		return x.random[r.count] || slices.ContainsFunc(r.slots, func(id plan.ID) bool { return x.random[id] })
	})
}

// ranked are the runs in the order in which their counts are met: sums over them keep the fewest values alive.
func (b *bag) ranked() []run {
	out := slices.Clone(b.runs)
	slices.SortStableFunc(out, func(r, s run) int { return compare(r.rank, s.rank) })
	return out
}

// note records what a reader sees of a face. Faces of which every reader sees the same may be one class.
func (x *expander) note(r run, id plan.ID) {
	if r.face != nil {
		r.face.seen = append(r.face.seen, id)
	}
}

// begin marks that a reader begins, so that what two readers see is never taken for what one sees.
func (x *expander) beginReader(b *bag) {
	x.reader++
	for _, r := range b.runs {
		x.note(r, -x.reader-1)
	}
}

// evaluateList evaluates an operation that reads or makes a list. It reports false when the operation is to be copied with
// the lists themselves as operands.
func (x *expander) evaluateList(id plan.ID, n *plan.Node) (operand, bool) {
	switch n.Op {
	case plan.OpNewSpan:
		b := &bag{stride: int(n.Imm), ordered: true, size: plan.None, room: x.node(n.Args[0])}
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
			if list, known := x.known(v.id); known {
				return operand{id: x.constant(plan.Int, int64(uint32(list)))}, true
			}
		}
		return operand{}, false
	}
	scalar := func(id plan.ID) (operand, bool) { return operand{id: id}, true }
	switch n.Op {
	case plan.OpSize:
		return scalar(x.sizeOf(b))
	case plan.OpEmptyFault:
		if size, known := x.known(x.sizeOf(b)); known && size > 0 {
			return scalar(x.constant(plan.Fault, 0))
		}
		return scalar(x.emit(plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{x.sizeOf(b)}, Site: n.Site}))
	case plan.OpElemFault:
		return scalar(x.elementFault(n, b))
	case plan.OpSliceFault:
		return scalar(x.sliceFault(n, b))
	case plan.OpPush:
		return x.evaluatePush(n, b)
	case plan.OpConcat:
		return x.concatenate(n, b)
	case plan.OpSumInt:
		return scalar(x.sumOf(b))
	case plan.OpLeast, plan.OpGreatest:
		if n.Kind == plan.Int {
			return scalar(x.extremeOf(b, n.Op))
		}
	case plan.OpHas:
		if b.stride == 1 && isWhole(x.from.plan.Types[n.Imm].Elem.Kind) {
			return scalar(x.membership(b, x.node(n.Args[1])))
		}
	case plan.OpSort:
		if b.stride == 1 && x.from.plan.Types[n.Imm].Elem.Kind == plan.Int {
			return x.sortBag(b)
		}
	case plan.OpSortBy:
		if keys := x.values[n.Args[1]].bag; keys != nil && x.from.plan.Types[uint32(n.Imm)].Elem.Kind == plan.Int {
			return x.sortByKeys(b, keys)
		}
	case plan.OpSlice:
		return x.sliceBag(b, x.node(n.Args[1]), x.node(n.Args[2]))
	}
	return operand{}, false
}

// isWhole reports whether values of a kind are equal when their slots are.
func isWhole(k plan.Kind) bool { return k == plan.Int || k == plan.Bool || k == plan.String }

func (x *expander) evaluateRange(n *plan.Node) operand {
	v := operand{id: x.copyNode(n)}
	from, known := x.known(x.node(n.Args[0]))
	to, sure := x.known(x.node(n.Args[1]))
	if !known || !sure || to-from > maxUnrolled {
		return v
	}
	v.bag = &bag{stride: 1, ordered: true, size: plan.None, room: plan.None}
	for i := from; i < to; i++ {
		x.appendElement(v.bag, []plan.ID{x.constant(plan.Int, i)})
	}
	return v
}

// appendElement appends one element to a bag.
func (x *expander) appendElement(b *bag, slots []plan.ID) {
	one := x.constant(plan.Int, 1)
	b.runs = append(b.runs, run{slots: slots, count: one, most: 1, rank: len(b.runs), upper: plan.None, lower: plan.None})
}

// chooseList chooses between lists of which at least one is a bag.
func (x *expander) chooseList(n *plan.Node) (operand, bool) {
	a, b := x.values[n.Args[1]], x.values[n.Args[2]]
	if a.bag == nil && b.bag == nil {
		return operand{}, false
	}
	c := x.node(n.Args[0])
	switch v, known := x.known(c); {
	case known && v != 0:
		return a, true
	case known:
		return b, true
	case a.bag == nil || b.bag == nil || a.id != plan.None && b.id != plan.None || a.bag.stride != b.bag.stride:
		return operand{}, false
	}
	out := &bag{stride: a.bag.stride, size: plan.None, room: plan.None, pools: joinPools(a.bag, b.bag)}
	out.ordered = a.bag.ordered && b.bag.ordered
	zero := x.constant(plan.Int, 0)
	for side, from := range [...]*bag{a.bag, b.bag} {
		for _, r := range from.runs {
			if side == 0 {
				r.count = x.choose(plan.Int, c, r.count, zero)
			} else {
				r.count = x.choose(plan.Int, c, zero, r.count)
			}
			r.upper, r.lower = plan.None, plan.None
			out.runs = append(out.runs, r)
		}
	}
	return operand{id: plan.None, bag: out}, true
}

func joinPools(a, b *bag) []*pool {
	out := slices.Clone(a.pools)
	for _, p := range b.pools {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// evaluatePush appends an element that is there under a condition.
func (x *expander) evaluatePush(n *plan.Node, b *bag) (operand, bool) {
	c := x.node(n.Args[1])
	var slots []plan.ID
	for _, a := range n.Args[2:] {
		slots = append(slots, x.node(a))
	}
	return operand{id: plan.None, bag: x.pushRun(b, run{slots: slots, count: x.asCount(c), most: 1, rank: len(b.runs)})}, true
}

// pushRun is a bag with one run more.
func (x *expander) pushRun(b *bag, r run) *bag {
	if x.is(r.count, 0) {
		return b
	}
	r.upper, r.lower = plan.None, plan.None
	out := *b
	out.size = plan.None
	out.runs = append(b.runs[:len(b.runs):len(b.runs)], r)
	return &out
}

// asCount is 1 under a condition, else 0.
func (x *expander) asCount(c plan.ID) plan.ID {
	return x.choose(plan.Int, c, x.constant(plan.Int, 1), x.constant(plan.Int, 0))
}

// isThere is the condition that a count is not 0.
func (x *expander) isThere(count plan.ID) plan.ID {
	n := &x.out.Nodes[count]
	if n.Op == plan.OpSelect && x.is(n.Args[1], 1) && x.is(n.Args[2], 0) {
		return n.Args[0]
	}
	return x.compute(plan.OpLtInt, plan.Bool, x.constant(plan.Int, 0), count)
}

func (x *expander) concatenate(n *plan.Node, a *bag) (operand, bool) {
	b := x.values[n.Args[1]].bag
	if b == nil || a.stride != b.stride {
		return operand{}, false
	}
	out := &bag{stride: a.stride, ordered: a.ordered && b.ordered, size: plan.None, room: plan.None, pools: joinPools(a, b)}
	for _, r := range slices.Concat(a.runs, b.runs) {
		r.upper, r.lower = plan.None, plan.None
		out.runs = append(out.runs, r)
	}
	return operand{id: plan.None, bag: out}, true
}

// materialise makes the list that a bag stands for.
func (x *expander) materialise(b *bag) plan.ID {
	if !b.ordered {
		x.refuse(b.pools)
		return 0
	}
	most := int64(0)
	for _, r := range b.runs {
		most += r.most
	}
	room := b.room
	if room == plan.None {
		room = x.constant(plan.Int, most)
	}
	list := x.emit(plan.Node{Op: plan.OpNewSpan, Kind: plan.List, Args: []plan.ID{room}, Imm: int64(b.stride), Site: -1})
	for _, r := range b.runs {
		for i := range r.most {
			c := x.compute(plan.OpLtInt, plan.Bool, x.constant(plan.Int, i), r.count)
			if i == 0 {
				c = x.isThere(r.count)
			}
			list = x.emit(plan.Node{Op: plan.OpPush, Kind: plan.List, Args: append([]plan.ID{list, c}, r.slots...), Site: -1})
		}
	}
	for _, p := range b.pools {
		for _, f := range p.faces {
			f.seen = append(f.seen, -1, f.value)
		}
	}
	return list
}

// sizeOf is how many elements a bag has.
func (x *expander) sizeOf(b *bag) plan.ID {
	if b.size != plan.None {
		return b.size
	}
	sum := x.constant(plan.Int, 0)
	for _, r := range b.ranked() {
		sum = x.compute(plan.OpAddInt, plan.Int, sum, r.count)
	}
	return sum
}

// times is a count times a value.
func (x *expander) times(count, v plan.ID) plan.ID {
	n := &x.out.Nodes[count]
	if n.Op == plan.OpSelect && x.is(n.Args[1], 1) && x.is(n.Args[2], 0) {
		return x.choose(plan.Int, n.Args[0], v, n.Args[2])
	}
	return x.compute(plan.OpMulInt, plan.Int, count, v)
}

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
	return x.choose(plan.Int, x.compute(plan.OpLtInt, plan.Bool, x.constant(plan.Int, 0), size), best, x.constant(plan.Int, 0))
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

func (x *expander) equal(a, b plan.ID) plan.ID { return x.compute(plan.OpEqInt, plan.Bool, a, b) }

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
		return operand{id: x.constant(n.Kind, x.from.plan.Consts[list>>32+i*stride+int64(slot)])}, true
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
	slices.SortStableFunc(runs, func(r, s run) int { return compare(r.rank, s.rank) })
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

// addUp gives the runs of an ordered bag their bounds.
func (x *expander) addUp(b *bag, runs []run) {
	if !slices.ContainsFunc(runs, func(r run) bool { return r.upper == plan.None }) {
		return
	}
	sum := x.constant(plan.Int, 0)
	for i := range runs {
		runs[i].lower = sum
		sum = x.compute(plan.OpAddInt, plan.Int, sum, runs[i].count)
		runs[i].upper = sum
	}
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
