package notation

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// A Distribution is the distribution of a notation.
type Distribution struct {
	Results []*odds.Marginal // "total"; of a repeated notation each result by its rank, and their total
	Rest    float64          // the probability that some die explodes further than was followed
	RestN   *big.Int         // as a numerator of Den; nil without fractions
	Den     *big.Int
	Means   map[string]*big.Rat // of results, where they are known exactly
}

// The multiplications of words up to which fractions are computed when nobody asks for them, and when somebody does.
const (
	fewWholeSteps  = 2_000_000
	mostWholeSteps = 400_000_000
)

// Compute gives the exact distribution of a notation: as probabilities, and as fractions where these cost no more.
func Compute(n *dice.Notation) (*Distribution, error) {
	if e := n.Expression(); e != nil {
		return ofSum(ComputeTotal(e))
	}
	if out, err := evaluateNotation(exactCalculus(fewWholeSteps), n); err == nil {
		return out, nil
	}
	return evaluateNotation(floatCalculus(), n)
}

// ComputeExactly gives the distribution of a notation as fractions. Its error is a *BudgetError when they would be
// too long.
func ComputeExactly(n *dice.Notation) (*Distribution, error) {
	if e := n.Expression(); e != nil {
		return ofSum(ComputeTotalExactly(e))
	}
	return evaluateNotation(exactCalculus(mostWholeSteps), n)
}

func ofSum(s *Total, err error) (*Distribution, error) {
	if err != nil {
		return nil, err
	}
	m := s.Marginal()
	out := &Distribution{Results: []*odds.Marginal{m}, Rest: s.Rest, RestN: s.RestN, Den: s.Den,
		Means: map[string]*big.Rat{}}
	if s.Mean != nil {
		out.Means[m.Name] = s.Mean
	}
	return out, nil
}

// An evaluator computes the parts of a notation, from the leaves of its tree up. Each die stands at one place of the text,
// so the operands of every operation are independent and their joint weight is a product: no state is kept from one part to
// the next, where the elimination of a rule must find out what depends on what. Only dice that are chosen among each other
// need more than the distributions of their parts.
//
// In d4*d6 + 2 the product has 24 pairs, gathered into 15 values that differ, of which each gets 2 added. unfollowed grows
// as groups that explode are met, by an upper bound; fixed is set by the joint distribution alone, and makes of a labelled
// group a number.
type evaluator[W pmf.Weight[W]] struct {
	*calculus[W]
	caps       map[*dice.Pool]int64 // of groups, the sums from which on nobody tells them apart
	unfollowed float64              // the probability that some die explodes further than was followed
	fixed      map[*dice.Pool]int64 // groups whose value is known
}

// evaluateNotation computes a notation.
func evaluateNotation[W pmf.Weight[W]](c *calculus[W], n *dice.Notation) (*Distribution, error) {
	v := &evaluator[W]{calculus: c, caps: capsOf(n.Root)}
	p, err := v.distributionOf(n.Root)
	if err != nil {
		return nil, err
	}
	out := &Distribution{Means: map[string]*big.Rat{}}
	den := p.den
	if n.Repeat > 1 {
		if den, err = v.addRepeated(out, n, p); err != nil {
			return nil, err
		}
	} else {
		v.addResult(out, "total", p, n.IsTruth())
	}
	v.addRest(out, p, den, max(1, n.Repeat))
	return out, nil
}

// addRest sets the probability that some die explodes further than was followed. In fractions that is exact: den less
// all weights. In floats the difference would drown in rounding, 2^-64 beside 1. So the bound u on one evaluation is
// raised to the number of repetitions, 1-(1-u)^times, by functions that keep small numbers precise.
func (v *evaluator[W]) addRest(out *Distribution, p *sparse[W], den *big.Int, times int) {
	if !v.isExact {
		out.Rest = -math.Expm1(float64(times) * math.Log1p(-v.unfollowed))
		return
	}
	_, n := v.tell(pmf.RaiseWeight(pmf.SumWeights(p.w), times, v.unit), den)
	out.Den, out.RestN = den, new(big.Int).Sub(den, n)
	out.Rest = pmf.NumeratorOf(out.RestN).Over(den)
}

