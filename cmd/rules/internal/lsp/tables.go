package lsp

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Repairs of tables are edits of CUE text, which the book does not have: it says where rows and cells begin. Where they end
// is read from the text, by brackets (findClose). What only the author can know, the value of a cell, is written as its
// type: that is CUE, and the compiler asks for the value at that place until there is one.

// tableActions are the actions that mend what a diagnostic says of a table.
func (s *server) tableActions(v *view, d *diag.Diagnostic) []tableAction {
	t := s.tableOf(d)
	if t == nil {
		return nil
	}
	switch d.Code {
	case "table-column":
		return v.fillColumns(t, d)
	case "table-gap", "table-hole":
		return v.fillGaps(t, d)
	case "table-overlap":
		return v.separateRows(t, d)
	}
	return nil
}

// A tableAction is an edit with what it does.
type tableAction struct {
	title string
	file  string
	edits []textEdit
}

// tableOf is the table that a diagnostic is about, as it was read last; nil for none.
func (s *server) tableOf(d *diag.Diagnostic) *book.Table {
	at, name := d.Place, strings.TrimPrefix(d.Subject, "table ")
	if d.Code == "table-hole" { // it stands at the formula, which looks the table up
		if len(d.Related) == 0 {
			return nil
		}
		at, name = d.Related[0].Place, ""
	}
	draft := s.drafts[path.Dir(at.File)]
	if draft == nil {
		return nil
	}
	i := slices.IndexFunc(draft.Rules.Tables, func(t *book.Table) bool {
		return t.Across == nil && (t.ID == name || name == "" && t.Place == at)
	})
	if i < 0 {
		return nil
	}
	return draft.Rules.Tables[i]
}

// fillColumns writes the columns that a row lacks behind those that it has.
func (v *view) fillColumns(t *book.Table, d *diag.Diagnostic) []tableAction {
	i := slices.IndexFunc(t.Rows, func(r book.Row) bool { return r.Place == d.Place })
	if i < 0 {
		return nil
	}
	row := &t.Rows[i]
	var missing []string
	var first, last plan.Place // of the cells that are there
	for k, c := range row.Cells {
		switch {
		case c.JSON == "" && c.Place == row.Place:
			missing = append(missing, t.Columns[k].Name+": "+placeholder(t.Columns[k].Shape))
		case c.Place.File != row.Place.File:
			return nil // the row is unified with another one
		case last == (plan.Place{}) || isBeforePlace(last, c.Place):
			last = c.Place
		}
		if c.JSON != "" && (first == (plan.Place{}) || isBeforePlace(c.Place, first)) {
			first = c.Place
		}
	}
	if len(missing) == 0 || last == (plan.Place{}) {
		return nil
	}
	text := v.text(last.File)
	end := plan.Place{File: last.File, Line: last.Line, Col: valueEnd([]rune(text.line(last.Line)), last.Col)}
	action := tableAction{title: "add " + strings.Join(missing, ", "), file: row.Place.File}
	between := ""
	if first.Line == row.Place.Line {
		between = string([]rune(text.line(row.Place.Line))[row.Place.Col-1 : first.Col-1])
	}
	switch {
	case first.Line != row.Place.Line: // a cell a line
		action.edits = []textEdit{v.insert(end, "\n"+indentOf(text.line(last.Line))+
			strings.Join(missing, "\n"+indentOf(text.line(last.Line))))}
	case strings.Contains(between, "{"):
		action.edits = []textEdit{v.insert(end, ", "+strings.Join(missing, ", "))}
	default: // name: column: value
		label := strings.Index(between, ":") + 1
		column := row.Place
		column.Col += label + len(between[label:]) - len(strings.TrimLeft(between[label:], " "))
		action.edits = []textEdit{v.insert(column, "{"), v.insert(end, ", "+strings.Join(missing, ", ")+"}")}
	}
	return []tableAction{action}
}

// placeholder is the type of a column in CUE.
func placeholder(s *plan.Shape) string {
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
	gapKeys  = regexp.MustCompile(`^no row has the keys? (-?\d+)(?: to (-?\d+))?(: the least limit is above it)?$`)
	holeKeys = regexp.MustCompile(`: there is none for (.*)$`)
	keyRange = regexp.MustCompile(`^(-?\d+)(?: to (-?\d+))?$`)
)

// fillGaps adds rows for the keys that have none, as far as the diagnostic names them.
func (v *view) fillGaps(t *book.Table, d *diag.Diagnostic) []tableAction {
	var out []tableAction
	if m := gapKeys.FindStringSubmatch(d.Message); m != nil {
		out = v.addRow(out, t, m[1], m[2])
	}
	if m := holeKeys.FindStringSubmatch(d.Message); m != nil {
		for _, keys := range strings.Split(strings.TrimSuffix(m[1], " and others"), ", ") {
			if r := keyRange.FindStringSubmatch(keys); r != nil && t.Kind.HasNumbers() {
				out = v.addRow(out, t, r[1], r[2])
			} else if !t.Kind.HasNumbers() && identifier.MatchString(keys) {
				out = v.addKeyedRow(out, t, keys)
			}
		}
	}
	return out
}

