package markov

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/absorb"
)

// solve computes the probability of every end and the mean number of events, however many these are, by package absorb.
// It returns the shares of the states in which the procedure ends, and of those that it never leaves. A chain that
// takes more than the budget is left as it was followed.
//
// All states that may be reached have been met. Unless outputs are asked for, states that are one end are one state to
// absorb: then the fractions that have to be found are as many as there are ends.
func (c *chain) solve(out *Course, begin map[int]*big.Rat) []share {
	a := c.newAbsorption(begin)
	budget := float64(c.q.Budget) * workOfBudget
	s := absorb.NewSolver(a.chain, budget)
	if s == nil {
		return nil
	}
	visits := s.Visits()
	var ends []int // the states of a.chain that may be ended in
	for k, i := range a.nodes {
		if isEnd := c.nodes[i].status != Open || s.IsEndless(k); isEnd && visits[k] > 0 {
			ends = append(ends, k)
		}
	}
	var fractions *absorb.Fractions
	if c.exact {
		if !c.asked {
			budget = maxFractionWork
		}
		fractions = s.Exact(ends, visits, budget)
	}
	out.Solved, out.Exact, out.Open = true, fractions != nil, 0
	out.Mean = s.Mean(visits)
	if fractions != nil {
		if out.MeanN = fractions.Mean; out.MeanN != nil {
			out.Mean, _ = out.MeanN.Float64()
		}
		out.OpenN = new(big.Rat)
	}
	for k := range out.Ends {
		out.Ends[k].P, out.Ends[k].N = 0, nil
		if out.Exact {
			out.Ends[k].N = new(big.Rat)
		}
	}
	var shares []share
	for k, at := range ends {
		x := share{at: a.nodes[at], p: visits[at]}
		if n := &c.nodes[x.at]; n.status == Open {
			n.status = Endless
		}
		if fractions != nil {
			x.exact = fractions.Visits[k]
			x.p, _ = x.exact.Float64()
		}
		shares = append(shares, x)
		_, e := c.endOf(out, x.at) // a new one where no event that was followed has come there
		if e.P += x.p; x.exact != nil {
			if e.N == nil {
				e.N = new(big.Rat)
			}
			e.P, _ = e.N.Add(e.N, x.exact).Float64()
		}
	}
	return shares
}

// An absorptionChain is what package absorb is asked about.
type absorptionChain struct {
	chain *absorb.Chain
	nodes []int // of each of its states; of those that are one end, one of them
}

// newAbsorption writes the states that may be reached as a chain to absorb.
func (c *chain) newAbsorption(begin map[int]*big.Rat) *absorptionChain {
	a := &absorptionChain{chain: &absorb.Chain{}}
	at := make([]int, len(c.nodes))
	known := map[endKey]int{}
	for _, i := range c.reachableNodes(begin) {
		end := endKey{c.nodes[i].status, c.nodes[i].why}
		if k, ok := known[end]; ok && end.status != Open && len(c.q.Outputs) == 0 {
			at[i] = k
			continue
		}
		at[i], known[end] = len(a.nodes), len(a.nodes)
		a.nodes = append(a.nodes, i)
	}
	for _, i := range a.nodes {
		a.chain.AddState(c.nodes[i].den)
		if c.nodes[i].status != Open {
			continue
		}
		for _, e := range c.nodes[i].next {
			a.chain.AddStep(at[e.to], e.p, e.n)
		}
	}
	sums := map[int]*big.Rat{}
	for i, p := range begin {
		if sums[at[i]] == nil {
			sums[at[i]] = new(big.Rat)
		}
		sums[at[i]].Add(sums[at[i]], p)
	}
	for k, p := range sums {
		a.chain.BeginAt(k, p)
	}
	return a
}

// reachableNodes returns the nodes to which the moves that were taken may lead, in their order.
func (c *chain) reachableNodes(begin map[int]*big.Rat) []int {
	seen := make([]bool, len(c.nodes))
	var waiting []int
	reach := func(i int) {
		if !seen[i] {
			seen[i] = true
			waiting = append(waiting, i)
		}
	}
	for i := range begin {
		reach(i)
	}
	for k := 0; k < len(waiting); k++ {
		for _, e := range c.nodes[waiting[k]].next {
			reach(e.to)
		}
	}
	slices.Sort(waiting)
	return waiting
}
