package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Repairs of tables are edits of CUE text, which the book does not have: it says where rows and cells begin. Where they end
// is read from the text, by brackets (findClose). What only the author can know, the value of a cell, is written as its
// type: that is CUE, and the compiler asks for the value at that place until there is one.

// tableActions returns the actions that mend the table of a diagnostic.
func tableActions(s *snapshot, d *diag.Diagnostic) []tableAction {
	if d.Lacks.Table != "" {
		return fillLack(s, d)
	}
	t := tableOf(s, d)
	if t == nil {
		return nil
	}
	switch d.Code {
	case "table-column":
		return fillColumns(s.view, t, d)
	case "table-gap", "table-hole":
		return fillGaps(s.view, t, d)
	case "table-overlap":
		return separateRows(s.view, t, d)
	}
	return nil
}

// A tableAction is an edit with what it does.
type tableAction struct {
	title string
	file  string
	edits []textEdit
}

// tableOf returns the table that a diagnostic is about, as it was read last; nil for none.
func tableOf(s *snapshot, d *diag.Diagnostic) *book.Table {
	at, name := d.Place, strings.TrimPrefix(d.Subject, "table ")
	if d.Code == "table-hole" { // it stands at the formula, which looks the table up
		if len(d.Related) == 0 {
			return nil
		}
		at, name = d.Related[0].Place, ""
	}
	return findTable(s, at.File, func(t *book.Table) bool {
		return t.Across == nil && (t.ID == name || name == "" && t.Place == at)
	})
}

// findTable returns a table of the ruleset that a file belongs to, as it was read last; nil for none.
func findTable(s *snapshot, file string, isMeant func(*book.Table) bool) *book.Table {
	draft := s.draftOfFile(file)
	if draft == nil {
		return nil
	}
	i := slices.IndexFunc(draft.Rules.Tables, isMeant)
	if i < 0 {
		return nil
	}
	return draft.Rules.Tables[i]
}

// fillLack adds the row or the column of a table that a diagnostic lacks, in whatever file the table stands.
func fillLack(s *snapshot, d *diag.Diagnostic) []tableAction {
	t := findTable(s, d.Place.File, func(t *book.Table) bool { return t.ID == d.Lacks.Table })
	switch {
	case t == nil:
		return nil
	case d.Lacks.Row != "" && identifier().MatchString(d.Lacks.Row) && !t.Kind.HasNumbers():
		return addKeyedRow(s.view, nil, t, d.Lacks.Row)
	case d.Lacks.Column != "" && t.Across == nil:
		return addColumn(s.view, t, d.Lacks.Column)
	}
	return nil
}

// addColumn writes a column into every row, or nowhere where the rows are not written out one by one in one file. Of what
// type it is, only the author knows.
func addColumn(v *view, t *book.Table, name string) []tableAction {
	action := tableAction{title: "add the column " + name + " to the table " + t.ID, file: t.Place.File}
	for i := range t.Rows {
		edits := addCells(v, &t.Rows[i], []string{name + ": _"})
		if edits == nil || t.Rows[i].Place.File != action.file {
			return nil
		}
		action.edits = append(action.edits, edits...)
	}
	return []tableAction{action}
}

// fillColumns writes the columns that a row lacks behind those that it has.
func fillColumns(v *view, t *book.Table, d *diag.Diagnostic) []tableAction {
	i := slices.IndexFunc(t.Rows, func(r book.Row) bool { return r.Place == d.Place })
	if i < 0 {
		return nil
	}
	row := &t.Rows[i]
	var missing []string
	for k, c := range row.Cells {
		if isMissing(row, &c) {
			missing = append(missing, t.Columns[k].Name+": "+placeholderOf(t.Columns[k].Shape))
		}
	}
	edits := addCells(v, row, missing)
	if edits == nil {
		return nil
	}
	return []tableAction{{"add " + strings.Join(missing, ", "), row.Place.File, edits}}
}

// isMissing reports whether a row does not have a cell.
func isMissing(row *book.Row, c *book.Cell) bool { return c.JSON == "" && c.Place == row.Place }

