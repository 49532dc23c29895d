// Package layout lays out text for a terminal: indented lines, aligned columns, bold and faint where colours are wanted.
// Widths are counted in code points.
package layout

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/visible"
)

// A Page collects text for people and writes it at once.
type Page struct {
	B     strings.Builder
	Color bool
	// Width is how many code points a line of running text, or of a last cell, has at most: longer ones are broken where
	// there are blanks. 0 leaves all lines as they are.
	Width int
}

// A Style is how text is coloured: the parameters of ECMA-48's SGR, "" for plain text.
type Style string

const (
	Plain Style = ""
	Bold  Style = "1"
	Faint Style = "2"
	Red   Style = "31"
	Green Style = "32"
)

// Style returns text in a style, and as it is where the page has no colours. Each piece ends its
// style, so that pieces can be put together in any order.
func (p *Page) Style(s Style, text string) string {
	if !p.Color || s == Plain || text == "" {
		return text
	}
	return s.sequence() + text + endOfStyle
}

// endOfStyle ends every style.
const endOfStyle = "\x1b[0m"

func (s Style) sequence() string { return "\x1b[" + string(s) + "m" }

// AddLine adds a line, indented by so many blanks.
func (p *Page) AddLine(indent int, format string, args ...any) {
	text := strings.Repeat(" ", indent) + fmt.Sprintf(format, args...)
	p.B.WriteString(strings.TrimRight(text, " ") + "\n")
}

// AddBlank adds an empty line, unless the page is empty.
func (p *Page) AddBlank() {
	if p.B.Len() > 0 {
		p.B.WriteByte('\n')
	}
}

// AddText adds lines of text, each indented.
func (p *Page) AddText(indent int, s Style, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(p.breakLines(text, indent), "\n") {
		p.AddLine(indent, "%s", p.Style(s, line))
	}
}

// breakLines breaks the lines of a text that begins in a column and are wider than the page. Where less than a third of the
// page is left they stay as they are: a column of single words is harder to read.
func (p *Page) breakLines(text string, column int) string {
	room := p.Width - column
	if room <= p.Width/3 {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if utf8.RuneCountInString(line) > room {
			line = WrapText(line, room)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// PageWidth is how many code points lines of running text have at most.
const PageWidth = 100

// WrapText breaks running text into lines of at most so many code points, where there are blanks.
func WrapText(text string, width int) string {
	var b strings.Builder
	left := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case left+1+n > width:
			b.WriteByte('\n')
			left = 0
		default:
			b.WriteByte(' ')
			left++
		}
		b.WriteString(word)
		left += n
	}
	return b.String()
}

// A Column is how the cells below each other are shown.
type Column struct {
	Style Style
	Right bool // aligned to the right
}

// AddRows adds rows whose cells are aligned. A last cell may have several lines. Cells beyond the columns given are plain.
func (p *Page) AddRows(indent int, rows [][]string, columns ...Column) {
	widths := columnWidths(rows)
	for _, row := range rows {
		var b strings.Builder
		left := indent
		for i, cell := range row[:len(row)-1] {
			b.WriteString(p.padCell(cell, widths[i], columnAt(columns, i)) + "  ")
			left += widths[i] + 2
		}
		last := len(row) - 1
		p.lastCell(indent, left, b.String(), row[last], widths[last], columnAt(columns, last))
	}
}

func columnAt(columns []Column, i int) Column {
	if i < len(columns) {
		return columns[i]
	}
	return Column{}
}

// padCell pads a cell before it is coloured: colours have no width.
func (p *Page) padCell(text string, width int, c Column) string {
	pad := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
	if c.Right {
		return pad + p.Style(c.Style, text)
	}
	return p.Style(c.Style, text) + pad
}

// lastCell adds the last cell of a row, whose further lines stand below its first: only there is
// room for running text.
func (p *Page) lastCell(indent, left int, before, text string, width int, c Column) {
	if c.Right {
		text = strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text))) + text
	} else {
		text = p.breakLines(text, left)
	}
	for i, line := range strings.Split(text, "\n") {
		if i == 0 {
			p.AddLine(indent, "%s%s", before, p.Style(c.Style, line))
			continue
		}
		p.AddLine(left, "%s", p.Style(c.Style, line))
	}
}

// columnWidths are those of the columns, in code points.
func columnWidths(rows [][]string) []int {
	var out []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], utf8.RuneCountInString(cell))
		}
	}
	return out
}

// Flush writes the page. Control characters that came with its text are shown and not sent.
func (p *Page) Flush(w io.Writer) error {
	var own []string
	if p.Color {
		own = Sequences()
	}
	_, err := io.WriteString(w, visible.Text(p.B.String(), own...))
	return err
}

// Sequences are all control sequences that pages have of their own.
func Sequences() []string {
	out := []string{endOfStyle}
	for _, s := range []Style{Bold, Faint, Red, Green} {
		out = append(out, s.sequence())
	}
	return out
}
