package layout

import (
	"io"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/visible"
)

// TestLiveLine writes through the writer that shows control characters, as the program does on a terminal: those of the
// line are obeyed, those of its text are not.
func TestLiveLine(t *testing.T) {
	var b strings.Builder
	l := newLiveLine(&visible.Writer{To: &b})
	for _, n := range []int{1, 1, 2} {
		l.Show("game\x1b[2J: %d of 2", n)
	}
	l.Clear()
	l.Clear()
	want := "\rgame\\x1b[2J: 1 of 2 \x1b[K" + "\rgame\\x1b[2J: 2 of 2 \x1b[K" + "\r\x1b[K"
	if b.String() != want {
		t.Errorf("written is %q, want %q", b.String(), want)
	}
}

func TestLiveLineIsForPeople(t *testing.T) {
	l := NewLiveLine(io.Discard)
	if l != nil {
		t.Error("a line is shown where nobody looks")
	}
	l.Show("nothing")
	l.Clear()
}
