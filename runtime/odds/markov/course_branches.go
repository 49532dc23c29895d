package markov

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// Choices within an event, settled from the last to the first. A row counts for a level if the levels behind it have
// made the choice that the row has (isTaken). So the rows that are compared at level k are those with any choice up to
// k and the best ones behind it; their weights, grouped by what is known and by the choice, are what each choice leads
// to.
//
// In numbers: a d6 may be rolled again once, and the state with the face f is worth f. At the face 3, kept weighs 1/6
// and is worth 3·1/6 = 3/6; again weighs 6·1/36 = 1/6 and is worth 21·1/36 = 3.5/6. Again is better, as it is up to 3.
// Both weigh the same, because the chance of what is known does not depend on the choice: so the sums are compared as
// they are. A choice that weighs less leads to no state with some chance, as when the event is refused.
//
// Settling costs levels · rows · levels for each turn of value iteration. It ends because each level is settled once.

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

// settle makes the best choices for what the states are worth. A choice that the event refuses is not made while another
// leads to more; one that was made stays where none is better.
func (b *branches) settle(c *settling) {
	for k := len(b.levels) - 1; k >= 0; k-- {
		l := &b.levels[k]
		byChoice := make([]map[int64]*weighed, len(l.best))
		for i := range b.rows {
			x := &b.rows[i]
			if !b.isTaken(x, k+1) {
				continue
			}
			known := x.Known[k]
			if byChoice[known] == nil {
				byChoice[known] = map[int64]*weighed{}
			}
			a := byChoice[known][x.Chosen[k]]
			if a == nil {
				a = &weighed{}
				byChoice[known][x.Chosen[k]] = a
			}
			a.mass += x.p
			a.add(x.p, c.worth[x.to])
		}
		for known, all := range byChoice {
			l.best[known] = c.bestChoice(l.options[known], l.best[known], all)
		}
	}
}

// prospectFrom is what the event is worth in the state from with the choices that were made, and how likely it leaves this
// state as it is: because it leads back to it, or is refused.
func (b *branches) prospectFrom(c *settling, from int) (out prospect, stays float64) {
	sum := 0.0
	for i := range b.rows {
		x := &b.rows[i]
		if !b.isTaken(x, 0) {
			continue
		}
		sum += x.p
		if x.to == from {
			stays += x.p
		} else {
			out.add(x.p, c.worth[x.to])
		}
	}
	if missing := 1 - sum; missing > pmf.RoundingOfSums {
		if why, err := b.reasonOfMissing(missing); err == nil && why.Kind == odds.Refused {
			stays += missing
		}
	}
	return out, stays
}

// reasonOfMissing is why the choices that were made lead to no state with a probability. The endings are those of all
// choices together. So little as the tail of a die that explodes is not followed; of anything more the reason is known only
// if all endings have the same one, and refusals with several messages are one reason.
func (b *branches) reasonOfMissing(p float64) (odds.Ending, error) {
	var others []odds.Ending
	var messages []string
	for _, e := range b.endings {
		if e.Kind == odds.Unfollowed && (p <= math.Ldexp(1, -pmf.UnseenBits) || len(b.endings) == 1) {
			return e.Ending, nil
		}
		if len(others) == 0 || e.Kind != odds.Refused || others[0].Kind != odds.Refused {
			others = append(others, e.Ending)
		}
		messages = append(messages, e.Message)
	}
	if len(others) == 1 {
		return others[0], nil
	}
	return odds.Ending{}, fmt.Errorf(
		"with probability %g the best choice leads to no state, and which of these is the reason "+
			"cannot be told apart from the choices that are not taken: %s", p, strings.Join(messages, "; "))
}

// A weighed choice has the probability with which it leads to a state, and what is expected of it.
type weighed struct {
	prospect
	mass float64
}

// bestChoice is the best of the options in one state of a decision; made is the one that was made before.
func (c *settling) bestChoice(options []int64, made int64, all map[int64]*weighed) int64 {
	most := 0.0
	for _, a := range all {
		most = max(most, a.mass)
	}
	isLegal := func(v int64) bool { return all[v] != nil && all[v].mass >= most*(1-pmf.RoundingOfSums) }
	best := made
	for _, v := range options {
		if isLegal(v) && (!isLegal(best) || c.isBetter(all[v].prospect, all[best].prospect)) {
			best = v
		}
	}
	return best
}

// edges are what the event leads to with the choices that were made. What is missing of it is refused or not followed.
func (b *branches) edges(c *chain, from *stride) ([]edge, *big.Int, error) {
	var out []edge
	at := map[int]int{}
	sum, rest := 0.0, new(big.Int)
	if b.den != nil {
		rest.Set(b.den)
	}
	add := func(e edge) {
		k, ok := at[e.to]
		if !ok {
			at[e.to] = len(out)
			out = append(out, edge{e.to, e.p, e.n})
			return
		}
		if out[k].p += e.p; e.n != nil {
			out[k].n = new(big.Int).Add(out[k].n, e.n)
		}
	}
	for i := range b.rows {
		if x := &b.rows[i]; b.isTaken(x, 0) {
			add(x.edge)
			if sum += x.p; x.n != nil {
				rest.Sub(rest, x.n)
			}
		}
	}
	missing := odds.Ended{P: 1 - sum}
	if b.den != nil {
		missing.P, missing.N = pmf.NumeratorOf(rest).Over(b.den), rest
	}
	if missing.N != nil && missing.N.Sign() == 0 || missing.N == nil && math.Abs(missing.P) < pmf.RoundingOfSums {
		return out, reduceEdges(out, b.den), nil
	}
	why, err := b.reasonOfMissing(missing.P)
	if err != nil {
		return nil, nil, err
	}
	missing.Ending = why
	to, err := c.nodeOfEnding(from, missing)
	if err != nil {
		return nil, nil, err
	}
	add(edge{to, missing.P, missing.N})
	slices.SortFunc(out, func(a, b edge) int { return cmp.Compare(a.to, b.to) })
	return out, reduceEdges(out, b.den), nil
}
