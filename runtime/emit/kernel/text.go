package kernel

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
)

// ParseWord sets a number to that of a word of a field; its error is that of a text which is none of the words.
func ParseWord(number *uint8, words []string, field string, text []byte) error {
	i := slices.Index(words, string(text))
	if i < 0 {
		return fmt.Errorf("%s has no word %q", field, text)
	}
	*number = uint8(i)
	return nil
}

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
