package odds

import (
	"maps"
	"math/big"
	"slices"
)

// A node is a state of the chain.
type node struct {
	character, state string
	status           string
	next             []edge   // nil until it is expanded
	den              *big.Int // of next; nil of probabilities
}

type edge struct {
	to int
	p  float64
	n  *big.Int // over the den of the node that it leaves
}

// fraction is the probability of an edge of a node.
func (n *node) fraction(e edge) *big.Rat { return new(big.Rat).SetFrac(e.n, n.den) }

// A generation is how likely each state is after so many events: as probabilities and, while the chain is exact, as
// numerators over one denominator. A step multiplies all numerators by what it makes of the denominator, and reduces
// none: with a fraction of its own for each state, nearly all time would go into greatest common divisors.
type generation struct {
	p     map[int]float64
	n     map[int]*big.Int
	den   *big.Int
	ended map[string]*big.Int // of each status, what has ended so, over den
}

// fraction is the probability of a state; nil when it is not exact.
func (g *generation) fraction(i int) *big.Rat {
	if g.n[i] == nil {
		return nil
	}
	return new(big.Rat).SetFrac(g.n[i], g.den)
}

// generationOf is the states before any event.
func generationOf(begin map[int]*big.Rat) *generation {
	g := &generation{p: floats(begin), n: map[int]*big.Int{}, den: big.NewInt(1), ended: map[string]*big.Int{}}
	for _, x := range begin {
		g.den = leastMultiple(g.den, x.Denom())
	}
	for i, x := range begin {
		g.n[i] = new(big.Int).Mul(x.Num(), new(big.Int).Quo(g.den, x.Denom()))
	}
	return g
}

// leastMultiple is the least common multiple.
func leastMultiple(a, b *big.Int) *big.Int {
	common := new(big.Int).GCD(nil, nil, a, b)
	return new(big.Int).Mul(a, new(big.Int).Quo(b, common))
}

// reduceEdges divides the numerators of edges by what they have in common with the denominator; it gives what is left of
// that.
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

func sortedKeys(p map[int]float64) []int {
	return slices.Sorted(maps.Keys(p))
}

func floats(now map[int]*big.Rat) map[int]float64 {
	out := map[int]float64{}
	for i, n := range now {
		out[i], _ = n.Float64()
	}
	return out
}
