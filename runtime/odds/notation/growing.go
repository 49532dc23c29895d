package notation

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Dice that explode into dice of their own, some of which are then kept. Which of them is kept depends on all others, so
// no die can be summed up by itself, and the number of dice is random. But once it is known how many dice exploded and
// how many did not, each is independent of the others again: one of the faces that explode, or one of the rest. So the
// pool is a mixture over these two numbers of ordinary pools of two kinds (choose.go). Of n dice that explode without
// end the number E of exploded dice has a negative binomial distribution, C(n+E-1, E) p^E (1-p)^n; a limit makes it a
// power of a small polynomial.
//
// An example: the highest of 2d6!. With E sixes there are two dice more that show 1 to 5, in C(E+1, E) = E+1 orders of the
// two chains. E = 0 has 1·25 of 36 ways, and E = 1 has 2·25 of 216: the mix of one die that shows 6 and of two that show 1
// to 5, of which the highest is 6. All mixes together are 25/36 · Σ(E+1)/6^E = 25/36 · (6/5)² = 1. As weights of different
// mixes stand over different powers of the denominator, all are brought to that of the longest.

// A mix is one composition of a growing pool: how many dice of each kind, in the order of kindsOf, and in how many orders
// the chains of explosions come to it. It fixes how many dice there are, so that "keep the highest 2" has a meaning again.
type mix struct {
	counts []int
	orders *big.Int
}

// growingPool returns the distribution of n dice that explode into dice of their own, some of which are kept.
func (v *evaluator[W]) growingPool(p *dice.Pool, n int) (*sparse[W], error) {
	faces, err := v.facesOf(p)
	if err != nil {
		return nil, err
	}
	if p.Explode.Penetrate && p.Explode.Limit > 0 {
		return nil, fmt.Errorf("%s: of dice that penetrate with a limit none can be kept: write the limit or !p", p.Text)
	}
	kinds := v.kindsOf(p, faces)
	mixes, longest, err := v.mixesOf(p, faces, kinds, n)
	if err != nil {
		return nil, err
	}
	kept, settles := settledBy(p, kinds, n)
	if settles { // whatever more explodes is kept no more
		mixes = slices.DeleteFunc(mixes, func(m mix) bool { return m.counts[0] >= kept })
		longest = n + kept
	}
	if err := v.judgeMixes(p, kinds, mixes); err != nil {
		return nil, err
	}
	common := v.powerOfDen(faces.den, longest)
	var values []int64
	var w []W
	for _, m := range mixes {
		size := fillKinds(&m, kinds)
		lo, hi := dice.Span(p.Select, size)
		l, err := v.sumChosen(kinds, lo, hi, p.Worth, p.Text)
		if err != nil {
			return nil, err
		}
		factor := v.of(m.orders)
		if v.isExact {
			factor = factor.Times(v.of(pmf.RaiseInt(faces.den, longest-size)))
		}
		for i, x := range l.Weights {
			if !x.IsZero() {
				values, w = append(values, l.Lo+int64(i)), append(w, x.Times(factor))
			}
		}
	}
	if settles {
		values, w = append(values, int64(kept)*p.Worth(kinds[0].one.values[0])), append(w, v.missingWeight(w, common))
	}
	out := gatherValues(1, values, w, common)
	if p.Explode.Limit == 0 && !settles {
		v.unfollowed = min(1, v.unfollowed+math.Pow(2, -pmf.FollowedBits)) // at most
	}
	return out, nil
}

// settledBy returns a number of exploded dice that decides the kept dice, and reports whether there is one: the highest
// are kept, and dice explode on their greatest value alone. Of 4d6!kh3 three sixes are kept as soon as three dice have
// exploded, whatever comes then. So finitely many ways are followed, and all others come to one value.
func settledBy[W pmf.Weight[W]](p *dice.Pool, kinds []kind[W], n int) (kept int, ok bool) {
	e, on, stops := p.Explode, kinds[0].one.values, kinds[1].one.values
	if e.Limit > 0 || e.Penetrate || len(on) != 1 || len(stops) == 0 || on[0] < stops[len(stops)-1] {
		return 0, false
	}
	// The size is more than any selection counts, so that it leaves as many of one die more only when it keeps.
	size := n + dice.MaxCount
	lo, hi := dice.Span(p.Select, size)
	next, top := dice.Span(p.Select, size+1)
	kept = hi - lo
	return kept, hi == size && top == size+1 && top-next == kept && kept <= n
}

