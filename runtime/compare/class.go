package compare

import (
	"fmt"
	"strconv"
	"strings"
)

// A Class says what a change between two revisions does to whoever plays by them. A higher one contains the lower ones.
type Class uint8

// The classes.
const (
	Same         Class = iota
	TextClass          // what people read
	OddsClass          // what the dice are: the same faces answer the same
	NumbersClass       // answers
	ShapeClass         // what may be asked and what is answered: inputs and outputs
)

var classNames = [...]string{"none", "TEXT", "ODDS", "NUMBERS", "SHAPE"}

// String returns the class as changelogs have it.
func (c Class) String() string { return classNames[c] }

// MarshalText implements encoding.TextMarshaler.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ParseClass reads the name of a class, in capitals or not.
func ParseClass(s string) (Class, error) {
	for c, name := range classNames[1:] {
		if strings.EqualFold(s, name) {
			return Class(c + 1), nil
		}
	}
	return Same, fmt.Errorf("%q is no class: it is text, odds, numbers or shape", s)
}

// A Number is a revision's number: major, minor, patch.
type Number [3]uint64

// ParseNumber reads "1.4.0".
func ParseNumber(s string) (Number, error) {
	var n Number
	parts := strings.Split(s, ".")
	if len(parts) != len(n) {
		return n, fmt.Errorf("%q is no revision: three numbers like 1.4.0", s)
	}
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 32)
		if err != nil || strconv.FormatUint(v, 10) != p {
			return n, fmt.Errorf("%q is no revision: three numbers like 1.4.0", s)
		}
		n[i] = v
	}
	return n, nil
}

// String returns the number as rules.cue has it.
func (n Number) String() string { return fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2]) }

// Less reports whether n comes before m.
func (n Number) Less(m Number) bool {
	for i := range n {
		if n[i] != m[i] {
			return n[i] < m[i]
		}
	}
	return false
}

// Next returns the least number that may follow n. A breaking change asks for the next major number, or while that is 0 for
// the next minor one; new shapes, numbers and odds for the next minor one; text for the next patch; nothing keeps the
// number. (Semantic Versioning 2.0.0, paragraphs 4 and 6 to 8.)
func (n Number) Next(c Class, breaking bool) Number {
	switch {
	case breaking && n[0] > 0:
		return Number{n[0] + 1}
	case breaking || c > TextClass:
		return Number{n[0], n[1] + 1}
	case c == TextClass:
		return Number{n[0], n[1], n[2] + 1}
	}
	return n
}
