package tablefile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/parser"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// # How a sheet is written back
//
// The book says where the value of a cell stands. There the text of a literal is replaced, and nothing around it: comments,
// order and style stay as their author wrote them. A cell that a comprehension over a list makes, as in
//
//	for w in _weapons {(w.name): {damage: w.damage}}
//
// is looked up in the list: of the rows with one place the k-th comes of the k-th element. Any other expression is refused
// with its place, because only its author knows which part of it is meant. Whoever writes the files compiles them first.

// A SourceEdit is the texts of a ruleset's files in which a table says what a sheet says.
type SourceEdit struct {
	Files   map[string][]byte // by the names that places have
	Changed int               // cells
	Added   int               // rows
}

// WriteBack returns the files in which a table of a ruleset is as a sheet says. The table is that of the book which the
// plan was compiled from, and read returns a file by the name that its places have. Rows that the sheet does not have stay,
// and so do cells that may not be edited, and the table where this holds for all of its rows, for which there is no cell.
func WriteBack(
	p *plan.Plan, t *book.Table, g *Grid, read func(file string) ([]byte, error),
	mayEdit func(*book.Row, *book.Cell) bool,
) (*SourceEdit, []diag.Diagnostic, error) {
	r := &reader{g: g}
	of := p.Table(t.ID)
	rows := r.readRows(of, describe.TableOf(p, t.ID), r.findColumns(of))
	e := &sourceEditor{r: r, table: t, read: read, mayEdit: mayEdit, files: map[string]*sourceFile{}}
	for i := range rows {
		if rows[i].isNew() {
			e.addRow(&rows[i])
			continue
		}
		e.changeCells(&rows[i])
	}
	if e.err != nil || len(r.list) > 0 {
		return nil, r.list, e.err
	}
	out := &SourceEdit{Files: map[string][]byte{}, Changed: e.changed, Added: e.added}
	for name, f := range e.files {
		if len(f.edits) == 0 {
			continue
		}
		text, err := f.apply()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		out.Files[name] = text
	}
	return out, nil, nil
}

// A sourceEditor collects the edits of a ruleset's files.
type sourceEditor struct {
	r              *reader
	table          *book.Table
	read           func(file string) ([]byte, error)
	mayEdit        func(*book.Row, *book.Cell) bool
	files          map[string]*sourceFile
	changed, added int
	err            error
}

// A sourceFile is a file of CUE with the edits that are to be made.
type sourceFile struct {
	text   []byte
	syntax *ast.File
	edits  []textEdit
}

// A textEdit puts a text in the place of the bytes between two offsets.
type textEdit struct {
	from, to int
	text     string
}

// file returns a file by the name that places have; nil when it cannot be read.
func (e *sourceEditor) file(name string) *sourceFile {
	if f := e.files[name]; f != nil || e.err != nil {
		return f
	}
	text, err := e.read(name)
	if err != nil {
		e.err = err
		return nil
	}
	f := &sourceFile{text: text}
	if f.syntax, e.err = parser.ParseFile(name, text, parser.ParseComments); e.err != nil {
		return nil
	}
	e.files[name] = f
	return f
}

// changeCells replaces the cells of a row that differ from the sheet's.
func (e *sourceEditor) changeCells(r *sheetRow) {
	at := slices.IndexFunc(e.table.Rows, func(b book.Row) bool { return b.RowKey == r.key })
	if at < 0 {
		e.r.refuse(r.row, 0, "", "row %s of table %s is not written in the ruleset", r.key, e.table.ID)
		return
	}
	for _, c := range r.cells {
		if isUnchanged(c.value, r.known[c.field.Name]) {
			continue
		}
		k := slices.IndexFunc(e.table.Columns, func(m plan.Member) bool { return m.Name == c.field.Name })
		cell := &e.table.Rows[at].Cells[k]
		if !e.mayEdit(&e.table.Rows[at], cell) {
			continue
		}
		place := cell.Place
		e.changed++
		f := e.file(place.File)
		if f == nil {
			return
		}
		first, shared := e.rowsAt(at, k)
		old, ofLoop := f.literalOf(f.offset(place), at-first)
		switch {
		case old == nil:
			e.r.refuse(r.row, c.column, elsewhere, "the cell is computed at %s", diag.PlaceString(place))
			continue
		case shared && !ofLoop:
			e.r.refuse(r.row, c.column, elsewhere, "the cell stands at %s for other rows too", diag.PlaceString(place))
			continue
		}
		from, to := old.Pos().Offset(), old.End().Offset()
		text := inCUE(c.value)
		if !bytes.ContainsAny(f.text[from:to], ".eE") && c.field.Type.Kind == plan.Double {
			text = strings.TrimSuffix(text, ".0") // as the author writes doubles
		}
		f.edits = append(f.edits, textEdit{from, to, text})
	}
}

