package tablefile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// A Homebrew is what a sheet changes in a ruleset, as the file of a homebrew.
type Homebrew struct {
	Text     string
	Changed  int      // cells of rows that the ruleset has
	Added    int      // rows that it does not have
	Same     int      // rows that say what it says
	Untold   int      // rows of it that the sheet does not have; they stay
	Inferred string   // of a new table: the kind of its keys, and the type of each column
	cells    []string // of each line of Text, the cell that it comes from; empty of the others
	sheet    string
	head     int // lines of Text that say which homebrew it is
}

// FileName is how the file of a homebrew made of a sheet is called, for the table in it.
func FileName(table string) string { return "table_" + table + ".cue" }

// Part returns the text as one more file of a homebrew, which says elsewhere what it is.
func (h *Homebrew) Part() string {
	lines := strings.SplitAfter(h.Text, "\n")
	return strings.Join(lines[1:2], "") + "\n" + strings.Join(lines[h.head:], "")
}

// A writer writes a homebrew line by line, and remembers the cell of each.
type writer struct {
	g     *Grid
	h     *Homebrew
	list  []diag.Diagnostic
	depth int
}

// line appends a line that comes from no cell.
func (w *writer) line(format string, args ...any) { w.from("", format, args...) }

func (w *writer) from(cell, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "}") || strings.HasPrefix(text, "]") {
		w.depth--
	}
	w.h.Text += strings.Repeat("\t", w.depth) + text + "\n"
	w.h.cells = append(w.h.cells, cell)
	if strings.HasSuffix(text, "{") || strings.HasSuffix(text, "[") {
		w.depth++
	}
}

// refuse notes a problem of a cell.
func (w *writer) refuse(row, column int, repair, format string, args ...any) {
	w.list = append(w.list, diag.Diagnostic{
		Code: "sheet-cell", Severity: diag.Error, Place: plan.Place{File: w.g.Cell(row, column)},
		Message: fmt.Sprintf(format, args...), Repair: repair,
	})
}

// begin writes the head of a homebrew.
func (w *writer) begin(p *plan.Plan, id string) {
	w.h.sheet = w.g.Name
	w.line("// Package %s is made of %s.", id, w.g.Name)
	w.line("package %s", id)
	w.line("")
	w.line(`import "github.com/tabletop-rules/rules/schema"`)
	w.line("")
	w.line("schema.#Homebrew")
	w.line("")
	w.line("id:       %q", id)
	w.line("title:    %q", w.g.Name)
	w.line("ruleset:  %q", p.Ruleset)
	w.line("revision: %q", p.Revision)
	w.line("")
	w.h.head = len(w.h.cells)
}

// Change returns the homebrew by which a table of a ruleset is as a sheet says: its cells replaced, its new rows added.
// Rows that the sheet does not have stay. The problems of the sheet alone are at its cells; with them there is no homebrew.
func Change(p *plan.Plan, table, id string, g *Grid) (*Homebrew, []diag.Diagnostic) {
	w := &writer{g: g, h: &Homebrew{}}
	t := p.Table(table)
	columns := w.findColumns(t)
	rows := w.readRows(p, t, columns)
	if len(w.list) > 0 {
		return nil, w.list
	}
	w.begin(p, id)
	w.replaceCells(p, t, columns, rows)
	w.extendRows(t, columns, rows)
	w.h.Untold = t.Rows() - countKnown(rows)
	return w.h, nil
}

func countKnown(rows []sheetRow) (n int) {
	for _, r := range rows {
		if r.at >= 0 {
			n++
		}
	}
	return n
}

// A sheetRow is a row of a sheet, read for a table.
type sheetRow struct {
	row      int // of the grid
	key      plan.RowKey
	at       int      // of the table; -1 when it is new
	literals []string // of each column of the grid, in CUE; empty for an empty cell
}

