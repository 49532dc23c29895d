package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A value of the graph is a tree: a scalar is one node, a record its fields, and beside each stand the node that says
// whether it failed and, of an optional field, the node that says whether it is there. Lists and maps are one node, a
// span of slots; what is in them is laid out by their type. Two values of the same type may still differ in layout,
// because one has fields that can fail where the other has none; they are given one layout before a condition chooses
// between them.

// values builds values from nodes.
type values struct{ *builder }

// newScalar returns a value of one node, with its fault. Lists and maps are scalars too: their elements lie elsewhere.
func newScalar(t *plan.Type, id, fault plan.ID) plan.Value {
	return plan.Value{Type: t, ID: id, Fault: fault, Present: plan.None}
}

// newRecord makes a value without a node of its own, whose fields are values.
func newRecord(t *plan.Type, fields []plan.Value) plan.Value {
	return plan.Value{Type: t, ID: plan.None, Fault: plan.None, Present: plan.None, Fields: fields}
}

// readSlots makes a value of a type from its slots, which slot gives by offset and kind.
//
// The layout of {name: string, skill?: int, ratio: double that may fail} is five slots:
//
//	0 name   1 whether skill is there   2 skill   3 the fault of ratio   4 ratio
//
// Type.Slots counts them; slotsOf is the inverse of this function.
func readSlots(t *plan.Type, offset int, slot func(offset int, kind plan.Kind) plan.ID) plan.Value {
	if t.Kind != plan.Record {
		return newScalar(t, slot(offset, t.Kind), plan.None)
	}
	fields := make([]plan.Value, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		present, fault := plan.None, plan.None
		if f.Optional {
			present = slot(offset, plan.Bool)
			offset++
		}
		if f.Fallible {
			fault = slot(offset, plan.Fault)
			offset++
		}
		fields[i] = readSlots(f.Type, offset, slot)
		fields[i].Present, fields[i].Fault = present, fault
		offset += f.Type.Slots()
	}
	return newRecord(t, fields)
}

// readRoot returns the record of a root, read from the frame's input.
func (b values) readRoot(root plan.Root, t *plan.Type) plan.Value {
	return readSlots(t, 0, func(offset int, kind plan.Kind) plan.ID {
		leaf := plan.Leaf{Root: root, Offset: int32(offset)}
		b.g.Leaves = append(b.g.Leaves, leaf)
		return b.opImm(plan.OpLeaf, kind, int64(len(b.g.Leaves)-1))
	})
}

// elementAt reads an element of a list out of its slots; an element that is a record takes as many as its layout has.
func (b values) elementAt(list plan.Value, i plan.ID) plan.Value {
	stride := list.Type.Stride()
	v := readSlots(list.Type.Elem, 0, func(offset int, kind plan.Kind) plan.ID {
		return b.elementSlot(list.ID, i, kind, stride, offset)
	})
	return v
}

// entryAt reads the value of a map's entry, the key of which is its slot 0.
func (b values) entryAt(m plan.Value, i plan.ID) plan.Value {
	stride := m.Type.Stride()
	return readSlots(m.Type.Elem, 1, func(offset int, kind plan.Kind) plan.ID {
		return b.elementSlot(m.ID, i, kind, stride, offset)
	})
}

// slotsOf lists the nodes that fill a value's slots, in the order of its layout: before a field its presence, if it may
// be absent, and its fault, if it may fail.
func (b values) slotsOf(v plan.Value) []plan.ID {
	if v.Type.Kind != plan.Record {
		return []plan.ID{v.ID}
	}
	var out []plan.ID
	for i := range v.Type.Fields {
		f, x := &v.Type.Fields[i], v.Fields[i]
		if f.Optional {
			out = append(out, b.presenceOf(x))
		}
		if f.Fallible {
			out = append(out, b.faultOrOK(x.Fault))
		}
		out = append(out, b.slotsOf(x)...)
	}
	return out
}

func (b values) presenceOf(v plan.Value) plan.ID {
	if v.Present == plan.None {
		return b.bool(true)
	}
	return v.Present
}

// settleLayout gives a value the layout that its parts need: a field whose fault may happen is Fallible. A list element
// or a map's value must be settled before its slots are taken.
// check does not say which fields may fail, as that is a matter of lowering; so layouts are decided
// here, value by value.
func (b values) settleLayout(v plan.Value) plan.Value {
	if v.Type.Kind != plan.Record {
		return v
	}
	t := *v.Type
	t.Fields = make([]plan.Field, len(v.Fields))
	fields := make([]plan.Value, len(v.Fields))
	same := true
	for i, x := range v.Fields {
		fields[i] = b.settleLayout(x)
		f := v.Type.Fields[i]
		f.Fallible = x.Fault != plan.None
		f.Type = fields[i].Type
		same = same && f == v.Type.Fields[i]
		t.Fields[i] = f
	}
	if same {
		return v
	}
	out := v
	out.Type, out.Fields = &t, fields
	return out
}

