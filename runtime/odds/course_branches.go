package odds

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// isTaken reports whether a branch is one of the best choices from a level on.
func (b *branches) isTaken(x *branch, from int) bool {
	for k := from; k < len(b.levels); k++ {
		if b.levels[k].best[x.known[k]] != x.chosen[k] {
			return false
		}
	}
	return true
}

// settle makes the best choices for what the states are worth, and gives what the event is worth with them. A choice that
// the event refuses is not made while another leads to more; one that was made stays where none is better.
func (b *branches) settle(c *settling) prospect {
	for k := len(b.levels) - 1; k >= 0; k-- {
		l := &b.levels[k]
		byChoice := make([]map[int64]*weighed, len(l.best))
		for i := range b.rows {
			x := &b.rows[i]
			if !b.isTaken(x, k+1) {
				continue
			}
			known := x.known[k]
			if byChoice[known] == nil {
				byChoice[known] = map[int64]*weighed{}
			}
			a := byChoice[known][x.chosen[k]]
			if a == nil {
				a = &weighed{}
				byChoice[known][x.chosen[k]] = a
			}
			a.mass += x.p
			a.add(x.p, c.worth[x.to])
		}
		for known, all := range byChoice {
			l.best[known] = c.bestChoice(l.options[known], l.best[known], all)
		}
	}
	var out prospect
	for i := range b.rows {
		if x := &b.rows[i]; b.isTaken(x, 0) {
			out.add(x.p, c.worth[x.to])
		}
	}
	return out
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
	isLegal := func(v int64) bool { return all[v] != nil && all[v].mass >= most*(1-roundingOfSums) }
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
	missing := Ended{P: 1 - sum}
	if b.den != nil {
		missing.P, missing.N = intWeightOf(rest).over(b.den), rest
	}
	if missing.N != nil && missing.N.Sign() == 0 || missing.N == nil && math.Abs(missing.P) < roundingOfSums {
		return out, reduceEdges(out, b.den), nil
	}
	if len(b.endings) != 1 {
		return nil, nil, fmt.Errorf(
			"with probability %g it leads to no state whatever is chosen, for %d reasons; the best choice "+
				"is found where there is one", missing.P, len(b.endings))
	}
	missing.Ending = b.endings[0].Ending
	to, err := c.nodeOfEnding(from, missing)
	if err != nil {
		return nil, nil, err
	}
	add(edge{to, missing.P, missing.N})
	slices.SortFunc(out, func(a, b edge) int { return compare(a.to, b.to) })
	return out, reduceEdges(out, b.den), nil
}
