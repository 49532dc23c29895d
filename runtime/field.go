package runtime

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Field is a number, a truth or a string of a rule's character or input, to be set in a Frame of that rule without
// JSON.
type Field struct {
	path    string
	shape   *plan.Shape
	at      int
	present int     // the slot that says that it is there; -1 for one that must be
	enum    []int64 // symbols of a string that is one of a list

	// What the slot may hold that is set without a further look, as most fields are. Nothing, where there is more to
	// judge, or more to do than to write the slot.
	min, count   uint64 // of ints: the least, and how many
	first, words uint64 // of symbols, likewise
	low, high    float64
}

// unset stands in the slot of a field that must be set and has not: no int within bounds, symbol or truth, and as a
// double none that is a number.
const unset = 0x7ff8_0000_0000_5e7d

// Field returns a field by its path: "character.strength", "input.place.height". Lists and maps, and the members of a
// record that may be absent, are no fields: Frame.Read reads them.
func (r *Rule) Field(path string) (*Field, error) {
	root, rest, _ := strings.Cut(path, ".")
	for _, of := range r.recordRoots() {
		if of.Root == root {
			return of.findField(path, rest)
		}
	}
	return nil, &UnknownError{What: "record", Name: root, Known: []string{r.program.character.Root, r.input.Root}}
}

// A rootReader reads a record into the slots from base on.
type rootReader struct {
	*jsonio.Schema
	base int
}

func (r *Rule) recordRoots() [2]rootReader {
	return [2]rootReader{
		{r.program.character, int(r.code.Base[plan.CharacterRoot])},
		{r.input, int(r.code.Base[plan.InputRoot])},
	}
}

// findField goes down the rest of a path.
func (r rootReader) findField(path, rest string) (*Field, error) {
	name, rest, more := strings.Cut(rest, ".")
	i := slices.IndexFunc(r.Members, func(m jsonio.Member) bool { return m.Name == name })
	if i < 0 {
		return nil, &UnknownError{What: "field", Name: name, Known: memberNames(r.Schema)}
	}
	m := &r.Members[i]
	kind := m.Shape.Kind
	switch {
	case kind == plan.Record && more && !m.Optional:
		return rootReader{m.Schema, r.base + m.At}.findField(path, rest)
	case more, kind < plan.Int, kind > plan.String:
		return nil, &UnknownError{What: "number, truth or string", Name: path}
	}
	return newField(path, m, r.base+m.At), nil
}

func memberNames(r *jsonio.Schema) (out []string) {
	for _, m := range r.Members {
		out = append(out, m.Name)
	}
	return out
}

func newField(path string, m *jsonio.Member, at int) *Field {
	x := &Field{path: path, shape: m.Shape, at: at, present: -1, enum: m.Schema.Enum, low: 1}
	if m.Optional {
		x.present, x.at = at, at+1
		return x
	}
	switch s := m.Shape; s.Kind {
	case plan.Int:
		x.quickInt(s)
	case plan.Double:
		x.quickDouble(s)
	case plan.String:
		if areConsecutive(x.enum) {
			x.first, x.words = uint64(x.enum[0]), uint64(len(x.enum))
		}
	}
	return x
}

func (x *Field) quickInt(s *plan.Shape) {
	if hasSpecialBounds(s) || s.Min == nil || s.Max == nil || s.Min.Value > s.Max.Value {
		return
	}
	x.min = uint64(int64(math.Ceil(s.Min.Value)))
	x.count = uint64(int64(math.Floor(s.Max.Value))) - x.min + 1
}

func (x *Field) quickDouble(s *plan.Shape) {
	if hasSpecialBounds(s) {
		return
	}
	x.low, x.high = -math.MaxFloat64, math.MaxFloat64
	if s.Min != nil {
		x.low = s.Min.Value
	}
	if s.Max != nil {
		x.high = s.Max.Value
	}
}

// hasSpecialBounds reports whether more is asked of a number than to lie from one bound to another.
func hasSpecialBounds(s *plan.Shape) bool {
	return s.Not != nil || s.Min != nil && s.Min.Open || s.Max != nil && s.Max.Open
}

// areConsecutive reports whether symbols follow one another, as those of a list of words mostly do.
func areConsecutive(words []int64) bool {
	for i, w := range words {
		if w != words[0]+int64(i) {
			return false
		}
	}
	return len(words) > 0
}

// SetInt sets an int, or a double to a whole number. A value that does not fit makes the next Run fail.
func (f *Frame) SetInt(x *Field, v int64) {
	if uint64(v)-x.min < x.count {
		f.slots[x.at] = v
		return
	}
	f.setInt(x, v)
}

