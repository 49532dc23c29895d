package odds

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// Limits of the distribution of an expression.
const (
	maxSupport = 1 << 20       // values of a line
	maxBits    = 1 << 23       // of all weights of a line as whole numbers
	maxDeep    = 300_000_000   // of all weights of all levels of chains as whole numbers
	maxWholes  = 4_000_000     // multiplications of whole numbers
	maxReals   = 3_000_000_000 // multiplications of floats
)

// Sum is the distribution of a dice expression.
type Sum struct {
	Lo    int64
	P     []float64  // P[i] is the probability of Lo+i
	N     []*big.Int // the same as numerators of Den; nil when that would be too large
	Den   *big.Int
	Rest  float64  // the probability that some die explodes further than was followed
	RestN *big.Int // as a numerator of Den, when N is there
	Mean  *big.Rat // in closed form, explosions without end included; nil when there is none
	Var   *big.Rat // likewise, the variance
}

// OfExpression gives the exact distribution of an expression.
func OfExpression(e *dice.Expression) (*Sum, error) {
	out := &Sum{}
	out.Mean, out.Var = moments(e)
	if fitsWhole(e) {
		return out, out.wholes(e)
	}
	return out, out.reals(e)
}

// wholes computes with numerators.
func (s *Sum) wholes(e *dice.Expression) error {
	total, den := line[whole]{w: []whole{wholeOf(1)}}, big.NewInt(1)
	for i := range e.Terms {
		t := &e.Terms[i]
		l, d := line[whole]{lo: t.Number, w: []whole{wholeOf(1)}}, big.NewInt(1)
		if t.Count > 0 {
			one := wholeDie(t)
			d = power(one.den, t.Count)
			l = group(t, one.line, powerOfLine, func(l line[whole], n, keep int, worth func(int64) int64) line[whole] {
				return keepWholes(l, n, keep, worth, one.den)
			})
		}
		if t.Sign < 0 {
			l = l.mirrored()
		}
		total, den = packed(total, l), den.Mul(den, d)
	}
	s.Lo, s.Den, s.RestN = total.lo, den, new(big.Int).Set(den)
	for _, w := range total.w {
		s.N = append(s.N, w.int())
		s.P = append(s.P, w.over(den))
		s.RestN.Sub(s.RestN, w.int())
	}
	s.Rest = whole{s.RestN}.over(den)
	return nil
}

// reals computes with probabilities.
func (s *Sum) reals(e *dice.Expression) error {
	total := line[real]{w: []real{1}}
	for i := range e.Terms {
		t := &e.Terms[i]
		l := line[real]{lo: t.Number, w: []real{1}}
		if t.Count > 0 {
			if err := fits(t, len(total.w)); err != nil {
				return err
			}
			one := realDie(t)
			l = group(t, one.line, powerOfReals, keepReals)
			unfollowed := -math.Expm1(float64(t.Count) * math.Log1p(-float64(one.rest)))
			s.Rest += unfollowed - s.Rest*unfollowed
		}
		if t.Sign < 0 {
			l = l.mirrored()
		}
		total = convolved(total, l)
	}
	s.Lo = total.lo
	for _, w := range total.w {
		s.P = append(s.P, float64(w))
	}
	return nil
}

// group is the distribution of a group of dice: all of them added up, or some of them kept.
func group[W weight[W]](
	t *dice.Term, one line[W], raise func(line[W], int) line[W], keep func(line[W], int, int, func(int64) int64) line[W],
) line[W] {
	switch {
	case t.Keep == t.Count:
		return raise(one, t.Count)
	case t.Lowest:
		return keep(one.mirrored(), t.Count, t.Keep, func(v int64) int64 { return t.Worth(-v) })
	}
	return keep(one, t.Count, t.Keep, t.Worth)
}

// support is about how many values one die has.
func support(t *dice.Term) int {
	if t.Success != nil && t.Keep == t.Count {
		return 2
	}
	return chainLength(t) * t.Faces
}

// work is about how many multiplications a group takes, and how many bits its weights have.
func work(t *dice.Term) (multiplications, bits float64) {
	n, count := float64(support(t)), float64(t.Count)
	bits = n * count * count * max(1, n/float64(t.Faces)) * math.Log2(float64(t.Faces))
	if t.Keep == t.Count {
		return n * n * count * (count - 1), bits
	}
	return n * count * count * n * float64(t.Keep), bits
}

// fitsWhole reports whether an expression can be answered in whole numbers.
func fitsWhole(e *dice.Expression) bool {
	all, wide, deep := 0.0, 0.0, 0.0
	for i := range e.Terms {
		if t := &e.Terms[i]; t.Count > 0 {
			n, bits := work(t)
			if t.Keep < t.Count {
				all += n
			}
			wide += bits
			length, faces := float64(chainLength(t)), float64(t.Faces)
			deep += length * length * length * faces * math.Log2(faces)
		}
	}
	return all <= maxWholes && wide <= maxBits && deep <= maxDeep
}

// fits judges whether a group can be answered in floats.
func fits(t *dice.Term, others int) error {
	n, _ := work(t)
	values := float64(support(t)) * float64(t.Keep)
	if explodes(t) {
		n = max(n, float64(chainLength(t))*float64(t.Faces)*float64(t.Faces))
	}
	subject := fmt.Sprintf("%dd%d", t.Count, t.Faces)
	switch {
	case max(values, float64(chainLength(t))*float64(t.Faces)) > maxSupport:
		return &BudgetError{subject, values, maxSupport, "values"}
	case n > maxReals:
		return &BudgetError{subject, n, maxReals, "steps"}
	case values*float64(others) > maxReals:
		return &BudgetError{subject, values * float64(others), maxReals, "steps"}
	}
	return nil
}