// withFault adds a fault of the whole to a value: to every field of a record.
// A record is no node and cannot carry a fault of its own where only a field of it is read: (b ? p
// : q).name fails when b does.
func (b values) withFault(v plan.Value, fault plan.ID) plan.Value {
	if fault == plan.None {
		return v
	}
	if v.Type.Kind == plan.Record {
		fields := make([]plan.Value, len(v.Fields))
		for i, x := range v.Fields {
			fields[i] = b.withFault(x, fault)
		}
		v.Fields = fields
	}
	v.Fault = b.firstFault(fault, v.Fault)
	return v
}

// deepFault returns the first fault in a value. It is asked where a value is used as a whole: compared, handed to a
// function, set as state. A field that is absent has no fault, whatever stands in its slot.
func (b values) deepFault(v plan.Value) plan.ID {
	out := v.Fault
	for _, x := range v.Fields {
		f := b.deepFault(x)
		if f != plan.None && x.Present != plan.None {
			f = b.selectValue(x.Present, f, b.ok())
		}
		out = b.firstFault(out, f)
	}
	return out
}

// withWords returns a value whose strings may be the words of a type that is the Same.
//
// Questions about a value, by --given, a policy or a limit of an input, are checked against these words. One too many is
// only a check that never fails; one too few would refuse a question, or leave out a check.
func withWords(v plan.Value, t *plan.Type) plan.Value {
	v.Type = typeWithWords(v.Type, t)
	if v.Type.Kind == plan.Record && len(v.Fields) > 0 {
		v.Fields = slices.Clone(v.Fields)
		for i := range v.Fields {
			v.Fields[i] = withWords(v.Fields[i], v.Type.Fields[i].Type)
		}
	}
	return v
}

// typeWithWords returns a type with the words of another one that is the Same but for its layout.
func typeWithWords(t, words *plan.Type) *plan.Type {
	if t == words || words == nil || t.Kind != words.Kind {
		return t
	}
	out := *t
	switch t.Kind {
	case plan.String:
		return words
	case plan.List, plan.Map:
		if out.Elem = typeWithWords(t.Elem, words.Elem); out.Elem == t.Elem {
			return t
		}
		return &out
	}
	for i, f := range t.Fields {
		k, _ := words.Field(f.Name)
		if k < 0 {
			continue
		}
		if of := typeWithWords(f.Type, words.Fields[k].Type); of != f.Type {
			if &out.Fields[0] == &t.Fields[0] {
				out.Fields = slices.Clone(t.Fields)
			}
			out.Fields[i].Type = of
		}
	}
	if len(t.Fields) == 0 || &out.Fields[0] == &t.Fields[0] {
		return t
	}
	return &out
}

// selectBetween is c ? x : y for values of types that are the same but for their layouts.
func (b values) selectBetween(c plan.ID, x, y plan.Value) plan.Value {
	x, y = b.alignLayouts(x, y)
	out := plan.Value{Type: x.Type, ID: plan.None, Fault: b.selFault(c, x.Fault, y.Fault), Present: plan.None}
	if x.Present != plan.None || y.Present != plan.None {
		out.Present = b.selectValue(c, b.presenceOf(x), b.presenceOf(y))
	}
	if x.Type.Kind != plan.Record {
		out.ID = b.selectValue(c, x.ID, y.ID)
		return out
	}
	out.Fields = make([]plan.Value, len(x.Fields))
	for i := range x.Fields {
		out.Fields[i] = b.selectBetween(c, x.Fields[i], y.Fields[i])
	}
	return out
}

// alignLayouts gives two values one layout.
func (b values) alignLayouts(x, y plan.Value) (plan.Value, plan.Value) {
	if sameLayout(x.Type, y.Type) {
		return x, y
	}
	t := joinLayouts(x.Type, y.Type)
	return b.fitLayout(x, t), b.fitLayout(y, t)
}

// sameLayout reports whether values of two types that are the Same also have the same slots.
func sameLayout(t, u *plan.Type) bool {
	if t == u {
		return true
	}
	if t.Kind != u.Kind || t.Key != u.Key || len(t.Fields) != len(u.Fields) {
		return false
	}
	for i := range t.Fields {
		a, b := &t.Fields[i], &u.Fields[i]
		if a.Name != b.Name || a.Optional != b.Optional || a.Fallible != b.Fallible || !sameLayout(a.Type, b.Type) {
			return false
		}
	}
	return t.Elem == nil && u.Elem == nil || t.Elem != nil && u.Elem != nil && sameLayout(t.Elem, u.Elem)
}

// joinLayouts returns the layout that values of either type can be given.
func joinLayouts(t, u *plan.Type) *plan.Type {
	if sameLayout(t, u) {
		return t
	}
	out := *t
	out.Fields = nil
	if t.Elem != nil {
		out.Elem = joinLayouts(t.Elem, u.Elem)
	}
	for _, f := range t.Fields {
		i, _ := u.Field(f.Name)
		if i < 0 {
			continue
		}
		g := u.Fields[i]
		f.Fallible = f.Fallible || g.Fallible
		f.Optional = f.Optional || g.Optional
		f.Type = joinLayouts(f.Type, g.Type)
		out.Fields = append(out.Fields, f)
	}
	return &out
}

