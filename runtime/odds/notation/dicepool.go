package notation

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// poolDistribution returns the distribution of a group of dice. Where their number is random, as in (d4)d6, it is a
// mixture: the parts 1d6 to 4d6, each weighted with 1/4, over the common denominator 4·1296. The greatest number is
// judged first, so that a group that is refused is refused before smaller ones are computed.
func (v *evaluator[W]) poolDistribution(p *dice.Pool) (*sparse[W], error) {
	if p.Faces.Sized != nil {
		return v.sizedPool(p)
	}
	if p.Counted == nil {
		return v.countedPool(p, p.Count)
	}
	counts, err := v.distributionOf(p.Counted)
	if err != nil {
		return nil, err
	}
	if last := len(counts.values) - 1; last >= 0 { // the most dice are the first to be too many
		if _, err := dice.CountOf(p, big.NewRat(counts.values[last], counts.scale)); err != nil {
			return nil, err
		}
	}
	var parts []*sparse[W]
	for _, x := range counts.values {
		n, err := dice.CountOf(p, big.NewRat(x, counts.scale))
		if err != nil {
			return nil, err
		}
		part, err := v.countedPool(p, n)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return v.mixValues(counts.den, counts.w, parts)
}

// sizedPool is the distribution of a group whose dice have a number of faces that is rolled: a mixture of groups of each
// size. d(d2) is 1 in 1/2 by a die of one face, and 1 or 2 in 1/4 each by a d2.
func (v *evaluator[W]) sizedPool(p *dice.Pool) (*sparse[W], error) {
	sizes, err := v.distributionOf(p.Faces.Sized)
	if err != nil {
		return nil, err
	}
	var parts []*sparse[W]
	for _, x := range sizes.values {
		n, err := dice.SizeOf(p, big.NewRat(x, sizes.scale))
		if err != nil {
			return nil, err
		}
		q := *p
		q.Faces = dice.Sides{Count: n}
		part, err := v.poolDistribution(&q)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return v.mixValues(sizes.den, sizes.w, parts)
}

// kindsOfDie is the distribution of one die that is one of several kinds by chance.
func (v *evaluator[W]) kindsOfDie(p *dice.Pool) (*sparse[W], error) {
	var parts []*sparse[W]
	var shares []W
	den, before := big.NewInt(int64(p.Faces.Count)), v.unfollowed
	for _, k := range p.Faces.Kinds {
		part, err := v.distributionOf(k.Node)
		if err != nil {
			return nil, err
		}
		for _, x := range part.values {
			if _, err := dice.FaceOf(p, big.NewRat(x, part.scale)); err != nil {
				return nil, err
			}
		}
		parts = append(parts, part.mapValues(1, func(x int64) int64 { return x / part.scale }))
		shares = append(shares, v.weightOf(big.NewInt(k.Weight), den))
	}
	v.unfollowed = min(1, before+(v.unfollowed-before)*mostDice(p)) // at most
	return v.mixValues(den, shares, parts)
}

// countedPool returns the distribution of so many dice of a pool. There is a way for each form, the narrowest first: a
// hand of cards; dice that explode into further dice which are kept or dropped themselves (growing.go); all dice, a
// power of one; the highest or the lowest, which package pmf keeps in time that hardly depends on n; and any other
// range (choose.go).
//
// A die enters with its worth where all dice count, and with its face where the order decides which of them do. Worth
// need not rise with the face, so it may only be taken behind the choice.
func (v *evaluator[W]) countedPool(p *dice.Pool, n int) (*sparse[W], error) {
	if n == 0 {
		return v.constantOf(1, 0), nil
	}
	lo, hi := dice.Span(p.Select, n)
	grows := p.Explode != nil && !p.Explode.Compound
	if width := float64(hi-lo) * leastWidth(p); width > pmf.MaxSupport {
		return nil, &odds.BudgetError{Subject: p.Text, Needs: width, Budget: pmf.MaxSupport, What: "values"}
	}
	switch {
	case p.Unique != dice.AnyFaces:
		return v.handDistribution(p, n, lo, hi)
	case grows && (p.Explode.OneForAll || selectsByOrder(p.Select)):
		return v.growingPool(p, n)
	case lo == 0 && hi == n:
		one, err := v.dieDistribution(p, false)
		if err != nil {
			return nil, err
		}
		return v.sumOfEqual(p, one, n)
	}
	one, err := v.dieDistribution(p, true)
	if err != nil {
		return nil, err
	}
	den := one.den
	if v.isExact {
		den = pmf.RaiseInt(one.den, n)
	}
	if hi == n || lo == 0 {
		return v.keptAtEnd(p, one, n, hi-lo, hi < n, den)
	}
	l, err := v.sumChosen([]kind[W]{{one: one, n: n}}, lo, hi, p.Worth, p.Text)
	return v.fromLine(l, den), err
}

// leastWidth is how many values one die of a pool has at least, as far as that is known before they are listed: 0 where
// something may give several of them the same worth.
func leastWidth(p *dice.Pool) float64 {
	isMerged := p.Score != nil || p.Raise != nil || p.Lower != nil || !p.Faces.IsPlain() ||
		len(p.Again)+len(p.Once) > 0
	for _, s := range p.Select {
		isMerged = isMerged || s.Only != nil
	}
	if isMerged {
		return 0
	}
	return float64(p.Faces.Count)
}

// selectsByOrder reports whether dice are kept or dropped by their order.
func selectsByOrder(list []dice.Selection) bool {
	for _, s := range list {
		if s.Only == nil && (s.Keep || s.N > 0) {
			return true
		}
	}
	return false
}

// sumOfEqual returns the distribution of the sum of n equal dice. Steps are charged as package pmf takes them: in
// fractions by a recurrence whose cost for each cell is the values of one die, in floats by repeated convolution.
func (v *evaluator[W]) sumOfEqual(p *dice.Pool, one *sparse[W], n int) (*sparse[W], error) {
	den := one.den
	if v.isExact {
		den = pmf.RaiseInt(one.den, n)
	}
	width, count := float64(one.span()), float64(n)
	steps := width * width * count * count
	if v.isExact {
		steps = width * count * float64(len(one.values)) * 2
	}
	if n == 1 {
		return one, nil
	}
	if width*count > pmf.MaxSupport {
		return nil, &odds.BudgetError{Subject: p.Text, Needs: width * count, Budget: pmf.MaxSupport, What: "values"}
	}
	if err := v.spend(p.Text, steps, den); err != nil {
		return nil, err
	}
	return v.fromLine(v.raise(one.toLine(), n), den), nil
}

// keptAtEnd returns the distribution of the highest or the lowest of n equal dice. It is charged the work that package
// pmf states: for each value keep²/2 shifted additions of a line of width·keep sums, and n·keep to weigh the dice
// below.
func (v *evaluator[W]) keptAtEnd(p *dice.Pool, one *sparse[W], n, keep int, lowest bool, den *big.Int) (*sparse[W],
	error) {
	width, count := float64(one.span()), float64(keep)
	if width*count > pmf.MaxSupport {
		return nil, &odds.BudgetError{Subject: p.Text, Needs: width * count, Budget: pmf.MaxSupport, What: "values"}
	}
	if err := v.spend(p.Text, width*(count+1)*(count+1)/2*width*count+width*float64(n)*count, den); err != nil {
		return nil, err
	}
	if lowest {
		l := v.keep(one.toLine().Negate(), n, keep, func(x int64) int64 { return p.Worth(-x) }, one.den)
		return v.fromLine(l, den), nil
	}
	return v.fromLine(v.keep(one.toLine(), n, keep, p.Worth, one.den), den), nil
}

// facesOfPool is the distribution of one face that stays, as whole weights, with its denominator. Faces that are rolled
// again for ever (Again) are left out: the die has the distribution under the condition that it shows another one. Those
// that are rolled again once (Once) give their weight to a second roll. Of d6 with the 1 rolled again once, all = 6 and
// again = 1: of 36 ways the 1 has 1·1 and every other face 1·1 + 1·6 = 7, together 1 + 5·7 = 36.
func facesOfPool(p *dice.Pool) (*sparse[pmf.Numerator], *big.Int) {
	values, weights := make([]int64, 0, p.Faces.Count), make([]int64, 0, p.Faces.Count)
	all, again := int64(0), int64(0) // weights of the faces that may stay, and of those that are rolled again once
	p.Faces.Each(func(face, weight int64) {
		if p.Again.Holds(face) {
			return
		}
		all += weight
		if p.Once.Holds(face) {
			again += weight
		}
		values, weights = append(values, face), append(weights, weight)
	})
	den := big.NewInt(all)
	w := make([]pmf.Numerator, len(weights))
	for i, x := range weights {
		w[i] = pmf.NewNumerator(x)
		if again > 0 { // of all² ways: again·x by a second roll, all·x by the first
			share := new(big.Int).Mul(big.NewInt(x), big.NewInt(again))
			if !p.Once.Holds(values[i]) {
				share.Add(share, new(big.Int).Mul(big.NewInt(x), big.NewInt(all)))
			}
			w[i] = pmf.NumeratorOf(share)
		}
	}
	if again > 0 {
		den = new(big.Int).Mul(den, den)
	}
	return gatherValues(1, values, w, den), den
}

// facesOf returns the faces of a pool in this calculus.
func (v *evaluator[W]) facesOf(p *dice.Pool) (*sparse[W], error) {
	if p.Faces.Kinds != nil {
		return v.kindsOfDie(p)
	}
	count := math.Pow(float64(p.Faces.Count), float64(max(1, p.Faces.Digits)))
	if count > pmf.MaxSupport {
		return nil, &odds.BudgetError{Subject: p.Text, Needs: count, Budget: pmf.MaxSupport, What: "values"}
	}
	if err := v.spend(p.Text, 8*count, nil); err != nil {
		return nil, err
	}
	exact, den := facesOfPool(p)
	out := &sparse[W]{scale: 1, values: exact.values, den: den}
	out.w = make([]W, len(exact.w))
	for i, x := range exact.w {
		if i > 0 && x == exact.w[i-1] { // as most are
			out.w[i] = out.w[i-1]
		} else {
			out.w[i] = v.weightOf(x.Int(), den)
		}
	}
	return out, nil
}

// weightOf returns n/den as a weight.
func (v *evaluator[W]) weightOf(n, den *big.Int) W {
	if v.isExact {
		return v.of(n)
	}
	return any(pmf.Float(pmf.NumeratorOf(n).Over(den))).(W) // the other calculus is one of floats
}

// dieDistribution returns the distribution of one die of a pool with all of its explosions: of its face if shown is
// set, because some dice are chosen by it, else of its worth.
func (v *evaluator[W]) dieDistribution(p *dice.Pool, shown bool) (*sparse[W], error) {
	faces, err := v.facesOf(p)
	if err != nil {
		return nil, err
	}
	worth := p.Worth
	if shown {
		worth = func(x int64) int64 { return x }
	}
	switch {
	case p.Explode == nil:
		return faces.mapValues(1, func(x int64) int64 { return worth(p.Clamp(x)) }), nil
	case p.Explode.Compound:
		most, capped := p.Plateau()
		if from, ok := v.caps[p]; ok && p.AddsTotals() && (!capped || from < most) {
			most, capped = from, true
		}
		total, err := v.chainOrCapped(p, faces, func(x int64) int64 { return x }, most, capped)
		if err != nil {
			return nil, err
		}
		return total.mapValues(1, func(x int64) int64 { return worth(p.Clamp(x)) }), nil
	}
	most, capped := v.caps[p]
	return v.chainOrCapped(p, faces, func(x int64) int64 { return worth(p.Clamp(x)) }, most, capped)
}

// explodingShare is how likely a face explodes.
func (v *evaluator[W]) explodingShare(p *dice.Pool, faces *sparse[W]) (on float64) {
	for i, x := range faces.values {
		if p.Explode.On.Holds(x) {
			share, _ := v.tell(faces.w[i], faces.den)
			on += share
		}
	}
	return on
}

// chainDistribution returns the distribution of the total worth of the faces of one die that explodes. It is followed
// until less than 2^-64 goes on, or to its limit.
//
// Each level is one more face. going holds the sums of the chains that go on, ended those that have stopped; a level
// convolves going once with the faces that stop and once with those that explode. Of d6! with weights over 6^level:
// after one level ended is 1 to 5 with 1 of 6 each and going is 6 with 1; after two ended has 1 to 5 with 6 of 36 and 7
// to 11 with 1 of 36. 64/log2(6) = 24.8, so that 26 levels are met.
//
// With a limit the last level lets no face explode and going ends empty. Without one the remainder of going is added to
// unfollowed once for each die, an upper bound on "some die goes on".
func (v *evaluator[W]) chainDistribution(p *dice.Pool, faces *sparse[W], worth func(int64) int64) (*sparse[W], error) {
	e, share := p.Explode, v.explodingShare(p, faces)
	levels := float64(e.Limit + 1)
	if share == 0 {
		levels = 1
	} else if e.Limit == 0 {
		levels = math.Ceil(-pmf.FollowedBits/math.Log2(share)) + 1
	}
	if levels > plan.MaxChain {
		return nil, &odds.BudgetError{Subject: p.Text, Needs: levels, Budget: plan.MaxChain, What: "faces of one die"}
	}
	width := faces.mapValues(1, worth).span() + 1
	if levels*float64(width) > pmf.MaxSupport {
		return nil, &odds.BudgetError{Subject: p.Text, Needs: levels * float64(width), Budget: pmf.MaxSupport,
			What: "values"}
	}
	steps := levels * levels * float64(width) * float64(len(faces.values))
	if err := v.spend(p.Text, steps, v.powerOfDen(faces.den, int(levels))); err != nil {
		return nil, err
	}
	going := &sparse[W]{scale: 1, values: []int64{0}, w: []W{v.unit}, den: big.NewInt(1)}
	ended := &sparse[W]{scale: 1, den: big.NewInt(1)}
	for level := range int(levels) {
		last := e.Limit > 0 && level == e.Limit
		on, stops := v.splitFaces(p, faces, worth, level > 0 && e.Penetrate, last)
		stopped, next := v.convolve(going, stops), v.convolve(going, on)
		ended = v.addEnded(ended, stopped, faces.den)
		going = next
	}
	if len(going.values) > 0 {
		rest, _ := v.tell(pmf.SumWeights(going.w), going.den)
		v.unfollowed = min(1, v.unfollowed+rest*mostDice(p)) // at most
	}
	return ended, nil
}

// mostDice bounds how many dice a pool has.
func mostDice(p *dice.Pool) float64 {
	if p.Counted != nil {
		return dice.MaxCount
	}
	return float64(p.Count)
}

// powerOfDen is a power of a denominator; that of floats is 1.
func (v *evaluator[W]) powerOfDen(den *big.Int, n int) *big.Int {
	if !v.isExact {
		return den
	}
	return pmf.RaiseInt(den, n)
}

// splitFaces returns the worths of the faces that explode and of those that end a chain. The face that fell decides,
// before a penetrating die takes one from it: the 6 of an added d6!p explodes, and is 5.
func (v *evaluator[W]) splitFaces(
	p *dice.Pool, faces *sparse[W], worth func(int64) int64, oneLess, last bool,
) (on, stops *sparse[W]) {
	var values [2][]int64
	var w [2][]W
	for i, x := range faces.values {
		side := 0
		if p.Explode.On.Holds(x) && !last {
			side = 1
		}
		if oneLess {
			x--
		}
		values[side], w[side] = append(values[side], worth(x)), append(w[side], faces.w[i])
	}
	return gatherValues(1, values[1], w[1], faces.den), gatherValues(1, values[0], w[0], faces.den)
}

// convolve returns the distribution of the sum of two parts of distributions, which need not add up to 1: a chain's
// sums that have come so far, and the faces that end it.
func (v *evaluator[W]) convolve(a, b *sparse[W]) *sparse[W] {
	if len(a.values) == 0 || len(b.values) == 0 {
		return &sparse[W]{scale: 1, den: v.multiplyDenominators(a.den, b.den)}
	}
	return v.fromLine(v.join(a.toLine(), b.toLine()), v.multiplyDenominators(a.den, b.den))
}

// addEnded returns the sum of two parts of one distribution; the first has a denominator that is smaller by a factor.
// So all chains that have ended are kept over the denominator of the longest, without a fraction to be reduced.
func (v *evaluator[W]) addEnded(a, b *sparse[W], factor *big.Int) *sparse[W] {
	w := make([]W, len(a.w), len(a.w)+len(b.w))
	for i, x := range a.w {
		if w[i] = x; v.isExact {
			w[i] = x.Times(v.of(factor))
		}
	}
	return gatherValues(1, append(append([]int64{}, a.values...), b.values...), append(w, b.w...), b.den)
}

// handDistribution returns the distribution of dice that are rolled until no two show the same. All sets of n faces are
// then equally likely: 3d6 that differ are C(6,3) = 20 sets. That needs faces of equal weight; else rolling all again
// and rolling one again would be different games, and the notation does not say which.
func (v *evaluator[W]) handDistribution(p *dice.Pool, n, lo, hi int) (*sparse[W], error) {
	faces, err := v.facesOf(p)
	if err != nil {
		return nil, err
	}
	all := new(big.Int).Binomial(int64(len(faces.values)), int64(n))
	for i := range faces.w {
		if _, x := v.tell(faces.w[i], faces.den); x != nil && x.Cmp(big.NewInt(1)) != 0 {
			return nil, fmt.Errorf("%s: dice that must all differ are answered when each value stands on one face", p.Text)
		}
		faces.w[i] = v.unit
	}
	if p.Raise != nil || p.Lower != nil {
		return nil, fmt.Errorf("%s: dice that must all differ are answered without mi and ma", p.Text)
	}
	l, err := v.sumChosen([]kind[W]{{one: faces, n: n, distinct: true}}, lo, hi, p.Worth, p.Text)
	if err != nil {
		return nil, err
	}
	if !v.isExact {
		for i, w := range l.Weights {
			l.Weights[i] = w.Times(v.weightOf(big.NewInt(1), all))
		}
	}
	return v.fromLine(l, all), nil
}