// addRepeated adds the distributions of several equal results by their rank, and that of their total. Each rank is an order
// statistic: of six results the second highest is the choice of those from 4 up to, but not with, 5. A walk is done for
// each rank, which costs k walks, and none of them needs to know how the ranks fall together.
func (v *evaluator[W]) addRepeated(out *Distribution, n *dice.Notation, p *sparse[W]) (den *big.Int, err error) {
	k := n.Repeat
	if den = p.den; v.isExact {
		den = pmf.RaiseInt(p.den, k)
	}
	same := func(x int64) int64 { return x }
	add := func(name string, lo, hi int, subject string) error {
		l, err := v.sumChosen([]kind[W]{{one: p, n: k}}, lo, hi, same, subject)
		if err != nil {
			return err
		}
		q := v.fromLine(l, den)
		q.scale = p.scale
		v.addResult(out, name, q, false)
		return nil
	}
	if n.IsTruth() {
		return den, add("how many are true", 0, k, "the results")
	}
	for rank := k; rank > 0; rank-- {
		if err := add(rankName(rank, k), rank-1, rank, "the results in order"); err != nil {
			return nil, err
		}
	}
	return den, add("total", 0, k, "the sum of the results")
}

// rankName names a result by its rank, counted from the lowest.
func rankName(rank, of int) string {
	switch from := of - rank + 1; {
	case from == 1:
		return "highest"
	case rank == 1:
		return "lowest"
	case from == 2:
		return "2nd highest"
	case from == 3:
		return "3rd highest"
	default:
		return fmt.Sprintf("%dth highest", from)
	}
}

// addResult adds a distribution to the results. Its scale is divided by the greatest common divisor of all values, so
// that 2*(d6/2) has whole numbers. A remaining fraction becomes a double, whose mean is then computed from the
// fractions.
func (v *evaluator[W]) addResult(out *Distribution, name string, p *sparse[W], truth bool) {
	m := &odds.Marginal{Name: name}
	if v.isExact {
		m.Den = p.den
	}
	divisor := p.scale
	for _, x := range p.values {
		divisor = greatestDivisor(divisor, x)
	}
	scale := p.scale / divisor
	for i, x := range p.values {
		value := jsonio.IntValue(x / divisor)
		switch {
		case truth:
			value = jsonio.BoolValue(x != 0)
		case scale > 1:
			value = jsonio.DoubleValue(float64(x/divisor) / float64(scale))
		}
		prob, n := v.tell(p.w[i], p.den)
		m.Values, m.P, m.N = append(m.Values, value), append(m.P, prob), append(m.N, n)
	}
	out.Results = append(out.Results, m)
	if v.isExact && scale > 1 {
		out.Means[name] = meanOfScaled(m, p.values, p.scale)
	}
}

// meanOfScaled is the mean of values that are fractions, given that there is a value.
func meanOfScaled(m *odds.Marginal, values []int64, scale int64) *big.Rat {
	sum, all := new(big.Int), new(big.Int)
	for i, n := range m.N {
		all.Add(all, n)
		sum.Add(sum, new(big.Int).Mul(n, big.NewInt(values[i])))
	}
	return new(big.Rat).SetFrac(sum, all.Mul(all, big.NewInt(scale)))
}

// distributionOf is the distribution of a part.
func (v *evaluator[W]) distributionOf(n dice.Node) (*sparse[W], error) {
	if x, ok := dice.Constant(n); ok {
		return v.numberDistribution(x)
	}
	switch x := n.(type) {
	case *dice.Pool:
		if known, ok := v.fixed[x]; ok {
			return v.constantOf(1, known), nil
		}
		return v.poolDistribution(x)
	case *dice.Set:
		return v.setDistribution(x)
	}
	c := n.(*dice.Call) // a number is a constant
	args := make([]*sparse[W], len(c.Args))
	for i, a := range c.Args {
		var err error
		if args[i], err = v.distributionOf(a); err != nil {
			return nil, err
		}
	}
	return v.callDistribution(c, args)
}

// numberDistribution returns the distribution of a number.
func (v *evaluator[W]) numberDistribution(x *big.Rat) (*sparse[W], error) {
	if !x.Num().IsInt64() || !x.Denom().IsInt64() || x.Denom().Int64() > maxScale {
		return nil, &odds.BudgetError{Subject: x.RatString(), Needs: math.Inf(1), Budget: maxScale, What: "digits"}
	}
	return v.constantOf(x.Denom().Int64(), x.Num().Int64()), nil
}

