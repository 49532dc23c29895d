package tablefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Homebrew is the changes of a ruleset by a sheet, as the file of a homebrew.
type Homebrew struct {
	Changed  int    // cells of rows that the ruleset has
	Added    int    // rows that it does not have
	Same     int    // rows that say what it says
	Untold   int    // rows of it that the sheet does not have; they stay
	Inferred string // of a new table: the kind of its keys, and the type of each column
	sheet    string
	lines    []line
	keys     map[string]string // the cells of the keys
	head     int               // lines that say which homebrew it is
}

// A line of the file comes from a cell of the sheet, or from none.
type line struct{ text, cell string }

// FileName is how the file of a homebrew made of a sheet is called, for the table in it. CUE leaves out files whose
// names end in _test and _tool.
func FileName(table string) string {
	name := "table_" + table
	if strings.HasSuffix(name, "_test") || strings.HasSuffix(name, "_tool") {
		name += "_rows"
	}
	return name + ".cue"
}

// Text returns the file of the homebrew.
func (h *Homebrew) Text() string { return joinLines(h.lines) }

// Part returns the text as one more file of a homebrew, a package of that name, which says elsewhere what it is.
func (h *Homebrew) Part(name string) string {
	return h.lines[0].text + "\npackage " + name + "\n\n" + joinLines(h.lines[h.head:])
}

func joinLines(lines []line) string {
	var out strings.Builder
	for _, l := range lines {
		out.WriteString(l.text + "\n")
	}
	return out.String()
}

// A writer writes a homebrew line by line.
type writer struct {
	h     *Homebrew
	depth int
}

// line appends a line that comes from no cell.
func (w *writer) line(format string, args ...any) { w.from("", format, args...) }

func (w *writer) from(cell, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "}") || strings.HasPrefix(text, "]") {
		w.depth--
	}
	w.h.lines = append(w.h.lines, line{strings.TrimRight(strings.Repeat("\t", w.depth)+text, "\t"), cell})
	if strings.HasSuffix(text, "{") || strings.HasSuffix(text, "[") {
		w.depth++
	}
}

// beginHomebrew returns a writer that has written the head of a homebrew.
func beginHomebrew(p *plan.Plan, id string, g *Grid) *writer {
	w := &writer{h: &Homebrew{sheet: g.Name}}
	w.line("// Package %s is made of %s.", id, quote(g.Name))
	w.line("package %s", id)
	w.line("")
	w.line(`import "github.com/tabletop-rules/rules/schema"`)
	w.line("")
	w.line("schema.#Homebrew")
	w.line("")
	w.line("id:       %s", quote(id))
	w.line("title:    %s", quote(g.Name))
	w.line("ruleset:  %s", quote(p.Ruleset))
	w.line("revision: %s", quote(p.Revision))
	w.line("")
	w.h.head = len(w.h.lines)
	return w
}

// Change returns the homebrew by which a table of a ruleset is as a sheet says: its cells replaced, its new rows added.
// Rows that the sheet does not have stay. The problems of the sheet alone are at its cells; with them the homebrew is the
// rest, for the compiler to judge, or nil.
func Change(p *plan.Plan, table, id string, g *Grid) (*Homebrew, []diag.Diagnostic) {
	t := p.Table(table)
	known := describe.TableOf(p, table)
	r := &reader{g: g}
	r.refuseFaults(t)
	rows := r.readRows(t, known, r.findColumns(t))
	if !r.areJudged(t.Kind) {
		return nil, r.list
	}
	w := beginHomebrew(p, id, g)
	w.h.keys = map[string]string{}
	for i := range rows {
		w.h.keys[rows[i].key.String()] = g.Cell(rows[i].row, 0)
	}
	w.replaceCells(g, t, rows)
	w.extendRows(g, t, rows)
	w.h.Untold = t.Rows() - (len(rows) - w.h.Added)
	return w.h, r.list
}

// replaceCells writes the cells that differ from the table's.
func (w *writer) replaceCells(g *Grid, t *plan.Table, rows []sheetRow) {
	w.line("replace: tables: %s: rows: {", label(t.ID))
	empty := len(w.h.lines)
	for i := range rows {
		r := &rows[i]
		if r.isNew() {
			continue
		}
		changed := w.h.Changed
		for _, c := range r.cells {
			if before := r.known[c.field.Name]; !isUnchanged(c.value, before) {
				w.h.Changed++
				w.from(g.Cell(r.row, c.column), "%s: %s: {expect: %s, with: %s}", quote(r.key.String()),
					label(c.field.Name), inCUE(before), inCUE(c.value))
			}
		}
		if w.h.Changed == changed {
			w.h.Same++
		}
	}
	w.endUnlessEmpty(empty, "}")
}

