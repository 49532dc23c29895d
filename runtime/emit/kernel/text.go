package kernel

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime/builtin"
)

// NoWord returns the error of a text that is none of the words of a field.
func NoWord(field string, text []byte) error { return fmt.Errorf("%s has no word %q", field, text) }

// IntOf returns the int that a text spells; 0 where it spells none.
func IntOf(text string) int64 {
	n, _ := builtin.ParseInt(text)
	return n
}

// DoubleOf returns the double that a text spells; 0 where it spells none.
func DoubleOf(text string) float64 {
	v, _ := builtin.ParseDouble(text)
	return v
}
