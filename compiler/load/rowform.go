package load

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/format"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/explain"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The rows of a table and those of a homebrew
//
// An author says once what all rows of a table are, with a pattern:
//
//	keyed: [string]: {damage: int & >=1 & <=20, kind: *"blunt" | "sharp"}
//	bands: [...{on: _, loss: int & <=0}]
//
// CUE holds the author's own rows to it and fills in what they leave out. A homebrew is a module of its own, which CUE
// evaluates without the ruleset. So the book carries the pattern as CUE has evaluated it (Table.RowForm), and when a
// homebrew has been applied, its rows and cells are unified with that. To write the pattern out as text instead, which
// could be evaluated anywhere, costs seconds for a pattern that reads a large table, in every ruleset that is read.
//
// Each cell is unified alone first: a message can then say which cell is wrong, and what it may be. What only cells
// together break, {least: int, most: >=least}, is said of the row.
//
// Other patterns, [=~"^x"] and [!="club"], hold for the rows that they match, and a row may say something of its own
// cells, club: damage: int & <=5 beside club: damage: 4 (rowconstraint.go). Rows of charts are held to the same, as lists
// of cells.
//
// A pattern that reads the ruleset's own tables or options is evaluated with these as the ruleset has them:
//
//	keyed: [string]: ammunition: or([for name, _ in tables.ammunition.keyed {name}])
//
// A homebrew that adds an ammunition and a weapon for it would be refused, with nothing that it could write instead. So
// columns of which a pattern says something by such a reference, directly or through other fields, are not held to it in
// rows of homebrews; and no column is where the pattern's columns themselves are computed so. The limit: data that tables
// are made from, and that are read beside them, as _ammunition in "tables: ammunition: keyed: _ammunition", do not count.

// A rowForm is what a ruleset says of the rows of a table.
type rowForm struct {
	ctx     *cue.Context // of value
	rows    *node
	kind    plan.TableKind
	isChart bool
	origins map[string]*node // the ruleset's rows, by their keys
	keys    []string         // of the ruleset's rows, in its order
	value   cue.Value        // what a pattern says of every row; does not exist where none does
	place   plan.Place       // of value
	frozen  map[string]bool  // columns that depend on tables and options as the ruleset has them; "" is all columns
}

// readRowForm lets a table check the patterns of all of its rows, and fill the cells that rows leave out. Nothing is
// evaluated before a homebrew asks: a choice among the 800 keys of another table takes CUE some hundredths of a second for
// each pattern.
func readRowForm(n *node, t *book.Table, read []tableRow) {
	field := t.Kind.String()
	if t.Across != nil {
		field = "rows"
	}
	rows, ok := n.fieldNamed(field)
	if !ok {
		return
	}
	keys := make([]plan.RowKey, len(t.Rows)) // as the ruleset has them: an overlay takes rows out
	for i := range t.Rows {
		keys[i] = t.Rows[i].RowKey
	}
	isChart := t.Across != nil
	t.RowForm = func() any {
		form := rows.formOfRows(t.Kind, isChart)
		form.origins = map[string]*node{}
		for i := range keys {
			form.origins[keys[i].String()] = read[i].node
			form.keys = append(form.keys, keys[i].String())
		}
		return form
	}
	if isChart {
		return
	}
	t.Defaults = func() map[string]book.Cell {
		if form := rows.formOfRows(t.Kind, isChart); form.value.Exists() {
			return defaultCells(rows, form.value, t)
		}
		return nil
	}
}

// formOfRows returns what is said of the rows of a table, which the node has.
func (n *node) formOfRows(kind plan.TableKind, isChart bool) *rowForm {
	out := &rowForm{ctx: n.r.Context, rows: n, kind: kind, isChart: isChart, frozen: frozenColumns(n.flatSites())}
	var form cue.Value
	if n.isList() {
		form = elementForm(n.value)
	} else {
		form = n.value.LookupPath(cue.MakePath(cue.AnyString))
	}
	if form.Exists() && form.Err() == nil && !saysNothing(form) {
		out.value, out.place = form, n.r.PlaceOf(form.Pos())
	}
	return out
}

// elementForm returns the pattern of all elements of a list: [...T] in any of its declarations. CUE looks T up only in a
// list without elements, hence in each conjunct by itself.
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

