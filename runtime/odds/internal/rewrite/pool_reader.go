package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxShallow is how many readers that only add up, each its own sum, are left to a stream (eliminate/stream.go).
const maxShallow = 3

// judgeReader judges a reader of a bag: whether a stream could serve it as well as counts do. Sums, extremes and loops over
// the dice themselves, where they are rolled, can be served; whatever reads parts of them, or their order, cannot.
func (x *expander) judgeReader(b *bag, shallow bool) {
	for _, p := range b.pools {
		here := x.from.BlockOf[x.at] == x.from.BlockOf[p.roll]
		p.shallow++
		p.anywhere = p.anywhere || !b.isPart
		p.readers++
		p.keeps = p.keeps || b.isKept
		p.deep = p.deep || !shallow || !here || !b.isKept && !x.isWholePool(b) || p.shallow > maxShallow || p.keeps &&
			p.shallow > 1
	}
}

// suitsStream reports whether a stream serves all readers of a pool. Hands and results have no stream, nor have dice
// whose faces show listed values. Dice that are rolled one by one cannot keep the highest.
func (p *Pool) suitsStream() bool {
	return !p.deep && !p.Die.Distinct && !p.results && p.Die.Shows == nil && !(p.keeps && p.Sizes != nil)
}

// isWholePool reports whether a bag is all dice of a pool.
func (x *expander) isWholePool(b *bag) bool {
	return len(b.pools) == 1 && len(b.runs) == len(b.pools[0].Counts) &&
		!slices.ContainsFunc(b.runs, func(r run) bool { return !slices.Contains(b.pools[0].Counts, r.count) })
}

// voteDirection tells the pool of a sorted bag from which end its order is read: the end that is nearer to the elements
// from..to-1. Of 4d6kh3 they are 1 to 3 of four: one stands before them and none behind, so the classes are better met
// from the greatest.
func (x *expander) voteDirection(b *bag, from, to int64, known, deep bool) {
	for _, p := range b.pools {
		p.deep = p.deep || deep
		switch {
		case b.isPart: // of places that have been noted
		case known:
			p.least, p.beyond = min(p.least, from), max(p.beyond, to)
		default:
			p.anywhere = true
		}
	}
	size, sure := x.constantValue(x.sizeOf(b))
	if known && sure && len(b.pools) == 1 && len(b.runs) > 1 {
		x.preferDirection(b, from > size-to)
	}
}

// demandOrder tells the pools of a bag that its elements are met in their order. It votes twice, since a
// loop that meets every face in order outweighs a single index.
func (x *expander) demandOrder(b *bag) {
	for _, p := range b.pools {
		p.deep = true
	}
	if len(b.pools) == 1 && len(b.runs) > 1 {
		x.preferDirection(b, false)
		x.preferDirection(b, false)
	}
}

// preferDirection tells the pool of a bag whether it is better met from the end of the list.
func (x *expander) preferDirection(b *bag, fromEnd bool) {
	if fromEnd == (b.runs[len(b.runs)-1].at.rank < b.runs[0].at.rank) {
		b.pools[0].keep++
	} else {
		b.pools[0].flip++
	}
}

// noteUnread finds how many dice of a pool nothing reads, from the end that is met last: the third best of 200 dice is
// known when three have fallen, whatever the 197 others show. That is so when the pool is only sorted, and of the sorted
// dice only elements and parts at constant places are read.
func (x *expander) noteUnread(p *Pool) {
	users := func(id plan.ID, may ...plan.Op) bool {
		return !x.from.IsResult(id) && !slices.ContainsFunc(x.from.Users[id], func(u plan.ID) bool {
			n := &x.from.Nodes[u]
			return !slices.Contains(may, n.Op) || slices.Contains(n.Args[1:], id)
		})
	}
	list := p.roll
	if loop := &x.from.Nodes[list]; loop.Op == plan.OpLoop {
		if len(x.from.Users[list]) != 1 {
			return
		}
		list = x.from.Users[list][0]
	}
	if p.anywhere || p.least > p.beyond || !users(list, plan.OpSort, plan.OpSize, plan.OpEmptyFault) {
		return
	}
	for _, u := range x.from.Users[list] {
		if x.from.Nodes[u].Op == plan.OpSort && !users(u, plan.OpElem, plan.OpElemFault, plan.OpSlice, plan.OpSliceFault,
			plan.OpSize, plan.OpEmptyFault) {
			return
		}
	}
	if size, known := x.constantValue(p.size); known && 0 <= p.least && p.beyond <= size {
		if p.Unread = size - p.beyond; x.settingsOf(p.roll).isFlipped {
			p.Unread = p.least
		}
	}
}