// callDistribution returns the distribution of an operation on independent parts.
func (v *evaluator[W]) callDistribution(c *dice.Call, args []*sparse[W]) (*sparse[W], error) {
	a := args[0]
	if len(args) == 1 {
		return v.mapOne(c, a)
	}
	if c.Op == dice.Min || c.Op == dice.Max {
		return v.extremeOf(c, args)
	}
	b := args[1]
	switch {
	case c.Op == dice.Add:
		return v.sumIndependent(a, b)
	case c.Op == dice.Subtract:
		return v.sumIndependent(a, b.mapValues(b.scale, func(x int64) int64 { return -x }))
	case c.Op.IsComparison():
		sign, err := v.compareValues(a, b)
		if err != nil {
			return nil, err
		}
		return sign.mapValues(1, func(x int64) int64 { return holdsFor(c, x) }), nil
	case c.Op == dice.Multiply && a.scale <= maxScale/b.scale:
		return v.combinePairs(a, b, a.scale*b.scale, "the product", func(x, y int64) (int64, error) { return x * y, nil })
	}
	return v.pairedByRatio(c, a, b)
}

// holdsFor returns 1 when a comparison holds for two numbers whose difference has a sign, else 0. It compares the sign
// with 0: so the six comparisons need one walk over two distributions (compareValues), and no rule of their own.
func holdsFor(c *dice.Call, sign int64) int64 {
	x, err := dice.Apply(c, []*big.Rat{big.NewRat(sign, 1), new(big.Rat)})
	if err != nil || x.Sign() == 0 {
		return 0
	}
	return 1
}

// mapOne returns the distribution of a function of one part. The usual functions of whole numbers keep or mirror the
// values; all else goes through fractions, with a second part that is the constant 0 and is not looked at.
func (v *evaluator[W]) mapOne(c *dice.Call, a *sparse[W]) (*sparse[W], error) {
	if a.scale == 1 {
		switch c.Op {
		case dice.Floor, dice.Ceil, dice.Round:
			return a, nil
		case dice.Negate:
			return a.mapValues(1, func(x int64) int64 { return -x }), nil
		case dice.Abs:
			return a.mapValues(1, func(x int64) int64 { return max(x, -x) }), nil
		}
	}
	one := v.constantOf(1, 0)
	return v.pairedByRatio(c, a, one)
}

// extremeOf returns the distribution of the least or the greatest of several parts.
func (v *evaluator[W]) extremeOf(c *dice.Call, args []*sparse[W]) (*sparse[W], error) {
	out := args[0]
	for _, b := range args[1:] {
		x, y, err := alignScales(out, b)
		if err != nil {
			return nil, err
		}
		den := v.multiplyDenominators(x.den, y.den)
		if err := v.spend("min or max", 4*float64(len(x.values)+len(y.values)), den); err != nil {
			return nil, err
		}
		if c.Op == dice.Min {
			out = leastOf(x, y, den)
			continue
		}
		negate := func(v int64) int64 { return -v }
		out = leastOf(x.mapValues(x.scale, negate), y.mapValues(y.scale, negate), den).mapValues(x.scale, negate)
	}
	return out, nil
}

// leastOf is the distribution of the smaller of two independent values. Both lists rise, so two pointers find the tails, in
// n+m products instead of n·m. Ties are counted once, with a. Of two d4 the weight of 1 is 1·4, a is 1 and b any, and 1·3,
// b is 1 and a greater: 7 of 16.
func leastOf[W pmf.Weight[W]](a, b *sparse[W], den *big.Int) *sparse[W] {
	fromA, fromB := tailSums(a.w), tailSums(b.w)
	var values []int64
	var w []W
	k := 0
	for i, x := range a.values { // a is x, and b is not smaller
		for k < len(b.values) && b.values[k] < x {
			k++
		}
		values, w = append(values, x), append(w, a.w[i].Times(fromB[k]))
	}
	k = 0
	for i, y := range b.values { // b is y, and a is greater
		for k < len(a.values) && a.values[k] <= y {
			k++
		}
		values, w = append(values, y), append(w, b.w[i].Times(fromA[k]))
	}
	return gatherValues(a.scale, values, w, den)
}