// fitLayout gives a value the layout of a type whose fields it has: fields that the type does not ask for are dropped, an
// optional field that the value has not is absent.
//
// Of a scalar or a record it costs nothing. A list or a map whose elements are laid out otherwise
// is copied, in a loop: this happens where the arms of a condition are lists of records of which
// only one kind can fail.
func (b values) fitLayout(v plan.Value, t *plan.Type) plan.Value {
	if sameLayout(v.Type, t) {
		return v
	}
	switch t.Kind {
	case plan.Record:
		return b.fitRecord(v, t)
	case plan.List:
		if sameLayout(v.Type.Elem, t.Elem) {
			return v
		}
		return b.fitList(v, t)
	case plan.Map:
		if sameLayout(v.Type.Elem, t.Elem) {
			return v
		}
		return b.fitMap(v, t)
	}
	return v
}

// fitRecord brings a record to the fields of another type, by their names. A field that is not there is absent, which
// the type must allow.
func (b values) fitRecord(v plan.Value, t *plan.Type) plan.Value {
	out := v
	out.Type, out.Fields = t, make([]plan.Value, len(t.Fields))
	for k := range t.Fields {
		f := &t.Fields[k]
		i, _ := v.Type.Field(f.Name)
		if i < 0 {
			out.Fields[k] = b.absentValue(f.Type)
			continue
		}
		out.Fields[k] = b.fitLayout(v.Fields[i], f.Type)
	}
	return out
}

// absentValue returns the value of an optional field that is not there.
func (b values) absentValue(t *plan.Type) plan.Value {
	v := readSlots(t, 0, func(_ int, kind plan.Kind) plan.ID { return b.constBits(kind, 0) })
	v.Present = b.bool(false)
	return v
}

func (b values) fitList(v plan.Value, t *plan.Type) plan.Value {
	n := b.sizeOf(v.ID)
	span := b.newSpan(n, t.Elem.Slots())
	res := b.loop(n, []plan.ID{span}, func(i plan.ID, carried []plan.ID) []plan.ID {
		x := b.fitLayout(b.elementAt(v, i), t.Elem)
		return []plan.ID{b.pushElement(carried[0], b.bool(true), b.slotsOf(x))}
	})
	return plan.Value{Type: t, ID: res[0], Fault: v.Fault, Present: v.Present}
}

// fitMap copies a map, entry by entry, when its values are laid out in another way. The keys keep their order.
func (b values) fitMap(v plan.Value, t *plan.Type) plan.Value {
	n := b.sizeOf(v.ID)
	stride := v.Type.Stride()
	span := b.newSpan(n, t.Stride())
	res := b.loop(n, []plan.ID{span}, func(i plan.ID, carried []plan.ID) []plan.ID {
		key := b.elementSlot(v.ID, i, t.Key, stride, 0)
		x := b.fitLayout(b.entryAt(v, i), t.Elem)
		return []plan.ID{b.pushElement(carried[0], b.bool(true), append([]plan.ID{key}, b.slotsOf(x)...))}
	})
	return plan.Value{Type: t, ID: res[0], Fault: v.Fault, Present: v.Present}
}

// withoutFaults returns a type of which no field may fail, as CEL and JSON know it; the type itself when it is one already.
func withoutFaults(t *plan.Type) *plan.Type {
	out := *t
	if t.Elem != nil {
		out.Elem = withoutFaults(t.Elem)
	}
	out.Fields = make([]plan.Field, len(t.Fields))
	for i, f := range t.Fields {
		f.Fallible, f.Type = false, withoutFaults(f.Type)
		out.Fields[i] = f
	}
	if sameLayout(&out, t) {
		return t
	}
	return &out
}

// equalValues reports whether two values of the same type are equal, as CEL compares them.
func (b values) equalValues(x, y plan.Value) plan.ID {
	switch x.Type.Kind {
	case plan.Double:
		return b.op(plan.OpEqDouble, plan.Bool, x.ID, y.ID)
	case plan.List, plan.Map:
		t := withoutFaults(x.Type)
		return b.opImm(plan.OpEqual, plan.Bool, b.plan.internType(t), b.fitLayout(x, t).ID, b.fitLayout(y, t).ID)
	case plan.Record:
		out := b.bool(true)
		for i := range x.Fields {
			out = b.and(out, b.equalFields(x.Fields[i], y.Fields[i]))
		}
		return out
	}
	return b.op(plan.OpEqInt, plan.Bool, x.ID, y.ID)
}

func (b values) equalFields(x, y plan.Value) plan.ID {
	same := b.equalValues(x, y)
	if x.Present == plan.None && y.Present == plan.None {
		return same
	}
	px, py := b.presenceOf(x), b.presenceOf(y)
	there := b.op(plan.OpEqInt, plan.Bool, px, py)
	return b.and(there, b.or(b.not(px), same))
}
