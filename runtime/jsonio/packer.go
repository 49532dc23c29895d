package jsonio

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Packer packs a value that evaluations leave in their frames, as Pack packs its JSON, but without writing and reading
// that: who draws a million plays hands a state from event to event a hundred million times.
//
// The fields of a value have an order of their own, and in lists a slot for their faults, so each is copied to where the
// schema has it. A Packer judges bounds, lengths and words on the way. It serves one goroutine at a time.
type Packer struct {
	image *vm.Image
	root  *packLayout
	at    vm.Location
	into  *Packed
	frame *vm.Frame
}

// A packLayout says where the parts of a value lie in its source, and in which order the schema wants them.
type packLayout struct {
	schema  *Schema
	of      *plan.Type
	members []packMember // of a record, in the order of the schema
	elem    *packLayout
}

// A packMember is a field of a record: its index among those of the source, and there its first slot in a list.
type packMember struct {
	*Member
	index, offset int
	of            *packLayout
}

// NewPacker returns a packer of the value at a place of frames; nil where only its JSON says what it is as the schema
// sees it: of maps, which are sorted, of numbers that other fields bound, and of fields that are absent or unknown.
func NewPacker(m *vm.Image, r *Schema, at vm.Location) *Packer {
	layout := newPackLayout(r, at.Type)
	if layout == nil {
		return nil
	}
	return &Packer{image: m, root: layout, at: at}
}

func newPackLayout(r *Schema, t *plan.Type) *packLayout {
	l := &packLayout{schema: r, of: t}
	switch {
	case t.Kind != r.Shape.Kind, t.Kind == plan.Map, len(r.limited) > 0:
		return nil
	case t.Kind == plan.List:
		l.elem = newPackLayout(r.elem, t.Elem)
		if l.elem == nil {
			return nil
		}
	case t.Kind == plan.Record:
		if len(t.Fields) != len(r.Members) {
			return nil
		}
		for i := range r.Members {
			m := packMember{Member: &r.Members[i]}
			m.index, m.offset = t.Field(m.Name)
			if m.index < 0 || t.Fields[m.index].Optional && !m.Optional {
				return nil
			}
			if m.of = newPackLayout(m.Schema, t.Fields[m.index].Type); m.of == nil {
				return nil
			}
			l.members = append(l.members, m)
		}
	}
	return l
}

// Pack packs the value that an evaluation has left in a frame. It reports false if a part of the value has failed or is not
// as the schema declares it, and leaves then a value that must not be loaded; the reason is that of its JSON.
func (p *Packer) Pack(f *vm.Frame, into *Packed) bool {
	into.slots = slices.Grow(into.slots[:0], p.root.schema.Slots)[:p.root.schema.Slots]
	into.arena, into.spans, into.strings = into.arena[:0], into.spans[:0], into.strings[:0]
	p.frame, p.into = f, into
	return p.packLocation(p.root, &p.at, 0)
}

// packLocation packs a value outside of lists into the slots from a number on.
func (p *Packer) packLocation(l *packLayout, at *vm.Location, to int) bool {
	slots := p.frame.Slots()
	if at.Fault >= 0 && slots[at.Fault] != 0 {
		return false
	}
	if l.of.Kind != plan.Record {
		return p.packSlot(l, slots[at.Slot], to)
	}
	for i := range l.members {
		m := &l.members[i]
		field := &at.Fields[m.index]
		here := to + m.At
		if m.Optional {
			p.into.slots[here] = 1
			if field.Present >= 0 && slots[field.Present] == 0 {
				clear(p.into.slots[here:][:1+m.Schema.Slots])
				continue
			}
			here++
		}
		if !p.packLocation(m.of, field, here) {
			return false
		}
	}
	return true
}

// slot returns a slot of the packed value: of its slots, or of its arena behind them.
func (p *Packer) slot(i int) *int64 {
	return (&packing{Packed: p.into}).at(i)
}

// packSlot packs a value that is no record.
func (p *Packer) packSlot(l *packLayout, bits int64, to int) bool {
	switch {
	case l.of.Kind == plan.List:
		return p.packList(l, bits, to)
	case !l.schema.admits(bits):
		return false
	case l.of.Kind == plan.String && l.schema.Enum == nil && bits >= int64(len(p.image.Plan().Symbols)):
		p.into.strings = append(p.into.strings, packedText{to, []byte(p.frame.Text(bits))})
	}
	*p.slot(to) = bits
	return true
}

// packList packs a list. Its elements are reserved together before the first of them is packed, whose own lists come
// behind.
func (p *Packer) packList(l *packLayout, span int64, to int) bool {
	n := int(vm.SpanSize(span))
	if n < l.schema.Shape.MinItems || n > l.schema.Shape.MaxItems {
		return false
	}
	if n == 0 {
		*p.slot(to) = 0
		return true
	}
	from, stride := l.of.Stride(), l.schema.stride
	elements := p.frame.Elements(span, from)
	if len(elements) < n*from {
		return false
	}
	first := len(p.into.arena)
	p.into.arena = append(p.into.arena, make([]int64, n*stride)...)
	*p.slot(to) = vm.SpanOf(first, n)
	p.into.spans = append(p.into.spans, to)
	for i := range n {
		if !p.packElement(l.elem, elements[i*from:][:from], len(p.into.slots)+first+i*stride) {
			return false
		}
	}
	return true
}

// packElement packs a value that lies in consecutive slots.
func (p *Packer) packElement(l *packLayout, slots []int64, to int) bool {
	if l.of.Kind != plan.Record {
		return p.packSlot(l, slots[0], to)
	}
	for i := range l.members {
		m := &l.members[i]
		of, here, at := &l.of.Fields[m.index], to+m.At, m.offset
		present := int64(1)
		if of.Optional {
			present = slots[at]
			at++
		}
		if of.Fallible {
			if present != 0 && slots[at] != 0 {
				return false
			}
			at++
		}
		if m.Optional {
			*p.slot(here) = present
			here++
			if present == 0 {
				continue // the arena is zero here
			}
		}
		if !p.packElement(m.of, slots[at:], here) {
			return false
		}
	}
	return true
}

// admits reports whether the slot of a number, a truth or a string is what the schema says of it.
func (r *Schema) admits(bits int64) bool {
	switch r.Shape.Kind {
	case plan.Int:
		return r.quick.hasInt(bits) || isWithin(r.Shape, float64(bits))
	case plan.Double:
		v := builtin.Double(bits)
		return !math.IsNaN(v) && !math.IsInf(v, 0) && isWithin(r.Shape, v)
	case plan.String:
		return r.Enum == nil || slices.Contains(r.Enum, bits)
	}
	return true
}

// NoteMisfits marks the rows of a column of numbers, truths or strings that are not what the schema says of them.
func (r *Schema) NoteMisfits(column []int64, misfit []bool) {
	for i, bits := range column {
		if r.Shape.Kind != plan.Bool && !r.quick.hasInt(bits) && !r.admits(bits) {
			misfit[i] = true
		}
	}
}

// Elem returns the schema of the elements of a list, or of the values of a map; nil of anything else.
func (r *Schema) Elem() *Schema { return r.elem }

// isWithin reports whether a number is as its shape bounds it.
func isWithin(s *plan.Shape, v float64) bool {
	if b := s.Min; b != nil && (v < b.Value || b.Open && v == b.Value) {
		return false
	}
	if b := s.Max; b != nil && (v > b.Value || b.Open && v == b.Value) {
		return false
	}
	return !slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return v == b.Value })
}
