package kernel

import (
	"errors"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A RecordOf reads and writes a record of the type T by its schema.
type RecordOf[T any] struct {
	untyped *record // not embedded: each type would have its methods anew
	read    func(*Reader) T
	write   func(*Encoder, *T)
}

// A record is a record by its schema, whatever its type. It is compiled once for all types.
type record struct {
	shape *Shape
	root  plan.Root
	of    *Ruleset
	made  sync.Once
	image *vm.Image
	rules *jsonio.Schema
}

// The records of an evaluation.
const (
	CharacterRecord = plan.CharacterRoot
	InputRecord     = plan.InputRoot
	StateRecord     = plan.StateRoot
	EventRecord     = plan.EventRoot
)

// NewRecord returns the record of a shape.
func NewRecord[T any](of *Ruleset, root plan.Root, s *Shape, read func(*Reader) T, write func(*Encoder, *T)) *RecordOf[T] {
	return &RecordOf[T]{&record{shape: s, root: root, of: of}, read, write}
}

// makeRules makes what reads the record, when it is read first.
func (r *record) makeRules() {
	r.image = vm.NewImage(&plan.Plan{Ruleset: r.of.ID, Revision: r.of.Revision, Overlays: r.of.homebrews(),
		OverlayDigests: r.of.digests(), Symbols: appendWords([]string{""}, r.shape)})
	r.rules = jsonio.NewRootSchema(r.image, r.root, r.shape)
}

// plan returns the plan of what the record belongs to, as far as the record knows it.
func (r *record) plan() *plan.Plan {
	r.made.Do(r.makeRules)
	return r.image.Plan()
}

// decode reads the slots of the record and its pins. An empty text is that of {}.
func (r *record) decode(text []byte) (*Reader, jsonio.Pins, error) {
	r.made.Do(r.makeRules)
	if len(text) == 0 {
		text = []byte("{}")
	}
	f := vm.NewStore(r.image)
	d := jsonio.NewDecoder(f)
	slots, err := d.DecodeSlots(r.rules, text)
	if err != nil {
		return nil, jsonio.Pins{}, err
	}
	return &Reader{f, slots}, d.Pins(), nil
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

// Read returns the record that a text is in JSON; an empty text is that of {}. Its errors are *InputError.
func (r *RecordOf[T]) Read(text []byte) (*T, error) {
	out, _, err := r.readPinned(text)
	return out, err
}

// readPinned is Read, and tells which pins a character has.
func (r *RecordOf[T]) readPinned(text []byte) (*T, jsonio.Pins, error) {
	in, pins, err := r.untyped.decode(text)
	if err != nil {
		return nil, pins, err
	}
	out := r.read(in)
	return &out, pins, nil
}

// Append appends a record as JSON.
func (r *RecordOf[T]) Append(buf []byte, record *T) []byte {
	e := jsonio.NewEncoder(buf)
	r.write(e, record)
	return e.Bytes()
}

// Check returns the error of a record that does not fit its schema. It is slow: it writes the record and reads it.
func (r *RecordOf[T]) Check(record *T) error { return r.untyped.judge(r.Append(nil, record)) }

// judge returns the error of a text that does not fit the schema, without its place in the text.
func (r *record) judge(text []byte) error {
	_, _, err := r.decode(text)
	if e, ok := errors.AsType[*InputError](err); ok {
		return &InputError{Root: e.Root, Path: e.Path, Msg: e.Msg}
	}
	return err
}

// IsWithin reports whether an int lies between two others.
func IsWithin(v, low, high int64) bool { return uint64(v)-uint64(low) <= uint64(high)-uint64(low) }

// A Reader hands over the slots of a record that was read, one after the other.
type Reader struct {
	frame *vm.Frame
	slots []int64
}

// Int reads an int.
func (r *Reader) Int() int64 {
	bits := r.slots[0]
	r.slots = r.slots[1:]
	return bits
}

// Double reads a double.
func (r *Reader) Double() float64 { return builtin.Double(r.Int()) }

// Bool reads a truth.
func (r *Reader) Bool() bool { return r.Int() != 0 }

// Text reads a string.
func (r *Reader) Text() string { return r.frame.Text(r.Int()) }

// ReadOptional reads a value that may be absent.
func ReadOptional[T any](r *Reader, read func(*Reader) T) *T {
	there := r.Bool()
	return Present(there, read(r))
}

// ReadList reads a list whose elements have so many slots.
func ReadList[T any](r *Reader, slots int, read func(*Reader) T) []T {
	span := r.Int()
	in := Reader{r.frame, r.frame.Elements(span, slots)}
	out := make([]T, vm.SpanSize(span))
	for i := range out {
		out[i] = read(&in)
	}
	return out
}

// ReadMap reads a map whose values have so many slots.
func ReadMap[T any](r *Reader, slots int, read func(*Reader) T) map[string]T {
	out := map[string]T{}
	ReadList(r, 1+slots, func(r *Reader) bool {
		key := r.Text()
		out[key] = read(r)
		return true
	})
	return out
}

// AllEntries reports whether a condition holds for all entries of a map.
func AllEntries[T any](m map[string]T, holds func(key string, v T) bool) bool {
	for key, v := range m {
		if !holds(key, v) {
			return false
		}
	}
	return true
}

// All reports whether a condition holds for all elements of a list.
func All[T any](list []T, holds func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !holds(x) })
}
