package unroll

import (
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Layout lays out a record that has lists as numbers alone: each element of a list has places of its own, for lists of
// the lengths that the record had of which the layout was made.
type Layout struct {
	schema *jsonio.Schema
	slots  []laidSlot       // of the record, in their order
	places []*jsonio.Schema // of the numbers
}

// A laidSlot is a slot of the record: a number, which has one place, or a list.
type laidSlot struct {
	first  int // its first place
	isList bool
	n      int64 // elements
	stride int   // slots of an element
}

// maxPlaces bounds the numbers of a layout: more would take longer as columns than as lists.
const maxPlaces = 256

// NewLayout returns the layout of the record of a schema whose slots stand in a frame; nil for one that has maps, optional
// fields, lists in lists, open strings, bounds that other fields set, or too many elements.
func NewLayout(r *jsonio.Schema, f *vm.Frame, slots []int64) *Layout {
	if r.HasLimits() {
		return nil
	}
	l := &Layout{schema: r}
	if !l.addRecord(r, f, slots) || len(l.places) > maxPlaces {
		return nil
	}
	return l
}

// addRecord lays out the members of a record that begins with the first of some slots.
func (l *Layout) addRecord(r *jsonio.Schema, f *vm.Frame, slots []int64) bool {
	for i := range r.Members {
		m := &r.Members[i]
		switch {
		case m.Optional:
			return false
		case m.Schema.Shape.Kind == plan.Record:
			if !l.addRecord(m.Schema, f, slots[m.At:]) {
				return false
			}
		case m.Schema.Shape.Kind == plan.List:
			if !l.addList(m.Schema, slots[m.At]) {
				return false
			}
		default:
			l.slots = append(l.slots, laidSlot{first: len(l.places)})
			if !l.addPlaces(m.Schema) {
				return false
			}
		}
	}
	return true
}

// addList lays out a list that has as many elements as a span.
func (l *Layout) addList(r *jsonio.Schema, span int64) bool {
	s := laidSlot{first: len(l.places), isList: true, n: vm.SpanSize(span), stride: r.Elem().Slots}
	if s.n*int64(s.stride) > maxPlaces {
		return false
	}
	l.slots = append(l.slots, s)
	for range s.n {
		if !l.addPlaces(r.Elem()) {
			return false
		}
	}
	return true
}

// addPlaces adds the places of a number, or of a record of numbers.
func (l *Layout) addPlaces(r *jsonio.Schema) bool {
	switch r.Shape.Kind {
	case plan.Int, plan.Double, plan.Bool, plan.String:
		l.places = append(l.places, r)
		return r.Shape.Kind != plan.String || r.Enum != nil
	case plan.Record:
		for i := range r.Members {
			if m := &r.Members[i]; m.Optional || !l.addPlaces(m.Schema) {
				return false
			}
		}
		return true
	}
	return false
}

// Size returns how many numbers the record has.
func (l *Layout) Size() int { return len(l.places) }

// Read writes the numbers of a record to their places. It reports false for one whose lists are not as long as they were.
func (l *Layout) Read(f *vm.Frame, slots []int64, to []int64) bool {
	for i, s := range l.slots {
		if !s.isList {
			to[s.first] = slots[i]
			continue
		}
		if vm.SpanSize(slots[i]) != s.n {
			return false
		}
		copy(to[s.first:], f.Elements(slots[i], s.stride))
	}
	return true
}

// Write returns the slots of the record whose numbers lie at places, and writes its lists into a frame.
func (l *Layout) Write(at func(place int) int64, f *vm.Frame) []int64 {
	slots := make([]int64, len(l.slots))
	for i, s := range l.slots {
		if !s.isList {
			slots[i] = at(s.first)
			continue
		}
		elements := make([]int64, int(s.n)*s.stride)
		for k := range elements {
			elements[k] = at(s.first + k)
		}
		if s.n > 0 {
			slots[i] = f.Store(elements, int(s.n))
		}
	}
	return slots
}

// NoteMisfits marks the rows in which a number that lies at a place is not what the schema says of it.
func (l *Layout) NoteMisfits(at int, column []int64, misfit []bool) {
	l.places[at].NoteMisfits(column, misfit)
}

// shape returns the shape of a record of all places, one behind the other.
func (l *Layout) shape() *plan.Shape {
	out := &plan.Shape{Kind: plan.Record}
	for _, p := range l.places {
		out.Fields = append(out.Fields, plan.Member{Shape: p.Shape})
	}
	return out
}
