package markov

import (
	"maps"
	"math/big"
	"slices"
)

// The closed form of an absorbing Markov chain (Kemeny and Snell 1960, chapter 3), in numbers. From A an event leads to
// B or to the end won, from B back to A or to the end lost, each with 1/2. Let v be how often each open state is
// visited, the first time included. Each visit comes from the start or from a visit to a state before it:
//
//	v_A = 1 + v_B/2
//	v_B =     v_A/2
//
// So v_A is 4/3 and v_B is 2/3. Won has the chance 4/3·1/2 = 2/3, lost 2/3·1/2 = 1/3, and as every visit is followed by
// one event, the mean number of events is 4/3 + 2/3 = 2. Following the chain event by event only comes near to these:
// after n events 1/2^n is still open.
//
// One system gives the chances of all ends, because the visits do not depend on what the ends are. Its matrix I - Q
// (transposed) has an inverse if every open state leads to an end sooner or later. Otherwise a circle of states is
// never left, its visits are infinite, elimination finds no pivot, and there is no closed form.
//
// Gauss and Jordan's elimination costs n³ operations on fractions that grow with n, hence maxSolved. Fractions need no
// pivot of a good size, any that is not zero will do.

// solve finds the chance of every end and the mean number of events in closed form: with Q the chances from open state to
// open state, the expected visits v to each solve v = begin + v Q, the chance of an end is what v leads to it, and the mean
// number of events is the sum of v. It gives the chance of every state in which the procedure ends; nil when there is no
// closed form.
//
// The chain must have been followed to all its open states: a state that was met but never expanded has no edges yet,
// and then there is no closed form either. out.Ends is written only when there is one.
func (c *chain) solve(out *Course, begin map[int]*big.Rat) []share {
	var open []int
	for _, i := range c.reachable(begin) {
		if c.nodes[i].status == Open {
			if c.nodes[i].next == nil {
				return nil
			}
			open = append(open, i)
		}
	}
	if !c.exact || len(open) > maxSolved {
		return nil
	}
	visits := c.visits(open, begin)
	if visits == nil {
		return nil
	}
	out.Solved, out.MeanN = true, new(big.Rat)
	reached := map[int]*big.Rat{}
	reach := func(i int, n *big.Rat) {
		if c.nodes[i].status == Open {
			return
		}
		if reached[i] == nil {
			reached[i] = new(big.Rat)
		}
		reached[i].Add(reached[i], n)
	}
	for i, n := range begin {
		reach(i, n)
	}
	for k, i := range open {
		out.MeanN.Add(out.MeanN, visits[k])
		for _, e := range c.nodes[i].next {
			reach(e.to, new(big.Rat).Mul(visits[k], c.nodes[i].fraction(e)))
		}
	}
	return c.sumEnds(out, reached)
}

// reachable are the nodes to which the moves that were taken may lead, in their order.
func (c *chain) reachable(begin map[int]*big.Rat) []int {
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

// sumEnds gives each end the chance of its states, and lists these.
func (c *chain) sumEnds(out *Course, reached map[int]*big.Rat) []share {
	for k := range out.Ends {
		out.Ends[k].N = new(big.Rat)
	}
	shares := []share{}
	for _, i := range slices.Sorted(maps.Keys(reached)) {
		p, _ := reached[i].Float64()
		shares = append(shares, share{at: i, p: p, exact: reached[i]})
		_, e := c.endOf(out, i) // a new one follows an open state of the last event that was followed
		e.N.Add(e.N, reached[i])
	}
	return shares
}

// visits solves for the expected visits by elimination; nil when some state is never left.
//
// Row k says v_k less the sum over j of v_j·p(j to k) is begin_k. So the edge from open[k] to open[to] stands in row
// to, column k; edges to ends stand in no row.
func (c *chain) visits(open []int, begin map[int]*big.Rat) []*big.Rat {
	n := len(open)
	rows := make([][]*big.Rat, n) // row k: the equation of the visits to open[k], its right side last
	at := map[int]int{}
	for k, i := range open {
		at[i] = k
		rows[k] = make([]*big.Rat, n+1)
		for j := range rows[k] {
			rows[k][j] = new(big.Rat)
		}
		rows[k][k].SetInt64(1)
		if b := begin[i]; b != nil {
			rows[k][n].Set(b)
		}
	}
	for k, i := range open {
		for _, e := range c.nodes[i].next {
			if to, ok := at[e.to]; ok {
				rows[to][k].Sub(rows[to][k], c.nodes[i].fraction(e))
			}
		}
	}
	return solveLinear(rows)
}

// solveLinear solves linear equations; nil when they have no single solution.
func solveLinear(rows [][]*big.Rat) []*big.Rat {
	n := len(rows)
	for k := range rows {
		pivot := slices.IndexFunc(rows[k:], func(r []*big.Rat) bool { return r[k].Sign() != 0 })
		if pivot < 0 {
			return nil
		}
		rows[k], rows[k+pivot] = rows[k+pivot], rows[k]
		inverse := new(big.Rat).Inv(rows[k][k])
		for j := k; j <= n; j++ {
			rows[k][j].Mul(rows[k][j], inverse)
		}
		for i := range rows {
			if i != k && rows[i][k].Sign() != 0 {
				factor := new(big.Rat).Set(rows[i][k])
				for j := k; j <= n; j++ {
					rows[i][j].Sub(rows[i][j], new(big.Rat).Mul(factor, rows[k][j]))
				}
			}
		}
	}
	out := make([]*big.Rat, n)
	for k := range rows {
		out[k] = rows[k][n]
	}
	return out
}
