package lsp

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An encoding says in which units a client counts the characters of a line.
type encoding string

const (
	utf8Encoding  encoding = "utf-8"
	utf16Encoding encoding = "utf-16"
	utf32Encoding encoding = "utf-32"
)

// chooseEncoding chooses an encoding of those that a client offers: code points, as the compiler counts, when it can be
// had.
func chooseEncoding(offered []string) encoding {
	chosen := utf16Encoding // what every client understands, and the one of those that offer none
	for _, e := range offered {
		switch encoding(e) {
		case utf32Encoding:
			return utf32Encoding
		case utf8Encoding:
			chosen = utf8Encoding
		}
	}
	return chosen
}

// countUnits returns the number of units that a text takes.
func (e encoding) countUnits(text string) int {
	switch e {
	case utf8Encoding:
		return len(text)
	case utf32Encoding:
		return utf8.RuneCountInString(text)
	}
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// countRunesBefore returns the number of code points of a line before a character.
//
// A client may name a unit in the middle of a surrogate pair. It counts as behind the code point,
// so that no position lies inside of one.
func (e encoding) countRunesBefore(line string, character int) int {
	n, units := 0, 0
	for _, r := range line {
		if units >= character {
			break
		}
		units += e.countUnits(string(r))
		n++
	}
	return n
}

// A textFile is the text of a file by lines.
type textFile struct {
	lines []string // without their ends
}

func newTextFile(data string) *textFile {
	return &textFile{strings.Split(strings.ReplaceAll(data, "\r\n", "\n"), "\n")}
}

// line returns the text of a line, from 1; empty behind the last.
func (t *textFile) line(n int) string {
	if n < 1 || n > len(t.lines) {
		return ""
	}
	return t.lines[n-1]
}

// positionOf returns the position of a code point of a line, both counted from 1; behind the end of the line, that end.
func (t *textFile) positionOf(line, col int, e encoding) position {
	text := []rune(t.line(line))
	before := min(max(col-1, 0), len(text))
	return position{Line: max(line-1, 0), Character: e.countUnits(string(text[:before]))}
}

// placeOf returns the line and the column of a position, both from 1.
func (t *textFile) placeOf(file string, p position, e encoding) plan.Place {
	return plan.Place{File: file, Line: p.Line + 1, Col: e.countRunesBefore(t.line(p.Line+1), p.Character) + 1}
}

// spanAt returns the range of some code points from a place on; of no code points, the word there.
func (t *textFile) spanAt(at plan.Place, length int, e encoding) span {
	if length == 0 {
		length = wordLength([]rune(t.line(at.Line)), at.Col-1)
	}
	return span{t.positionOf(at.Line, at.Col, e), t.positionOf(at.Line, at.Col+length, e)}
}

// wordLength counts the letters, digits and underscores of a line from an index on; 1 when there are none.
func wordLength(line []rune, from int) int {
	n := 0
	for i := max(from, 0); i < len(line) && isWordRune(line[i]); i++ {
		n++
	}
	return max(n, 1)
}

func isWordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf
}

// touches reports whether two ranges have a position in common; their ends count.
//
// A cursor is an empty range and must touch the word that it stands at the end of, so ends count,
// unlike in the half-open ranges of the protocol.
func touches(a, b span) bool { return !isBefore(a.End, b.Start) && !isBefore(b.End, a.Start) }

func isBefore(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// textBetween returns the text from a place to another one.
func (t *textFile) textBetween(from, to plan.Place) string {
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
