package absorb

// Visits returns the mean number of visits of each state; for an end that is its probability.
//
// In numbers: from A a step leads to B or to the end won, from B back to A or to the end lost, each with 1/2. A is
// eliminated: the steps into A, which are B's half, lead on to B and to won with a quarter each. So B is left, though
// not for itself, with the half to lost and a quarter to won: of the half that comes from A, B is visited 1/2 : 3/4 =
// 2/3 times, and A 1 + 2/3·1/2 = 4/3 times.
func (s *Solver) Visits() []float64 {
	c := s.chain
	visits := append([]float64(nil), c.begin...) // of a state that is not reached yet, what comes from those before
	for k := range s.components {
		x := &s.components[k]
		states := s.order[x.from:x.to]
		switch {
		case s.isEnd(states[0]):
			continue
		case x.fill == nil:
			if i := states[0]; visits[i] > 0 {
				visits[i] /= s.leaveProbability(i)
			}
		default:
			s.visitComponent(x, visits)
		}
		for _, i := range states {
			from, to := c.stepsOf(int(i))
			for e := from; e < to; e++ {
				if j := c.to[e]; s.of[j] != s.of[i] {
					visits[j] += visits[i] * c.p[e]
				}
			}
		}
	}
	return visits
}

// leaveProbability returns the probability that a step leads out of the component of a state.
func (s *Solver) leaveProbability(i int32) (sum float64) {
	from, to := s.chain.stepsOf(int(i))
	for e := from; e < to; e++ {
		if s.of[s.chain.to[e]] != s.of[i] {
			sum += s.chain.p[e]
		}
	}
	return sum
}

// visitComponent replaces the inflow of each state of a component by its visits.
//
// up[at] is the probability of the step from k to its later neighbour, down[at] that of the step back. out is the
// probability of leaving the component, directly or through eliminated states. Steps from a state to itself are not
// stored: they are the remainder to 1.
func (s *Solver) visitComponent(x *component, visits []float64) {
	states, f := s.order[x.from:x.to], x.fill
	up, down := make([]float64, len(f.later)), make([]float64, len(f.later))
	out, leaves := make([]float64, len(states)), make([]float64, len(states))
	place := make([]int32, len(states)) // of each neighbour of one state, where it stands in up and down
	for k, i := range states {
		f.placeNeighbours(k, place)
		from, to := s.chain.stepsOf(int(i))
		for e := from; e < to; e++ {
			j := s.chain.to[e]
			switch at := int(s.at[j] - x.from); {
			case s.of[j] != s.of[i]:
				out[k] += s.chain.p[e]
			case at > k:
				up[place[at]] += s.chain.p[e]
			case at < k:
				down[f.indexOf(at, int32(k))] += s.chain.p[e]
			}
		}
	}
	for k, i := range states {
		begin, end := f.first[k], f.first[k+1]
		sum := out[k]
		for _, p := range up[begin:end] {
			sum += p
		}
		leaves[k] = sum
		coming := visits[i] / sum
		for a := begin; a < end; a++ {
			j := f.later[a]
			visits[states[j]] += coming * up[a]
			back, ahead := down[a]/sum, up[a]/sum
			if back == 0 && ahead == 0 {
				continue
			}
			out[j] += back * out[k]
			if at := f.first[j]; f.first[j+1]-at == end-a-1 { // the neighbours of j are those of k behind it
				for b := a + 1; b < end; b, at = b+1, at+1 {
					up[at] += back * up[b]
					down[at] += down[b] * ahead
				}
				continue
			}
			f.placeNeighbours(int(j), place)
			for b := a + 1; b < end; b++ {
				at := place[f.later[b]]
				up[at] += back * up[b]
				down[at] += down[b] * ahead
			}
		}
	}
	for k := len(states) - 1; k >= 0; k-- {
		coming := visits[states[k]]
		for a := f.first[k]; a < f.first[k+1]; a++ {
			coming += visits[states[f.later[a]]] * down[a]
		}
		visits[states[k]] = coming / leaves[k]
	}
}

// placeNeighbours notes where the later neighbours of a state stand.
func (f *fill) placeNeighbours(k int, place []int32) {
	for a := f.first[k]; a < f.first[k+1]; a++ {
		place[f.later[a]] = a
	}
}

// indexOf returns the index of a later neighbour of a state.
func (f *fill) indexOf(k int, neighbour int32) int32 {
	low, high := f.first[k], f.first[k+1]
	for low < high {
		if mid := (low + high) / 2; f.later[mid] < neighbour {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