// CheckRows checks rows and cells of homebrews against what the ruleset says of the rows of their tables. The patterns are
// let go of: behind them stands all that CUE has evaluated.
func CheckRows(b *book.Ruleset, diags *diag.List) {
	for _, t := range b.Tables {
		formOf := t.RowForm
		t.RowForm, t.Defaults = nil, nil
		if formOf == nil || len(t.Overlays) == 0 {
			continue
		}
		form, _ := formOf().(*rowForm)
		if form == nil {
			continue
		}
		form.reportCellReads(t, diags)
		if form.frozen[""] || form.isChart && form.frozen["cells"] {
			continue
		}
		for i := range t.Rows {
			if row := &t.Rows[i]; row.Overlay != "" || slices.ContainsFunc(row.Cells, isOfHomebrew) {
				form.checkRow(t, row, diags)
			}
		}
		form.checkNumber(b, t, diags)
	}
}

func isOfHomebrew(c book.Cell) bool { return c.Overlay != "" }

// A rowPart is one member of a row: a cell, or a limit that finds the row.
type rowPart struct {
	name  string
	path  []cue.Selector // in the row
	texts []string       // how it may have been written, in CUE: a limit of 1 is 1 or 1.0
	place plan.Place
	brew  string // the homebrew that wrote it; empty for the ruleset's own
}

// partsOf are the members of a row, but for those of frozen columns.
func (f *rowForm) partsOf(t *book.Table, row *book.Row) []rowPart {
	var out []rowPart
	if !f.isChart || f.rows.isList() {
		out = keyParts(row)
	}
	for i, c := range t.Columns {
		if cell := row.Cells[i]; !f.frozen[c.Name] {
			out = append(out, rowPart{name: c.Name, path: f.pathOf(i, c.Name), texts: []string{cell.JSON}, place: cell.Place,
				brew: cmp.Or(cell.Overlay, row.Overlay)})
		}
	}
	return out
}

// pathOf returns the path of the cell of a column, in a row.
func (f *rowForm) pathOf(column int, name string) []cue.Selector {
	switch {
	case !f.isChart:
		return []cue.Selector{cue.Str(name)}
	case f.rows.isList():
		return []cue.Selector{cue.Str("cells"), cue.Index(column)}
	}
	return []cue.Selector{cue.Index(column)}
}

// keyParts are the limits that find a row; none where a word does.
func keyParts(row *book.Row) []rowPart {
	part := rowPart{place: row.Place, brew: row.Overlay}
	low, high := writtenForms(row.Lo), writtenForms(row.Hi)
	switch {
	case row.Kind == plan.StepsTable:
		part.name, part.texts = "from", low
		if row.Above {
			part.name = "above"
		}
	case row.Kind == plan.BandsTable:
		part.name = "on"
		if row.Lo == row.Hi {
			part.texts = low
		}
		for i := range min(len(low), len(high)) {
			part.texts = append(part.texts, "["+low[i]+", "+high[i]+"]")
		}
	default:
		return nil
	}
	part.path = []cue.Selector{cue.Str(part.name)}
	return []rowPart{part}
}

// writtenForms are the texts that a number may have had: 1 and 1.0 are the same limit, and not the same to CUE.
func writtenForms(v float64) []string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if strings.Contains(text, ".") {
		return []string{text}
	}
	return []string{text, text + ".0"}
}

// fill is a form with one member more, and whether it can have it.
func (p *rowPart) fill(ctx *cue.Context, form cue.Value) (filled cue.Value, fits bool) {
	for _, text := range p.texts {
		filled = form.FillPath(cue.MakePath(p.path...), ctx.CompileString(text))
		if filled.Validate() == nil {
			p.texts = []string{text}
			return filled, true
		}
	}
	return filled, false
}

// checkRow reports the first cell of a homebrew's that the ruleset refuses, or else the row.
func (f *rowForm) checkRow(t *book.Table, row *book.Row, diags *diag.List) {
	constraints, cells := f.constraintsOf(row)
	if len(constraints)+len(cells) == 0 {
		return
	}
	parts := f.partsOf(t, row)
	for i := range parts {
		if p := &parts[i]; p.brew != "" && (f.refusesPart(t, row, p, constraints, diags) || f.refusesCell(t, row, p, cells, diags)) {
			return
		}
	}
	if len(constraints) == 0 {
		return
	}
	whole := constraints[0].value
	for _, c := range constraints[1:] {
		whole = whole.Unify(c.value)
	}
	for i := range parts {
		var fits bool
		if whole, fits = parts[i].fill(f.ctx, whole); !fits {
			f.reportRow(t, row, parts, constraints, whole.Validate(), diags)
			return
		}
	}
}

