package kernel

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A codec reads and writes the values of a type of the generated package. It is made from the type, once: code for each type
// took half of the time in which a package was compiled.
type codec struct {
	kind   reflect.Kind
	slots  int      // of a value as it was decoded
	words  []string // of an enum
	elem   *codec   // of the elements of a list, the values of a map, and a field that may be absent
	fields []field  // of a struct
}

// A field is one of a struct, at the same index.
type field struct {
	name string
	of   *codec
}

// newCodec returns the codec of a type. s is the shape of what is given, which has the words of its enums; nil of what has
// none: outputs, and what is in a map or may be absent.
func newCodec(t reflect.Type, s *Shape) *codec {
	c := &codec{kind: t.Kind(), slots: 1}
	switch c.kind {
	case reflect.Uint8:
		c.words = s.Enum
	case reflect.Map:
		c.elem = newCodec(t.Elem(), nil)
	case reflect.Pointer:
		c.elem = newCodec(t.Elem(), nil)
		c.slots += c.elem.slots
	case reflect.Slice:
		if s != nil {
			s = s.Elem
		}
		c.elem = newCodec(t.Elem(), s)
	case reflect.Struct:
		c.slots = 0
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			var of *Shape
			if s != nil {
				of = s.Fields[i].Shape
			}
			f := field{name, newCodec(t.Field(i).Type, of)}
			c.fields = append(c.fields, f)
			c.slots += f.of.slots
		}
	}
	return c
}

// A reader hands over the slots of a record that was decoded, one after the other.
type reader struct {
	frame *vm.Frame
	slots []int64
}

func (r *reader) next() int64 {
	bits := r.slots[0]
	r.slots = r.slots[1:]
	return bits
}

// nextElements returns the number of the elements of the next slot, which is a list or a map, and a reader of their slots.
func (r *reader) nextElements(slots int) (int, reader) {
	span := r.next()
	return int(vm.SpanSize(span)), reader{r.frame, r.frame.Elements(span, slots)}
}

// read reads a value.
func (c *codec) read(r *reader, v reflect.Value) {
	switch c.kind {
	case reflect.Int64:
		v.SetInt(r.next())
	case reflect.Float64:
		v.SetFloat(builtin.Double(r.next()))
	case reflect.Bool:
		v.SetBool(r.next() != 0)
	case reflect.String:
		v.SetString(r.frame.Text(r.next()))
	case reflect.Uint8:
		v.SetUint(uint64(slices.Index(c.words, r.frame.Text(r.next())))) // it has been judged
	case reflect.Pointer:
		if r.next() == 0 {
			r.slots = r.slots[c.elem.slots:]
			v.SetZero()
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		c.elem.read(r, v.Elem())
	case reflect.Slice:
		n, in := r.nextElements(c.elem.slots)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			c.elem.read(&in, v.Index(i))
		}
	case reflect.Map:
		n, in := r.nextElements(1 + c.elem.slots)
		v.Set(reflect.MakeMapWithSize(v.Type(), n))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		for range n {
			key.SetString(r.frame.Text(in.next()))
			c.elem.read(&in, value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range c.fields {
			c.fields[i].of.read(r, v.Field(i))
		}
	}
}

// write writes a value. A field that is absent is left out.
func (c *codec) write(e *Encoder, v reflect.Value) {
	switch c.kind {
	case reflect.Int64:
		e.Int(v.Int())
	case reflect.Float64:
		e.Double(v.Float())
	case reflect.Bool:
		e.Bool(v.Bool())
	case reflect.String:
		e.Text(v.String())
	case reflect.Uint8:
		word := "" // of a number that has none
		if n := v.Uint(); n < uint64(len(c.words)) {
			word = c.words[n]
		}
		e.Text(word)
	case reflect.Pointer:
		c.elem.write(e, v.Elem())
	case reflect.Slice:
		e.BeginList()
		for i := range v.Len() {
			c.elem.write(e, v.Index(i))
		}
		e.EndList()
	case reflect.Map:
		e.BeginObject(plan.Map)
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), compareKeys) {
			e.Name(keyText(key))
			c.elem.write(e, v.MapIndex(key))
		}
		e.EndObject()
	case reflect.Struct:
		e.BeginObject(plan.Record)
		for i := range c.fields {
			f, value := &c.fields[i], v.Field(i)
			if f.of.kind == reflect.Pointer && value.IsNil() {
				continue
			}
			e.Name(f.name)
			f.of.write(e, value)
		}
		e.EndObject()
	}
}

// compareKeys orders the keys of a map.
func compareKeys(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Bool:
		return compareBools(a.Bool(), b.Bool())
	}
	return cmp.Compare(a.String(), b.String())
}

// keyText returns a key of a map as the name of a member.
func keyText(key reflect.Value) string {
	switch key.Kind() {
	case reflect.String:
		return key.String()
	case reflect.Int64:
		return strconv.FormatInt(key.Int(), 10)
	}
	return fmt.Sprint(key)
}

// call calls a function of the generated package, the only result of which is an error.
func call(function any, arguments ...reflect.Value) error {
	err, _ := reflect.ValueOf(function).Call(arguments)[0].Interface().(error)
	return err
}

// parameter returns the struct to which a parameter of a function points.
func parameter(function any, i int) reflect.Type { return reflect.TypeOf(function).In(i).Elem() }