// elsewhere is the repair of a cell that cannot be written back.
const elsewhere = "change it there, or import without --in-place, which makes a homebrew"

// rowsAt returns the first row whose cell in a column stands where that of a row does, and whether there are several: those
// that a comprehension makes, and those that carry what the row above has.
func (e *sourceEditor) rowsAt(row, column int) (first int, shared bool) {
	is := func(r book.Row) bool { return r.Cells[column].Place == e.table.Rows[row].Cells[column].Place }
	first = slices.IndexFunc(e.table.Rows, is)
	return first, slices.ContainsFunc(e.table.Rows[first+1:], is)
}

// addRow writes a new row behind the last one that is written out and may be edited.
func (e *sourceEditor) addRow(r *sheetRow) {
	mayEdit := func(b book.Row) bool { return e.mayEdit(&b, nil) }
	if !slices.ContainsFunc(e.table.Rows, mayEdit) {
		return
	}
	e.added++
	for i := len(e.table.Rows) - 1; i >= 0; i-- {
		place := e.table.Rows[i].Place
		if !mayEdit(e.table.Rows[i]) {
			continue
		}
		f := e.file(place.File)
		if f == nil {
			return
		}
		if f.insertBehind(f.offset(place), rowText(r)) {
			return
		}
	}
	e.r.refuse(r.row, 0, elsewhere,
		"the row is new, and those of table %s are computed at %s", e.table.ID, diag.PlaceString(e.table.Place))
}

// rowText returns a row on one line: axe: {damage: 2, reach: 1}, or {on: [1, 3], part: "head"}.
func rowText(r *sheetRow) string {
	var cells []string
	if r.key.Kind.HasNumbers() {
		cells = append(cells, r.key.Field()+": "+limitsText(r.key))
	}
	for _, c := range r.cells {
		cells = append(cells, label(c.field.Name)+": "+inCUE(c.value))
	}
	switch {
	case r.key.Kind.HasNumbers():
		return "{" + strings.Join(cells, ", ") + "}"
	case len(cells) == 1:
		return label(r.key.Key) + ": " + cells[0]
	}
	return label(r.key.Key) + ": {" + strings.Join(cells, ", ") + "}"
}

// offset returns the byte at which a place lies; places count code points.
func (f *sourceFile) offset(at plan.Place) int {
	begin := 0
	for range at.Line - 1 {
		begin += bytes.IndexByte(f.text[begin:], '\n') + 1
	}
	line, _, _ := bytes.Cut(f.text[begin:], []byte("\n"))
	runes := []rune(string(line))
	return begin + len(string(runes[:min(at.Col-1, len(runes))]))
}