// extendRows writes the rows that the table does not have.
func (w *writer) extendRows(g *Grid, t *plan.Table, rows []sheetRow) {
	open, end := brackets(t.Kind)
	w.line("extend: tables: %s: %s: %s", label(t.ID), t.Kind, open)
	empty := len(w.h.lines)
	for i := range rows {
		if rows[i].isNew() {
			w.h.Added++
			w.writeRow(g, &rows[i])
		}
	}
	w.endUnlessEmpty(empty, end)
}

// brackets returns the signs around the rows of a table.
func brackets(k plan.TableKind) (open, end string) {
	if k.HasNumbers() {
		return "[", "]"
	}
	return "{", "}"
}

// writeRow writes a row with its cells, one a line.
func (w *writer) writeRow(g *Grid, r *sheetRow) {
	key, end := g.Cell(r.row, 0), "}"
	if r.key.Kind.HasNumbers() {
		end = "},"
		w.from(key, "{")
		w.from(key, "%s: %s", r.key.Field(), limitsText(r.key))
	} else {
		w.from(key, "%s: {", label(r.key.Key))
	}
	for _, c := range r.cells {
		w.from(g.Cell(r.row, c.column), "%s: %s", label(c.field.Name), inCUE(c.value))
	}
	w.from(key, "%s", end)
}

// endUnlessEmpty writes the end of what began before a line, or takes its beginning back when nothing stands in it.
func (w *writer) endUnlessEmpty(begin int, end string) {
	if len(w.h.lines) > begin {
		w.line("%s", end)
		return
	}
	w.h.lines = w.h.lines[:begin-1]
	w.depth--
}

// CellsOf returns the cells of the sheet by the places that a table of a plan and its rows have in the ruleset's files.
func (h *Homebrew) CellsOf(p *plan.Plan, table string) map[plan.Place]string {
	out := map[plan.Place]string{}
	t, e := p.Table(table), p.Entry(table, plan.TableEntry)
	if t == nil || e == nil || h.keys == nil {
		return out
	}
	out[e.Place] = h.sheet
	for i, at := range e.Rows {
		key := p.RowKey(t, i)
		if cell, ok := h.keys[key.String()]; ok {
			out[at] = cell
		}
	}
	return out
}

// AtCells returns diagnostics of the compiler with the places in a homebrew's file, and other places that are those of
// cells, as cells of the sheet. That no formula reads a new table yet is none.
func (h *Homebrew) AtCells(
	list []diag.Diagnostic, cells map[plan.Place]string, isOwn func(plan.Place) bool,
) []diag.Diagnostic {
	isOwnUnused := func(d diag.Diagnostic) bool { return d.Code == "unused" && isOwn(d.Place) }
	out := slices.DeleteFunc(slices.Clone(list), isOwnUnused)
	for i := range out {
		d := &out[i]
		d.Related = slices.Clone(d.Related)
		h.placeAtCell(&d.Place, cells, isOwn)
		for k := range d.Related {
			h.placeAtCell(&d.Related[k].Place, cells, isOwn)
		}
	}
	return out
}

func (h *Homebrew) placeAtCell(at *plan.Place, cells map[plan.Place]string, isOwn func(plan.Place) bool) {
	if cell, ok := cells[*at]; ok {
		*at = plan.Place{File: cell}
		return
	}
	if !isOwn(*at) {
		return
	}
	i := at.Line - 1
	*at = plan.Place{File: h.sheet}
	if i >= 0 && i < len(h.lines) && h.lines[i].cell != "" {
		at.File = h.lines[i].cell
	}
}

// Of returns a table of a plan as a grid, with the keys in its first column.
func Of(p *plan.Plan, id string) *Grid {
	t := describe.TableOf(p, id)
	key := map[string]string{"keyed": "key", "bands": "on", "steps": "from"}[t.Kind]
	head := append([]string{key}, t.Columns...)
	return &Grid{Name: id, Rows: append([][]string{head}, t.Cells...), isNumeric: t.Numbers}
}
