package markov

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Choices within an event, made from the last to the first. A row counts for a level if the levels behind it have
// made the choice that the row has (isTaken). So the rows that are compared at level k are those with any choice up to
// k and the best ones behind it; their weights, grouped by what is known and by the choice, are what each choice leads
// to.
//
// In numbers: a d6 may be rolled again once, and the state with the face f is worth f. At the face 3, kept weighs 1/6
// and is worth 3·1/6 = 3/6; again weighs 6·1/36 = 1/6 and is worth 21·1/36 = 3.5/6. Again is better, as it is up to 3.
// Both weigh the same, because the chance of what is known does not depend on the choice: so the sums are compared as
// they are. A choice that weighs less leads to no state with some chance, as when the event is refused: that is worth
// nothing.
//
// All choices cost levels · rows · levels for each turn of value iteration. That ends because each level is chosen once.

// isTaken reports whether a branch is one of the best choices from a level on.
//
// Levels before from are not looked at: there every choice is still open.
func (b *branches) isTaken(x *branch, from int) bool {
	for k := from; k < len(b.levels); k++ {
		if b.levels[k].best[x.Known[k]] != x.Chosen[k] {
			return false
		}
	}
	return true
}

// chooseBest makes the best choices by the worth of the states. A choice that the event refuses whatever falls later
// is not made while another leads to a state; one that was made stays where none is better.
func (b *branches) chooseBest(c *valueIteration) {
	for k := len(b.levels) - 1; k >= 0; k-- {
		l := &b.levels[k]
		byChoice := make([]map[int64]*prospect, len(l.best))
		for i := range b.rows {
			x := &b.rows[i]
			if !b.isTaken(x, k+1) {
				continue
			}
			known := x.Known[k]
			if byChoice[known] == nil {
				byChoice[known] = map[int64]*prospect{}
			}
			a := byChoice[known][x.Chosen[k]]
			if a == nil {
				a = &prospect{}
				byChoice[known][x.Chosen[k]] = a
			}
			a.add(x.p, c.worth[x.to])
		}
		for known, all := range byChoice {
			l.best[known] = c.bestChoice(l.options[known], l.best[known], all)
		}
	}
}

// prospectFrom returns the worth of the event in the state from with the choices that were made, and the probability
// that it leads back to this state. A refusal is worth nothing.
func (b *branches) prospectFrom(c *valueIteration, from int) (out prospect, stays float64) {
	for i := range b.rows {
		x := &b.rows[i]
		switch {
		case !b.isTaken(x, 0):
		case x.to == from:
			stays += x.p
		default:
			out.add(x.p, c.worth[x.to])
		}
	}
	return out, stays
}

// bestChoices returns the best choices of each level.
func (b *branches) bestChoices() (out [][]int64) {
	for i := range b.levels {
		out = append(out, b.levels[i].best)
	}
	return out
}

// bestChoice returns the best of the options in one state of a decision. made is the choice made before, which stays
// unless another is better.
func (c *valueIteration) bestChoice(options []int64, made int64, all map[int64]*prospect) int64 {
	isLegal := func(v int64) bool { return all[v] != nil }
	best := made
	for _, v := range options {
		if isLegal(v) && (!isLegal(best) || c.isBetter(*all[v], *all[best])) {
			best = v
		}
	}
	return best
}

// chosenEdges returns the edges of the event with the choices that were made. They are not whole where some outcome is no
// state.
func (b *branches) chosenEdges() (out []edge, isWhole bool) {
	at := map[int]int{}
	sum, rest := 0.0, new(big.Int)
	if b.den != nil {
		rest.Set(b.den)
	}
	for i := range b.rows {
		x := &b.rows[i]
		if !b.isTaken(x, 0) {
			continue
		}
		if sum += x.p; x.n != nil {
			rest.Sub(rest, x.n)
		}
		k, ok := at[x.to]
		if !ok {
			at[x.to] = len(out)
			out = append(out, x.edge)
			continue
		}
		if out[k].p += x.p; x.n != nil {
			out[k].n = new(big.Int).Add(out[k].n, x.n)
		}
	}
	if b.den != nil {
		return out, rest.Sign() == 0
	}
	return out, math.Abs(1-sum) < pmf.RoundingOfSums
}

// makeChoices makes edges of the branches of an offer in a state, with the choices that are best by now. The branches do
// not tell how the rest of them ends, by whose choice: so where there is a rest, the step is asked for once more.
func (c *chain) makeChoices(i int, o *offer) error {
	if o.branches == nil {
		return nil
	}
	event := c.policy[o.move].Event
	edges, isWhole := o.branches.chosenEdges()
	if isWhole {
		o.edges, o.den = edges, reduceEdges(edges, o.branches.den)
		return nil
	}
	s, err := c.strideOf(i, o.move, []byte(o.input))
	if err != nil {
		return &EventInputError{event, err}
	}
	t, err := c.takeStep(s, o.branches)
	if err == nil {
		o.edges, o.den, err = c.edgesOf(s, t)
	}
	if err != nil {
		return fmt.Errorf("event %s: %w", event, err)
	}
	return nil
}
