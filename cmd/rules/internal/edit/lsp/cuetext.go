package lsp

import (
	"regexp"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// What CUE's syntax is asked about a file on the screen, which may be half written so that no parser takes it: where a
// bracket closes, where a value ends, whether a string has begun.

// insertAt returns an edit that writes a text before a place.
func insertAt(v *view, at plan.Place, text string) textEdit {
	p := v.text(at.File).positionOf(at.Line, at.Col, v.encoding)
	return textEdit{span{p, p}, text}
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

func isBeforePlace(a, b plan.Place) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

// findClose returns the place of the bracket that closes the one at a place; not ok when there is no bracket, or nothing
// closes it.
func findClose(v *view, at plan.Place) (plan.Place, bool) {
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
//
// It knows plain strings and comments of one line. Brackets in a string of several lines are
// counted; rulesets have such strings in formulas, where they are balanced.
func outsideStrings(line []rune, from int) func(yield func(int, rune) bool) {
	return func(yield func(int, rune) bool) {
		quoted, end := false, commentStart(line, from)
		for i := from; i < end; i++ {
			switch c := line[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			default:
				if !yield(i, c) {
					return
				}
			}
		}
	}
}

// commentStart returns the index at which a line of CUE has its comment, from an index on that is in no string; the
// length of the line when it has none.
func commentStart(line []rune, from int) int {
	quoted := false
	for i := from; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && c == '/' && i+1 < len(line) && line[i+1] == '/':
			return i
		}
	}
	return len(line)
}

// fieldLabel is a label of CUE at the beginning of a text.
var fieldLabel = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z_#]\w*|"[^"]*")[?!]?:\s*`)
})

// valueEnd returns the column behind a value of CUE that begins at a column, or behind the value of the field that begins
// there. A value that goes on on the next line ends with the line, before its comment.
//
// It is used for values on one line: a cell, a revision, a value that a homebrew expects.
func valueEnd(line []rune, col int) int {
	from := min(max(col-1, 0), len(line))
	from += len([]rune(fieldLabel().FindString(string(line[from:]))))
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
	return len([]rune(strings.TrimRight(string(line[:commentStart(line, from)]), " \t"))) + 1
}

// rowSpan returns the range of a row of a table that begins at a place, in braces or as a field.
func rowSpan(v *view, at plan.Place) span {
	text := v.text(at.File)
	line := []rune(text.line(at.Line))
	start := text.positionOf(at.Line, at.Col, v.encoding)
	for i, c := range outsideStrings(line, min(at.Col-1, len(line))) {
		if c != '{' {
			continue
		}
		if end, ok := findClose(v, plan.Place{File: at.File, Line: at.Line, Col: i + 1}); ok {
			return span{start, text.positionOf(end.Line, end.Col+1, v.encoding)}
		}
		break
	}
	return span{start, text.positionOf(at.Line, valueEnd(line, at.Col), v.encoding)}
}

// isInString reports whether a text of a line ends within a string of CUE.
func isInString(before string) bool {
	return (strings.Count(before, `"`)-strings.Count(before, `\"`))%2 == 1
}
