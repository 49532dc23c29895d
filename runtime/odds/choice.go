package odds

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// A Choice is what a field may be decided to be.
type Choice struct {
	Path  string   // of the field in its record: "spend.speed"
	Reads []string // the named values that Options reads
	// Symmetric are those of Reads that are lists in whose order Options does not look: they may be given sorted.
	Symmetric  []string
	StateReads []string // the fields of the state that Options reads; nil where that is not known
	// Options are the values that may be chosen, given the records and the values of Reads. Without it they are all that
	// the field may be.
	Options func(records Records, known []jsonio.Value) ([]jsonio.Value, error)
}

// A Strategy decides fields of the input when dice have fallen.
type Strategy struct {
	Choices []Choice
	// Worth is what a choice is made for: the choices whose mean worth is greatest are taken. Without one every field must
	// have a single choice.
	Worth func(*Outcome) (float64, error)
	Reads []string // the outputs that Worth reads
}

// Decides reports whether a strategy decides the field at a path.
func (s *Strategy) Decides(path string) bool {
	return slices.ContainsFunc(s.Choices, func(c Choice) bool { return c.Path == path })
}