// cellsOf are the columns of a table with their types.
func cellsOf(t *book.Table) string {
	var out []string
	for i := range t.Columns {
		out = append(out, t.Columns[i].Name+": "+placeholder(t.Columns[i].Shape))
	}
	return strings.Join(out, ", ")
}

// addRow adds a row for a range of numbers, where it belongs among the others.
func (v *view) addRow(out []tableAction, t *book.Table, from, to string) []tableAction {
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
		return v.addBehind(out, &t.Rows[len(t.Rows)-1], "add the row "+key, row)
	}
	at := t.Rows[next].Place
	line := v.text(at.File).line(at.Line)
	if indent := indentOf(line); len([]rune(indent)) == at.Col-1 {
		row += ",\n" + indent
	} else {
		row += ", "
	}
	return append(out, tableAction{"add the row " + key, at.File, []textEdit{v.insert(at, row)}})
}

// addBehind adds a row in a list behind the last one.
func (v *view) addBehind(out []tableAction, last *book.Row, title, row string) []tableAction {
	end, ok := v.findClose(last.Place)
	if !ok {
		return out
	}
	end.Col++
	line := v.text(last.Place.File).line(last.Place.Line)
	between := ", "
	if indent := indentOf(line); len([]rune(indent)) == last.Place.Col-1 {
		between = ",\n" + indent
	}
	return append(out, tableAction{title, last.Place.File, []textEdit{v.insert(end, between+row)}})
}

// addKeyedRow adds a row of a name behind the last one, when that stands on lines of its own.
func (v *view) addKeyedRow(out []tableAction, t *book.Table, key string) []tableAction {
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
	if len([]rune(indent)) != last.Place.Col-1 {
		return out
	}
	end := plan.Place{File: last.Place.File, Line: last.Place.Line, Col: len(line) + 1}
	if open := slices.Index(line, '{'); open >= 0 {
		var ok bool
		if end, ok = v.findClose(plan.Place{File: end.File, Line: end.Line, Col: open + 1}); !ok {
			return out
		}
		end.Col++
	}
	edit := v.insert(end, "\n"+indent+key+": {"+cellsOf(t)+"}")
	return append(out, tableAction{"add the row " + key, last.Place.File, []textEdit{edit}})
}

// bandLimits is what a row of bands says of its key.
var bandLimits = regexp.MustCompile(`on:\s*(\[[^\]]*\]|-?[\d.]+)`)

// separateRows ends the row that begins first before the other one, or begins the other behind it.
func (v *view) separateRows(t *book.Table, d *diag.Diagnostic) []tableAction {
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
		m := bandLimits.FindStringSubmatchIndex(tail)
		if low > high || m == nil {
			return
		}
		key := fmt.Sprintf("[%v, %v]", low, high)
		if low == high {
			key = fmt.Sprint(low)
		}
		at := row.Place
		at.Col += len([]rune(tail[:m[2]]))
		edit := textEdit{v.span(at, len([]rune(tail[m[2]:m[3]]))), key}
		out = append(out, tableAction{title, row.Place.File, []textEdit{edit}})
	}
	change(later, earlier.Hi+1, later.Hi, fmt.Sprintf("begin this row at %v", earlier.Hi+1))
	change(earlier, earlier.Lo, later.Lo-1, fmt.Sprintf("end the other row at %v", later.Lo-1))
	return out
}