// missingWeight returns the difference between the whole and the sum of weights.
func (c *calculus[W]) missingWeight(w []W, den *big.Int) W {
	p, n := c.tell(pmf.SumWeights(w), den)
	if c.isExact {
		return c.of(new(big.Int).Sub(den, n))
	}
	return any(pmf.Float(max(0, 1-p))).(W)
}

// fillKinds sets the numbers of dice of kinds to those of a composition, and returns the number of all dice.
func fillKinds[W pmf.Weight[W]](m *mix, kinds []kind[W]) (size int) {
	for k, n := range m.counts {
		kinds[k].n = n
		size += n
	}
	return size
}

// judgeMixes refuses compositions that are too much work together, before the first is met. It writes the numbers of dice
// into the kinds, as growingPool does again later: kinds have none of their own.
func (v *evaluator[W]) judgeMixes(p *dice.Pool, kinds []kind[W], mixes []mix) error {
	width, sum := worthWidth(mergedValues(kinds), p.Worth), v.spent
	for i := range mixes {
		lo, hi := dice.Span(p.Select, fillKinds(&mixes[i], kinds))
		work, _, _ := choiceWork(kinds, hi-lo, width)
		if sum += work * v.costOfBits(choiceBits(kinds)); sum > v.all || math.IsNaN(sum) {
			return &odds.BudgetError{Subject: p.Text, Needs: sum, Budget: v.all, What: "steps"}
		}
	}
	return nil
}

// kindsOf are the kinds of dice in a growing pool: those that explode and those that do not, and of dice that penetrate
// the same once more for the dice that are added.
func (v *evaluator[W]) kindsOf(p *dice.Pool, faces *sparse[W]) (out []kind[W]) {
	on, stops := v.splitFaces(p, faces, p.Clamp, false, false)
	out = []kind[W]{{one: on}, {one: stops}}
	if p.Explode.Penetrate {
		on, stops = v.splitFaces(p, faces, p.Clamp, true, false)
		out = append(out, kind[W]{one: on}, kind[W]{one: stops})
	}
	return out
}

// mixesOf are the compositions of a growing pool until the rest is less likely than 2^-64, and the most dice of one. There
// may be a hundred thousand, so the largest is judged before any is made.
//
// Dice that penetrate show one less when they were added, so the first dice are kinds of their own. When first of n
// explode, each begins a chain that ends in one added die that stops; of the added dice more explode as well, distributed
// over these chains. That is C(n, first)·C(first+more-1, more) orders of the counts first, n-first, more and first.
func (v *evaluator[W]) mixesOf(
	p *dice.Pool, faces *sparse[W], kinds []kind[W], n int,
) (out []mix, longest int, err error) {
	share := v.explodingShare(p, faces)
	switch {
	case share == 0:
		return v.padCounts(p, []mix{{[]int{0, n}, big.NewInt(1)}}), n, nil
	case p.Explode.OneForAll:
		return mixesOfOne(n), n + 1, nil
	case p.Explode.Limit > 0:
		largest := mix{counts: []int{n * p.Explode.Limit, n}}
		if err := v.judgeMixes(p, kinds, []mix{largest}); err != nil {
			return nil, 0, err
		}
		out, longest = limitedMixes(n, p.Explode.Limit)
		return out, longest, nil
	}
	most := mostExploded(n, share)
	largest := mix{counts: []int{most, n}}
	if p.Explode.Penetrate {
		largest.counts = []int{n, 0, most, n}
	}
	if err := v.judgeMixes(p, kinds, []mix{largest}); err != nil {
		return nil, 0, err
	}
	for first := 0; first <= n; first++ { // of the first dice so many explode, when that matters
		if !p.Explode.Penetrate {
			first = n
		}
		for more := 0; more+first <= most+n && (first > 0 || more == 0); more++ {
			orders := big.NewInt(1)
			if first > 0 {
				orders.Binomial(int64(first+more-1), int64(more))
			}
			m := mix{[]int{more, n}, orders}
			if p.Explode.Penetrate {
				orders.Mul(orders, new(big.Int).Binomial(int64(n), int64(first)))
				m.counts = []int{first, n - first, more, first}
			}
			out = append(out, m)
			longest = max(longest, more+first+n)
		}
	}
	return out, longest, nil
}

