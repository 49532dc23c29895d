package lsp

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// rowLabel is what stands before the brace of a row that is found by its name.
var rowLabel = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_]\w*|"[^"]*"):\s*$`) })

// columnsAt returns the columns that may still be written at a place in a row of a table; nil elsewhere.
func columnsAt(t *target) []symbols.Symbol {
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
	inside, ok := rowTextAt(t, table.Place)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(table.Members(), func(c symbols.Symbol) bool {
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(c.Name) + `:`).MatchString(inside)
	})
}

// rowTextAt returns the text of the row around the place of a request, in a table that begins at another one: from the
// row's brace to its end, or to the end of the line while nothing closes it. Not ok where there is no row.
//
// Whether braces are a row cannot be asked of CUE while the row is being written. In a list of bands or steps every brace
// at its top level is a row; in a keyed table a label stands before it. The table's own braces are not.
func rowTextAt(t *target, table plan.Place) (string, bool) {
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
	label := rowLabel().FindStringSubmatch(string(line[:row.Col-1]))
	inList := len(open) > 1 && open[len(open)-2].opens == '['
	isRow := label != nil && len(open) > 1 && label[1] != plan.KeyedTable.String() && row.Line != table.Line
	if !inList && !isRow {
		return "", false
	}
	end, ok := findClose(t.view, row)
	if !ok {
		end = plan.Place{File: row.File, Line: t.at.Line, Col: len([]rune(text.line(t.at.Line))) + 1}
	}
	return text.textBetween(row, end), true
}
