package notation

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Limits of the distribution of an expression or a notation.
const (
	maxParts = 1 << 26       // numbers of 64 bits that parts of a notation hold at once
	maxWords = 1 << 22       // of all weights of a line as whole numbers
	maxReals = 1_000_000_000 // multiplications of floats

	// Multiplications of words: up to the first limit fractions cost no more than floats, and every answer has them.
	maxWholes = 4_000_000
	maxExact  = 1_000_000_000
)

// The total of an expression is the convolution of its groups. Two arithmetics compute it: numerators over one denominator,
// which are exact, and floats. Which one is decided beforehand, by estimates in multiplications of words of 64 bits,
// because a numerator grows by log2(faces) bits for each die: the weights of 100d6 have 259 bits, 5 words, and those of
// 10000d6 have 404. Estimates are compared with limits and never measured, so the same question has the same form of answer
// everywhere.

// Total is the distribution of a dice expression.
type Total struct {
	Lo    int64
	P     []float64  // P[i] is the probability of Lo+i
	N     []*big.Int // the same as numerators of Den; nil when that would be too large
	Den   *big.Int
	Rest  float64  // the probability that some die explodes further than was followed
	RestN *big.Int // as a numerator of Den, when N is there
	Mean  *big.Rat // in closed form, explosions without end included; nil when there is none
	Var   *big.Rat // likewise, the variance
}

// ComputeTotal gives the exact distribution of an expression, as probabilities, and as fractions where these cost no more.
// The mean and the variance, where they have a closed form, are exact in either case.
func ComputeTotal(e *dice.Expression) (*Total, error) {
	if err := refuseShown(e); err != nil {
		return nil, err
	}
	if fitsExactly(e, maxWholes) {
		return ComputeTotalExactly(e)
	}
	out := &Total{}
	if err := out.computeInFloats(e); err != nil {
		return nil, err
	}
	out.Mean, out.Var = moments(e)
	return out, nil
}

// ComputeTotalExactly gives the distribution of an expression as fractions. Its error is a *BudgetError when they would
// be too long.
func ComputeTotalExactly(e *dice.Expression) (*Total, error) {
	if err := refuseShown(e); err != nil {
		return nil, err
	}
	if !fitsExactly(e, maxExact) {
		work, subject := 0.0, ""
		for i := range e.Terms {
			t := &e.Terms[i]
			if n, _ := exactWork(t); t.Count > 0 && n >= work {
				work, subject = n, fmt.Sprintf("%dd%d", t.Count, t.Faces)
			}
		}
		return nil, &odds.BudgetError{Subject: subject, Needs: work, Budget: maxExact, What: "steps in fractions"}
	}
	out := &Total{}
	out.Mean, out.Var = moments(e)
	return out, out.computeExactly(e)
}

// refuseShown refuses dice that show other numbers than 1 and up, which Compute answers.
func refuseShown(e *dice.Expression) error {
	for i := range e.Terms {
		if e.Terms[i].Die.Shows != nil {
			return errors.New("the faces of a die are listed: ask for the odds of a notation")
		}
	}
	return nil
}

// computeExactly computes with numerators.
func (s *Total) computeExactly(e *dice.Expression) error {
	total, den := pmf.Line[pmf.Numerator]{Weights: []pmf.Numerator{pmf.NewNumerator(1)}}, big.NewInt(1)
	for i := range e.Terms {
		t := &e.Terms[i]
		l, d := pmf.Line[pmf.Numerator]{Lo: t.Number, Weights: []pmf.Numerator{pmf.NewNumerator(1)}}, big.NewInt(1)
		if t.Count > 0 {
			one := pmf.NewExactDie(t)
			d = pmf.RaiseInt(one.Den, t.Count)
			l = groupDistribution(t, one.Line, pmf.RaiseExactly,
				func(l pmf.Line[pmf.Numerator], n, keep int, worth func(int64) int64) pmf.Line[pmf.Numerator] {
					if t.Lowest && one.HasHighTail {
						return pmf.KeepBelowTail(l, one.Rest, n, keep, worth, one.Den)
					}
					return pmf.KeepExactly(l, n, keep, worth, one.Den)
				})
		}
		if t.Sign < 0 {
			l = l.Negate()
		}
		total, den = pmf.ConvolveExactly(total, l), den.Mul(den, d)
	}
	s.Lo, s.Den, s.RestN = total.Lo, den, new(big.Int).Set(den)
	for _, w := range total.Weights {
		s.N = append(s.N, w.Int())
		s.P = append(s.P, w.Over(den))
		s.RestN.Sub(s.RestN, w.Int())
	}
	s.Rest = pmf.NumeratorOf(s.RestN).Over(den)
	return nil
}