// addCells returns the edits that write cells behind those of a row.
//
// Rows are written in two styles, a cell a line or all in one line, and the edits keep the one that
// is there. A row that is unified from several files has no one place to add to and gets none.
func addCells(v *view, row *book.Row, cells []string) []textEdit {
	var first, last plan.Place // of the cells that are there
	for _, c := range row.Cells {
		switch {
		case isMissing(row, &c):
			continue
		case c.Place.File != row.Place.File:
			return nil // the row is unified with another one
		case last == (plan.Place{}) || isBeforePlace(last, c.Place):
			last = c.Place
		}
		if first == (plan.Place{}) || isBeforePlace(c.Place, first) {
			first = c.Place
		}
	}
	if len(cells) == 0 || last == (plan.Place{}) {
		return nil
	}
	text := v.text(last.File)
	end := plan.Place{File: last.File, Line: last.Line, Col: valueEnd([]rune(text.line(last.Line)), last.Col)}
	between := ""
	if first.Line == row.Place.Line {
		between = string([]rune(text.line(row.Place.Line))[row.Place.Col-1 : first.Col-1])
	}
	switch {
	case first.Line != row.Place.Line: // a cell a line
		indent := "\n" + indentOf(text.line(last.Line))
		return []textEdit{insertAt(v, end, indent+strings.Join(cells, indent))}
	case strings.Contains(between, "{"):
		return []textEdit{insertAt(v, end, ", "+strings.Join(cells, ", "))}
	}
	label := strings.Index(between, ":") + 1 // name: column: value
	column := row.Place
	column.Col += label + len(between[label:]) - len(strings.TrimLeft(between[label:], " "))
	return []textEdit{insertAt(v, column, "{"), insertAt(v, end, ", "+strings.Join(cells, ", ")+"}")}
}

// placeholderOf returns the type of a column in CUE.
//
// A type is valid CUE where a value belongs, so the file still parses after the edit, and the
// compiler asks for the value at just that place.
func placeholderOf(s *plan.Shape) string {
	if s == nil {
		return "_"
	}
	switch s.Kind {
	case plan.Int:
		return "int"
	case plan.Double:
		return "number"
	case plan.String:
		return "string"
	case plan.Bool:
		return "bool"
	}
	return "_"
}

var (
	gapKeys = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^no row has the keys? (-?\d+)(?: to (-?\d+))?(: the least limit is above it)?$`)
	})
	holeKeys = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`: there is none for (.*)$`) })
	keyRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?\d+)(?: to (-?\d+))?$`) })
)

// fillGaps adds rows for the keys that have none, as far as the diagnostic names them.
func fillGaps(v *view, t *book.Table, d *diag.Diagnostic) []tableAction {
	var out []tableAction
	if m := gapKeys().FindStringSubmatch(d.Message); m != nil {
		out = addRow(v, out, t, m[1], m[2])
	}
	if m := holeKeys().FindStringSubmatch(d.Message); m != nil {
		for _, keys := range strings.Split(strings.TrimSuffix(m[1], " and others"), ", ") {
			if r := keyRange().FindStringSubmatch(keys); r != nil && t.Kind.HasNumbers() {
				out = addRow(v, out, t, r[1], r[2])
			} else if !t.Kind.HasNumbers() && identifier().MatchString(keys) {
				out = addKeyedRow(v, out, t, keys)
			}
		}
	}
	return out
}

// cellsOf returns the columns of a table with their types.
func cellsOf(t *book.Table) string {
	var out []string
	for i := range t.Columns {
		out = append(out, t.Columns[i].Name+": "+placeholderOf(t.Columns[i].Shape))
	}
	return strings.Join(out, ", ")
}

// addRow adds a row for a range of numbers, where it belongs among the others.
func addRow(v *view, out []tableAction, t *book.Table, from, to string) []tableAction {
	low, err := strconv.ParseFloat(from, 64)
	if err != nil || len(t.Rows) == 0 {
		return out
	}
	key := "on: " + from
	switch {
	case t.Kind == plan.StepsTable:
		key = "from: " + from
	case to != "":
		key = "on: [" + from + ", " + to + "]"
	}
	row := "{" + key + ", " + cellsOf(t) + "}"
	next := slices.IndexFunc(t.Rows, func(r book.Row) bool { return r.Lo > low })
	if next < 0 {
		return addBehind(v, out, &t.Rows[len(t.Rows)-1], "add the row "+key, row)
	}
	at := t.Rows[next].Place
	line := v.text(at.File).line(at.Line)
	if indent := indentOf(line); len([]rune(indent)) == at.Col-1 {
		row += ",\n" + indent
	} else {
		row += ", "
	}
	return append(out, tableAction{"add the row " + key, at.File, []textEdit{insertAt(v, at, row)}})
}

