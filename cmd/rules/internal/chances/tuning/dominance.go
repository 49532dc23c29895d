package tuning

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds"
)

// # When is one distribution better than another one?
//
// Of two independent numbers A and B one may be said to be better in three ways, each weaker than the one before. A
// dominates B in the first order if it is at least as likely to reach any number, and likelier for some: then everybody who
// wants more prefers A. It dominates in the second order if the area under its distribution function up to any number is at
// most that of B: then everybody prefers A who wants more and avoids risk (Rothschild and Stiglitz 1970). And A may exceed
// B more often than B exceeds A, which says nothing of by how much.

// A Dominance is how strongly one distribution is better than another one.
type Dominance int

// The dominances, from none to the strongest.
const (
	NoDominance Dominance = iota
	SecondOrder
	FirstOrder
)

// A law is a distribution of numbers as fractions: exact, or those of floats.
type law struct {
	values []*big.Rat // in ascending order
	p      []*big.Rat
	slack  *big.Rat // what rounding may have changed
}

// lawOf returns the law of a number, or of a truth as 0 and 1.
func lawOf(m *odds.Marginal) law {
	l := law{slack: new(big.Rat)}
	all := new(big.Rat)
	for i, v := range m.Values {
		x := odds.Number(v)
		if v.String() == "true" {
			x = 1
		}
		p := new(big.Rat)
		if m.Den != nil {
			p.SetFrac(m.N[i], m.Den)
		} else {
			p.SetFloat64(m.P[i])
			l.slack.SetFloat64(1e-12)
		}
		l.values, l.p = append(l.values, new(big.Rat).SetFloat64(x)), append(l.p, p)
		all.Add(all, p)
	}
	for _, p := range l.p { // given that there is a value
		p.Quo(p, all)
	}
	return l
}

// Exceeds returns the probabilities that one number is greater than another, independent one, and that they are the same.
func Exceeds(a, b *odds.Marginal) (greater, same *big.Rat) {
	x, y := lawOf(a), lawOf(b)
	greater, same = new(big.Rat), new(big.Rat)
	for i, v := range x.values {
		for j, w := range y.values {
			to := greater
			if c := v.Cmp(w); c < 0 {
				break
			} else if c == 0 {
				to = same
			}
			to.Add(to, new(big.Rat).Mul(x.p[i], y.p[j]))
		}
	}
	return greater, same
}

// DominanceOf returns how strongly a number dominates another one.
func DominanceOf(a, b *odds.Marginal) Dominance {
	x, y := lawOf(a), lawOf(b)
	points := slices.Concat(x.values, y.values)
	slices.SortFunc(points, (*big.Rat).Cmp)
	points = slices.CompactFunc(points, func(v, w *big.Rat) bool { return v.Cmp(w) == 0 })
	slack := new(big.Rat).Add(x.slack, y.slack)
	first, second, differs := true, true, false
	below, area, last := new(big.Rat), new(big.Rat), (*big.Rat)(nil) // of a less that of b
	for _, v := range points {
		if last != nil {
			area.Add(area, new(big.Rat).Mul(below, new(big.Rat).Sub(v, last)))
		}
		below.Add(below, x.at(v))
		below.Sub(below, y.at(v))
		first = first && below.Cmp(slack) <= 0
		second = second && area.Cmp(slack) <= 0
		differs = differs || new(big.Rat).Abs(below).Cmp(slack) > 0
		last = v
	}
	switch {
	case differs && first:
		return FirstOrder
	case differs && second:
		return SecondOrder
	}
	return NoDominance
}

// at returns the probability of a number.
func (l *law) at(v *big.Rat) *big.Rat {
	for i, w := range l.values {
		if w.Cmp(v) == 0 {
			return l.p[i]
		}
	}
	return new(big.Rat)
}
