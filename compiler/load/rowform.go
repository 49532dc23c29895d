package load

import (
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/format"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// The rows of a table and those of a homebrew
//
// An author says once what all rows of a table are, with a pattern:
//
//	keyed: [string]: {damage: int & >=1 & <=20, kind: *"blunt" | "sharp"}
//	bands: [...{on: _, loss: int & <=0}]
//
// CUE holds the author's own rows to it and fills in what they leave out. A homebrew is a module of its own, which CUE
// evaluates without the ruleset, so that the pattern must come to it: the book carries it as CUE text (Table.RowForm), and
// when a homebrew has been applied its rows are unified with that text. The text stands alone: what the pattern refers to
// elsewhere in the package is written out in it.

// readRowForm reads what a table says of all of its rows: the text of the pattern, and the cells that it gives to rows
// which do not say them.
func readRowForm(n *node, t *book.Table) {
	k, ok := n.fieldNamed(t.Kind.String())
	if !ok {
		return
	}
	var form cue.Value
	if t.Kind.HasNumbers() {
		form = elementForm(k.value)
	} else {
		form = k.value.LookupPath(cue.MakePath(cue.AnyString))
	}
	if !form.Exists() || form.Err() != nil || saysNothing(form) {
		return
	}
	text, err := format.Node(form.Syntax(cue.InlineImports(true), cue.Docs(false)), format.Simplify())
	if err != nil {
		k.addf("table-type", "what all rows are cannot be written out: %s", err)
		return
	}
	t.RowForm = book.Text{S: string(text), Place: n.r.placeOf(form.Pos())}
	t.Defaults = defaultCells(k, form, t)
}

// elementForm is what a list says of all of its elements: [...T] in any of its declarations. CUE looks T up only in a list
// without elements, hence in each conjunct by itself.
func elementForm(list cue.Value) cue.Value {
	op, conjuncts := list.Expr()
	if op != cue.AndOp {
		return list.LookupPath(cue.MakePath(cue.AnyIndex))
	}
	var out cue.Value
	for _, c := range conjuncts {
		form := elementForm(c)
		switch {
		case !form.Exists():
		case out.Exists():
			out = out.Unify(form)
		default:
			out = form
		}
	}
	return out
}

// saysNothing reports whether a pattern lets every row be: the schema's own [string]: {...} is one.
func saysNothing(form cue.Value) bool {
	fields, err := form.Fields(cue.Optional(true))
	if err != nil || fields.Next() {
		return false
	}
	cells := form.LookupPath(cue.MakePath(cue.AnyString))
	return !cells.Exists() || cells.IncompleteKind() == cue.TopKind
}

// defaultCells are the columns of a table for which the pattern has a value. They stand where the rows of the table do.
func defaultCells(rows *node, form cue.Value, t *book.Table) map[string]book.Cell {
	out := map[string]book.Cell{}
	for _, c := range t.Columns {
		v, _ := form.LookupPath(cue.MakePath(cue.Str(c.Name))).Default()
		if v.Exists() && v.Validate(cue.Concrete(true), cue.Final()) == nil {
			if data, err := v.MarshalJSON(); err == nil {
				out[c.Name] = book.Cell{JSON: string(data), Place: rows.place}
			}
		}
	}
	return out
}

// CheckRows holds the rows of tables that homebrews have changed to what the tables say of all of their rows.
func CheckRows(b *book.Ruleset, diags *diag.List) {
	if len(b.Overlays) == 0 {
		return
	}
	ctx := newContext()
	for _, t := range b.Tables {
		if t.RowForm.S == "" || t.Overlay == "" {
			continue
		}
		form := ctx.CompileString(t.RowForm.S)
		if err := form.Err(); err != nil {
			diags.Addf("overlay-rows", t.RowForm.Place, "homebrew "+t.Overlay,
				"what all rows of table %s are cannot be read outside of its package: %s", t.ID, firstLine(err))
			continue
		}
		for i := range t.Rows {
			checkRow(ctx, form, t, &t.Rows[i], diags)
		}
	}
}

// checkRow reports the first cell of a row that the table's pattern refuses, or else the row.
func checkRow(ctx *cue.Context, form cue.Value, t *book.Table, row *book.Row, diags *diag.List) {
	whole := form
	for i, c := range t.Columns {
		cell := &row.Cells[i]
		path := cue.MakePath(cue.Str(c.Name))
		value := ctx.CompileString(cell.JSON)
		if whole = whole.FillPath(path, value); whole.Err() == nil {
			continue
		}
		d := diags.Addf("overlay-rows", cell.Place, "homebrew "+t.Overlay,
			"%s of row %s is %s, and every row of table %s has %s",
			c.Name, row.String(), cell.JSON, t.ID, describeCell(form, c.Name))
		d.Related = append(d.Related, diag.Related{Place: t.RowForm.Place, Message: "what every row is"})
		return
	}
	if err := whole.Validate(); err != nil {
		d := diags.Addf("overlay-rows", row.Place, "homebrew "+t.Overlay, "row %s is not what every row of table %s is: %s",
			row.String(), t.ID, firstLine(err))
		d.Related = append(d.Related, diag.Related{Place: t.RowForm.Place, Message: "what every row is"})
	}
}

// describeCell is what an author may write for a cell: "int & >=1 & <=20", `*"wet" | "dry"`.
func describeCell(form cue.Value, column string) string {
	var v cue.Value
	name := cue.Str(column)
	for _, at := range []cue.Selector{name, name.Required(), name.Optional(), cue.AnyString} {
		if v = form.LookupPath(cue.MakePath(at)); v.Exists() {
			break
		}
	}
	options := []cue.Option{cue.Final()}
	if _, hasDefault := v.Default(); hasDefault { // which the final form would give alone
		options = []cue.Option{cue.Raw()}
	}
	syntax := v.Syntax(options...)
	if f, ok := syntax.(*ast.File); ok { // a package of CUE's is imported before the expression
		syntax = f.Decls[len(f.Decls)-1]
	}
	text, err := format.Node(syntax, format.Simplify())
	if err != nil {
		return "something else"
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// firstLine is the first of the errors that CUE has found.
func firstLine(err error) string { return errors.Errors(err)[0].Error() }