// insert is an edit that writes a text before a place.
func (v *view) insert(at plan.Place, text string) textEdit {
	p := v.text(at.File).position(at.Line, at.Col, v.encoding)
	return textEdit{span{p, p}, text}
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

func isBeforePlace(a, b plan.Place) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

// findClose is the place of the bracket that closes the one at a place; not ok when there is no bracket, or nothing closes
// it.
func (v *view) findClose(at plan.Place) (plan.Place, bool) {
	text := v.text(at.File)
	depth := 0
	for n := at.Line; n <= len(text.lines); n++ {
		from := 0
		if n == at.Line {
			from = at.Col - 1
		}
		for i, c := range outsideStrings([]rune(text.line(n)), from) {
			switch c {
			case '{', '[', '(':
				depth++
			case '}', ']', ')':
				depth--
			}
			if depth == 0 {
				return plan.Place{File: at.File, Line: n, Col: i + 1}, i+1 != at.Col || n != at.Line
			}
		}
	}
	return plan.Place{}, false
}

// outsideStrings yields the code points of a line of CUE from an index on that are in no string and no comment.
func outsideStrings(line []rune, from int) func(yield func(int, rune) bool) {
	return func(yield func(int, rune) bool) {
		quoted := false
		for i := from; i < len(line); i++ {
			switch c := line[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '/' && i+1 < len(line) && line[i+1] == '/':
				return
			default:
				if !yield(i, c) {
					return
				}
			}
		}
	}
}

// fieldLabel is a label of CUE at the beginning of a text.
var fieldLabel = regexp.MustCompile(`^(?:[A-Za-z_#]\w*|"[^"]*")[?!]?:\s*`)

// valueEnd is the column behind a value of CUE that begins at a column, or behind the value of the field that begins there.
// A value that goes on on the next line ends with the line.
func valueEnd(line []rune, col int) int {
	from := min(max(col-1, 0), len(line))
	from += len([]rune(fieldLabel.FindString(string(line[from:]))))
	depth := 0
	for i, c := range outsideStrings(line, from) {
		switch c {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		}
		if depth < 0 || depth == 0 && c == ',' {
			return i + 1
		}
	}
	return len([]rune(strings.TrimRight(string(line), " \t"))) + 1
}

// rowSpan is the range of a row of a table that begins at a place, in braces or as a field.
func (v *view) rowSpan(at plan.Place) span {
	text := v.text(at.File)
	line := []rune(text.line(at.Line))
	start := text.position(at.Line, at.Col, v.encoding)
	for i, c := range outsideStrings(line, min(at.Col-1, len(line))) {
		if c != '{' {
			continue
		}
		if end, ok := v.findClose(plan.Place{File: at.File, Line: at.Line, Col: i + 1}); ok {
			return span{start, text.position(end.Line, end.Col+1, v.encoding)}
		}
		break
	}
	return span{start, text.position(at.Line, valueEnd(line, at.Col), v.encoding)}
}

// rowLabel is what stands before the brace of a row that is found by its name.
var rowLabel = regexp.MustCompile(`([A-Za-z_]\w*|"[^"]*"):\s*$`)

// columnsAt are the columns that may still be written at a place in a row of a table; nil elsewhere.
func (s *server) columnsAt(t *target) []symbols.Symbol {
	kind, id, ok := strings.Cut(t.index.Owner(t.at), " ")
	if !ok || kind != symbols.Table.String() {
		return nil
	}
	var table symbols.Symbol
	for _, d := range t.index.Definitions() {
		if d.Kind == symbols.Table && d.Name == id {
			table = d
		}
	}
	inside, ok := t.rowText(table.Place)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(table.Members(), func(c symbols.Symbol) bool {
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(c.Name) + `:`).MatchString(inside)
	})
}

// rowText is what stands in the row around the place of a request, in a table that begins at another one: from the row's
// brace to its end, or to the end of the line while nothing closes it. Not ok where there is no row.
func (t *target) rowText(table plan.Place) (string, bool) {
	text := t.text(t.at.File)
	type bracket struct {
		at    plan.Place
		opens rune
	}
	var open []bracket
	for n := table.Line; n <= t.at.Line; n++ {
		line := []rune(text.line(n))
		if n == t.at.Line {
			line = line[:min(t.at.Col-1, len(line))]
		}
		for i, c := range outsideStrings(line, 0) {
			switch c {
			case '{', '[', '(':
				open = append(open, bracket{plan.Place{File: t.at.File, Line: n, Col: i + 1}, c})
			case '}', ']', ')':
				open = open[:max(len(open)-1, 0)]
			}
		}
	}
	if len(open) == 0 || open[len(open)-1].opens != '{' {
		return "", false
	}
	row := open[len(open)-1].at
	line := []rune(text.line(row.Line))
	label := rowLabel.FindStringSubmatch(string(line[:row.Col-1]))
	inList := len(open) > 1 && open[len(open)-2].opens == '['
	isRow := label != nil && len(open) > 1 && label[1] != plan.KeyedTable.String() && row.Line != table.Line
	if !inList && !isRow {
		return "", false
	}
	end, ok := t.findClose(row)
	if !ok {
		end = plan.Place{File: row.File, Line: t.at.Line, Col: len([]rune(text.line(t.at.Line))) + 1}
	}
	return text.between(row, end), true
}

// between is the text from a place to another one.
func (t *textFile) between(from, to plan.Place) string {
	if from.Line == to.Line {
		line := []rune(t.line(from.Line))
		return string(line[min(from.Col-1, len(line)):min(to.Col-1, len(line))])
	}
	var out strings.Builder
	for n := from.Line; n <= to.Line; n++ {
		line := []rune(t.line(n))
		switch n {
		case from.Line:
			line = line[min(from.Col-1, len(line)):]
		case to.Line:
			line = line[:min(to.Col-1, len(line))]
		}
		out.WriteString(string(line) + "\n")
	}
	return out.String()
}
