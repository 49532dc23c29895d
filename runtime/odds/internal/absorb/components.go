package absorb

import "slices"

// findComponents divides the states into strongly connected components and orders these, each behind all that lead to it
// (Tarjan 1972). Paths are lists and no recursion, because they may be as long as there are states.
func (s *Solver) findComponents() {
	n := s.chain.countStates()
	s.of = make([]int32, n)
	reached := make([]int32, n) // 1 + when a state was met; 0 before
	low := make([]int32, n)     // the earliest state on the path that a state leads back to
	next := make([]int32, n)    // the step of a state to look at
	isOpen := make([]bool, n)   // the component of the state is not complete
	var path, waiting []int32
	met := int32(0)
	enter := func(i int32) {
		met++
		reached[i], low[i], isOpen[i] = met, met, true
		next[i], _ = s.chain.stepsOf(int(i))
		path, waiting = append(path, i), append(waiting, i)
	}
	for root := range int32(n) {
		if reached[root] > 0 {
			continue
		}
		for enter(root); len(path) > 0; {
			i := path[len(path)-1]
			if _, end := s.chain.stepsOf(int(i)); next[i] < end {
				to := s.chain.to[next[i]]
				next[i]++
				if reached[to] == 0 {
					enter(to)
				} else if isOpen[to] {
					low[i] = min(low[i], reached[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				before := path[len(path)-1]
				low[before] = min(low[before], low[i])
			}
			if low[i] < reached[i] {
				continue
			}
			at := len(waiting) - 1
			for waiting[at] != i {
				at--
			}
			from := int32(len(s.order))
			for _, k := range waiting[at:] {
				isOpen[k], s.of[k] = false, int32(len(s.components))
				s.order = append(s.order, k)
			}
			waiting = waiting[:at]
			s.components = append(s.components, component{from: from, to: int32(len(s.order))})
		}
	}
	// They come out each in front of all that lead to it.
	slices.Reverse(s.order)
	slices.Reverse(s.components)
	for k := range s.components {
		x := &s.components[k]
		x.from, x.to = int32(n)-x.to, int32(n)-x.from
		for _, i := range s.order[x.from:x.to] {
			s.of[i] = int32(k)
		}
	}
}
