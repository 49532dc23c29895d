package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A keyChecker checks that no key of a table, or of its columns, finds two rows and that every declared key finds one.
type keyChecker struct {
	*book.Table
	disabled []book.Disabling // by homebrews: rows that are missing for them
	diags    *diag.List
	subject  string
}

func (k keyChecker) addf(code diag.Code, at plan.Place, format string, args ...any) *diag.Diagnostic {
	return k.diags.Addf(code, at, k.subject, format, args...)
}

// check checks the keys; over are those that are declared.
func (k keyChecker) check(over keyRange) {
	switch k.Kind {
	case plan.KeyedTable:
		k.checkWords()
	case plan.BandsTable:
		k.checkBands(over)
	case plan.StepsTable:
		k.checkSteps(over)
	default:
		panic("check: keys of a table of another kind: " + k.Kind.String())
	}
}

// A keyRange is the keys that must have a row; the zero keyRange is none.
type keyRange struct {
	declared bool
	min, max float64
}

// checkWords checks that no string is the key of two rows. Which strings are needed is not declared.
func (k keyChecker) checkWords() {
	seen := map[string]*book.Row{}
	for i := range k.Rows {
		row := &k.Rows[i]
		if first := seen[row.Key]; first != nil {
			k.reportTwice(row, first, "the key "+row.Key).Repair = fmt.Sprintf(
				"give one of the %ss a name of its own, or leave it out, with its cells", k.RowNoun())
			continue
		}
		seen[row.Key] = row
	}
}

func (k keyChecker) reportTwice(row, first *book.Row, what string) *diag.Diagnostic {
	d := k.addf("table-duplicate", row.Place, "%s stands in two %ss", what, k.RowNoun())
	d.Related = []diag.Related{{Place: first.Place, Message: "the other " + k.RowNoun()}}
	return d
}

// checkBands checks that no key lies in two rows and, over the declared keys, that every integer lies in one.
//
// It goes through the rows in ascending order of their first key, and next is the least declared
// key that no row so far has. For the bands 1 to 3, 4 to 6 and 8 to 10 over 1d10, next is 1, 4, 7:
// the third row begins behind 7, which is a gap. Keys may be fractions, and a gap between 6.5 and 7
// is none: only integers are declared.
func (k keyChecker) checkBands(over keyRange) {
	if slices.ContainsFunc(k.Rows, isUnread) || k.reportReversedBands() {
		return
	}
	next := over.min
	var last *book.Row
	rows := byLimit(k.Rows)
	for i, row := range rows {
		switch {
		case last != nil && row.Lo <= last.Hi:
			if !overlaps(last, rows[:i]) { // a row that others lie in is told of once
				k.reportOverlap(row, last, rows[i+1:])
			}
		case over.declared && row.Lo > next && next <= over.max:
			k.reportGap(row, keyRange{min: next, max: math.Min(math.Ceil(row.Lo)-1, over.max)}, last)
		}
		next = math.Max(next, math.Floor(row.Hi)+1)
		if last == nil || row.Hi > last.Hi {
			last = row
		}
	}
	if over.declared && last != nil && next <= over.max {
		k.reportGap(last, keyRange{min: next, max: over.max}, nil)
	}
}

// overlaps reports whether a row has a key of one that begins behind it.
func overlaps(row *book.Row, rows []*book.Row) bool {
	i := slices.Index(rows, row)
	return slices.ContainsFunc(rows[i+1:], func(other *book.Row) bool { return other.Lo <= row.Hi })
}

// reportOverlap reports a row that begins in another one. Where both ends are whole numbers it says how one of the two is
// written so that they meet; of two that begin at one key, the later ends later, or has the keys that no row has behind it.
func (k keyChecker) reportOverlap(row, first *book.Row, behind []*book.Row) {
	d := k.addf("table-overlap", row.Place, "%s lies in two %ss", formatNumber(row.Lo), k.RowNoun())
	d.Related = []diag.Related{{Place: first.Place, Message: "the other " + k.RowNoun()}}
	if row.Lo != math.Floor(row.Lo) || first.Hi != math.Floor(first.Hi) {
		d.Repair = fmt.Sprintf("let the other %s end before %s, or this one begin behind %s", k.RowNoun(),
			formatNumber(row.Lo), formatNumber(first.Hi))
		return
	}
	var ways []string
	if row.Lo > first.Lo && row.Place.File == first.Place.File {
		ways = append(ways, fmt.Sprintf("let the other %s end before it: %s", k.RowNoun(),
			k.keysAsWritten(first.Lo, row.Lo-1)))
	}
	free := row.Hi
	if len(behind) > 0 {
		free = math.Max(free, math.Ceil(behind[0].Lo)-1)
	}
	if free > first.Hi {
		ways = append(ways, "let this one begin behind the other: "+k.keysAsWritten(first.Hi+1, free))
	}
	if len(ways) == 0 {
		ways = append(ways, "leave one of the two out")
	}
	d.Repair = strings.Join(ways, ", or ")
}

// keysAsWritten returns a band as it is written.
func (k keyChecker) keysAsWritten(first, last float64) string {
	text := formatNumber(first)
	if first != last {
		text = fmt.Sprintf("[%s, %s]", text, formatNumber(last))
	}
	if k.IsAcross {
		return text
	}
	return "on: " + text
}

