package eliminate

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// Sets of at most 512 elements as eight words: they are map keys and are compared by value, which a list of numbers
// could not be. The last element is no source but the mark of a loop's carried values.

// A set of sources of chance.
type set [8]uint64

// maxSources is how many a set can hold, besides the mark of what is carried.
const maxSources = 8*64 - 1

// carriedSet marks the nodes that depend on the values that a loop carries.
var carriedSet = singleSet(maxSources)

func singleSet(i int) (s set) {
	s[i/64] = 1 << (i % 64)
	return s
}

func (s set) union(t set) set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s set) difference(t set) set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

func (s set) isSubsetOf(t set) bool { return s.difference(t) == set{} }

func (s set) isDisjointFrom(t set) bool { return s.difference(t) == s }

func (s set) isEmpty() bool { return s == set{} }

func (s set) size() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

func compareSets(a, b set) int {
	if c := cmp.Compare(a.size(), b.size()); c != 0 {
		return c
	}
	return slices.Compare(a[:], b[:])
}

// chooseRegions returns the sets for regions. It chooses among those apart from the sources met already: small ones before
// large ones, each within or beside those chosen before, and of these the outermost that are not all.
//
// Example: of {a}, {b}, {a,b}, {b,c} and {a,b,c}, the last being all, {a} and {b} are chosen, then {a,b}, which holds
// both. {b,c} shares b with it and neither holds the other, so it is left out. The outermost are {a,b} alone. Regions
// must not overlap: each source is met once, and one that two regions shared would be two independent sources.
//
// That all is no region keeps the recursion of makeRegion finite. Sets of equal size are ordered by their bits, so the
// choice does not depend on the order of the map.
func chooseRegions(sets map[set]bool, all, met set) []set {
	var chosen []set
	for _, s := range slices.SortedFunc(maps.Keys(sets), compareSets) {
		fits := func(c set) bool { return c.isSubsetOf(s) || c.isDisjointFrom(s) }
		if s != all && s.isDisjointFrom(met) && s.isDisjointFrom(carriedSet) &&
			!slices.ContainsFunc(chosen, func(c set) bool { return !fits(c) }) {
			chosen = append(chosen, s)
		}
	}
	return slices.DeleteFunc(chosen, func(s set) bool {
		return slices.ContainsFunc(chosen, func(c set) bool { return c != s && s.isSubsetOf(c) })
	})
}
