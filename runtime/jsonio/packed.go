package jsonio

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Packed is a value that was decoded once and is put into many frames: its slots, what these name of the arena, and
// where a frame's own places have to be filled in. Loading it is copying.
//
// Positions below len(slots) are slots, those from there on are places of the arena. Spans are kept
// relative to the arena's beginning and become absolute when they are loaded: the same offset is
// added to each.
type Packed struct {
	slots, arena []int64
	// which of the slots and of the arena behind them are lists or maps, relative to the arena's beginning
	spans   []int
	strings []packedText
}

// A packedText is a string that the plan does not know: every frame has a symbol of its own for it.
type packedText struct {
	at   int
	text []byte
}

// Pack decodes a value once and for all.
func Pack(m *vm.Image, r *Schema, data []byte) (*Packed, error) {
	f := vm.NewStore(m)
	slots, err := NewDecoder(f).DecodeSlots(r, data)
	if err != nil {
		return nil, err
	}
	return PackStored(r, f, slots), nil
}

// PackStored packs a value whose slots are given, and whose lists and strings are all that a store holds.
func PackStored(r *Schema, f *vm.Frame, slots []int64) *Packed {
	p := &Packed{slots: slices.Clone(slots)}
	known := len(f.Image().Plan().Consts)
	end := f.Store(nil, 0) >> 32
	p.arena = slices.Clone(f.Elements(vm.SpanOf(known, int(end)-known), 1))
	x := packing{Packed: p, frame: f, known: known}
	x.takeReferences(r, 0)
	return p
}

// Store returns the slots of the value with its lists and strings in a frame.
func (p *Packed) Store(f *vm.Frame) []int64 {
	slots := make([]int64, len(p.slots))
	p.Load(f, slots)
	return slots
}

// CopyFrom makes the value the same as another one, which later changes of it leave as it is.
func (p *Packed) CopyFrom(other *Packed) {
	p.slots, p.arena = append(p.slots[:0], other.slots...), append(p.arena[:0], other.arena...)
	p.spans, p.strings = append(p.spans[:0], other.spans...), append(p.strings[:0], other.strings...)
}

// A packing finds what of a value is tied to the frame that it was decoded in.
type packing struct {
	*Packed
	frame *vm.Frame
	known int // where the arena begins in that frame
}

// at returns a slot, or a place of the arena behind all slots.
func (x *packing) at(i int) *int64 {
	if i < len(x.slots) {
		return &x.slots[i]
	}
	return &x.arena[i-len(x.slots)]
}

// takeReferences goes through the value of a schema, whose slots begin at a place.
// Only the schema tells which slot is a span or a symbol: in the slots all are numbers. Symbols
// that the plan knows are the same in every frame and need no mending.
func (x *packing) takeReferences(r *Schema, at int) {
	switch r.Shape.Kind {
	case plan.String:
		x.takeSymbol(at)
	case plan.Record:
		for i := range r.Members {
			m := &r.Members[i]
			if m.Optional && *x.at(at + m.At) == 0 {
				continue
			}
			x.takeReferences(m.Schema, at+m.At+m.presenceSlots())
		}
	case plan.List, plan.Map:
		span := *x.at(at)
		n := int(vm.SpanSize(span))
		if n == 0 {
			*x.at(at) = 0
			return
		}
		from := int(span>>32) - x.known
		*x.at(at) = vm.SpanOf(from, n)
		x.spans = append(x.spans, at)
		for i := range n {
			entry := len(x.slots) + from + i*r.stride
			if r.Shape.Kind == plan.Map {
				x.takeSymbol(entry)
				entry++
			}
			x.takeReferences(r.elem, entry)
		}
	}
}

func (x *packing) takeSymbol(at int) {
	if symbol := *x.at(at); symbol >= int64(len(x.frame.Image().Plan().Symbols)) {
		x.strings = append(x.strings, packedText{at, []byte(x.frame.Text(symbol))})
	}
}

// AppendJSON appends the value as JSON.
func (p *Packed) AppendJSON(buf []byte, m *vm.Image, r *Schema) []byte {
	f := vm.NewStore(m)
	at, _ := locateLayout(r.Shape.Type(), 0)
	e := NewEncoder(buf)
	vm.Walk(f, &at, vm.NewView(p.Store(f), 1), e) // a value that was read has no faults
	return e.Bytes()
}

// Load puts the value into slots, and its lists, strings and faults into the frame.
func (p *Packed) Load(f *vm.Frame, slots []int64) {
	slots = slots[:copy(slots, p.slots)]
	if len(p.arena) == 0 && len(p.strings) == 0 {
		return
	}
	first := f.Store(p.arena, len(p.arena))
	arena := f.Elements(first, 1)
	place := func(i int) *int64 {
		if i < len(slots) {
			return &slots[i]
		}
		return &arena[i-len(slots)]
	}
	offset := vm.SpanOf(int(first>>32), 0)
	for _, i := range p.spans {
		*place(i) += offset
	}
	for _, s := range p.strings {
		*place(s.at) = f.Intern(s.text)
	}
}
