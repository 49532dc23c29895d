package layout

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/visible"
)

// A Color is the value of --color: when what is written is coloured.
type Color string

// IsOn reports whether the output to w is coloured: under auto, when w is a terminal and NO_COLOR is not set.
func (c *Color) IsOn(w io.Writer) bool {
	switch *c {
	case "always":
		return true
	case "never":
		return false
	}
	// NO_COLOR counts when it is set to anything that is not empty (no-color.org); --color wins
	// over it.
	return os.Getenv("NO_COLOR") == "" && IsTerminal(w)
}

// IsTerminal reports whether a person reads the output to w.
func IsTerminal(w io.Writer) bool {
	// It stands before a terminal and is none itself.
	if v, ok := w.(*visible.Writer); ok {
		w = v.To
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	return term.IsTerminal(int(f.Fd()))
}
