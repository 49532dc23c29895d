// Package visible shows control characters instead of sending them to a terminal. Names, cells, outputs and messages
// come from strangers' files; an escape sequence in one of them could hide text, rename the window, or answer for the
// user, and a mark that turns the direction of writing can make a line read as another. It imports nothing of ours.
package visible

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a text in which every character that a terminal obeys is written out: "\x1b", "\u202e". Ends of lines and
// tabs stay, and so does each of the sequences that the program itself has put in.
func Text(s string, own ...string) string {
	if strings.IndexFunc(s, isObeyed) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := ownLength(s[i:], own); n > 0 {
			b.WriteString(s[i : i+n])
			i += n
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !isObeyed(c):
			b.WriteString(s[i : i+size])
		case c < 0x100:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
		i += size
	}
	return b.String()
}

// ownLength returns the length of the program's own sequence that a text begins with, 0 for none.
func ownLength(s string, own []string) int {
	for _, sequence := range own {
		if strings.HasPrefix(s, sequence) {
			return len(sequence)
		}
	}
	return 0
}

// isObeyed reports whether a terminal may do something else with a character than show it: controls, marks of direction,
// separators of lines and paragraphs, tags.
func isObeyed(c rune) bool {
	switch {
	case c == '\n' || c == '\t':
		return false
	case unicode.IsControl(c), unicode.Is(unicode.Bidi_Control, c), c == 0x2028, c == 0x2029, 0xe0000 <= c && c <= 0xe007f:
		return true
	}
	return false
}

// A Writer shows control characters in what is written to another writer. A character that is written in two parts is shown
// as two.
type Writer struct {
	To  io.Writer
	Own []string // the program's own sequences, each written in one piece
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.To, Text(string(p), w.Own...)); err != nil {
		return 0, err
	}
	return len(p), nil
}
