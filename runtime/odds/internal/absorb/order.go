package absorb

import "slices"

// A fill is the order in which the states of a component are eliminated and the steps that this may bring up. States are
// numbered here by that order, from 0.
//
// The pattern is symmetric: if k leads to a later state j, or j to k, both j→k and k→j have a place. That costs at most
// twice the memory, and one list tells both.
type fill struct {
	first []int32 // of each state, where its later neighbours begin; one more at the end
	later []int32 // the neighbours that are eliminated later, in ascending order
	cost  float64 // multiplications of one elimination
}

// laterNeighbours returns the later neighbours of a state.
func (f *fill) laterNeighbours(k int) []int32 { return f.later[f.first[k]:f.first[k+1]] }

// A degreeOrder eliminates, again and again, a state that has the fewest neighbours (Tinney and Walker 1967), as Amestoy,
// Davis and Duff (1996) do.
//
// Eliminating a state makes a clique of its neighbours. A clique is not written out: it is an element, the list of its
// members, and a neighbour of a state is a state that it is joined with or a fellow member of one of its elements. An
// element that lies within a later one is dropped. So the lists never grow beyond those of the beginning. The degree is
// bounded and not counted: members that two elements share count twice.
type degreeOrder struct {
	joined   [][]int32 // of each state, the states that it is joined with, except as members of elements
	elements [][]int32 // of each state, the elements that it belongs to
	members  [][]int32 // of each element, numbered by the state that made it; nil when it is dropped
	degree   []int32
	isGone   []bool
	marks    []int32 // of each state, the last elimination in which it was met
	outside  []int32 // of each element, how many of its members are not in the new one
	looked   []int32 // of each element, the last elimination in which outside was set
	// Buckets of states by degree, doubly linked; -1 ends.
	heads, next, before []int32
}

// orderByDegree puts the states of a component into the order of elimination. It returns nil if that takes more than so
// many multiplications or entries.
func orderByDegree(s *Solver, x *component, maxCost float64, maxEntries int) *fill {
	states := s.order[x.from:x.to]
	local := make(map[int32]int32, len(states))
	for k, i := range states {
		local[i] = int32(k)
	}
	n := len(states)
	d := &degreeOrder{
		joined: make([][]int32, n), elements: make([][]int32, n), members: make([][]int32, n), degree: make([]int32, n),
		isGone: make([]bool, n), marks: make([]int32, n), outside: make([]int32, n), looked: make([]int32, n),
		heads: make([]int32, n), next: make([]int32, n), before: make([]int32, n),
	}
	for k, i := range states {
		from, to := s.chain.stepsOf(int(i))
		for e := from; e < to; e++ {
			j, ok := local[s.chain.to[e]]
			if ok && j != int32(k) {
				d.joined[k] = append(d.joined[k], j)
				d.joined[j] = append(d.joined[j], int32(k))
			}
		}
	}
	for k := range d.heads {
		d.heads[k], d.marks[k], d.looked[k] = -1, -1, -1
	}
	for k := n - 1; k >= 0; k-- {
		slices.Sort(d.joined[k])
		d.joined[k] = slices.Compact(d.joined[k])
		d.degree[k] = int32(len(d.joined[k]))
		d.enqueue(int32(k))
	}
	out := &fill{first: make([]int32, 0, n+1)}
	order := make([]int32, 0, n)
	entries := 0
	for least := 0; len(order) < n; {
		for d.heads[least] < 0 {
			least++
		}
		k := d.heads[least]
		d.eliminateState(k, int32(len(order)), n-len(order)-1)
		order = append(order, k)
		size := len(d.members[k])
		entries += size
		if out.cost += float64(size) * float64(size+2); out.cost > maxCost || entries > maxEntries {
			return nil
		}
		for _, i := range d.members[k] {
			least = min(least, int(d.degree[i]))
		}
		out.later = append(out.later, d.members[k]...)
		out.first = append(out.first, int32(len(out.later)-size))
	}
	out.first = append(out.first, int32(len(out.later)))
	place := make([]int32, n)
	sorted := make([]int32, n)
	for at, k := range order {
		place[k], sorted[at] = int32(at), states[k]
	}
	copy(states, sorted)
	for k := range out.later {
		out.later[k] = place[out.later[k]]
	}
	for k := range n {
		slices.Sort(out.laterNeighbours(k))
	}
	return out
}

func (d *degreeOrder) enqueue(i int32) {
	head := &d.heads[d.degree[i]]
	d.next[i], d.before[i] = *head, -1
	if *head >= 0 {
		d.before[*head] = i
	}
	*head = i
}

func (d *degreeOrder) dequeue(i int32) {
	if d.before[i] >= 0 {
		d.next[d.before[i]] = d.next[i]
	} else {
		d.heads[d.degree[i]] = d.next[i]
	}
	if d.next[i] >= 0 {
		d.before[d.next[i]] = d.before[i]
	}
}

// eliminateState makes an element of the neighbours of a state and bounds their degrees anew; now is the number of
// eliminated states, and left the number of the remaining ones without this one.
func (d *degreeOrder) eliminateState(k, now int32, left int) {
	d.dequeue(k)
	d.isGone[k], d.marks[k] = true, now
	var members []int32
	meet := func(i int32) {
		if !d.isGone[i] && d.marks[i] != now {
			d.marks[i] = now
			members = append(members, i)
		}
	}
	for _, i := range d.joined[k] {
		meet(i)
	}
	for _, e := range d.elements[k] {
		for _, i := range d.members[e] {
			meet(i)
		}
	}
	// The members of an absorbed element are kept in d.members until its last reader has dropped it.
	absorbed := d.elements[k]
	for _, e := range absorbed {
		d.looked[e] = -2
	}
	d.joined[k], d.elements[k] = nil, nil
	for _, i := range members {
		for _, e := range d.elements[i] {
			if d.looked[e] == -2 {
				continue
			}
			if d.looked[e] != now {
				d.looked[e], d.outside[e] = now, int32(len(d.members[e]))
			}
			d.outside[e]--
		}
	}
	for _, i := range members {
		d.dequeue(i)
		d.joined[i] = slices.DeleteFunc(d.joined[i], func(j int32) bool { return d.isGone[j] || d.marks[j] == now })
		d.elements[i] = slices.DeleteFunc(d.elements[i], func(e int32) bool {
			return d.looked[e] == -2 || d.outside[e] == 0
		})
		degree := len(d.joined[i]) + len(members) - 1
		for _, e := range d.elements[i] {
			degree += int(d.outside[e])
		}
		d.elements[i] = append(d.elements[i], k)
		d.degree[i] = int32(min(degree, left-1))
		d.enqueue(i)
	}
	for _, e := range absorbed {
		d.members[e] = nil
	}
	d.members[k] = members
	d.looked[k] = -1
}
