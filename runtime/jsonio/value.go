package jsonio

import (
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Value is a value of a sheet: a number, a truth, a string, a list, a map or a record. The zero Value is no value.
//
// Which fields count depends on kind: bits of numbers and truths, text of strings, items of lists,
// names and items of maps and records, where both have the same length. A Value owns nothing of a
// frame and stays valid when the frame is used again.
type Value struct {
	kind  plan.Kind
	bits  int64
	text  string
	names []string // of a map's or a record's members, in order
	items []Value  // elements or members
}

// Kind says which of the accessors gives the value.
func (v Value) Kind() plan.Kind { return v.kind }

// Int returns an int. Like the accessors below it does not look at the kind: of a value of another kind the result means
// nothing.
func (v Value) Int() int64 { return v.bits }

// Double returns a double, which may be infinite or no number; an int is not converted.
func (v Value) Double() float64 { return math.Float64frombits(uint64(v.bits)) }

// Bool is a bool's value.
func (v Value) Bool() bool { return v.bits != 0 }

// Text returns a string's value.
func (v Value) Text() string { return v.text }

// Len returns the number of a list's elements, or of a map's or a record's members.
func (v Value) Len() int { return len(v.items) }

// At returns an element of a list, or the value of a member of a map or a record, in the order of Names. It panics beyond
// Len.
func (v Value) At(i int) Value { return v.items[i] }

// Names returns the names of a map's or a record's members, in the order of At.
func (v Value) Names() []string { return v.names }

// Get returns the member of a name, and whether there is one. A record has no member for an optional field that is absent.
func (v Value) Get(name string) (Value, bool) {
	for i, n := range v.names {
		if n == name {
			return v.items[i], true
		}
	}
	return Value{}, false
}

// String returns JSON, with a double that JSON has no number for as a string.
func (v Value) String() string { return string(v.AppendJSON(nil)) }

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendJSON appends the value as JSON: an int without a fraction, a double with a fraction or an exponent. A double for
// which JSON has no number, which Eval never gives, stands as a string.
func (v Value) AppendJSON(buf []byte) []byte {
	e := NewEncoder(buf)
	v.WriteTo(e)
	return e.Bytes()
}

// WriteTo hands the value to an encoder; the zero Value is written as null.
func (v Value) WriteTo(e *Encoder) {
	switch v.kind {
	case plan.Int:
		e.Int(v.bits)
	case plan.Double:
		e.Double(v.Double())
	case plan.Bool:
		e.Bool(v.Bool())
	case plan.String:
		e.Text(v.text)
	case plan.List:
		e.BeginList()
		v.writeItems(e)
		e.EndList()
	case plan.Map, plan.Record:
		e.BeginObject(v.kind)
		v.writeItems(e)
		e.EndObject()
	default:
		e.Null()
	}
}

func (v Value) writeItems(e *Encoder) {
	for i, x := range v.items {
		if v.names != nil {
			e.Name(v.names[i])
		}
		x.WriteTo(e)
	}
}

// IntValue returns an int as a value.
func IntValue(n int64) Value { return Value{kind: plan.Int, bits: n} }

// DoubleValue returns a double as a value.
func DoubleValue(v float64) Value { return Value{kind: plan.Double, bits: builtin.Bits(v)} }

// TextValue returns a string.
func TextValue(s string) Value { return Value{kind: plan.String, text: s} }

// BoolValue returns a truth.
func BoolValue(v bool) Value { return Value{kind: plan.Bool, bits: builtin.Bool(v)} }

// ListValue returns a list of elements, which it keeps.
func ListValue(elements []Value) Value { return Value{kind: plan.List, items: elements} }

// RecordValue returns a record of members.
func RecordValue(names []string, members []Value) Value {
	return Value{kind: plan.Record, names: names, items: members}
}

// Unsigned returns the value with 0.0 in place of each -0.0, which equals it.
func (v Value) Unsigned() Value {
	if !v.hasNegativeZero() {
		return v
	}
	if v.kind == plan.Double {
		return DoubleValue(0)
	}
	items := make([]Value, len(v.items))
	for i, x := range v.items {
		items[i] = x.Unsigned()
	}
	v.items = items
	return v
}

func (v Value) hasNegativeZero() bool {
	return v.kind == plan.Double && v.Double() == 0 && v.bits != 0 || slices.ContainsFunc(v.items, Value.hasNegativeZero)
}

// NotANumber names the first double in the value for which JSON has no number; empty when there is none.
func (v Value) NotANumber() string {
	if v.kind == plan.Double && v.Double()-v.Double() != 0 { // infinite, or no number
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	}
	for _, x := range v.items {
		if bad := x.NotANumber(); bad != "" {
			return bad
		}
	}
	return ""
}

// ParseValue returns the value of a schema that a text is in JSON.
func ParseValue(m *vm.Image, r *Schema, text []byte) (Value, error) {
	f := vm.NewStore(m)
	slots, err := NewDecoder(f).DecodeSlots(r, text)
	if err != nil {
		return Value{}, err
	}
	at, _ := locateLayout(r.Shape.Type(), 0)
	v, _ := ReadValue(f, &at, vm.NewView(slots, 1)) // what was decoded has no faults
	return v, nil
}

// Complete returns a record in JSON with the defaults of the fields that it does not give. Text that does not fit the
// schema is returned as it is.
func Complete(m *vm.Image, r *Schema, text []byte) []byte {
	v, err := ParseValue(m, r, text)
	if err != nil {
		return text
	}
	return v.AppendJSON(nil)
}

// locateLayout locates a value in consecutive slots of its type's layout, and gives the slot behind it.
func locateLayout(t *plan.Type, slot int32) (at vm.Location, end int32) {
	at = vm.Location{Type: t, Slot: slot, Fault: -1, Present: -1}
	if t.Kind != plan.Record {
		return at, slot + 1
	}
	for _, f := range t.Fields {
		present := int32(-1)
		if f.Optional {
			present = slot
			slot++
		}
		var in vm.Location
		in, slot = locateLayout(f.Type, slot)
		in.Present = present
		at.Fields = append(at.Fields, in)
	}
	return at, slot
}

// ReadValue reads a value of an evaluation. It gives a fault, as Walk does, where a part of the value failed.
func ReadValue(f *vm.Frame, at *vm.Location, v vm.View) (Value, int64) {
	var b valueBuilder
	if fault := vm.Walk(f, at, v, &b); fault != 0 {
		return Value{}, fault
	}
	return b.done, 0
}

// A valueBuilder is a sink that makes a Value.
type valueBuilder struct {
	open []Value // lists and objects that have not ended, the outermost first
	done Value   // the value, once it has ended
}

func (b *valueBuilder) add(v Value) {
	if len(b.open) == 0 {
		b.done = v
		return
	}
	in := &b.open[len(b.open)-1]
	in.items = append(in.items, v)
}

func (b *valueBuilder) end() {
	last := len(b.open) - 1
	v := b.open[last]
	b.open = b.open[:last]
	b.add(v)
}

func (b *valueBuilder) Int(v int64) { b.add(IntValue(v)) }

func (b *valueBuilder) Double(v float64) {
	b.add(DoubleValue(v))
}

func (b *valueBuilder) Bool(v bool) { b.add(BoolValue(v)) }

func (b *valueBuilder) Text(v string) { b.add(Value{kind: plan.String, text: v}) }

func (b *valueBuilder) BeginList() { b.open = append(b.open, Value{kind: plan.List}) }

func (b *valueBuilder) EndList() { b.end() }

func (b *valueBuilder) BeginObject(kind plan.Kind) {
	b.open = append(b.open, Value{kind: kind, names: []string{}})
}

func (b *valueBuilder) Name(name string) {
	in := &b.open[len(b.open)-1]
	in.names = append(in.names, name)
}

func (b *valueBuilder) EndObject() { b.end() }

// IsReadable reports whether ReadOutput would give a value of an evaluation. It makes none and writes none: odds ask it of
// every state of a procedure.
func IsReadable(f *vm.Frame, at *vm.Location, v vm.View) bool {
	var c checker
	return vm.Walk(f, at, v, &c) == 0 && !c.isOdd
}

// A checker is a sink that looks only for doubles that are infinite or no number.
type checker struct{ isOdd bool }

func (*checker) Int(int64) {}

func (c *checker) Double(v float64) { c.isOdd = c.isOdd || !isFinite(v) }

func (*checker) Bool(bool) {}

func (*checker) Text(string) {}

func (*checker) BeginList() {}

func (*checker) EndList() {}

func (*checker) BeginObject(plan.Kind) {}

func (*checker) Name(string) {}

func (*checker) EndObject() {}