// pairedByRatio carries out an operation on every pair of values, as fractions. It is the general way, and slow: quotients
// and roundings have no structure to use. The scale of the result is known only when all pairs have been met, so that they
// are met twice; d4/d3 has the denominators 1, 2 and 3, thus the scale 6. The second pass takes the results in the order of
// the first, which is that of combinePairs.
func (v *evaluator[W]) pairedByRatio(c *dice.Call, a, b *sparse[W]) (*sparse[W], error) {
	n := float64(len(a.values)) * float64(len(b.values))
	if err := v.spend("the operation", 200*n, nil); err != nil {
		return nil, err
	}
	results, scale := make([]*big.Rat, 0, int(n)), int64(1)
	for _, x := range a.values {
		for _, y := range b.values {
			r, err := dice.Apply(c, []*big.Rat{big.NewRat(x, a.scale), big.NewRat(y, b.scale)})
			if err != nil {
				return nil, err
			}
			if !r.Denom().IsInt64() || scale/greatestDivisor(scale, r.Denom().Int64()) > maxScale/r.Denom().Int64() {
				return nil, tooFine()
			}
			scale = scale / greatestDivisor(scale, r.Denom().Int64()) * r.Denom().Int64()
			results = append(results, r)
		}
	}
	next := 0
	return v.combinePairs(a, b, scale, "the operation", func(_, _ int64) (int64, error) {
		r := results[next]
		next++
		x := new(big.Int).Mul(r.Num(), big.NewInt(scale/r.Denom().Int64()))
		if x.BitLen() > 61 {
			return 0, tooFine()
		}
		return x.Int64(), nil
	})
}

// tooFine tells of fractions that have no common denominator of a fair size.
func tooFine() error {
	return &odds.BudgetError{Subject: "the fractions", Needs: math.Inf(1), Budget: maxScale, What: "different denominators",
		Advice: "round earlier, with floor()"}
}

// setDistribution returns the distribution of several results of which some are kept or counted, as in {2d6, d12}kh1.
// Its items are the kinds of a choice, with a whole group as one die: 2d6 is a die of eleven values whose weights are 1
// to 6 and back. A merged set chooses among the single dice of its groups instead, so that each group is a kind of as
// many dice.
func (v *evaluator[W]) setDistribution(s *dice.Set) (*sparse[W], error) {
	parts, err := v.partsOf(s)
	if err != nil {
		return nil, err
	}
	den, scale := big.NewInt(1), int64(1)
	if len(parts) > 0 {
		scale = parts[0].one.scale
	}
	count := 0
	for _, k := range parts {
		count += k.n
		if v.isExact {
			den.Mul(den, pmf.RaiseInt(k.one.den, k.n))
		}
	}
	worth, out := func(x int64) int64 { return x }, scale
	if s.Score != nil {
		out = 1
		worth = func(x int64) int64 { return s.Worth(big.NewRat(x, scale)).Num().Int64() }
	}
	lo, hi := dice.Span(s.Select, count)
	l, err := v.sumChosen(parts, lo, hi, worth, s.Text)
	if err != nil {
		return nil, err
	}
	p := v.fromLine(l, den)
	p.scale = out
	return p, nil
}

// partsOf are the parts of a set, equal ones together, over one scale. Equal ones are found by their text: {2d6, 2d6, d8}
// has two kinds, of which the first has two, and a choice then has 3·2 states where three kinds would have 2·2·2. A group
// that a joint distribution has fixed stands by itself, since another one of the same text is still random.
//
// Scales are aligned in two passes: the first leaves at part 0 the common scale of all, the second brings it to the rest.
func (v *evaluator[W]) partsOf(s *dice.Set) (out []kind[W], err error) {
	at := map[string]int{}
	for _, item := range s.Items {
		pool, isPool := item.(*dice.Pool)
		_, known := v.fixed[pool]
		if isPool && !s.Merged && !known {
			if k, ok := at[pool.Text]; ok {
				out[k].n++
				continue
			}
			at[pool.Text] = len(out)
		}
		k := kind[W]{n: 1}
		if s.Merged {
			k.n = pool.Count
			k.one, err = v.dieDistribution(pool, true)
		} else {
			k.one, err = v.distributionOf(item)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	for i := range out {
		if out[0].one, out[i].one, err = alignScales(out[0].one, out[i].one); err != nil {
			return nil, err
		}
	}
	for i := range out {
		if out[i].one, _, err = alignScales(out[i].one, out[0].one); err != nil {
			return nil, err
		}
	}
	return out, nil
}