// padCounts appends two counts of 0 for the kinds of dice that penetrate, so that a mix has a number for each kind.
func (v *evaluator[W]) padCounts(p *dice.Pool, list []mix) []mix {
	for i := range list {
		if p.Explode.Penetrate {
			list[i].counts = append(list[i].counts, 0, 0)
		}
	}
	return list
}

// mostExploded returns a bound on the number of dice that explode among n dice and the dice they explode into. It is
// exceeded with a probability below 2^-64.
//
// It is found where the terms C(n+E-1, E) p^E (1-p)^n of the negative binomial distribution, which then fall at least
// as fast as a geometric series, are small enough. The ratio of two neighbouring terms, (n+E-1)/E·p, falls towards p <
// 1; from where it is below 1 all further terms are together at most term/(1-ratio). The terms are in logarithms,
// because they may be below the range of a float.
func mostExploded(n int, p float64) int {
	term := float64(n) * math.Log2(1-p)
	for e := 1; ; e++ {
		ratio := float64(n+e-1) / float64(e) * p
		term += math.Log2(ratio)
		if ratio < 1 && term-math.Log2(1-ratio) < -pmf.FollowedBits {
			return e
		}
	}
}

// mixesOfOne are the compositions of n dice to which one die is added when some of them explode, whatever it shows. Of
// 2d6ra6 25 of 36 ways show no 6 and add nothing. The others add a third die: C(2, 1)·5·6 ways with one 6 and 6 ways with
// two, 66 of 216, and 25/36 + 66/216 = 1.
func mixesOfOne(n int) (out []mix) {
	for on := 0; on <= n; on++ {
		orders := new(big.Int).Binomial(int64(n), int64(on))
		if on == 0 {
			out = append(out, mix{[]int{0, n}, orders})
			continue
		}
		out = append(out, mix{[]int{on + 1, n - on}, orders}, mix{[]int{on, n - on + 1}, orders})
	}
	return out
}

// limitedMixes are the compositions of n dice each of which explodes at most so often. A die that stops has exploded from
// 0 to limit times; one that does not is limit+1 exploded dice. Of n dice of which k stop, the rest have exploded for
// certain, and those that stop s times together in as many ways as s is a sum of k numbers from 0 to limit:
// the coefficient of x^s in (1 + x + … + x^limit)^k, row by row by a sum over a sliding window.
//
// Of one d6 that explodes at most once there are three: it stops at once, 5/6; it explodes and stops, 1/6·5/6; it explodes
// and its second face is one that would explode, 1/36. With 1 for the orders of each that is 1 in all.
func limitedMixes(n, limit int) (out []mix, longest int) {
	sums := [][]*big.Int{{big.NewInt(1)}}
	for k := 1; k <= n; k++ {
		row, before, window := make([]*big.Int, k*limit+1), sums[k-1], new(big.Int)
		for s := range row {
			if s < len(before) {
				window.Add(window, before[s])
			}
			if s > limit {
				window.Sub(window, before[s-limit-1])
			}
			row[s] = new(big.Int).Set(window)
		}
		sums = append(sums, row)
	}
	for on := 0; on <= n*(limit+1); on++ {
		for stops := 0; stops <= n; stops++ {
			if s := on - (n-stops)*(limit+1); s >= 0 && s <= stops*limit {
				orders := new(big.Int).Binomial(int64(n), int64(stops))
				out = append(out, mix{[]int{on, stops}, orders.Mul(orders, sums[stops][s])})
			}
		}
	}
	return out, n * (limit + 1)
}
