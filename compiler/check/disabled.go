package check

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// disabled reports that a formula needs what a homebrew disables; it is false when no homebrew does.
func (f *formula) disabled(at plan.Place, path ...string) bool {
	if f.ruleset == nil || !resolve.Disabled(f.ruleset, f.diags, f.subject, at, path...) {
		return false
	}
	f.broken = true
	return true
}

// disabledRow reports a string that an enum lacks only because a homebrew disables the row: the enum is the keys of a
// table.
func (f *formula) disabledRow(c *Expr, want *plan.Type) bool {
	if f.ruleset == nil {
		return false
	}
	return slices.ContainsFunc(f.ruleset.Tables, func(t *book.Table) bool {
		isKey := func(row book.Row, key string) bool { return row.Key == key }
		return t.Kind == book.Keyed && slices.EqualFunc(t.Rows, want.Enum, isKey) &&
			f.disabled(c.Place, "tables", t.ID, "rows", c.Value.String)
	})
}

// disablings are the places where homebrews disable rows of a table.
func (c *pass) disablings(t *book.Table) []diag.Related {
	var out []diag.Related
	for _, d := range c.names.Book.Disabled {
		if len(d.Path) == 4 && d.Path[0] == "tables" && d.Path[1] == t.ID {
			out = append(out, diag.Related{Place: d.Place, Message: "homebrew " + d.Overlay + " disables the row " + d.Path[3]})
		}
	}
	return out
}
