package kernel

import (
	"errors"
	"reflect"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Schema reads, judges and writes a record, which is a struct of the generated package.
type Schema struct {
	Ruleset *Ruleset
	Root    plan.Root
	Struct  any // a nil pointer to the struct; its fields are those of the shape, in their order
	Shape   Shape

	made     sync.Once
	image    *vm.Image
	rules    *jsonio.Schema
	codec    *codec
	decoders sync.Pool // of *decoder
}

// A decoder reads records of a schema into a frame of its own, one after the other.
type decoder struct {
	*jsonio.Decoder
	frame *vm.Frame
}

// The records of an evaluation.
const (
	CharacterRecord = plan.CharacterRoot
	InputRecord     = plan.InputRoot
	StateRecord     = plan.StateRoot
	EventRecord     = plan.EventRoot
)

// structType returns the type of the struct.
func (s *Schema) structType() reflect.Type { return reflect.TypeOf(s.Struct).Elem() }

// make makes what reads and writes the record, when that is done first.
func (s *Schema) make() {
	s.made.Do(func() {
		s.image = vm.NewImage(&plan.Plan{Ruleset: s.Ruleset.ID, Revision: s.Ruleset.Revision, Overlays: s.Ruleset.homebrews(),
			OverlayDigests: s.Ruleset.digests(), Symbols: appendWords([]string{""}, &s.Shape)})
		s.rules = jsonio.NewRootSchema(s.image, s.Root, &s.Shape)
		s.codec = newCodec(s.structType(), &s.Shape)
		s.decoders.New = func() any {
			frame := vm.NewStore(s.image)
			return &decoder{jsonio.NewDecoder(frame), frame}
		}
	})
}

// plan returns the plan of what the record belongs to, as far as the record knows it.
func (s *Schema) plan() *plan.Plan {
	s.make()
	return s.image.Plan()
}

// decode reads the record, has its slots read unless read is nil, and returns its pins. An empty text is that of {}.
func (s *Schema) decode(text []byte, read func(*reader)) (jsonio.Pins, error) {
	s.make()
	if len(text) == 0 {
		text = []byte("{}")
	}
	d := s.decoders.Get().(*decoder)
	defer s.decoders.Put(d)
	d.frame.ResetTo(vm.Mark{})
	slots, err := d.DecodeSlots(s.rules, text)
	if err != nil {
		return jsonio.Pins{}, err
	}
	if read != nil {
		read(&reader{d.frame, slots})
	}
	return d.Pins(), nil
}

// appendWords appends the words that strings of a shape are limited to, each once: they are the symbols of its records.
func appendWords(out []string, s *Shape) []string {
	for _, word := range s.Enum {
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	if s.Elem != nil {
		out = appendWords(out, s.Elem)
	}
	for i := range s.Fields {
		out = appendWords(out, s.Fields[i].Shape)
	}
	return out
}

// Read reads the record that a text is in JSON into the struct that a pointer points to; an empty text is that of {}. Its
// errors are *InputError.
func (s *Schema) Read(text []byte, into any) error {
	_, err := s.readPinned(text, reflect.ValueOf(into))
	return err
}

// readPinned is Read, and returns the pins of a character.
func (s *Schema) readPinned(text []byte, into reflect.Value) (jsonio.Pins, error) {
	return s.decode(text, func(r *reader) { s.codec.read(r, into.Elem()) })
}

// readNew returns a pointer to the struct that a text is in JSON, and the pins of a character.
func (s *Schema) readNew(text []byte) (reflect.Value, jsonio.Pins, error) {
	out := reflect.New(s.structType())
	pins, err := s.readPinned(text, out)
	return out, pins, err
}

// Append appends the record in the struct that a pointer points to as JSON.
func (s *Schema) Append(buf []byte, record any) []byte {
	s.make()
	e := jsonio.NewEncoder(buf)
	s.codec.write(e, reflect.ValueOf(record).Elem())
	return e.Bytes()
}

// Check returns the error of a record that does not fit the schema, or of a nil pointer. It is slow: it writes the record and
// reads it.
func (s *Schema) Check(record any) error {
	if reflect.ValueOf(record).IsNil() {
		s.make()
		return &InputError{Root: s.rules.Root, Msg: jsonio.MissingMsg}
	}
	_, err := s.decode(s.Append(nil, record), nil)
	if e, ok := errors.AsType[*InputError](err); ok {
		return &InputError{Root: e.Root, Path: e.Path, Msg: e.Msg} // there is no text for it to have a place in
	}
	return err
}

// IsWithin reports whether an int lies between two others.
func IsWithin(v, low, high int64) bool { return uint64(v)-uint64(low) <= uint64(high)-uint64(low) }

// AllEntries reports whether a condition holds for all entries of a map.
//
//go:noinline
func AllEntries[T any](m map[string]T, holds func(key string, v T) bool) bool {
	for key, v := range m {
		if !holds(key, v) {
			return false
		}
	}
	return true
}

// All reports whether a condition holds for all elements of a list.
//
//go:noinline
func All[T any](list []T, holds func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !holds(x) })
}
