package layout

import (
	"fmt"
	"io"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/visible"
)

// A LiveLine is one line on a terminal that is overwritten each time, and tells whoever waits how far something has come.
// Nil is one that nobody sees.
type LiveLine struct {
	terminal io.Writer
	shown    string
}

// NewLiveLine makes a line on w; nil when w is no terminal, where each state of the line would stay.
func NewLiveLine(w io.Writer) *LiveLine {
	if !IsTerminal(w) {
		return nil
	}
	return newLiveLine(w)
}

// newLiveLine makes a line that writes past a visible.Writer, which would show the carriage returns instead of letting the
// terminal obey them.
func newLiveLine(w io.Writer) *LiveLine {
	if v, ok := w.(*visible.Writer); ok {
		w = v.To
	}
	return &LiveLine{terminal: w}
}

// Show puts a text in the place of the one that is shown.
func (l *LiveLine) Show(format string, args ...any) {
	if l == nil {
		return
	}
	if text := visible.Text(fmt.Sprintf(format, args...)); text != l.shown {
		l.shown = text
		// The carriage return goes to the beginning of the line, and EL (ESC [ K) erases what a
		// longer text left behind it.
		fmt.Fprintf(l.terminal, "\r%s \x1b[K", text)
	}
}

// Clear removes the line, so that the next output stands in its place.
func (l *LiveLine) Clear() {
	if l != nil && l.shown != "" {
		l.shown = ""
		fmt.Fprint(l.terminal, "\r\x1b[K")
	}
}