// refusesPart reports a member of a row that one of some constraints refuses by itself, and returns whether there is one.
func (f *rowForm) refusesPart(t *book.Table, row *book.Row, p *rowPart, constraints []rowConstraint,
	diags *diag.List) bool {
	for _, c := range constraints {
		if _, fits := p.fill(f.ctx, c.value); fits {
			continue
		}
		what := describeValue(lookUpCell(c.value, p.path))
		holder := fmt.Sprintf("every row of table %s has %s", t.ID, what)
		if !c.every {
			holder = fmt.Sprintf("table %s allows %s in this row", t.ID, what)
		}
		d := diags.Addf("overlay-rows", p.place, "homebrew "+p.brew, "%s of row %s is %s, and %s",
			p.name, row.String(), p.texts[0], holder)
		d.Related = append(d.Related, c.related())
		return true
	}
	return false
}

// reportRow reports members of a row that the pattern refuses together: at the row that a homebrew has written, or else at
// the first cell that it has replaced.
func (f *rowForm) reportRow(t *book.Table, row *book.Row, parts []rowPart, constraints []rowConstraint, err error,
	diags *diag.List) {
	at, brew := row.Place, row.Overlay
	if i := slices.IndexFunc(parts, func(p rowPart) bool { return p.brew != "" }); brew == "" && i >= 0 {
		at, brew = parts[i].place, parts[i].brew
	}
	says := "every row of table " + t.ID + " is"
	if slices.ContainsFunc(constraints, func(c rowConstraint) bool { return !c.every }) {
		says = "table " + t.ID + " says of it"
	}
	d := diags.Addf("overlay-rows", at, "homebrew "+brew, "row %s is not what %s: %s", row.String(), says,
		explain.DescribeRowError(err))
	for _, name := range errors.Errors(err)[0].Path() {
		i := slices.IndexFunc(parts, func(p rowPart) bool { return p.name == name && p.brew == "" })
		if i >= 0 {
			d.Related = append(d.Related, diag.Related{Place: parts[i].place, Message: name + " stands here"})
		}
	}
	for _, c := range constraints {
		if related := c.related(); !slices.Contains(d.Related, related) {
			d.Related = append(d.Related, related)
		}
	}
}

// lookUpCell returns what a form says at a path of one of its rows, if anything.
func lookUpCell(form cue.Value, path []cue.Selector) cue.Value {
	for _, label := range path {
		at := []cue.Selector{label, cue.AnyIndex}
		if label.LabelType() == cue.StringLabel {
			at = []cue.Selector{label, label.Required(), label.Optional(), cue.AnyString}
		}
		i := slices.IndexFunc(at, func(x cue.Selector) bool { return form.LookupPath(cue.MakePath(x)).Exists() })
		if i < 0 {
			return cue.Value{}
		}
		form = form.LookupPath(cue.MakePath(at[i]))
	}
	return form
}

// describeValue returns the values that an author may write for a member of a row: "int & >=1 & <=20", `*"wet" | "dry"`. A
// constraint that needs the rest of the package to be understood is "another value".
func describeValue(v cue.Value) string {
	const unclear = "another value"
	options := []cue.Option{cue.Final()}
	if _, hasDefault := v.Default(); hasDefault { // which the final form would give alone
		options = []cue.Option{cue.Raw()}
	}
	syntax := v.Syntax(options...)
	if f, ok := syntax.(*ast.File); ok { // a package of CUE's is imported before the expression
		syntax = f.Decls[len(f.Decls)-1]
	}
	text, err := format.Node(syntax, format.Simplify())
	if err != nil || needsContext(syntax) {
		return unclear
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// needsContext reports whether an expression has structs, lets or names of a package in it.
func needsContext(x ast.Node) (needs bool) {
	ast.Walk(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructLit, *ast.LetClause, *ast.Comprehension:
			needs = true
		case *ast.SelectorExpr: // of a package of CUE's: strings.MinRunes
			id, isName := n.X.(*ast.Ident)
			needs = needs || !isName || !site.IsStandardPackage(id.Name)
			return false
		case *ast.Ident:
			needs = needs || !predeclaredTypes[n.Name]
		}
		return !needs
	}, nil)
	return needs
}

// predeclaredTypes are CUE's names of types and of what makes constraints.
var predeclaredTypes = map[string]bool{
	"int": true, "uint": true, "float": true, "number": true, "string": true, "bytes": true, "bool": true, "null": true,
	"_": true, "or": true, "and": true, "len": true, "matchN": true, "matchIf": true,
}