// apply returns the text with the edits. A text that was formatted stays so.
func (f *sourceFile) apply() ([]byte, error) {
	slices.SortStableFunc(f.edits, func(a, b textEdit) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	at := 0
	for _, e := range f.edits {
		if e.from < at {
			return nil, fmt.Errorf("two cells of the sheet stand at one place, %q", f.text[e.from:e.to])
		}
		out = append(append(out, f.text[at:e.from]...), e.text...)
		at = e.to
	}
	out = append(out, f.text[at:]...)
	if formatted, err := format.Source(f.text); err != nil || !bytes.Equal(formatted, f.text) {
		return out, err
	}
	return format.Source(out)
}

// literalOf returns the literal that is the value of the expression at an offset; nil where it is another expression. In a
// comprehension over a list, ofLoop, it is that for the element of a number.
func (f *sourceFile) literalOf(offset, element int) (value ast.Expr, ofLoop bool) {
	path := f.pathTo(offset)
	if len(path) == 0 {
		return nil, false
	}
	if field, ok := path[len(path)-1].(*ast.Field); ok && isLiteral(field.Value) { // of a homebrew's replacement
		return field.Value, false
	}
	found, ok := path[len(path)-1].(ast.Expr)
	if ok && isLiteral(found) {
		return found, false
	}
	root, steps, ok := stepsOf(found)
	if !ok {
		return nil, false
	}
	for _, n := range slices.Backward(path) {
		loop, ok := n.(*ast.Comprehension)
		if !ok {
			continue
		}
		if clause, ok := loop.Clauses[0].(*ast.ForClause); ok && len(loop.Clauses) == 1 && clause.Value.Name == root {
			return f.elementValue(clause.Source, element, steps), true
		}
	}
	return nil, false
}

// pathTo returns the nodes around an offset, the outermost first, of which the last is the outermost that begins there as a
// value or an element.
func (f *sourceFile) pathTo(offset int) (path []ast.Node) {
	done := false
	var open []ast.Node
	ast.Walk(f.syntax, func(n ast.Node) bool {
		open = append(open, n)
		if _, isFile := n.(*ast.File); !done && !isFile && n.Pos().IsValid() && n.Pos().Offset() == offset {
			done, path = true, slices.Clone(open)
		}
		return true
	}, func(ast.Node) { open = open[:len(open)-1] })
	return path
}

// elementValue returns the literal that steps lead to from an element of a list which a name of the file stands for.
func (f *sourceFile) elementValue(source ast.Expr, element int, steps []string) ast.Expr {
	name, ok := source.(*ast.Ident)
	if !ok {
		return nil
	}
	for _, d := range f.syntax.Decls {
		field, ok := d.(*ast.Field)
		if !ok || labelName(field.Label) != name.Name {
			continue
		}
		list, ok := field.Value.(*ast.ListLit)
		if !ok || element >= len(list.Elts) || !allStructs(list.Elts) {
			continue
		}
		if found := follow(list.Elts[element], steps); found != nil && isLiteral(found) {
			return found
		}
	}
	return nil
}

// allStructs reports whether all elements of a list are written out as structs, so that they can be counted.
func allStructs(elements []ast.Expr) bool {
	return !slices.ContainsFunc(elements, func(x ast.Expr) bool { _, ok := x.(*ast.StructLit); return !ok })
}

// follow returns the part of a value that steps lead to: members by name, elements by number.
func follow(x ast.Expr, steps []string) ast.Expr {
	for _, step := range steps {
		switch of := x.(type) {
		case *ast.StructLit:
			x = memberOf(of, step)
		case *ast.ListLit:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(of.Elts) {
				return nil
			}
			x = of.Elts[i]
		default:
			return nil
		}
	}
	return x
}

func memberOf(s *ast.StructLit, name string) ast.Expr {
	for _, d := range s.Elts {
		if field, ok := d.(*ast.Field); ok && labelName(field.Label) == name {
			return field.Value
		}
	}
	return nil
}

// stepsOf returns the name and the steps of an expression that only selects: w.damage, f.sphere[0].
func stepsOf(x ast.Expr) (root string, steps []string, ok bool) {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name, nil, true
	case *ast.SelectorExpr:
		root, steps, ok = stepsOf(x.X)
		return root, append(steps, labelName(x.Sel)), ok
	case *ast.IndexExpr:
		number, isNumber := x.Index.(*ast.BasicLit)
		if !isNumber {
			return "", nil, false
		}
		root, steps, ok = stepsOf(x.X)
		return root, append(steps, number.Value), ok
	}
	return "", nil, false
}

// labelName returns the name that a label is; empty of one that is computed.
func labelName(l ast.Label) string {
	name, _, err := ast.LabelName(l)
	if err != nil {
		return ""
	}
	return name
}

// isLiteral reports whether an expression is written out: numbers, strings, truths, lists and structs of them.
func isLiteral(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		_, ok := x.X.(*ast.BasicLit)
		return ok
	case *ast.ListLit:
		return !slices.ContainsFunc(x.Elts, func(e ast.Expr) bool { return !isLiteral(e) })
	case *ast.StructLit:
		return !slices.ContainsFunc(x.Elts, func(d ast.Decl) bool {
			field, ok := d.(*ast.Field)
			return !ok || !isLiteral(field.Value)
		})
	}
	return false
}

// insertBehind writes another row behind the one that begins at an offset. It reports false for a row that stands alone or
// is made by a comprehension.
func (f *sourceFile) insertBehind(offset int, text string) bool {
	path := f.pathTo(offset)
	isLoop := func(n ast.Node) bool { _, ok := n.(*ast.Comprehension); return ok }
	if len(path) < 2 || slices.ContainsFunc(path, isLoop) {
		return false
	}
	isList := false
	switch in := path[len(path)-2].(type) {
	case *ast.ListLit:
		isList = true
	case *ast.StructLit:
		if !in.Lbrace.IsValid() {
			return false
		}
	default:
		return false
	}
	end := path[len(path)-1].End().Offset()
	indent := f.text[bytes.LastIndexByte(f.text[:offset], '\n')+1 : offset]
	line, _, _ := bytes.Cut(f.text[end:], []byte("\n"))
	rest := strings.TrimLeft(string(line), ", \t\r")
	if len(bytes.TrimSpace(indent)) > 0 || rest != "" && !strings.HasPrefix(rest, "//") { // other rows on this line
		f.edits = append(f.edits, textEdit{end, end, ", " + text})
		return true
	}
	if isList {
		text += ","
		comma := textEdit{end, end, ","}
		if !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte(",")) && !slices.Contains(f.edits, comma) {
			f.edits = append(f.edits, comma)
		}
	}
	end += len(bytes.TrimRight(line, "\r"))
	f.edits = append(f.edits, textEdit{end, end, "\n" + string(indent) + text})
	return true
}
