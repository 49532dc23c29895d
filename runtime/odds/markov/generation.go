package markov

import (
	"maps"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Following a chain by generations, in numbers. A generation has the states A with 1/2 and B with 1/2: numerators 1 and
// 1 over 2. A leads on by a d6, so its edges are over 6, and B by a d4, over 4. The step multiplies the denominator by
// the least common multiple 12. An edge of A with the numerator n adds 1·(12/6)·n, one of B adds 1·(12/4)·n, all over
// 24. What had ended before is multiplied by 12 as well, so that it stays over the same denominator.
//
// Invariant while den is set: the numerators of the cells and of ended add up to it. Den grows by some bits with each
// event, so n events cost O(n²) words for each edge. Fractions are given up when too many words have been multiplied
// (maxFractionWords), and not followed at all where only the ends are asked for, which solve finds without them.

// A node is a state of the chain.
//
// Nodes are numbered in the order in which they were met. A node refers to a row of the stateStore, with few exceptions
// that have none: the state that the question gave (chain.given), and those that stand for all that was not followed
// (chain.lost) or was refused for one reason (chain.refused). status is judged once, when the node is made; where no move
// can happen, Open is replaced by Stuck later, for a reason. next is written once, by expand or takeOffers; its
// probabilities add up to 1.
type node struct {
	state  int // its number in the store of states; -1 of what is no state of it
	status string
	why    *reason  // of Stuck and Refused
	next   []edge   // nil until it is expanded
	den    *big.Int // of next; nil of probabilities
}

type edge struct {
	to int
	p  float64
	n  *big.Int // over the den of the node that it leaves
}

// A generation is how likely each state is after so many events: as probabilities and, while the chain is exact, as
// numerators over one denominator. A step multiplies all numerators by what it makes of the denominator, and reduces
// none: with a fraction of its own for each state, nearly all time would go into greatest common divisors.
type generation struct {
	cells []cell              // in the order of the states
	den   *big.Int            // nil of probabilities
	ended map[endKey]*big.Int // what has ended so, over den
}

// An endKey tells the ends of a course apart.
type endKey struct {
	status string
	why    *reason
}

// A cell is how likely one state is.
type cell struct {
	at int // the number of the state
	p  float64
	n  *big.Int // nil when it is not exact
}

// fractionOf returns the probability of a cell of a generation in fractions.
func (g *generation) fractionOf(c *cell) *big.Rat {
	return new(big.Rat).SetFrac(c.n, g.den)
}

// fractionOfEnd returns the probability with which a generation in fractions has ended so.
func (g *generation) fractionOfEnd(end endKey) *big.Rat {
	if n := g.ended[end]; n != nil {
		return new(big.Rat).SetFrac(n, g.den)
	}
	return new(big.Rat)
}

// newGeneration holds the states before any event.
func newGeneration(begin map[int]*big.Rat) *generation {
	g := &generation{den: big.NewInt(1), ended: map[endKey]*big.Int{}}
	for _, x := range begin {
		g.den = pmf.LeastCommonMultiple(g.den, x.Denom())
	}
	for _, i := range slices.Sorted(maps.Keys(begin)) {
		x := begin[i]
		p, _ := x.Float64()
		n := new(big.Int).Mul(x.Num(), new(big.Int).Quo(g.den, x.Denom()))
		g.cells = append(g.cells, cell{at: i, p: p, n: n})
	}
	return g
}

// sumProbabilities adds up the cells in their order: a sum of floats has another last digit in another order.
func (g *generation) sumProbabilities() (sum float64) {
	for i := range g.cells {
		sum += g.cells[i].p
	}
	return sum
}

// A gatherer adds up the weights of states that come in any order. It has a place for each state of the chain, so that
// adding needs no search, and is used again for every generation.
type gatherer struct {
	cells   []cell // by number of state; at is 1 more than the number once the state has been reached, else 0
	reached []int
	product big.Int
}

// begin makes room for so many states.
func (g *gatherer) begin(states int) {
	if len(g.cells) < states {
		g.cells = slices.Grow(g.cells, states-len(g.cells))[:states]
	}
}

// add adds probability to a state and, unless n is nil, n·by to its numerator.
func (g *gatherer) add(state int, p float64, n, by *big.Int) {
	c := &g.cells[state]
	if c.at == 0 {
		c.at = state + 1
		g.reached = append(g.reached, state)
	}
	c.p += p
	if n == nil {
		return
	}
	if c.n == nil {
		c.n = new(big.Int)
	}
	c.n.Add(c.n, g.product.Mul(n, by))
}

// take returns the states that were reached, in their order, and forgets them.
//
// The cells own their numerators from then on. Places are cleared one by one, so a generation costs as much as it has
// states and edges, not as much as the chain has states.
func (g *gatherer) take() []cell {
	out := make([]cell, 0, len(g.reached))
	g.sortReached()
	for _, i := range g.reached {
		c := g.cells[i]
		c.at = i
		out = append(out, c)
		g.cells[i] = cell{}
	}
	g.reached = g.reached[:0]
	return out
}

// sortReached puts the states that were reached in their order: where they are many among all, by looking at all.
//
// The order is that of the numbers, in which states were met first. It makes sums of floats the same in every run.
func (g *gatherer) sortReached() {
	const many = 1.0 / 16
	if float64(len(g.reached)) < many*float64(len(g.cells)) {
		slices.Sort(g.reached)
		return
	}
	g.reached = g.reached[:0]
	for i := range g.cells {
		if g.cells[i].at > 0 {
			g.reached = append(g.reached, i)
		}
	}
}

// reduceEdges divides the numerators of edges and the denominator by their greatest common divisor, and returns the new
// denominator.
//
// It is done once for each state, when that is expanded, and makes the denominators of all generations shorter: 18/36
// and 18/36 become 1/2 and 1/2, and a step multiplies by 2 and not by 36.
func reduceEdges(edges []edge, den *big.Int) *big.Int {
	if den == nil {
		return nil
	}
	common := new(big.Int).Set(den)
	for _, e := range edges {
		common.GCD(nil, nil, common, e.n)
	}
	if common.IsInt64() && common.Int64() == 1 {
		return den
	}
	for k := range edges {
		edges[k].n = new(big.Int).Quo(edges[k].n, common)
	}
	return new(big.Int).Quo(den, common)
}
