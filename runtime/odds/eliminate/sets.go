package eliminate

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// A set of sources of chance.
type set [4]uint64

// maxSources is how many a set can hold, besides the mark of what is carried.
const maxSources = 4*64 - 1

// carried marks what depends on the values that a loop carries.
var carriedSet = single(maxSources)

func single(i int) (s set) {
	s[i/64] = 1 << (i % 64)
	return s
}

func (s set) or(t set) set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s set) without(t set) set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

func (s set) in(t set) bool { return s.without(t) == set{} }

func (s set) apart(t set) bool { return s.without(t) == s }

func (s set) empty() bool { return s == set{} }

func (s set) size() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

func smaller(a, b set) int {
	if c := cmp.Compare(a.size(), b.size()); c != 0 {
		return c
	}
	return slices.Compare(a[:], b[:])
}

// largest chooses among sets that lie apart from what was met: small ones before large ones, each within or beside
// those chosen before, and of these the outermost that are not all.
func largest(sets map[set]bool, all, met set) []set {
	var chosen []set
	for _, s := range slices.SortedFunc(maps.Keys(sets), smaller) {
		fits := func(c set) bool { return c.in(s) || c.apart(s) }
		if s != all && s.apart(met) && s.apart(carriedSet) &&
			!slices.ContainsFunc(chosen, func(c set) bool { return !fits(c) }) {
			chosen = append(chosen, s)
		}
	}
	return slices.DeleteFunc(chosen, func(s set) bool {
		return slices.ContainsFunc(chosen, func(c set) bool { return c != s && s.in(c) })
	})
}
