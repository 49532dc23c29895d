// Package analyse turns a plan, and the book that it was made from, into warnings: what no compiler must refuse and its
// author would rather know. It changes nothing.
//
// # Gaps and overlaps
//
// A table that a person copies from a book goes wrong in few ways: a row is missing, a limit is off by one so that two rows
// meet or leave a number between them, a row is there that no dice can reach. Overlaps are errors and found by the check,
// from the rows alone. Gaps cannot be: a table of hit locations from 1 to 100 has no gap for a d100 and one for d100 + 5.
// What counts is which keys formulas really ask for.
//
// The first answer is an interval. Package interval bounds every node of every graph from the input's schema on, and so
// the keys of each look-up; what lies between the limits is tried key by key where there are at most mostKeys. Intervals
// know no relations, though: they take "2 * die" for every number from 2 to 12, and "a - a" for anything. So the second
// answer is the exact odds of the key (exact.go): the part of the graph that the key depends on is cut out, every value
// of the input that it reads becomes one more die with a face for each value that the schema admits, and the engine of
// the odds is asked for the support. This is sound because a key without a chance there has none in play, and it is
// complete within the budget, where it replaces the interval.
//
// A key without a row is a problem only if somebody notices. "roll > 5 ? chart(roll) : 0" never looks up a 3, although the
// graph computes both arms. So the fault of the look-up is followed through its users to the answers (guard.go): each
// selection on the way adds the condition under which it lets the fault through, and a key counts only where the
// conditions of one of these paths hold together with it. The truths are asked for in one distribution with the key.
//
// # What rows say
//
// A column that is declared to rise may not fall; a row that costs as much as another and is better in nothing is one
// that nobody takes; two tables that are cut alike but for a quarter of their rows at most are often one table with a
// misprint. These compare cells and need no graph (column.go).
//
// An author answers a warning by mending the table or by an allowance with a reason; an allowance that allows nothing is
// a warning itself, so that they do not pile up.
//
// Invariant: a row that is said to be unreached is reached by no character, no input, no option and no dice; what is said
// of gaps may be prevented by something that neither intervals nor the conditions of one look-up see.
package analyse

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Run reports the oddities of a ruleset.
func Run(p *plan.Plan, b *book.Ruleset, diags *diag.List) {
	r := &report{plan: p, book: b, diags: diags, symbols: map[string]int64{}}
	for i, s := range p.Symbols {
		r.symbols[s] = int64(i)
	}
	r.walkGraphs()
	for i := range p.Tables {
		if t := r.tableOf(&p.Tables[i]); t != nil {
			r.checkTable(&p.Tables[i], t, r.uses[i])
		}
	}
	r.reportTwins()
	r.runTrials()
}

// tableOf returns a table as its author wrote it, or that of the columns of one; nil of a table that stands in no book.
func (r *report) tableOf(t *plan.Table) *book.Table {
	for _, b := range r.book.Tables {
		switch {
		case b.ID == t.ID:
			return b
		case b.Across != nil && t.ID == plan.AcrossID(b.ID):
			return b.Across
		}
	}
	return nil
}

func (r *report) checkTable(t *plan.Table, b *book.Table, u use) {
	r.reportUnreached(t, b, u)
	for _, l := range u.looks {
		r.reportGap(t, b, l)
	}
	r.reportUnreadColumns(t, b, u)
	r.checkOrder(b)
	r.reportDominated(b)
}

// reportUnreadColumns reports columns that no formula needs.
func (r *report) reportUnreadColumns(t *plan.Table, b *book.Table, u use) {
	if b.Across != nil { // which columns are read, the second key says
		return
	}
	slot := int64(0)
	for i, f := range t.Row.Fields {
		read := false
		for range f.Type.Slots() {
			read = read || u.columns[slot]
			slot++
		}
		if !read && len(u.looks) > 0 {
			r.diags.Addf("table-unread", b.Columns[i].Place, subjectOf(b), "no formula needs the column %s", f.Name)
		}
	}
}

// Allow returns a list without the diagnostics that a ruleset allows, and with allowances that allow nothing. Errors are
// never allowed.
//
// It runs last and over the diagnostics of all phases, lint's too: an allowance names a code and not the phase that finds
// it. The list is cloned, because the caller's is shared with callers who want all.
func Allow(b *book.Ruleset, list []diag.Diagnostic) []diag.Diagnostic {
	var unused diag.List
	for i := range b.Allows {
		a := &b.Allows[i]
		n := len(list)
		list = slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return isAllowed(a, &d) })
		if len(list) == n && slices.Contains(diag.Codes(), a.Code.S) {
			unused.Addf("allowance-unused", a.Place, "", "there is nothing to allow: %s %s", a.Code.S, a.At.S).
				Repair = "leave the allowance out"
		}
	}
	return append(list, unused.Sorted()...)
}

func isAllowed(a *book.Allowance, d *diag.Diagnostic) bool {
	return d.Severity != diag.Error && a.Code.S == string(d.Code) &&
		(a.At.S == "" || d.IsWithin(a.At.S))
}
