package notation

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Choosing some of several dice by their order, where the walk from one end does not answer (package pmf): dice of
// several kinds, from the middle, or from a pool whose size is random. Values are walked from the lowest up. A state is
// how many dice of each kind have fallen, and has the line of the sums of those that were chosen; at each value each kind
// lets some of its dice fall, in as many ways as a binomial coefficient says. The dice of one value lie beside each other
// in the order, so only the number that lies within the chosen range matters, and not of which kind they are.
//
// The middle of 3d4 is the dice from lo = 1 to below hi = 2. Let them be 1, 3, 3. At the value 1 one of 3 falls, in C(3,1)
// = 3 ways, at the places 0..1, of which none is chosen. At the value 3 the two others fall, in C(2,2) = 1 way, at the
// places 1..3, of which one is chosen: the line is moved by 3. So the middle is 3 in 3 of 64 ways by these dice.
//
// The kinds are met one after the other within a value. Dice of two kinds that show the same are thus taken as if those of
// the first kind lay lower, which changes nothing: they are worth the same. With n_k dice of kind k there are Π(n_k+1)
// states, and a value costs for each at most n_k+1 shifted additions of a line (choiceWork). It is a dynamic program over
// order statistics; the product of the binomials on a path is the multinomial coefficient of its dice.

// A kind is some equal dice. Of a distinct kind no two show the same: they are a hand of cards. Hands are counted without
// order, so that one card of each value falls in one way, and the denominator is C(cards, n).
type kind[W pmf.Weight[W]] struct {
	one      *sparse[W]
	n        int
	distinct bool
}

// A choice is kinds of dice of which those in lo..hi-1, in rising order, are chosen and worth something.
//
// The number of a state is how many dice of each kind have fallen, in mixed radix: with 2 dice of the first kind and 1 of
// the second the radixes are 1 and 3, and state 5 = 2 + 1·3 is all of them. A state that nothing has reached is nil. In
// each line of states cell i holds the weight of the sum (hi-lo)·least + i, so that no index is negative where worths are;
// before a die is chosen the sum is 0, which is why least is never above it. addKind replaces states, and nothing else
// changes after the first value.
type choice[W pmf.Weight[W]] struct {
	*calculus[W]
	kinds      []kind[W]
	lo, hi     int
	worth      func(int64) int64
	leastWorth int64 // the least worth of a die, 0 or below
	size       int   // cells of a line of sums
	radix      []int // of each kind in the number of a state
	states     [][]W
	ways       *pmf.Binomials[W]
	subject    string
}

// sumChosen returns the distribution of the chosen dice's total worth, over the product of the denominators of all
// dice.
func (c *calculus[W]) sumChosen(kinds []kind[W], lo, hi int, worth func(int64) int64, subject string) (pmf.Line[W], error) {
	x := choice[W]{calculus: c, kinds: kinds, lo: lo, hi: hi, worth: worth, subject: subject}
	values, dice := mergedValues(kinds), 0
	for _, v := range values {
		x.leastWorth = min(x.leastWorth, worth(v))
	}
	work, states, cells := choiceWork(kinds, hi-lo, worthWidth(values, worth))
	if held := states * cells * c.wordsOfBits(choiceBits(kinds)); held > maxParts {
		return pmf.Line[W]{}, &odds.BudgetError{Subject: subject, Needs: held, Budget: maxParts, What: "numbers in memory"}
	}
	if err := c.spend(subject, work*c.costOfBits(choiceBits(kinds)), nil); err != nil {
		return pmf.Line[W]{}, err
	}
	radix := 1
	for _, k := range kinds {
		x.radix = append(x.radix, radix)
		radix *= k.n + 1
		dice += k.n
	}
	x.size = int(cells)
	x.ways = pmf.NewBinomials(c.of, dice)
	x.states = make([][]W, int(states))
	x.states[0] = make([]W, x.size)
	x.states[0][-int64(hi-lo)*x.leastWorth] = c.unit
	at := make([]int, len(kinds))
	for _, v := range values {
		for k := range kinds {
			one := kinds[k].one
			if at[k] < len(one.values) && one.values[at[k]] == v {
				x.addKind(k, worth(v), one.w[at[k]])
				at[k]++
			}
		}
	}
	all := x.states[len(x.states)-1]
	if all == nil {
		all = make([]W, x.size)
	}
	return pmf.Line[W]{Lo: int64(hi-lo) * x.leastWorth, Weights: all}, nil
}