// isUnread reports whether the key of a row is none: load has reported it.
func isUnread(row book.Row) bool { return math.IsNaN(row.Lo) || math.IsNaN(row.Hi) }

// reportReversedBands reports bands that end before they begin, and says whether there are any: nothing can be told of
// gaps and overlaps then.
func (k keyChecker) reportReversedBands() bool {
	found := false
	for i := range k.Rows {
		if row := &k.Rows[i]; row.Lo > row.Hi {
			k.addf("table-band", row.Place, "the band ends at %s, before it begins at %s",
				formatNumber(row.Hi), formatNumber(row.Lo)).Repair = "write " + k.keysAsWritten(row.Hi, row.Lo)
			found = true
		}
	}
	return found
}

// reportGap reports keys that no row has, at the row behind them, or at the last row, which has none before it.
func (k keyChecker) reportGap(row *book.Row, gap keyRange, before *book.Row) {
	if gap.min > gap.max {
		return
	}
	keys := "key " + formatNumber(gap.min)
	if gap.min != gap.max {
		keys = "keys " + formatNumber(gap.min) + " to " + formatNumber(gap.max)
	}
	d := k.addf("table-gap", row.Place, "no row has the %s", keys)
	disabled := k.disabledRows()
	d.Related = append([]diag.Related{{Place: k.Over.Place, Message: "the keys are declared here"}}, disabled...)
	d.Repair = fmt.Sprintf("add a %s for them: {%s, ...}", k.RowNoun(), k.keysAsWritten(gap.min, gap.max))
	switch {
	case len(disabled) > 0:
	case row.Lo > gap.max:
		d.Repair = "let this row begin there: " + k.keysAsWritten(gap.min, row.Hi)
		if before != nil {
			d.Repair += ", or the one before end there: " + k.keysAsWritten(before.Lo, gap.max)
		}
	default:
		d.Repair = "let this row end there: " + k.keysAsWritten(row.Lo, gap.max)
		if k.Over.Range && gap.min-1 > k.Over.Min {
			d.Repair += fmt.Sprintf(", or the keys before: over: [%s, %s]",
				formatNumber(k.Over.Min), formatNumber(gap.min-1))
		}
	}
}

func byLimit(rows []book.Row) []*book.Row {
	out := make([]*book.Row, len(rows))
	for i := range rows {
		out[i] = &rows[i]
	}
	slices.SortStableFunc(out, func(a, b *book.Row) int { return cmp.Compare(a.Lo, b.Lo) })
	return out
}

// checkSteps checks that no limit stands twice and that the first declared key has reached one.
// With over: [0, 20] some row must begin at 0 or below: a limit "above 0" does not find the key 0.
func (k keyChecker) checkSteps(over keyRange) {
	if slices.ContainsFunc(k.Rows, isUnread) {
		return
	}
	type limit struct {
		at    float64
		above bool
	}
	seen := map[limit]*book.Row{}
	covered := false
	for i := range k.Rows {
		row := &k.Rows[i]
		l := limit{row.Lo, row.Above}
		if first := seen[l]; first != nil {
			d := k.reportTwice(row, first, "the limit "+formatNumber(row.Lo))
			d.Repair = fmt.Sprintf("give this row a limit of its own, as %s: %s, or leave one of the two out",
				limitField(row), formatNumber(k.freeLimit(row.Lo)))
			continue
		}
		seen[l] = row
		covered = covered || row.Lo < over.min || row.Lo == over.min && !row.Above
	}
	if over.declared && !covered && len(k.Rows) > 0 {
		least := byLimit(k.Rows)[0]
		d := k.addf("table-gap", k.Over.Place, "no row has the key %s: the least limit is above it",
			formatNumber(over.min))
		d.Related = append(k.disabledRows(), diag.Related{Place: least.Place, Message: "the least limit"})
		d.Repair = fmt.Sprintf("let that row begin there: from: %s", formatNumber(over.min))
		if k.Over.Range && !least.Above && least.Lo < over.max {
			d.Repair += fmt.Sprintf(", or the keys with it: over: [%s, %s]", formatNumber(least.Lo), formatNumber(over.max))
		}
	}
}

// limitField returns the name of the field that has the limit of a row.
func limitField(row *book.Row) string {
	if row.Above {
		return "above"
	}
	return "from"
}

// freeLimit returns the first whole number above a limit that is none of a table's.
func (k keyChecker) freeLimit(limit float64) float64 {
	free := math.Floor(limit) + 1
	for slices.ContainsFunc(k.Rows, func(row book.Row) bool { return row.Lo == free }) {
		free++
	}
	return free
}

// disabledRows returns the places where homebrews disable rows of a table.
func (k keyChecker) disabledRows() []diag.Related {
	var out []diag.Related
	for _, d := range k.disabled {
		if len(d.Path) == 4 && d.Path[0] == "tables" && d.Path[1] == k.ID {
			out = append(out, diag.Related{Place: d.Place, Message: "homebrew " + d.Overlay + " disables the row " +
				d.Path[3]})
		}
	}
	return out
}
