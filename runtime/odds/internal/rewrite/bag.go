package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// isSingle reports whether every run is exactly one element, so that the i-th run is the i-th element.
func (e *emitter) isSingle(b *bag) bool {
	return b.isOrdered && !slices.ContainsFunc(b.runs, func(r run) bool { return !e.isConstant(r.count, 1) })
}

// isRandom reports whether the contents of a bag depend on dice.
func (e *emitter) isRandom(b *bag) bool {
	return slices.ContainsFunc(b.runs, func(r run) bool {
		return e.random[r.count] || slices.ContainsFunc(r.slots, func(id plan.ID) bool { return e.random[id] })
	})
}

// rankedRuns returns the runs in the order in which their counts are met: sums over them keep the fewest values alive. Dice
// that other dice explode into are met behind those, whatever they show; pools of one round are met face by face.
//
// A sum in another order would be as right and cost more: K₄ + (K₁ + (K₂ + K₃)) must keep all four counts until the
// last is drawn, where ((K₁ + K₂) + K₃) + K₄ keeps one sum. Two pools of one round are joined face by face for the same
// reason: a comparison between them, such as which side has more sixes, is done with a face before the next one is
// drawn.
func (b *bag) rankedRuns() []run {
	out := slices.Clone(b.runs)
	slices.SortStableFunc(out, func(r, s run) int {
		return r.at.compare(s.at)
	})
	return out
}

// noteView records a node as the view that a reader has of a face. Faces with equal views may be one class. So every
// operation that reads a bag must note all values by which its result depends on a face. One that forgets a value
// merges faces that differ, and the odds are wrong without any error; one that notes too much only costs time.
func (x *expander) noteView(r run, id plan.ID) {
	if r.face != nil {
		r.face.views = append(r.face.views, id)
	}
}

// beginReader marks the beginning of a reader, so that the views of two readers are never taken for those of one.
// Without marks, a face of which only the first reader sees a node would equal a face of which only the second sees it.
// Marks are negative, and no number of a node is.
//
// A reader of a random bag is a gain of the expansion: the list need not be made.
func (x *expander) beginReader(b *bag) {
	x.reader++
	if x.isRandom(b) {
		x.openedReaders++
	}
	for _, r := range b.runs {
		x.noteView(r, -x.reader-1)
	}
}

// appendElement appends one element to a bag.
func (e *emitter) appendElement(b *bag, slots []plan.ID) {
	one := e.constantNode(plan.Int, 1)
	b.runs = append(b.runs, run{
		slots: slots, count: one, maxCount: 1, at: e.latestOf(slots...), upper: plan.None, lower: plan.None,
	})
}

func joinPools(a, b *bag) []*Pool {
	out := slices.Clone(a.pools)
	for _, p := range b.pools {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// pushRun returns a bag with one run more.
func (e *emitter) pushRun(b *bag, r run) *bag {
	if e.isConstant(r.count, 0) {
		return b
	}
	r.upper, r.lower = plan.None, plan.None
	out := *b
	out.size = plan.None
	out.runs = append(b.runs[:len(b.runs):len(b.runs)], r)
	return &out
}

// isThere returns the condition that a count is not 0.
func (e *emitter) isThere(count plan.ID) plan.ID {
	n := &e.out.Nodes[count]
	if n.Op == plan.OpSelect && e.isConstant(n.Args[1], 1) && e.isConstant(n.Args[2], 0) {
		return n.Args[0]
	}
	return e.emitOp(plan.OpLtInt, plan.Bool, e.constantNode(plan.Int, 0), count)
}

// sizeOf returns how many elements a bag has.
func (e *emitter) sizeOf(b *bag) plan.ID {
	if b.size != plan.None {
		return b.size
	}
	sum := e.constantNode(plan.Int, 0)
	for _, r := range b.rankedRuns() {
		sum = e.emitOp(plan.OpAddInt, plan.Int, sum, r.count)
	}
	return sum
}

// emitProduct returns the node of a count times a value.
func (e *emitter) emitProduct(count, v plan.ID) plan.ID {
	n := &e.out.Nodes[count]
	if n.Op == plan.OpSelect && e.isConstant(n.Args[1], 1) && e.isConstant(n.Args[2], 0) {
		return e.emitChoice(plan.Int, n.Args[0], v, n.Args[2])
	}
	return e.emitOp(plan.OpMulInt, plan.Int, count, v)
}

func (e *emitter) emitEqual(a, b plan.ID) plan.ID { return e.emitOp(plan.OpEqInt, plan.Bool, a, b) }

// addUp gives the runs of an ordered bag their bounds, as running sums of the counts. Of the counts 1, 0, 2 they are 0..1,
// 1..1 and 1..3: the second element, at index 1, lies in the third run. Runs as drawn have bounds already, each made of its
// own draw (drawCounts), and keep them: a running sum would be one more value alive.
func (e *emitter) addUp(b *bag, runs []run) {
	if !slices.ContainsFunc(runs, func(r run) bool { return r.upper == plan.None }) {
		return
	}
	sum := e.constantNode(plan.Int, 0)
	for i := range runs {
		runs[i].lower = sum
		sum = e.emitOp(plan.OpAddInt, plan.Int, sum, runs[i].count)
		runs[i].upper = sum
	}
}
