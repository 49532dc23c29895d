package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A page collects text for people and writes it at once.
type page struct {
	b     strings.Builder
	color bool
}

// page begins a page that will be written to w.
func (s *settings) page(w io.Writer) *page { return &page{color: s.color.on(w)} }

// A style is how text is coloured: the parameters of ECMA-48's SGR, "" for plain text.
type style string

const (
	plain style = ""
	bold  style = "1"
	faint style = "2"
	red   style = "31"
)

// in gives text in a style.
func (p *page) in(s style, text string) string {
	if !p.color || s == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// line adds a line, indented by so many blanks.
func (p *page) line(indent int, format string, args ...any) {
	text := strings.Repeat(" ", indent) + fmt.Sprintf(format, args...)
	p.b.WriteString(strings.TrimRight(text, " ") + "\n")
}

// blank adds an empty line, unless the page is empty.
func (p *page) blank() {
	if p.b.Len() > 0 {
		p.b.WriteByte('\n')
	}
}

// text adds lines of text, each indented.
func (p *page) text(indent int, s style, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		p.line(indent, "%s", p.in(s, line))
	}
}

// pageWidth is how many code points lines of running text have at most.
const pageWidth = 100

// wrapped breaks running text into lines of at most so many code points, where there are blanks.
func wrapped(text string, width int) string {
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

// A column is how the cells below each other are shown.
type column struct {
	style style
	right bool // aligned to the right
}

// rows adds rows whose cells are aligned. A last cell may have several lines. Cells beyond the columns given are plain.
func (p *page) rows(indent int, rows [][]string, columns ...column) {
	widths := widths(rows)
	for _, row := range rows {
		var b strings.Builder
		left := indent
		for i, cell := range row[:len(row)-1] {
			b.WriteString(p.cell(cell, widths[i], at(columns, i)) + "  ")
			left += widths[i] + 2
		}
		last := len(row) - 1
		p.lastCell(indent, left, b.String(), row[last], widths[last], at(columns, last))
	}
}

func at(columns []column, i int) column {
	if i < len(columns) {
		return columns[i]
	}
	return column{}
}

// cell pads a cell before it is coloured: colours have no width.
func (p *page) cell(text string, width int, c column) string {
	pad := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
	if c.right {
		return pad + p.in(c.style, text)
	}
	return p.in(c.style, text) + pad
}

func (p *page) lastCell(indent, left int, before, text string, width int, c column) {
	if c.right {
		text = strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text))) + text
	}
	for i, line := range strings.Split(text, "\n") {
		if i == 0 {
			p.line(indent, "%s%s", before, p.in(c.style, line))
			continue
		}
		p.line(left, "%s", p.in(c.style, line))
	}
}

// widths are those of the columns, in code points.
func widths(rows [][]string) []int {
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

// flush writes the page.
func (p *page) flush(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}