// findColumns returns the field of the table that each column of the sheet is; nil of the first, which holds the keys.
func (w *writer) findColumns(t *plan.Table) []*plan.Field {
	out := make([]*plan.Field, len(w.g.Rows[0]))
	names := t.Row.FieldNames()
	for c, name := range w.g.Rows[0][1:] {
		i, _ := t.Row.Field(strings.ReplaceAll(strings.ToLower(name), " ", "_"))
		switch {
		case i < 0:
			repair := "it has " + strings.Join(names, ", ")
			if near := spell.Nearest(name, names); near != "" {
				repair = fmt.Sprintf("did you mean %s", near)
			}
			w.refuse(0, c+1, repair, "table %s has no column %q", t.ID, name)
		case slices.Contains(out, &t.Row.Fields[i]):
			w.refuse(0, c+1, "", "column %s stands here twice", name)
		default:
			out[c+1] = &t.Row.Fields[i]
		}
	}
	return out
}

// readRows reads the keys and the cells.
func (w *writer) readRows(p *plan.Plan, t *plan.Table, columns []*plan.Field) (out []sheetRow) {
	seen := map[string]int{}
	for r, texts := range w.g.Rows[1:] {
		row := sheetRow{row: r + 1, at: -1, literals: make([]string, len(texts))}
		if isEmpty(texts) {
			continue
		}
		var ok bool
		if row.key, ok = w.readKey(t, row.row); !ok {
			continue
		}
		if before, twice := seen[row.key.String()]; twice {
			w.refuse(row.row, 0, "", "%s stands in row %d too", row.key, before+1)
		}
		seen[row.key.String()] = row.row
		for i := range t.Rows() {
			if p.RowKey(t, i) == row.key {
				row.at = i
			}
		}
		for c, text := range texts {
			if f := columns[c]; f != nil && text != "" {
				row.literals[c] = w.literal(f.Type, row.row, c, plain(text))
			}
		}
		out = append(out, row)
	}
	return out
}

// readKey reads the key of a row as its table has them.
func (w *writer) readKey(t *plan.Table, row int) (plan.RowKey, bool) {
	text := plain(w.g.Rows[row][0])
	if !t.Kind.HasNumbers() {
		if text == "" {
			w.refuse(row, 0, "", "the row has no key")
		}
		return plan.WordKey(text), text != ""
	}
	s, ok := spanOf(text)
	if !ok {
		w.refuse(row, 0, "keys of numbers are written 5, 1-3, 4+, from 3, above 3", "%q is no key of table %s", text, t.ID)
		return plan.RowKey{}, false
	}
	k := plan.RowKey{Kind: t.Kind, Lo: s.lo, Hi: s.hi, Above: s.above}
	switch closed := t.Kind == plan.BandsTable; {
	case closed == s.open:
		w.refuse(row, 0, "", "%q is no key of table %s, whose rows are %s", text, t.ID, t.Kind)
		return k, false
	case !closed:
		k.Hi = 0
	}
	return k, true
}

