package rewrite

import "github.com/tabletop-rules/rules/runtime/plan"

// Lists that are told by counts.
//
// The problem. "The six scores, sorted" has 54,264 outcomes, each of them a list. Were it made of the counts of the
// faces, a formula would push up to six elements for each of sixteen faces, in each of as many states: most of what the
// answer takes.
//
// The idea. A list whose elements are constants, each in one run, is known when it is known how often each element is in
// it, and different counts are different lists. So the counts are the columns of the answer, and nobody makes the list
// before its value is read (eliminate/reading.go). Runs of equal elements that stand side by side are one run, whose
// count is the sum: of "sort(d).map(f, f > 3)" only two counts remain.

// A CountedList is a list that is asked for, of which only the counts of its elements are computed.
type CountedList struct{ Runs []CountedRun }

// A CountedRun is so many equal elements side by side.
type CountedRun struct {
	Count   plan.ID // the node of how many
	Element int64   // as a slot: a constant
}

// Counts returns the nodes of the counts.
func (l *CountedList) Counts() (out []plan.ID) {
	for _, r := range l.Runs {
		out = append(out, r.Count)
	}
	return out
}
