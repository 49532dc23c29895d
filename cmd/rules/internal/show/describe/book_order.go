package describe

import (
	"cmp"
	"math"
	"slices"
)

// inBookOrder sorts definitions as the book has them. An author writes a file for each chapter, in the chapter's order; so
// files come by the first statement of the book that they carry out, those that carry out none last, and definitions
// as they stand in their file.
//
// Statements are listed in the book's order (golden/RULESET/statements.txt), so their ranks order
// files without anybody numbering chapters. Within a file the author's order is the book's.
func inBookOrder(list []Definition, rank map[string]int) {
	first := map[string]int{}
	for i := range list {
		d := &list[i]
		at, ok := first[d.at.File]
		if !ok {
			at = math.MaxInt
		}
		first[d.at.File] = min(at, firstRank(d.Covers, rank))
	}
	slices.SortStableFunc(list, func(a, b Definition) int {
		return cmp.Or(
			cmp.Compare(first[a.at.File], first[b.at.File]), cmp.Compare(a.at.File, b.at.File),
			cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Col, b.at.Col))
	})
}

// firstRank returns the rank of the first statement of the book among those that a definition
// covers, and math.MaxInt when it covers none that is listed.
func firstRank(covers []string, rank map[string]int) int {
	first := math.MaxInt
	for _, id := range covers {
		if at, ok := rank[id]; ok {
			first = min(first, at)
		}
	}
	return first
}
