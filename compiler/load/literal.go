package load

import (
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/literal"
)

// decodeLiteral unquotes a CUE string literal and gives the byte offset in it of every code point of the text, and of the
// text's end. It has no offsets for literals it does not understand; then the text is empty too.
func decodeLiteral(raw string) (offs []int, text string) {
	d, ok := newDecoder(raw)
	if !ok {
		return nil, ""
	}
	for d.at < d.end {
		if !d.decodeNext() {
			return nil, ""
		}
	}
	return append(d.offs, d.end), d.text.String()
}

// A decoder walks the content of a string literal.
//
// Why not literal.Unquote alone: it gives the text and no offsets. The decoder keeps one offset per
// code point of the text; findLiteral compares its text with that of literal.Unquote, so that a
// literal which is misread here costs the exact places and never the text; FuzzDecode holds that
// there is an ascending offset for each code point. For the literal "a\nb" (six bytes with its
// quotes) the text has three code points, at the offsets 1, 2 and 4, and ends at 5.
type decoder struct {
	raw       string
	at, end   int    // the content that is left, as byte offsets into raw
	escape    string // a backslash and the literal's hashes
	multiline bool
	indent    string // of every line of a multi-line literal
	lineStart bool
	offs      []int
	text      strings.Builder
}

// newDecoder finds where the content of a literal begins and ends, by its hashes and quotes; not ok when it is no
// string.
func newDecoder(raw string) (*decoder, bool) {
	hashes := len(raw) - len(strings.TrimLeft(raw, "#"))
	d := &decoder{raw: raw, escape: `\` + strings.Repeat("#", hashes)}
	d.multiline = strings.HasPrefix(raw[hashes:], `"""`)
	quotes := 1
	if d.multiline {
		quotes = 3
	}
	d.at, d.end = hashes+quotes, len(raw)-hashes-quotes
	if !strings.HasPrefix(raw[hashes:], `"`) || d.end < d.at {
		return nil, false
	}
	d.offs = make([]int, 0, d.end-d.at+1) // a code point is a byte in most literals
	d.text.Grow(d.end - d.at)
	return d, !d.multiline || d.findLines()
}

// findLines finds the content of a multi-line literal: from the line after the opening quotes to before that of the
// closing.
func (d *decoder) findLines() bool {
	first := strings.IndexByte(d.raw[d.at:d.end], '\n')
	if first < 0 {
		return false
	}
	d.at += first + 1
	last := strings.LastIndexByte(d.raw[:d.end], '\n')
	d.indent, d.end = d.raw[last+1:d.end], max(last, d.at)
	d.lineStart = true
	return true
}

// decodeNext decodes one code point, one escape, or the indentation of a line.
func (d *decoder) decodeNext() bool {
	rest := d.raw[d.at:d.end]
	switch {
	case d.lineStart && strings.HasPrefix(rest, d.indent):
		d.at += len(d.indent)
		d.lineStart = false
		return true
	case strings.HasPrefix(rest, d.escape):
		return d.decodeEscape()
	}
	c, size := utf8.DecodeRuneInString(rest)
	if c != '\r' {
		d.writeRune(c)
	}
	d.lineStart = d.multiline && c == '\n'
	d.at += size
	return true
}

func (d *decoder) writeRune(c rune) {
	d.offs = append(d.offs, d.at)
	d.text.WriteRune(c)
}

// decodeEscape decodes an escape: a letter, u or U before four or eight hexadecimal digits, or a line break that joins two
// lines.
func (d *decoder) decodeEscape() bool {
	from := d.at + len(d.escape)
	if strings.HasPrefix(d.raw[from:d.end], "\n") {
		d.at, d.lineStart = from+1, d.multiline
		return true
	}
	to := from + escapeSize(d.raw[from:d.end])
	if to > d.end {
		return false
	}
	s, err := literal.Unquote(`"\` + d.raw[from:to] + `"`)
	if err != nil {
		return false
	}
	for _, c := range s {
		d.writeRune(c)
	}
	d.at = to
	return true
}

// escapeSize is the length of the escape that a text begins with, without its backslash.
func escapeSize(s string) int {
	switch {
	case strings.HasPrefix(s, "u"):
		return 5
	case strings.HasPrefix(s, "U"):
		return 9
	}
	return 1
}
