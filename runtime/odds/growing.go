package odds

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// Dice that explode into dice of their own, some of which are then kept. Which of them is kept depends on all others, so
// no die can be summed up by itself, and the number of dice is random. But once it is known how many dice exploded and
// how many did not, each is independent of the others again: one of the faces that explode, or one of the rest. So the
// pool is a mixture over these two numbers of ordinary pools of two kinds (choose.go). Of n dice that explode without
// end the number E of exploded dice has a negative binomial distribution, C(n+E-1, E) p^E (1-p)^n; a limit makes it a
// power of a small polynomial.

// A mix is one composition of a growing pool: how many dice of each kind, in how many orders.
type mix struct {
	counts []int
	orders *big.Int
}

// growing is the distribution of n dice that explode into dice of their own, some of which are kept.
func (v *notationCalculus[W]) growing(p *dice.Pool, n int) (*pmf[W], error) {
	faces, err := v.faces(p)
	if err != nil {
		return nil, err
	}
	if p.Explode.Penetrate && p.Explode.Limit > 0 {
		return nil, fmt.Errorf("%s: of dice that penetrate with a limit none can be kept: write the limit or !p", p.Text)
	}
	kinds := v.kindsOf(p, faces)
	mixes, longest := v.mixesOf(p, faces, n)
	common := v.powerOfDen(faces.den, longest)
	var values []int64
	var w []W
	for _, m := range mixes {
		for k := range kinds {
			kinds[k].n = m.counts[k]
		}
		size := 0
		for _, k := range m.counts {
			size += k
		}
		lo, hi := dice.Span(p.Select, size)
		l, err := v.chosen(kinds, lo, hi, p.Worth, p.Text)
		if err != nil {
			return nil, err
		}
		factor := v.of(m.orders)
		if v.whole {
			factor = factor.times(v.of(power(faces.den, longest-size)))
		}
		for i, x := range l.w {
			if !x.zero() {
				values, w = append(values, l.lo+int64(i)), append(w, x.times(factor))
			}
		}
	}
	out := gathered(1, values, w, common)
	if p.Explode.Limit == 0 {
		v.unfollowed = min(1, v.unfollowed+math.Pow(2, -followed)) // at most
	}
	return out, nil
}

// kindsOf are the kinds of dice in a growing pool: those that explode and those that do not, and of dice that penetrate
// the same once more for the dice that are added.
func (v *notationCalculus[W]) kindsOf(p *dice.Pool, faces *pmf[W]) (out []kind[W]) {
	on, stops := v.splitFaces(p, faces, p.Clamp, false, false)
	out = []kind[W]{{one: on}, {one: stops}}
	if p.Explode.Penetrate {
		on, stops = v.splitFaces(p, faces, p.Clamp, true, false)
		out = append(out, kind[W]{one: on}, kind[W]{one: stops})
	}
	return out
}

// mixesOf are the compositions of a growing pool until the rest is less likely than 2^-64, and the most dice of one.
func (v *notationCalculus[W]) mixesOf(p *dice.Pool, faces *pmf[W], n int) (out []mix, longest int) {
	share := v.explodingShare(p, faces)
	switch {
	case share == 0:
		return v.padded(p, []mix{{[]int{0, n}, big.NewInt(1)}}), n
	case p.Explode.Limit > 0:
		return limitedMixes(n, p.Explode.Limit)
	}
	most := mostExploded(n, share)
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
	return out, longest
}

// padded adds the kinds of dice that penetrate, of which there are none.
func (v *notationCalculus[W]) padded(p *dice.Pool, list []mix) []mix {
	for i := range list {
		if p.Explode.Penetrate {
			list[i].counts = append(list[i].counts, 0, 0)
		}
	}
	return list
}

// mostExploded is a number of exploded dice among n and what they explode into that is passed with a probability below
// 2^-64: where the terms C(n+E-1, E) p^E (1-p)^n of the negative binomial distribution, which then fall at least as
// fast as a geometric series, are small enough.
func mostExploded(n int, p float64) int {
	term := float64(n) * math.Log2(1-p)
	for e := 1; ; e++ {
		ratio := float64(n+e-1) / float64(e) * p
		term += math.Log2(ratio)
		if ratio < 1 && term-math.Log2(1-ratio) < -followed {
			return e
		}
	}
}

// limitedMixes are the compositions of n dice each of which explodes at most so often: of one die, j that exploded and
// one that did not, for j below the limit; then the last die is of either kind.
func limitedMixes(n, limit int) (out []mix, longest int) {
	type key struct{ on, stops int }
	one := map[key]*big.Int{{limit + 1, 0}: big.NewInt(1)}
	for j := range limit + 1 {
		one[key{j, 1}] = big.NewInt(1)
	}
	all := map[key]*big.Int{{}: big.NewInt(1)}
	for range n {
		next := map[key]*big.Int{}
		for a, x := range all {
			for b := range one {
				k := key{a.on + b.on, a.stops + b.stops}
				if next[k] == nil {
					next[k] = new(big.Int)
				}
				next[k].Add(next[k], x)
			}
		}
		all = next
	}
	for on := 0; on <= n*(limit+1); on++ {
		for stops := 0; stops <= n; stops++ {
			if x := all[key{on, stops}]; x != nil {
				out = append(out, mix{[]int{on, stops}, x})
			}
		}
	}
	return out, n * (limit + 1)
}
