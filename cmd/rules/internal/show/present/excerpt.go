package present

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// PrintExcerpt shows the line of a diagnostic with a mark below its column. A file that cannot be read is not shown.
//
// The line is read from the disk when it is printed. Where the file has changed since, or lies in a
// release, the diagnostic stands alone.
func PrintExcerpt(p *layout.Page, d *diag.Diagnostic) {
	text, ok := LineOf(d.Place.File, d.Place.Line)
	if !ok {
		return
	}
	number := fmt.Sprintf("%5d", d.Place.Line)
	p.AddLine(0, "%s %s %s", p.Style(layout.Faint, number), p.Style(layout.Faint, "|"), text)
	p.AddLine(0, "%s %s %s%s", strings.Repeat(" ", len(number)), p.Style(layout.Faint, "|"), caretMargin(text, d.Place.Col),
		p.Style(layout.Red, "^"))
}

// LineOf returns a line of a file, from 1, without its end; not ok when the file cannot be read or
// is shorter.
func LineOf(file string, n int) (string, bool) {
	text, err := safefile.Read(file)
	if err != nil || n < 1 {
		return "", false
	}
	lines := strings.Split(string(text), "\n")
	if n > len(lines) {
		return "", false
	}
	return strings.TrimRight(lines[n-1], "\r"), true
}

// caretMargin returns blanks as wide as the text before a column, whose tabs it keeps. A tab is as wide as the terminal
// says, so only the same tabs put the mark below the column.
func caretMargin(line string, col int) string {
	before := []rune(line)
	before = before[:min(max(col-1, 0), len(before))]
	for i, r := range before {
		if r != '\t' {
			before[i] = ' '
		}
	}
	return string(before)
}
