package plan

import "fmt"

// Kind says what a value is and how its slot is read.
type Kind uint8

// The kinds of values. Span and Fault never appear in a Type: they are what slots hold.
const (
	Invalid Kind = iota
	Int          // int64
	Double       // the bits of a float64
	Bool         // 0 or 1
	String       // a symbol: an index into the plan's symbols or, beyond them, the frame's
	List         // a span of elements
	Map          // a span of entries, sorted by key: the key's slot, then the value's slots
	Record       // its fields, one after the other
	Fault        // 0, or 1 + an index into the frame's faults
)

// String names a kind as authors do.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

var kindNames = [...]string{"invalid", "int", "double", "bool", "string", "list", "map", "record", "fault"}

// What numbers may be, for messages about one that is none.
const (
	IntLimit    = "an int is from -2^63 to 2^63 - 1"
	DoubleLimit = "a double is less than 1.798e308 in size"
)

// A Type is the static type of a value. Types are immutable once built and compared with Same.
type Type struct {
	Kind      Kind
	Key       Kind     // of a map: String, in a conformance case also Int or Bool
	Elem      *Type    // of a list or a map
	Fields    []Field  // of a record, in the author's order
	Character bool     // a record that is the ruleset's #Character, of which traits may be asked
	Enum      []string // of a string that is one of these, in the author's order; nil when it is open
	Unordered bool     // of an Enum: its words come from several places, so no author has put them in an order
}

// Order returns the words of a choice from the least to the greatest, if an author put some in an order. Other strings
// go by letters.
func (t *Type) Order() []string {
	if t.Kind != String || t.Unordered || len(t.Enum) < 2 {
		return nil
	}
	return t.Enum
}

// A Field is a member of a record. Its slots are laid out as: presence (when Optional), fault (when Fallible), value.
type Field struct {
	Name     string
	Type     *Type
	Optional bool // may be absent: a presence slot, 0 or 1, stands before it
	Fallible bool // may have failed without its record having failed: a fault slot stands before it
}

// The scalar types.
var (
	IntType    = &Type{Kind: Int}
	DoubleType = &Type{Kind: Double}
	BoolType   = &Type{Kind: Bool}
	StringType = &Type{Kind: String}
)

// ListOf returns the type of a list of elem.
func ListOf(elem *Type) *Type { return &Type{Kind: List, Elem: elem} }

// MapOf returns the type of a map from strings to elem.
func MapOf(elem *Type) *Type { return &Type{Kind: Map, Key: String, Elem: elem} }

// Slots returns how many consecutive slots a value of the type takes.
func (t *Type) Slots() int {
	if t.Kind != Record {
		return 1
	}
	n := 0
	for i := range t.Fields {
		n += t.Fields[i].Slots()
	}
	return n
}

func (f *Field) Slots() int {
	n := f.Type.Slots()
	if f.Optional {
		n++
	}
	if f.Fallible {
		n++
	}
	return n
}

// Stride returns how many slots an element of a list, or an entry of a map, takes.
func (t *Type) Stride() int {
	if t.Kind == Map {
		return 1 + t.Elem.Slots()
	}
	return t.Elem.Slots()
}

// Field returns the index of a record's field, and the offset of its first slot (presence, else fault, else value); -1 when
// there is none.
func (t *Type) Field(name string) (index, offset int) {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return i, offset
		}
		offset += t.Fields[i].Slots()
	}
	return -1, -1
}

// FieldNames returns the names of a record's fields, in their order; none of a type that is nil or no record.
func (t *Type) FieldNames() []string {
	if t == nil {
		return nil
	}
	var out []string
	for i := range t.Fields {
		out = append(out, t.Fields[i].Name)
	}
	return out
}

// Scalar reports whether a value of the type is one slot that is compared by its bits or its number.
func (t *Type) Scalar() bool { return t.Kind >= Int && t.Kind <= String }

// Same reports whether two types are interchangeable: equal in structure, whatever their enums and layouts.
func (t *Type) Same(u *Type) bool {
	if t == u {
		return true
	}
	if t.Kind != u.Kind || t.Character != u.Character || len(t.Fields) != len(u.Fields) {
		return false
	}
	for i := range t.Fields {
		a, b := &t.Fields[i], &u.Fields[i]
		if a.Name != b.Name || a.Optional != b.Optional || !a.Type.Same(b.Type) {
			return false
		}
	}
	switch t.Kind {
	case List:
		return t.Elem.Same(u.Elem)
	case Map:
		return t.Key == u.Key && t.Elem.Same(u.Elem)
	}
	return true
}

// Signature tells types apart that differ in anything.
func (t *Type) Signature() string {
	if t == nil {
		return ""
	}
	out := fmt.Sprintf("%d %d %t %t %q %s{", t.Kind, t.Key, t.Character, t.Unordered, t.Enum, t.Elem.Signature())
	for i := range t.Fields {
		f := &t.Fields[i]
		out += fmt.Sprintf("%q %t %t %s,", f.Name, f.Optional, f.Fallible, f.Type.Signature())
	}
	return out + "}"
}

// String prints the type as an author would write it: "list(int)", "map(string, double)", "{name: string}".
func (t *Type) String() string {
	switch t.Kind {
	case List:
		return "list(" + t.Elem.String() + ")"
	case Map:
		return "map(" + t.Key.String() + ", " + t.Elem.String() + ")"
	case Record:
		if t.Character {
			return "#Character"
		}
		s := "{"
		for i, f := range t.Fields {
			if i > 0 {
				s += ", "
			}
			s += f.Name
			if f.Optional {
				s += "?"
			}
			s += ": " + f.Type.String()
		}
		return s + "}"
	}
	return t.Kind.String()
}
