package absorb

import (
	"math"
	"math/big"
)

// A Chain is the states and steps of a Markov chain. States are numbered from 0, in the order in which they are added.
//
// Steps are stored by the state that they leave: those of state i are first[i] to first[i+1]. Fractions are numerators
// over one denominator for each state.
type Chain struct {
	first  []int32
	to     []int32
	p      []float64
	n      []*big.Int
	den    []*big.Int // of an end it is not read
	begin  []float64
	beginN []*big.Rat
}

// AddState adds a state. Its steps follow with AddStep; without any it is an end. The denominator is that of their
// numerators, and nil in floats.
func (c *Chain) AddState(den *big.Int) {
	c.first = append(c.first, int32(len(c.to)))
	c.den = append(c.den, den)
	c.begin, c.beginN = append(c.begin, 0), append(c.beginN, nil)
}

// AddStep adds a step of the state that was added last: its probability and, unless that is a float, its numerator.
func (c *Chain) AddStep(to int, p float64, n *big.Int) {
	c.to, c.p, c.n = append(c.to, int32(to)), append(c.p, p), append(c.n, n)
}

// BeginAt sets the chance that the chain begins in a state.
func (c *Chain) BeginAt(state int, p *big.Rat) {
	c.beginN[state] = p
	c.begin[state], _ = p.Float64()
}

// countStates returns the number of states.
func (c *Chain) countStates() int { return len(c.first) }

// stepsOf returns the range of the steps of a state.
func (c *Chain) stepsOf(i int) (from, to int32) {
	if i+1 == len(c.first) {
		return c.first[i], int32(len(c.to))
	}
	return c.first[i], c.first[i+1]
}

// A Solver has a chain in the order in which it is solved.
//
// Invariant: order has every state once, those of a component next to each other, and a component behind all that lead
// to it.
type Solver struct {
	chain      *Chain
	order      []int32 // the states
	at         []int32 // of each state, its place in order
	components []component
	of         []int32 // of each state, the number of its component
	isEndless  []bool  // of each state: it is in a component without a way out
	cost       float64 // of one elimination, in multiplications
}

// A component is a range of Solver.order.
type component struct {
	from, to int32
	fill     *fill // nil of a single state, and of states that are never left
}

// maxFill bounds the steps that may come up while states are eliminated: 16 bytes each.
const maxFill = 24_000_000

// NewSolver orders a chain. It returns nil if elimination would take more than so many multiplications, or too much
// memory.
func NewSolver(c *Chain, maxCost float64) *Solver {
	s := &Solver{chain: c, isEndless: make([]bool, c.countStates())}
	s.findComponents()
	entries := 0
	for k := range s.components {
		x := &s.components[k]
		if s.isClosed(x) {
			for _, i := range s.order[x.from:x.to] {
				s.isEndless[i] = true
			}
			continue
		}
		if x.to-x.from > 1 {
			x.fill = orderByDegree(s, x, maxCost-s.cost, maxFill-entries)
			if x.fill == nil {
				return nil
			}
			s.cost += x.fill.cost
			entries += len(x.fill.later)
		}
	}
	s.at = make([]int32, c.countStates())
	for k, i := range s.order {
		s.at[i] = int32(k)
	}
	return s
}

// isClosed reports whether a component has steps and none of them leaves it.
func (s *Solver) isClosed(x *component) bool {
	steps := 0
	for _, i := range s.order[x.from:x.to] {
		from, to := s.chain.stepsOf(int(i))
		steps += int(to - from)
		for e := from; e < to; e++ {
			if s.of[s.chain.to[e]] != s.of[i] {
				return false
			}
		}
	}
	return steps > 0
}

// IsEndless reports whether a state belongs to those that lead to one another and nowhere else. Such a state is treated as
// an end: its visits are the chance that the chain comes into these states there.
func (s *Solver) IsEndless(state int) bool { return s.isEndless[state] }

// isEnd reports whether the chain goes on from a state no more, as far as is solved.
func (s *Solver) isEnd(i int32) bool {
	from, to := s.chain.stepsOf(int(i))
	return from == to || s.isEndless[i]
}

// Mean returns the mean number of steps, given the visits of all states: infinite if the chain may never end.
func (s *Solver) Mean(visits []float64) (mean float64) {
	for i, v := range visits {
		switch {
		case s.isEndless[i] && v > 0:
			return math.Inf(1)
		case !s.isEnd(int32(i)):
			mean += v
		}
	}
	return mean
}
