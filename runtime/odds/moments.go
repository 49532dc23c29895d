package odds

import (
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// moments are the mean and the variance of an expression in closed form; nil when a group keeps only some of its dice, or
// counts or raises dice that explode. Both follow for an exploding die from its first face f, which explodes with
// probability p:
//
//	E[T]  = E[f] / (1-p)
//	E[T²] = (E[f²] + 2 E[f; explodes] E[T]) / (1-p)
func moments(e *dice.Expression) (mean, variance *big.Rat) {
	mean, variance = new(big.Rat), new(big.Rat)
	for i := range e.Terms {
		t := &e.Terms[i]
		if t.Count == 0 {
			mean.Add(mean, new(big.Rat).SetInt64(t.Sign*t.Number))
			continue
		}
		if t.Keep < t.Count || (t.Success != nil || t.Least > 0) && t.Die.Explode.Among(int64(t.Faces)) {
			return nil, nil
		}
		first, second := momentsOf(t)
		count := new(big.Rat).SetInt64(int64(t.Count))
		spread := second.Sub(second, new(big.Rat).Mul(first, first))
		variance.Add(variance, spread.Mul(spread, count))
		mean.Add(mean, first.Mul(first, count.SetInt64(int64(t.Count)*t.Sign)))
	}
	return mean, variance
}

// momentsOf are E[T] and E[T²] of one die.
func momentsOf(t *dice.Term) (first, second *big.Rat) {
	if t.Ordinary {
		n := int64(t.Faces)
		return big.NewRat(n+1, 2), big.NewRat((n+1)*(2*n+1), 6)
	}
	faces, den := facesOf(&t.Die, int64(t.Faces))
	var sums [4]big.Int // f, f², weight that explodes, f that explodes
	for i, w := range faces.w {
		f := faces.lo + int64(i)
		worth := t.Worth(f)
		n := new(big.Int).Mul(w.int(), big.NewInt(worth))
		sums[0].Add(&sums[0], n)
		sums[1].Add(&sums[1], new(big.Int).Mul(n, big.NewInt(worth)))
		if t.Die.Explode.Holds(f) {
			sums[2].Add(&sums[2], w.int())
			sums[3].Add(&sums[3], n)
		}
	}
	over := func(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(n, den) }
	ends := new(big.Rat).Sub(new(big.Rat).SetInt64(1), over(&sums[2]))
	first = new(big.Rat).Quo(over(&sums[0]), ends)
	on := new(big.Rat).Mul(over(&sums[3]), first)
	second = on.Add(on, on)
	second.Add(second, over(&sums[1]))
	return first, second.Quo(second, ends)
}
