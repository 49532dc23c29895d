package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Place is a position in a file the author wrote. The zero Place is unknown.
type Place struct {
	File      string // as the author names it, with forward slashes
	Line, Col int    // 1-based; Col counts code points
}

// MarshalText implements encoding.TextMarshaler: "file:line:column", empty for the zero Place.
func (p Place) MarshalText() ([]byte, error) {
	if p.File == "" {
		return nil, nil
	}
	return fmt.Appendf(nil, "%s:%d:%d", p.File, p.Line, p.Col), nil
}

// A Shape is the input specification of a value: its type, and what JSON must satisfy to be one.
type Shape struct {
	Kind     Kind
	Place    Place
	Min, Max *Bound   // of an int or a double
	Not      []Bound  // values an int or a double may not have
	Limits   []Limit  // of a number of a character: bounds that other fields of its record set
	Enum     []string // of a string; nil when it is open
	// KeyOf is, of a string or of the keys of a map, the table whose keys they must be; Enum or Keys hold them once the
	// tables are read. Or it is, of a string, a map of the character, with the words for none, "character.skills,
	// untrained"; then a requirement of the body judges it.
	KeyOf     string
	Elem      *Shape   // of a list or a map
	MinItems  int      // of a list
	MaxItems  int      // of a list or a map; a list always has it
	Keys      []string // of a map: the only keys it may have; nil when any may stand
	Fields    []Member // of a record: its fields; of a map: the keys it must or may have by name, with their own shapes
	Character bool     // the ruleset's #Character
}

// Member returns the shape of a member by its name: of a field of a record, or of any key of a map; nil where there is
// none, and of nil.
func (s *Shape) Member(name string) *Shape {
	if s == nil {
		return nil
	}
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Shape
		}
	}
	if s.Kind == Map {
		return s.Elem
	}
	return nil
}

// MostKeys returns how many keys a map may have.
func (s *Shape) MostKeys() int {
	if s.MaxItems > 0 {
		return min(s.MaxItems, MaxKeys)
	}
	return MaxKeys
}

// Choices returns the values of an int that may have but a few between its bounds, in ascending order: 4, 6 and 8. It is
// nil of a range without gaps, and where they are many.
func (s *Shape) Choices() []int64 {
	const most = 16
	if s.Kind != Int || len(s.Not) == 0 || s.Min == nil || s.Max == nil ||
		s.Max.Value-s.Min.Value >= most+float64(len(s.Not)) {
		return nil
	}
	var out []int64
	for v := s.Min.Value; v <= s.Max.Value; v++ {
		if !slices.ContainsFunc(s.Not, func(b Bound) bool { return b.Value == v }) {
			out = append(out, int64(v))
		}
	}
	return out
}

// ListChoices lists the values of an int that may have but a few, for a message; "" when there are none.
func (s *Shape) ListChoices() string {
	var out []string
	for _, v := range s.Choices() {
		out = append(out, strconv.FormatInt(v, 10))
	}
	return strings.Join(out, ", ")
}

// A Bound is one end of a range.
type Bound struct {
	Value float64 // exact: integers beyond 2^53 are refused at compile time
	Open  bool    // the value itself is outside
}

// Split returns the value as a bound that is inside of its range or as one that is outside. Both are nil without a bound.
func (b *Bound) Split() (closed, open *float64) {
	switch {
	case b == nil:
		return nil, nil
	case b.Open:
		return nil, &b.Value
	}
	return &b.Value, nil
}

// A Member is a field of a record, or a named key of a map. It is required unless it is Optional or has a Default.
type Member struct {
	Name     string
	Doc      string
	Shape    *Shape
	Optional bool
	Default  string // JSON; "" when there is none
	Place    Place
}

// Type returns the type of the values that the shape admits.
func (s *Shape) Type() *Type {
	t := &Type{Kind: s.Kind, Enum: s.Enum, Character: s.Character}
	switch s.Kind {
	case List:
		t.Elem = s.Elem.Type()
	case Map:
		t.Key, t.Elem = String, s.Elem.Type()
	case Record:
		for _, m := range s.Fields {
			t.Fields = append(t.Fields, Field{Name: m.Name, Type: m.Shape.Type(), Optional: m.Optional})
		}
	}
	return t
}

// SlotType returns the type of the value that has a slot of the shape; nil for the slot of a presence. It is the type that
// Type has of the slot, without making the types of all other fields: a plan is verified whenever it is loaded, and asks
// this of each list that a graph reads.
func (s *Shape) SlotType(slot int) *Type {
	if s.Kind != Record {
		return s.Type()
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Optional {
			if slot == 0 {
				return nil
			}
			slot--
		}
		if n := m.Shape.Slots(); slot >= n {
			slot -= n
			continue
		}
		return m.Shape.SlotType(slot)
	}
	return nil
}

// Slots returns how many slots a value of the shape takes: those of its type.
func (s *Shape) Slots() int {
	if s.Kind != Record {
		return 1
	}
	n := 0
	for i := range s.Fields {
		if n += s.Fields[i].Shape.Slots(); s.Fields[i].Optional {
			n++
		}
	}
	return n
}
