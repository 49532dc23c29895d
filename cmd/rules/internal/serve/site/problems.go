package site

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// A problemView is a diagnostic of sources that do not compile.
type problemView struct {
	Place, Message, Repair string
	file                   string
	line                   int
}

// problemsOf returns the errors among diagnostics or, where there are none, the error itself.
func problemsOf(err error, list []diag.Diagnostic) []problemView {
	if list == nil {
		return []problemView{{Message: err.Error()}}
	}
	var out []problemView
	for _, d := range list {
		if d.Severity == diag.Error {
			place := fmt.Sprintf("%s:%d:%d", d.Place.File, d.Place.Line, d.Place.Col)
			out = append(out, problemView{place, d.Subject + ": " + d.Message, d.Repair, d.Place.File, d.Place.Line})
		}
	}
	return out
}

// At is the definition in whose lines a problem lies, of the last rules that compiled: an edit that moves lines may have
// moved it to the next one. It is nil when the page has no book, or the book no such file.
//
// The book on the page is the last that compiled, and the place of the problem is in the text of
// now. The nearest definition above the line is a good guess while somebody edits inside of it.
func (p page) At(x problemView) *definitionView {
	if p.Book == nil {
		return nil
	}
	var out *definitionView
	last := 0
	for _, d := range p.Book.allDefinitions() {
		if file, line := cutPlace(d.Place); file == x.file && line <= x.line && line >= last {
			out, last = d, line
		}
	}
	return out
}

// ProblemsAt are the problems in the lines of a definition.
func (p page) ProblemsAt(d *definitionView) []problemView {
	var out []problemView
	for _, x := range p.Problems {
		if p.At(x) == d {
			out = append(out, x)
		}
	}
	return out
}

// cutPlace takes the file and the line out of a place.
func cutPlace(place string) (file string, line int) {
	parts := strings.Split(place, ":")
	if len(parts) < 2 {
		return place, 0
	}
	line, _ = strconv.Atoi(parts[1]) // 0 for a place without a line
	return parts[0], line
}