// literal returns a cell in CUE, as the type of its column takes it.
func (w *writer) literal(t *plan.Type, row, column int, text string) string {
	x, isNumber := number(text)
	switch t.Kind {
	case plan.Int:
		if n := new(big.Rat).SetFloat64(x); isNumber && n.IsInt() {
			return n.Num().String()
		}
		w.refuse(row, column, "", "%q is no whole number", text)
	case plan.Double:
		if isNumber {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		w.refuse(row, column, "", "%q is no number", text)
	case plan.Bool:
		switch strings.ToLower(text) {
		case "true", "yes", "1", "x":
			return "true"
		case "false", "no", "0":
			return "false"
		}
		w.refuse(row, column, "write yes or no", "%q is no truth", text)
	case plan.String:
		return strconv.Quote(text)
	default:
		if json.Valid([]byte(text)) {
			return text
		}
		w.refuse(row, column, "lists and records stand in a cell as JSON: [1, 2], {\"dice\": \"2d6\"}", "%q is no %s",
			text, t.Kind)
	}
	return "_|_"
}

// replaceCells writes the cells that differ from the table's.
func (w *writer) replaceCells(p *plan.Plan, t *plan.Table, columns []*plan.Field, rows []sheetRow) {
	w.line("replace: tables: %s: rows: {", label(t.ID))
	empty := len(w.h.cells)
	known := describe.TableOf(p, t.ID)
	for _, r := range rows {
		if r.at < 0 {
			continue
		}
		before := map[string]json.RawMessage{}
		if err := json.Unmarshal(known.Rows[r.at], &before); err != nil {
			w.refuse(r.row, 0, "", "row %s cannot be read: %v", r.key, err)
			continue
		}
		same := true
		for c, f := range columns {
			if f == nil || r.literals[c] == "" || sameLiteral(r.literals[c], string(before[f.Name])) {
				continue
			}
			same = false
			w.h.Changed++
			w.from(w.g.Cell(r.row, c), "%q: %s: {expect: %s, with: %s}", r.key, label(f.Name), before[f.Name], r.literals[c])
		}
		if same {
			w.h.Same++
		}
	}
	w.endUnlessEmpty(empty, "}")
}

// extendRows writes the rows that the table does not have.
func (w *writer) extendRows(t *plan.Table, columns []*plan.Field, rows []sheetRow) {
	open, end := "{", "}"
	if t.Kind.HasNumbers() {
		open, end = "[", "]"
	}
	w.line("extend: tables: %s: %s: %s", label(t.ID), t.Kind, open)
	empty := len(w.h.cells)
	for _, r := range rows {
		if r.at >= 0 {
			continue
		}
		w.h.Added++
		w.writeRow(r, func(c int) string {
			if columns[c] == nil {
				return ""
			}
			return columns[c].Name
		})
	}
	w.endUnlessEmpty(empty, end)
}

// writeRow writes a row with its cells, one a line.
func (w *writer) writeRow(r sheetRow, nameOf func(column int) string) {
	key := w.g.Cell(r.row, 0)
	if r.key.Kind.HasNumbers() {
		w.from(key, "{")
		w.from(key, "%s: %s", r.key.Field(), limitsText(r.key))
	} else {
		w.from(key, "%s: {", label(r.key.Key))
	}
	for c, literal := range r.literals {
		if name := nameOf(c); name != "" && literal != "" {
			w.from(w.g.Cell(r.row, c), "%s: %s", label(name), literal)
		}
	}
	end := "}"
	if r.key.Kind.HasNumbers() {
		end = "},"
	}
	w.from(key, "%s", end)
}

// endUnlessEmpty writes the end of what began before a line, or takes its beginning back when nothing stands in it.
func (w *writer) endUnlessEmpty(begin int, end string) {
	if len(w.h.cells) > begin {
		w.line("%s", end)
		return
	}
	lines := strings.SplitAfter(w.h.Text, "\n")
	w.h.Text = strings.Join(lines[:begin-1], "")
	w.h.cells = w.h.cells[:begin-1]
	w.depth--
}

// limitsText returns the limits of a key in CUE: 5, [1, 3].
func limitsText(k plan.RowKey) string {
	var ends []string
	for _, x := range k.Limits() {
		ends = append(ends, plan.FormatDouble(x))
	}
	if len(ends) == 1 {
		return ends[0]
	}
	return "[" + strings.Join(ends, ", ") + "]"
}

// label returns a name as CUE takes it before a colon.
func label(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// sameLiteral reports whether two literals are one value; numbers are one whether they have a fraction or not.
func sameLiteral(a, b string) bool {
	x, isNumber := number(a)
	y, isAnother := number(b)
	if isNumber && isAnother {
		return x == y
	}
	var u, v any
	return a == b || json.Unmarshal([]byte(a), &u) == nil && json.Unmarshal([]byte(b), &v) == nil &&
		fmt.Sprint(u) == fmt.Sprint(v) && cmp.Compare(len(a), 0) > 0
}

// AtCells returns diagnostics of the compiler with the places in a homebrew's file as cells of the sheet. That no formula
// reads a new table yet is none.
func (h *Homebrew) AtCells(list []diag.Diagnostic, isOwn func(plan.Place) bool) []diag.Diagnostic {
	out := slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool { return d.Code == "unused" && isOwn(d.Place) })
	for i := range out {
		d := &out[i]
		d.Related = slices.Clone(d.Related)
		h.placeAtCell(&d.Place, isOwn)
		for k := range d.Related {
			h.placeAtCell(&d.Related[k].Place, isOwn)
		}
	}
	return out
}

func (h *Homebrew) placeAtCell(at *plan.Place, isOwn func(plan.Place) bool) {
	if !isOwn(*at) {
		return
	}
	line := at.Line - 1
	*at = plan.Place{File: h.sheet}
	if line >= 0 && line < len(h.cells) && h.cells[line] != "" {
		at.File = h.cells[line]
	}
}

// Add returns the homebrew that adds a sheet as a new table. Its kind follows from the keys, and the type of a column from
// its cells.
func Add(p *plan.Plan, table, id string, g *Grid) (*Homebrew, []diag.Diagnostic) {
	w := &writer{g: g, h: &Homebrew{}}
	kind := kindOfKeys(g)
	t := &plan.Table{ID: table, Kind: kind, Row: &plan.Type{Kind: plan.Record}}
	for c, name := range g.Rows[0][1:] {
		name = strings.ReplaceAll(strings.ToLower(name), " ", "_")
		if !identifier.MatchString(name) {
			w.refuse(0, c+1, "a column is called by small letters, digits and _", "%q is no name of a column", name)
		}
		t.Row.Fields = append(t.Row.Fields, plan.Field{Name: name, Type: typeOfColumn(g, c+1)})
	}
	rows := w.readRows(p, t, w.findColumns(t))
	for _, r := range rows {
		for c := range t.Row.Fields {
			if r.literals[c+1] == "" {
				w.refuse(r.row, c+1, "every row of a new table has all columns", "the cell is empty")
			}
		}
	}
	if len(w.list) > 0 {
		return nil, w.list
	}
	w.h.Added, w.h.Inferred = len(rows), inferredText(t)
	w.begin(p, id)
	w.line("add: tables: %s: {", label(table))
	w.line("cite: %q", g.Name)
	open, end := "{", "}"
	if kind.HasNumbers() {
		open, end = "[", "]"
	}
	w.line("%s: %s", kind, open)
	for _, r := range rows {
		w.writeRow(r, func(c int) string {
			if c == 0 {
				return ""
			}
			return t.Row.Fields[c-1].Name
		})
	}
	w.line("%s", end)
	w.line("}")
	return w.h, nil
}

// kindOfKeys returns the kind of table that the keys of a sheet make: steps when each is open, bands when none is, and
// words when one is no number.
func kindOfKeys(g *Grid) plan.TableKind {
	open, closed := 0, 0
	for _, row := range g.Rows[1:] {
		s, ok := spanOf(plain(row[0]))
		switch {
		case !ok && !isEmpty(row):
			return plan.KeyedTable
		case ok && s.open:
			open++
		case ok:
			closed++
		}
	}
	if open > 0 && closed == 0 {
		return plan.StepsTable
	}
	return plan.BandsTable
}

// typeOfColumn returns the narrowest type that all cells of a column have.
func typeOfColumn(g *Grid, column int) *plan.Type {
	whole, fraction, truth := true, true, true
	for _, row := range g.Rows[1:] {
		if isEmpty(row) {
			continue
		}
		x, isNumber := number(row[column])
		whole = whole && isNumber && x == float64(int64(x))
		fraction = fraction && isNumber
		truth = truth && slices.Contains([]string{"yes", "no", "true", "false"}, strings.ToLower(row[column]))
	}
	switch {
	case whole:
		return &plan.Type{Kind: plan.Int}
	case fraction:
		return &plan.Type{Kind: plan.Double}
	case truth:
		return &plan.Type{Kind: plan.Bool}
	}
	return &plan.Type{Kind: plan.String}
}

// inferredText says what was inferred of a table: "keyed; damage int, reach double, name string".
func inferredText(t *plan.Table) string {
	var columns []string
	for _, f := range t.Row.Fields {
		columns = append(columns, fmt.Sprintf("%s %s", f.Name, f.Type.Kind))
	}
	return fmt.Sprintf("%s; %s", t.Kind, strings.Join(columns, ", "))
}

// Of returns a table of a plan as a grid, with the keys in its first column.
func Of(p *plan.Plan, id string) *Grid {
	t := describe.TableOf(p, id)
	key := map[string]string{"keyed": "key", "bands": "on", "steps": "from"}[t.Kind]
	return &Grid{Name: id, Rows: append([][]string{append([]string{key}, t.Columns...)}, t.Cells...)}
}
