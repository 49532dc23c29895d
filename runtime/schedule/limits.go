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

// limits goes from the first node to the last, so that of three comparisons the third meets what two have become.
func (w *work) limits() {
	l := &limiter{&fusion{work: w}, make([]int, len(w.nodes))}
	for place, id := range l.count() {
		l.order[id] = place
		switch w.nodes[id].Op {
		case plan.OpAnd:
			l.join(id, plan.OpMinInt)
		case plan.OpOr:
			l.join(id, plan.OpMaxInt)
		}
	}
	if w.live != nil {
		w.dead()
	}
}

// join lets the later of two comparisons choose the limit, and the node that reads both compare with it.
func (l *limiter) join(id plan.ID, choose plan.Op) {
	first, later := l.arg(&l.nodes[id], 0), l.arg(&l.nodes[id], 1)
	if l.order[first] > l.order[later] {
		first, later = later, first
	}
	if first == later || !l.serves(first, id) || !l.serves(later, id) ||
		l.arg(&l.nodes[first], 0) != l.arg(&l.nodes[later], 0) {
		return
	}
	least, most := l.most(first), l.most(later)
	if least == plan.None || most == plan.None {
		return
	}
	number := l.arg(&l.nodes[later], 0)
	n, m := &l.nodes[id], &l.nodes[later]
	m.Op, m.Kind, m.Args = choose, plan.Int, []plan.ID{least, most}
	n.Op, n.Args = plan.OpLeInt, []plan.ID{number, later}
	l.reads[number]--
	l.reads[first], l.reads[later] = 0, 1
}

// serves reports whether a node is a comparison of ints that nothing but another node of its block reads.
func (l *limiter) serves(id, reader plan.ID) bool {
	op := l.nodes[id].Op
	return (op == plan.OpLeInt || op == plan.OpLtInt) && l.reads[id] == 1 && l.home[id] == l.home[reader]
}

// most is what a number is at most where a comparison holds; None when no node says so.
func (l *limiter) most(id plan.ID) plan.ID {
	n := &l.nodes[id]
	limit := l.arg(n, 1)
	if n.Op == plan.OpLeInt {
		return limit
	}
	bits, ok := l.constant(limit)
	if !ok || bits == math.MinInt64 {
		return plan.None
	}
	return l.literal(plan.Int, bits-1)
}