// computeInFloats computes with probabilities.
func (s *Total) computeInFloats(e *dice.Expression) error {
	total := pmf.Line[pmf.Float]{Weights: []pmf.Float{1}}
	for i := range e.Terms {
		t := &e.Terms[i]
		l := pmf.Line[pmf.Float]{Lo: t.Number, Weights: []pmf.Float{1}}
		if t.Count > 0 {
			if err := checkFits(t, len(total.Weights)); err != nil {
				return err
			}
			one := pmf.NewFloatDie(t)
			l = groupDistribution(t, one.Line, pmf.RaiseFloats, pmf.KeepFloats)
			unfollowed := -math.Expm1(float64(t.Count) * math.Log1p(-float64(one.Rest)))
			s.Rest += unfollowed - s.Rest*unfollowed
		}
		if t.Sign < 0 {
			l = l.Negate()
		}
		total = pmf.ConvolveFloats(total, l)
	}
	s.Lo = total.Lo
	for _, w := range total.Weights {
		s.P = append(s.P, float64(w))
	}
	return nil
}

// groupDistribution returns the distribution of a group of dice, for either arithmetic, whose functions come as raise
// and keep: all dice added up, or some of them kept.
//
// The lowest are the highest of the mirrored die, whose values -v are worth as much as v: of 2d6kl1 the dice 2 and 5
// are mirrored to -2 and -5, the higher one is -2, and it is worth 2.
func groupDistribution[W pmf.Weight[W]](
	t *dice.Term, one pmf.Line[W], raise func(pmf.Line[W], int) pmf.Line[W],
	keep func(pmf.Line[W], int, int, func(int64) int64) pmf.Line[W],
) pmf.Line[W] {
	switch {
	case t.Keep == t.Count:
		return raise(one, t.Count)
	case t.Lowest:
		return keep(one.Negate(), t.Count, t.Keep, func(v int64) int64 { return t.Worth(-v) })
	}
	return keep(one, t.Count, t.Keep, t.Worth)
}

// supportSize returns about the number of values of one die: 2 where only successes are counted, its faces times the
// longest chain where it explodes.
func supportSize(t *dice.Term) int {
	if t.Success != nil && t.Keep == t.Count {
		return 2
	}
	return pmf.ChainLength(t) * t.Faces
}

// isOrdinary reports whether a group is plain dice that are added up, or of which the highest or the lowest are.
func isOrdinary(t *dice.Term) bool { return t.Ordinary && t.Success == nil }

// floatWork returns about how many multiplications of floats a group takes: with all dice, convolutions of a die of so many
// values with sums of one to count-1 dice; with some, the walk of package pmf.
func floatWork(t *dice.Term) float64 {
	values, count, keep := float64(supportSize(t)), float64(t.Count), float64(t.Keep)
	switch {
	case t.Keep == t.Count:
		return values * values * count * (count - 1)
	case isOrdinary(t):
		return pmf.EstimateKeepWork(values, count, keep, wordsOf(t), true)
	}
	return pmf.EstimateKeepWork(values, count, keep, 1, false)
}

// wordsOf is about how many words of 64 bits the weights of a group have: the denominator of 8d6 is 6^8, 20.7 bits, and
// with chains of 26 faces 6^208, 537.7 bits or 9 words.
func wordsOf(t *dice.Term) float64 {
	return math.Ceil(float64(t.Count) * float64(pmf.ChainLength(t)) * math.Log2(float64(max(2, t.Faces))) / 64)
}

