package runtime

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Value is a value of a sheet: a number, a truth, a string, a list, a map or a record. The zero Value is no value.
type Value struct {
	kind  plan.Kind
	bits  int64
	text  string
	names []string // of a map's or a record's members, in order
	items []Value  // elements or members
}

// Kind says which of the accessors gives the value.
func (v Value) Kind() plan.Kind { return v.kind }

// Int is an int's value.
func (v Value) Int() int64 { return v.bits }

// Double is a double's value.
func (v Value) Double() float64 { return math.Float64frombits(uint64(v.bits)) }

// Bool is a bool's value.
func (v Value) Bool() bool { return v.bits != 0 }

// Text is a string's value.
func (v Value) Text() string { return v.text }

// Len is the number of a list's elements, or of a map's or a record's members.
func (v Value) Len() int { return len(v.items) }

// At is an element or a member.
func (v Value) At(i int) Value { return v.items[i] }

// Names are the names of a map's or a record's members, in the order of At.
func (v Value) Names() []string { return v.names }

// Get is the member of a name, and whether there is one. A record has no member for an optional field that is absent.
func (v Value) Get(name string) (Value, bool) {
	for i, n := range v.names {
		if n == name {
			return v.items[i], true
		}
	}
	return Value{}, false
}

// String is the value as JSON.
func (v Value) String() string { return string(v.AppendJSON(nil)) }

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendJSON appends the value as JSON: an int without a fraction, a double with a fraction or an exponent. A double that JSON has no
// number for, which Eval never gives, stands as a string.
func (v Value) AppendJSON(buf []byte) []byte {
	switch v.kind {
	case plan.Int:
		return strconv.AppendInt(buf, v.bits, 10)
	case plan.Double:
		return appendDouble(buf, v.Double())
	case plan.Bool:
		return strconv.AppendBool(buf, v.Bool())
	case plan.String:
		return appendString(buf, v.text)
	case plan.List:
		return v.appendItems(append(buf, '['), ']')
	case plan.Map, plan.Record:
		return v.appendItems(append(buf, '{'), '}')
	}
	return append(buf, "null"...)
}

func (v Value) appendItems(buf []byte, end byte) []byte {
	for i, x := range v.items {
		if i > 0 {
			buf = append(buf, ',')
		}
		if v.names != nil {
			buf = append(appendString(buf, v.names[i]), ':')
		}
		buf = x.AppendJSON(buf)
	}
	return append(buf, end)
}

const hex = "0123456789abcdef"

func appendString[T string | []byte](buf []byte, s T) []byte {
	buf = append(buf, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf || c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		buf = append(buf, s[start:i]...)
		switch c {
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\t':
			buf = append(buf, '\\', 't')
		default:
			buf = append(buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	return append(append(buf, s[start:]...), '"')
}

// value reads a typed value out of the frame. Where a part of it failed it gives the fault instead.
func (f *vmFrame) value(v *plan.Value, slot func(plan.ID) int64) (Value, int64) {
	if v.Fault != plan.None {
		if fault := slot(v.Fault); fault != 0 {
			return Value{}, fault
		}
	}
	if v.Type.Kind != plan.Record {
		r := readout{frame: f}
		return r.decoded(v.Type, slot(v.ID))
	}
	out := Value{kind: plan.Record, names: []string{}}
	for i := range v.Fields {
		x := &v.Fields[i]
		if x.Present != plan.None && slot(x.Present) == 0 {
			continue
		}
		item, fault := f.value(x, slot)
		if fault != 0 {
			return Value{}, fault
		}
		out.names = append(out.names, v.Type.Fields[i].Name)
		out.items = append(out.items, item)
	}
	return out, 0
}

// A readout reads the elements of one value's lists and maps. They can share their own elements, so that what is read is
// much more than what was made, and is bounded for itself.
type readout struct {
	frame *vmFrame
	much  int // elements, and bytes of their strings
}

// overread is the fault of a value with more than plan.MaxRead elements. Frames keep none of this number.
const overread = -1

// take counts what is read. It reports whether more may be.
func (r *readout) take(n int) bool {
	r.much += n
	return r.much <= plan.MaxRead
}

// decoded is a value that is in one slot.
func (r *readout) decoded(t *plan.Type, bits int64) (Value, int64) {
	switch t.Kind {
	case plan.String:
		return Value{kind: plan.String, text: r.frame.text(bits)}, 0
	case plan.List:
		return r.listOf(t, bits)
	case plan.Map:
		return r.mapOf(t, bits)
	}
	return Value{kind: t.Kind, bits: bits}, 0
}

// spread are the slots of a span's elements, how many each has, and how many elements there are.
func (f *vmFrame) spread(t *plan.Type, span int64) (all []int64, stride, n int) {
	stride = t.Stride()
	all = f.elems(span, stride)
	if stride == 0 {
		return all, stride, int(min(size(span), plan.MaxRead))
	}
	return all, stride, len(all) / stride
}

// parts are the slots of each element of a span.
func (f *vmFrame) parts(t *plan.Type, span int64) [][]int64 {
	all, stride, n := f.spread(t, span)
	out := make([][]int64, n)
	for i := range out {
		out[i] = all[i*stride : (i+1)*stride]
	}
	return out
}

func (r *readout) listOf(t *plan.Type, span int64) (Value, int64) {
	out := Value{kind: plan.List}
	if !r.take(int(size(span))) {
		return Value{}, overread
	}
	for _, slots := range r.frame.parts(t, span) {
		x, fault := r.laidOut(t.Elem, slots)
		if fault != 0 {
			return Value{}, fault
		}
		out.items = append(out.items, x)
	}
	return out, 0
}

// keyName is a map's key as a member's name.
func (f *vmFrame) keyName(kind plan.Kind, bits int64) string {
	switch kind {
	case plan.Int:
		return strconv.FormatInt(bits, 10)
	case plan.Bool:
		return strconv.FormatBool(bits != 0)
	}
	return f.text(bits)
}

func (r *readout) mapOf(t *plan.Type, span int64) (Value, int64) {
	out := Value{kind: plan.Map, names: []string{}}
	if !r.take(int(size(span))) {
		return Value{}, overread
	}
	for _, slots := range r.frame.parts(t, span) {
		name := r.frame.keyName(t.Key, slots[0])
		if !r.take(len(name)) {
			return Value{}, overread
		}
		x, fault := r.laidOut(t.Elem, slots[1:])
		if fault != 0 {
			return Value{}, fault
		}
		out.names = append(out.names, name)
		out.items = append(out.items, x)
	}
	return out, 0
}

// laidOut is a value in consecutive slots of its type's layout.
func (r *readout) laidOut(t *plan.Type, slots []int64) (Value, int64) {
	if t.Kind == plan.String && !r.take(len(r.frame.text(slots[0]))) {
		return Value{}, overread
	}
	if t.Kind != plan.Record {
		return r.decoded(t, slots[0])
	}
	out := Value{kind: plan.Record, names: []string{}}
	at := 0
	for i := range t.Fields {
		field := &t.Fields[i]
		there := true
		if field.Optional {
			there = slots[at] != 0
			at++
		}
		if field.Fallible {
			if there && slots[at] != 0 {
				return Value{}, slots[at]
			}
			at++
		}
		n := field.Type.Slots()
		if there {
			x, fault := r.laidOut(field.Type, slots[at:at+n])
			if fault != 0 {
				return Value{}, fault
			}
			out.names = append(out.names, field.Name)
			out.items = append(out.items, x)
		}
		at += n
	}
	return out, 0
}
