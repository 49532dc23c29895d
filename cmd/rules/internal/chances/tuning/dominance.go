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

// A Law is a distribution of numbers as fractions: exact, or those of floats. It has its cumulative sums, so that comparing
// two laws takes a step for each of their values.
type Law struct {
	values []*big.Rat // in ascending order
	p      []*big.Rat
	below  []*big.Rat // the probability of less than each value, and 1
	slack  *big.Rat   // bound of the rounding
	// Answered is the chance that there is a number, of which all others are parts; what is refused has none.
	Answered float64
}

// isPartly reports whether some falls of the dice have no number.
func (l *Law) isPartly() bool { return IsPart(l.Answered) }

// IsPart reports whether a chance is less than 1 by more than rounding.
func IsPart(p float64) bool { return p < 1-1e-9 }

// LawOf returns the law of a number, or of a truth as 0 and 1.
func LawOf(m *odds.Marginal) *Law {
	l := &Law{below: []*big.Rat{new(big.Rat)}, slack: new(big.Rat)}
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
	l.Answered, _ = all.Float64()
	for i, p := range l.p { // given that there is a value
		p.Quo(p, all)
		l.below = append(l.below, new(big.Rat).Add(l.below[i], p))
	}
	return l
}

// Exceeds returns the probabilities that one number is greater than another, independent one, and that they are the same.
func (l *Law) Exceeds(other *Law) (greater, same *big.Rat) {
	greater, same = new(big.Rat), new(big.Rat)
	least, above := 0, 0 // of the other's values: the first that is not less, and the first that is greater
	for i, v := range l.values {
		least, above = other.skip(least, v, -1), other.skip(above, v, 0)
		greater.Add(greater, new(big.Rat).Mul(l.p[i], other.below[least]))
		if least < above {
			same.Add(same, new(big.Rat).Mul(l.p[i], new(big.Rat).Sub(other.below[above], other.below[least])))
		}
	}
	return greater, same
}

// DominanceOver returns how strongly a number dominates another one. Where one of the two may be refused, neither does:
// nothing says how good that is.
func (l *Law) DominanceOver(other *Law) Dominance {
	if l.isPartly() || other.isPartly() {
		return NoDominance
	}
	points := slices.Concat(l.values, other.values)
	slices.SortFunc(points, (*big.Rat).Cmp)
	points = slices.CompactFunc(points, func(v, w *big.Rat) bool { return v.Cmp(w) == 0 })
	slack := new(big.Rat).Add(l.slack, other.slack)
	first, second, differs := true, true, false
	below, area, last := new(big.Rat), new(big.Rat), (*big.Rat)(nil) // of this one less that of the other
	i, j := 0, 0
	for _, v := range points {
		if last != nil {
			area.Add(area, new(big.Rat).Mul(below, new(big.Rat).Sub(v, last)))
		}
		i, j = l.skip(i, v, 0), other.skip(j, v, 0)
		below.Sub(l.below[i], other.below[j])
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

// skip returns the index of the first value from an index on that compares with v as more than order: it is greater for 0,
// and not less for -1.
func (l *Law) skip(from int, v *big.Rat, order int) int {
	for from < len(l.values) && l.values[from].Cmp(v) <= order {
		from++
	}
	return from
}