// addBehind adds a row in a list behind the last one.
func addBehind(v *view, out []tableAction, last *book.Row, title, row string) []tableAction {
	end, ok := findClose(v, last.Place)
	if !ok {
		return out
	}
	end.Col++
	line := v.text(last.Place.File).line(last.Place.Line)
	between := ", "
	if indent := indentOf(line); len([]rune(indent)) == last.Place.Col-1 {
		between = ",\n" + indent
	}
	return append(out, tableAction{title, last.Place.File, []textEdit{insertAt(v, end, between+row)}})
}

// addKeyedRow adds a row of a name behind the last one: on a line of its own, unless the last one shares its line with
// others.
func addKeyedRow(v *view, out []tableAction, t *book.Table, key string) []tableAction {
	if len(t.Rows) == 0 {
		return out
	}
	last := slices.MaxFunc(t.Rows, func(a, b book.Row) int {
		if isBeforePlace(a.Place, b.Place) {
			return -1
		}
		return 1
	})
	text := v.text(last.Place.File)
	line := []rune(text.line(last.Place.Line))
	indent := indentOf(string(line))
	between := "\n" + indent
	end := plan.Place{File: last.Place.File, Line: last.Place.Line, Col: len(line) + 1}
	if len([]rune(indent)) != last.Place.Col-1 {
		between, end.Col = ", ", valueEnd(line, last.Place.Col)
		row := string(line[last.Place.Col-1 : end.Col-1])
		if strings.Count(row, "{") != strings.Count(row, "}") {
			return out // it goes on on the next line
		}
	} else if open := slices.IndexFunc(line, func(r rune) bool { return r == '{' || r == '[' }); open >= 0 {
		var ok bool
		if end, ok = findClose(v, plan.Place{File: end.File, Line: end.Line, Col: open + 1}); !ok {
			return out
		}
		end.Col++
	}
	cells := "{" + cellsOf(t) + "}"
	if t.Across != nil {
		cells = "[" + strings.Repeat(placeholderOf(t.Columns[0].Shape)+", ", len(t.Columns)-1) +
			placeholderOf(t.Columns[0].Shape) + "]"
	}
	edit := insertAt(v, end, between+key+": "+cells)
	title := "add the row " + key + " to the table " + t.ID
	return append(out, tableAction{title, last.Place.File, []textEdit{edit}})
}

// bandLimits is what a row of bands says of its key.
var bandLimits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`on:\s*(\[[^\]]*\]|-?[\d.]+)`) })

// separateRows ends the row that begins first before the other one, or begins the other behind it.
//
// Which of the two rows is wrong nobody but the author knows, so both repairs are offered and
// neither is sure.
func separateRows(v *view, t *book.Table, d *diag.Diagnostic) []tableAction {
	find := func(at plan.Place) *book.Row {
		i := slices.IndexFunc(t.Rows, func(r book.Row) bool { return r.Place == at })
		if i < 0 {
			return nil
		}
		return &t.Rows[i]
	}
	if t.Kind != plan.BandsTable || len(d.Related) != 1 {
		return nil
	}
	later, earlier := find(d.Place), find(d.Related[0].Place)
	if later == nil || earlier == nil {
		return nil
	}
	var out []tableAction
	change := func(row *book.Row, low, high float64, title string) {
		line := []rune(v.text(row.Place.File).line(row.Place.Line))
		tail := string(line[min(row.Place.Col-1, len(line)):])
		m := bandLimits().FindStringSubmatchIndex(tail)
		if low > high || m == nil {
			return
		}
		key := fmt.Sprintf("[%v, %v]", low, high)
		if low == high {
			key = fmt.Sprint(low)
		}
		at := row.Place
		at.Col += len([]rune(tail[:m[2]]))
		edit := textEdit{v.spanAt(at, len([]rune(tail[m[2]:m[3]]))), key}
		out = append(out, tableAction{title, row.Place.File, []textEdit{edit}})
	}
	change(later, earlier.Hi+1, later.Hi, fmt.Sprintf("begin this row at %v", earlier.Hi+1))
	change(earlier, earlier.Lo, later.Lo-1, fmt.Sprintf("end the other row at %v", later.Lo-1))
	return out
}
