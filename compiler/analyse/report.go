package analyse

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

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
	given   bool  // the key is a field as it is given
	site    *plan.Site
	paths   []path // in which its fault reaches an answer
	free    bool   // it does so whatever formulas choose
}

func subjectOf(b *book.Table) string { return "table " + b.ID }

// A key is one that a look-up can have.
type key struct {
	value runtime.Value
	truth map[plan.ID]bool
}

// mostKeys is how many keys are tried one by one. A table that is asked for more is asked for anything.
const mostKeys = 100_000
