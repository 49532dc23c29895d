package schedule

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A limiter makes one comparison of two of the same int that only serve each other: a number that is at most b and at
// most c is at most the lesser of them, and one that is at most b or at most c is at most the greater.
type limiter struct {
	*fusion
	order []int // of each node, its place in the order of execution
}

// joinLimits goes from the first node to the last, so that the third of three comparisons meets the join of the first two.
func (w *work) joinLimits() {
	l := &limiter{&fusion{work: w}, make([]int, len(w.nodes))}
	for place, id := range l.countReads() {
		l.order[id] = place
		switch w.nodes[id].Op {
		case plan.OpAnd:
			l.joinComparisons(id, plan.OpMinInt)
		case plan.OpOr:
			l.joinComparisons(id, plan.OpMaxInt)
		}
	}
	if w.live != nil {
		w.dropDead()
	}
}

// joinComparisons lets the later of two comparisons choose the limit, and the node that reads both compare with it.
func (l *limiter) joinComparisons(id plan.ID, choose plan.Op) {
	first, later := l.operandOf(&l.nodes[id], 0), l.operandOf(&l.nodes[id], 1)
	if l.order[first] > l.order[later] {
		first, later = later, first
	}
	if first == later || !l.isReadOnlyBy(first, id) || !l.isReadOnlyBy(later, id) ||
		l.operandOf(&l.nodes[first], 0) != l.operandOf(&l.nodes[later], 0) {
		return
	}
	least, most := l.upperLimit(first), l.upperLimit(later)
	if least == plan.None || most == plan.None {
		return
	}
	number := l.operandOf(&l.nodes[later], 0)
	n, m := &l.nodes[id], &l.nodes[later]
	m.Op, m.Kind, m.Args = choose, plan.Int, []plan.ID{least, most}
	n.Op, n.Args = plan.OpLeInt, []plan.ID{number, later}
}

// isReadOnlyBy reports whether a node is a comparison of ints that nothing but another node of its block reads.
func (l *limiter) isReadOnlyBy(id, reader plan.ID) bool {
	op := l.nodes[id].Op
	return (op == plan.OpLeInt || op == plan.OpLtInt) && l.reads[id] == 1 && l.home[id] == l.home[reader]
}

// upperLimit returns the node that a number does not exceed where a comparison holds; None if the comparison says nothing
// of that.
func (l *limiter) upperLimit(id plan.ID) plan.ID {
	n := &l.nodes[id]
	limit := l.operandOf(n, 1)
	if n.Op == plan.OpLeInt {
		return limit
	}
	bits, ok := l.constantOf(limit)
	if !ok || bits == math.MinInt64 {
		return plan.None
	}
	return l.newLiteral(plan.Int, bits-1)
}
