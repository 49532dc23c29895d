package analyse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// checkOrder reports rows in which a column falls that is declared to rise, or rises that is declared to fall.
func (r *report) checkOrder(b *book.Table) {
	for _, name := range b.Rising {
		r.checkMonotone(b, name, 1, "fall", "rising")
	}
	for _, name := range b.Falling {
		r.checkMonotone(b, name, -1, "rise", "falling")
	}
}

// checkMonotone reports the numbers of a column that go the wrong way, each against the row before it in the order of
// the keys. sign is 1 for a column that must not fall and -1 for one that must not rise.
func (r *report) checkMonotone(b *book.Table, name book.Text, sign float64, mustNot, declared string) {
	values, ok := r.columnNumbers(b, name)
	if !ok {
		return
	}
	order := inOrder(b)
	for k := 1; k < len(order); k++ {
		last, i := order[k-1], order[k]
		if (values[i]-values[last])*sign >= 0 {
			continue
		}
		at := b.Rows[i].Cells[columnOf(b, name.S)].Place
		d := r.diags.Addf("table-order", at, subjectOf(b),
			"column %s must not %s: it is %s in the row %s and %s in the row %s (declared `%s`)",
			name.S, mustNot, formatNumber(values[last]), b.Rows[last].String(), formatNumber(values[i]), b.Rows[i].String(),
			declared)
		d.Related = append(d.Related, diag.Related{Place: name.Place, Message: "declared here"})
	}
}

// inOrder lists rows by their keys; those of a keyed table as written.
func inOrder(b *book.Table) []int {
	out := indices(b.Rows)
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(b.Rows[i].Lo, b.Rows[j].Lo) })
	return out
}

func columnOf(b *book.Table, name string) int {
	return slices.IndexFunc(b.Columns, func(m plan.Member) bool { return m.Name == name })
}

// columnNumbers returns the values of a column, row by row; a column that is not there, or has no numbers, is reported.
func (r *report) columnNumbers(b *book.Table, name book.Text) ([]float64, bool) {
	i := columnOf(b, name.S)
	if i < 0 {
		var known []string
		for _, m := range b.Columns {
			known = append(known, m.Name)
		}
		r.diags.Addf("unknown-column", name.Place, subjectOf(b), "no row has a column %s",
			name.S).Repair = diag.DidYouMeanOneOf(name.S, known)
		return nil, false
	}
	if k := b.Columns[i].Shape.Kind; k != plan.Int && k != plan.Double {
		r.diags.Addf("unknown-column", name.Place, subjectOf(b), "the column %s has no numbers", name.S)
		return nil, false
	}
	var out []float64
	for k := range b.Rows {
		v, _ := strconv.ParseFloat(b.Rows[k].Cells[i].JSON, 64)
		out = append(out, v)
	}
	return out, true
}

// reportDominated reports rows that cost as much as another, or more, and are better in nothing and worse in something.
func (r *report) reportDominated(b *book.Table) {
	if b.Cost.S == "" {
		return
	}
	cost, ok := r.columnNumbers(b, b.Cost)
	var benefits [][]float64
	for _, name := range b.Benefit {
		values, known := r.columnNumbers(b, name)
		benefits, ok = append(benefits, values), ok && known
	}
	if !ok || len(benefits) == 0 {
		return
	}
	for i := range b.Rows {
		if k := betterRow(cost, benefits, i); k >= 0 {
			d := r.diags.Addf("table-dominated", b.Rows[i].Place, subjectOf(b),
				"nobody takes %s: %s costs no more and is nowhere worse in %s",
				b.Rows[i].String(), b.Rows[k].String(), joinNames(b.Benefit))
			d.Related = append(d.Related, diag.Related{Place: b.Rows[k].Place, Message: "the better row"})
		}
	}
}

// betterRow returns a row that costs no more than another, is nowhere worse, and differs in its favour; -1 for none.
//
// Equal rows do not dominate each other: favour is strict. So of two rows that differ in name alone
// none is reported; a list of equivalent weapons is a matter of style.
func betterRow(cost []float64, benefits [][]float64, i int) int {
	return slices.IndexFunc(indices(cost), func(k int) bool {
		favour := cost[k] < cost[i]
		for _, column := range benefits {
			if column[k] < column[i] {
				return false
			}
			favour = favour || column[k] > column[i]
		}
		return favour && cost[k] <= cost[i]
	})
}

func indices[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}

func joinNames(list []book.Text) string {
	var out []string
	for _, t := range list {
		out = append(out, t.S)
	}
	return strings.Join(out, ", ")
}

// reportTwins reports tables that are cut alike but for a few limits: one of them may be misprinted, or mistyped.
func (r *report) reportTwins() {
	for i, a := range r.book.Tables {
		for _, b := range r.book.Tables[i+1:] {
			if k := firstDifference(a, b); k >= 0 {
				d := r.diags.Addf("table-twins", b.Rows[k].Place, subjectOf(b),
					"it is cut like the table %s but for the row %s, which is %s there",
					a.ID, b.Rows[k].String(), a.Rows[k].String())
				d.Related = append(d.Related, diag.Related{Place: a.Rows[k].Place, Message: "the row there"})
			}
		}
	}
}

// leastRows is how many rows tables must have to be twins.
const leastRows = 4

// firstDifference returns the first row in which twins differ; -1 for tables that are none. Twins have the same number of
// rows, three of four at the same keys, and a column in common.
//
// The bound of a quarter comes from the books: two tables with the same limits throughout are a
// pattern, and two whose limits differ at random have nothing to do with each other. A slip changes
// one or two limits.
func firstDifference(a, b *book.Table) int {
	if a.Kind != b.Kind || !a.Kind.HasNumbers() || len(a.Rows) != len(b.Rows) || len(a.Rows) < leastRows ||
		!shareColumn(a, b) {
		return -1
	}
	first, differing := -1, 0
	for i := range a.Rows {
		if a.Rows[i].RowKey == b.Rows[i].RowKey {
			continue
		}
		if differing++; first < 0 {
			first = i
		}
	}
	if differing*4 > len(a.Rows) {
		return -1
	}
	return first
}

func shareColumn(a, b *book.Table) bool {
	return slices.ContainsFunc(a.Columns, func(m plan.Member) bool { return columnOf(b, m.Name) >= 0 })
}
