// Package analyse turns a plan, and the book that it was made from, into warnings: what no compiler must refuse and its
// author would rather know. It follows the intervals of the plan's graphs and, where that can be afforded, asks for exact
// odds: which keys a table is really asked for, which rows and columns nobody reaches. It changes nothing.
//
// Invariant: a row that is said to be unreached is reached by no character, no input, no option and no dice; what is said
// of gaps may be prevented by something that neither intervals nor the conditions of one look-up see.
package analyse

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Run reports what is odd about a ruleset.
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
}

// A report is what is found about one ruleset.
type report struct {
	plan    *plan.Plan
	book    *book.Ruleset
	diags   *diag.List
	uses    []use            // of each table of the plan
	symbols map[string]int64 // by their texts
}

// A use is how the formulas of a ruleset use a table.
type use struct {
	looks   []*look
	columns map[int64]bool // slots of its rows that something needs
}

// A look is one place where a table is looked up.
type look struct {
	keys    interval.Interval
	exact   []key // all that it can have; nil when only the interval is known
	counted []key // likewise, with the conditions of the paths
	double  bool  // the keys are doubles
	site    *plan.Site
	paths   []path // in which its fault reaches an answer
	free    bool   // it does so whatever formulas choose
}

// tableOf is a table as its author wrote it.
func (r *report) tableOf(t *plan.Table) *book.Table {
	i := slices.IndexFunc(r.book.Tables, func(b *book.Table) bool { return b.ID == t.ID })
	if i < 0 {
		return nil
	}
	return r.book.Tables[i]
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

func subjectOf(b *book.Table) string { return "table " + b.ID }

// reportUnreadColumns reports columns that no formula needs.
func (r *report) reportUnreadColumns(t *plan.Table, b *book.Table, u use) {
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

// Allow takes what a ruleset allows out of a list, and reports allowances that allow nothing. Errors are never allowed.
func Allow(b *book.Ruleset, list []diag.Diagnostic) []diag.Diagnostic {
	var unused diag.List
	for i := range b.Allows {
		a := &b.Allows[i]
		n := len(list)
		list = slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return isAllowed(a, &d) })
		if len(list) == n {
			unused.Addf("allowance-unused", a.Place, "", "there is nothing to allow: %s %s", a.Code.S, a.At.S)
		}
	}
	return append(list, unused.Sorted()...)
}

func isAllowed(a *book.Allowance, d *diag.Diagnostic) bool {
	return d.Severity != diag.Error && a.Code.S == string(d.Code) &&
		(a.At.S == "" || d.Subject == a.At.S || strings.HasPrefix(d.Subject, a.At.S+","))
}