func (f *Frame) setInt(x *Field, v int64) {
	switch why := describeMisfit(x.shape, float64(v)); {
	case x.shape.Kind == plan.Double:
		f.setDouble(x, float64(v))
	case x.shape.Kind != plan.Int:
		f.refuseField(x, "must be %s", jsonio.KindNames[x.shape.Kind])
	case why != "":
		f.refuseField(x, "%s", why)
	default:
		f.putField(x, v)
	}
}

// describeMisfit says why a number does not fit; nothing when it does.
func describeMisfit(s *plan.Shape, v float64) string {
	switch b, not := s.Min, slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == v }); {
	case not && s.ListChoices() != "":
		return fmt.Sprintf("must be one of %s, not %v", s.ListChoices(), v)
	case not:
		return fmt.Sprintf("must not be %v", v)
	case b != nil && (v < b.Value || b.Open && v == b.Value):
		return fmt.Sprintf("must be %s %v, not %v", jsonio.Choose(b.Open, "more than", "at least"), b.Value, v)
	}
	if b := s.Max; b != nil && (v > b.Value || b.Open && v == b.Value) {
		return fmt.Sprintf("must be %s %v, not %v", jsonio.Choose(b.Open, "less than", "at most"), b.Value, v)
	}
	return ""
}

// SetDouble sets a double.
func (f *Frame) SetDouble(x *Field, v float64) {
	if v >= x.low && v <= x.high {
		f.slots[x.at] = int64(math.Float64bits(v))
		return
	}
	f.setDouble(x, v)
}

func (f *Frame) setDouble(x *Field, v float64) {
	switch why := describeMisfit(x.shape, v); {
	case x.shape.Kind != plan.Double:
		f.refuseField(x, "must be %s", jsonio.KindNames[x.shape.Kind])
	case math.IsNaN(v) || math.IsInf(v, 0):
		f.refuseField(x, "must be a number, not %v", v)
	case why != "":
		f.refuseField(x, "%s", why)
	default:
		f.putField(x, int64(math.Float64bits(v)))
	}
}

// SetBool sets a truth.
func (f *Frame) SetBool(x *Field, v bool) {
	if x.shape.Kind != plan.Bool {
		f.refuseField(x, "must be %s", jsonio.KindNames[x.shape.Kind])
		return
	}
	bits := int64(0)
	if v {
		bits = 1
	}
	f.putField(x, bits)
}

// A Symbol is a string that a program knows by number: setting it compares no text.
type Symbol struct{ number int64 }

// Symbol is the symbol of a string that stands in the plan; ok is false for any other.
func (p *Program) Symbol(text string) (s Symbol, ok bool) {
	number := p.image.SymbolOf(text)
	return Symbol{number}, number >= 0
}

// SetText sets a string.
func (f *Frame) SetText(x *Field, v string) {
	number := f.frame.Image().SymbolOf(v)
	if number < 0 {
		number = f.frame.Intern([]byte(v))
		f.given = f.given.WithTextsOf(f.frame)
	}
	f.SetSymbol(x, Symbol{number})
}

// SetSymbol sets a string that the program of the frame knows by number.
func (f *Frame) SetSymbol(x *Field, v Symbol) {
	if uint64(v.number)-x.first < x.words {
		f.slots[x.at] = v.number
		return
	}
	f.setSymbol(x, v)
}

func (f *Frame) setSymbol(x *Field, v Symbol) {
	switch {
	case x.shape.Kind != plan.String:
		f.refuseField(x, "must be %s", jsonio.KindNames[x.shape.Kind])
	case x.enum != nil && !slices.Contains(x.enum, v.number):
		f.refuseField(x, "must be %s, not %q", jsonio.OneOf(x.shape.Enum), f.frame.Text(v.number))
	default:
		f.putField(x, v.number)
	}
}

// Clear makes a field absent that may be.
func (f *Frame) Clear(x *Field) {
	if x.present < 0 {
		f.refuseField(x, jsonio.MissingMsg)
		return
	}
	f.slots[x.present], f.slots[x.at] = 0, 0
}

// putField writes a field that fits.
func (f *Frame) putField(x *Field, bits int64) {
	f.slots[x.at] = bits
	if x.present >= 0 {
		f.slots[x.present] = 1
	}
	if bits == unset { // an int without bounds may be that
		f.missing = slices.DeleteFunc(f.missing, func(m missing) bool { return m.slot == x.at })
	}
}

// refuseField notes that a field was set to a value that does not fit; Run reports the first one.
func (f *Frame) refuseField(x *Field, format string, args ...any) {
	if f.refused == nil {
		root, path, _ := strings.Cut(x.path, ".")
		f.refused = &jsonio.InputError{Root: root, Path: "." + path, Msg: fmt.Sprintf(format, args...)}
	}
}