// exactWork returns about how many multiplications of words a group takes in whole numbers, and how many words it has in
// the end.
func exactWork(t *dice.Term) (multiplications, held float64) {
	values, count, words := float64(supportSize(t)), float64(t.Count), wordsOf(t)
	length, faces := float64(pmf.ChainLength(t)), float64(t.Faces)
	chain := length * length * length * faces * math.Log2(faces) / 64
	held = values * float64(t.Keep) * words
	switch {
	case t.Keep < t.Count:
		keep := float64(t.Keep)
		binomials := keep * (count - keep/2) * words
		return chain + pmf.EstimateKeepWork(values, count, keep, words, isOrdinary(t)), held + binomials
	case isOrdinary(t):
		return 3 * held, held
	case values <= pmf.MaxRecurrence:
		return chain + held*values*max(1, words/count), held
	}
	return chain + 64*held*math.Log2(held), held // a few multiplications of integers of so many words
}

// fitsExactly reports whether an expression can be answered in whole numbers with so many multiplications of words. Three
// things may be too much: the work, the words that all weights hold at once, and the number of values. The denominators of
// groups multiply, so the words of the total are the sum of those of its groups.
func fitsExactly(e *dice.Expression, most float64) bool {
	work, sum, held := 0.0, 1.0, 0.0
	for i := range e.Terms {
		if t := &e.Terms[i]; t.Count > 0 {
			n, h := exactWork(t)
			values := float64(supportSize(t)) * float64(t.Keep)
			work += n
			if held > 0 { // two lines are multiplied as integers
				work += 64 * (held + h)
			}
			sum, held = sum+values, held+h
		}
	}
	return work <= most && held <= maxWords && sum <= pmf.MaxSupport
}

// checkFits returns an error if a group is too large to be answered in floats.
func checkFits(t *dice.Term, others int) error {
	n := floatWork(t)
	values := float64(supportSize(t)) * float64(t.Keep)
	if pmf.Explodes(t) {
		n = max(n, float64(pmf.ChainLength(t))*float64(t.Faces)*float64(t.Faces))
	}
	subject := fmt.Sprintf("%dd%d", t.Count, t.Faces)
	switch {
	case max(values, float64(pmf.ChainLength(t))*float64(t.Faces)) > pmf.MaxSupport:
		return &odds.BudgetError{Subject: subject, Needs: values, Budget: pmf.MaxSupport, What: "values"}
	case n > maxReals:
		return &odds.BudgetError{Subject: subject, Needs: n, Budget: maxReals, What: "steps"}
	case values*float64(others) > maxReals:
		return &odds.BudgetError{Subject: subject, Needs: values * float64(others), Budget: maxReals, What: "steps"}
	}
	return nil
}

// moments are the mean and the variance of an expression in closed form; nil when a group keeps only some of its dice, or
// counts or raises dice that explode. Both follow for an exploding die from its first face f, which explodes with
// probability p:
//
//	E[T]  = E[f] / (1-p)
//	E[T²] = (E[f²] + 2 E[f; explodes] E[T]) / (1-p)
//
// where E[f; explodes] is the mean of f over the faces that explode, 0 for the others. Of d6! they are 3.5 / (5/6) = 4.2
// and (91/6 + 2·1·4.2) / (5/6) = 28.28, so the variance is 28.28 - 4.2² = 10.64. No chain is cut off here, so both are
// exact where the distribution has a rest.
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
		first, second := pmf.MomentsOf(t)
		count := new(big.Rat).SetInt64(int64(t.Count))
		spread := second.Sub(second, new(big.Rat).Mul(first, first))
		variance.Add(variance, spread.Mul(spread, count))
		mean.Add(mean, first.Mul(first, count.SetInt64(int64(t.Count)*t.Sign)))
	}
	return mean, variance
}

// Marginal is the distribution of an expression's total.
func (s *Total) Marginal() *odds.Marginal {
	m := &odds.Marginal{Name: "total"}
	if s.N != nil {
		m.Den = s.Den
	}
	for i, p := range s.P {
		if p == 0 {
			continue
		}
		m.Values, m.P = append(m.Values, jsonio.IntValue(s.Lo+int64(i))), append(m.P, p)
		if s.N != nil {
			m.N = append(m.N, s.N[i])
		} else {
			m.N = append(m.N, nil)
		}
	}
	return m
}