// worthWidth is how far the greatest worth of some values, or 0, is above the least one, or 0.
func worthWidth(values []int64, worth func(int64) int64) float64 {
	least, most := int64(0), int64(0)
	for _, v := range values {
		least, most = min(least, worth(v)), max(most, worth(v))
	}
	return float64(most) - float64(least)
}

// choiceWork is how many products a choice of so many dice takes at most, how many states it has, and the cells of each.
func choiceWork[W pmf.Weight[W]](kinds []kind[W], chosen int, width float64) (work, states, cells float64) {
	states, cells = 1, float64(chosen)*width+1
	for _, k := range kinds {
		states *= float64(k.n + 1)
	}
	for _, k := range kinds {
		work += float64(len(k.one.values)) * states * float64(k.n+1) / 2 * cells
	}
	return work, states, cells
}

// choiceBits is about how many bits the denominator of a choice has. Those of a hand are left out: its weights are counts
// of sets of cards, small beside the weights of dice.
func choiceBits[W pmf.Weight[W]](kinds []kind[W]) (bits float64) {
	for _, k := range kinds {
		if !k.distinct {
			bits += float64(k.n) * float64(k.one.den.BitLen())
		}
	}
	return bits
}

// mergedValues are the values of all kinds, rising, each once. Every kind must meet a value before any meets a greater one;
// else the places that dice take in the order would be wrong.
func mergedValues[W pmf.Weight[W]](kinds []kind[W]) (out []int64) {
	at := make([]int, len(kinds))
	for {
		next, more := int64(math.MaxInt64), false
		for k, i := range at {
			if v := kinds[k].one.values; i < len(v) && (v[i] < next || !more) {
				next, more = v[i], true
			}
		}
		if !more {
			return out
		}
		out = append(out, next)
		for k, i := range at {
			if v := kinds[k].one.values; i < len(v) && v[i] == next {
				at[k]++
			}
		}
	}
}

// addKind lets dice of a kind show a value: j of the left ones, in C(left, j)·w^j. From a state in which some have fallen
// they take the places fallen..fallen+j, and those of them within lo..hi are chosen. The states are written anew, since a
// state that was just reached must not let its dice fall a second time at the same value.
func (x *choice[W]) addKind(k int, worth int64, w W) {
	kind, radix := x.kinds[k], x.radix[k]
	most := kind.n
	if kind.distinct {
		most = 1
	}
	powers := pmf.ListPowers(w, most, x.unit)
	next := make([][]W, len(x.states))
	for s, sums := range x.states {
		if sums == nil {
			continue
		}
		fallen, left := x.countFallen(s), kind.n-s/radix%(kind.n+1)
		for j := 0; j <= min(left, most); j++ {
			factor := powers[j]
			if !kind.distinct {
				factor = factor.Times(x.ways.Row(left)[j])
			}
			within := max(0, min(fallen+j, x.hi)-max(fallen, x.lo))
			to := s + j*radix
			if next[to] == nil {
				next[to] = make([]W, x.size)
			}
			addShifted(next[to], sums, int64(within)*worth, factor)
		}
	}
	x.states = next
}

// addShifted adds a line of sums, moved and times a weight.
func addShifted[W pmf.Weight[W]](to, from []W, by int64, factor W) {
	for i, w := range from {
		if !w.IsZero() {
			to[int64(i)+by] = to[int64(i)+by].Plus(w.Times(factor))
		}
	}
}

// countFallen returns the number of dice that have fallen in a state.
func (x *choice[W]) countFallen(s int) (n int) {
	for k, kind := range x.kinds {
		n += s / x.radix[k] % (kind.n + 1)
	}
	return n
}
