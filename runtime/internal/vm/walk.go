package vm

import (
	"strconv"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// View returns the frame as the one evaluation that it holds.
func (f *Frame) View() View { return View{f.slots, 1} }

// Locate finds the slots of a value of a graph. slotOf gives the slot of a node, -1 where it has none.
func Locate(v *plan.Value, slotOf func(plan.ID) int32) Location {
	find := func(id plan.ID) int32 {
		if id == plan.None {
			return -1
		}
		return slotOf(id)
	}
	out := Location{Type: v.Type, Slot: find(v.ID), Fault: find(v.Fault), Present: find(v.Present)}
	for i := range v.Fields {
		out.Fields = append(out.Fields, Locate(&v.Fields[i], slotOf))
	}
	return out
}

// LocateIn finds the slots that code gives a value. A fault that is constant is none: a value that always fails has a
// site, and so an instruction that computes its fault.
func LocateIn(code *schedule.Code, v *plan.Value) Location {
	at := Locate(v, func(id plan.ID) int32 {
		if slot, ok := code.Slot(id); ok {
			return slot
		}
		return -1
	})
	dropConstantFaults(code, &at)
	return at
}

func dropConstantFaults(code *schedule.Code, at *Location) {
	if at.Fault >= 0 && code.Constant(at.Fault) {
		at.Fault = -1
	}
	for i := range at.Fields {
		dropConstantFaults(code, &at.Fields[i])
	}
}

// A Sink takes a value part by part. Name stands before each member of an object.
type Sink interface {
	Int(v int64)
	Double(v float64)
	Bool(v bool)
	Text(v string)
	BeginList()
	EndList()
	BeginObject(kind plan.Kind) // plan.Map or plan.Record
	Name(name string)
	EndObject()
}

// Walk hands a value of an evaluation to a sink. It returns 0, or the fault of the first part that failed, for FailureOf;
// then the sink has not taken the whole value.
//
// Lists and maps can share their elements, so that more is read than was made. Of each list or map outside of all others,
// elements and bytes of strings are counted, up to plan.MaxRead.
func Walk(f *Frame, at *Location, v View, to Sink) (fault int64) {
	if at.Fault >= 0 {
		if fault := v.Slot(at.Fault); fault != 0 {
			return fault
		}
	}
	if at.Type.Kind != plan.Record {
		w := walker{frame: f, to: to}
		return w.walkSlot(at.Type, v.Slot(at.Slot))
	}
	to.BeginObject(plan.Record)
	for i := range at.Fields {
		field := &at.Fields[i]
		if field.Present >= 0 && v.Slot(field.Present) == 0 {
			continue
		}
		to.Name(at.Type.Fields[i].Name)
		if fault := Walk(f, field, v, to); fault != 0 {
			return fault
		}
	}
	to.EndObject()
	return 0
}

// A walker reads one value outside of all lists and maps.
type walker struct {
	frame *Frame
	to    Sink
	read  int // elements, and bytes of their strings
}

// count counts elements and bytes that are read, and reports whether more may be.
func (w *walker) count(n int) bool {
	w.read += n
	return w.read <= plan.MaxRead
}

// walkSlot hands over a value that is in one slot.
func (w *walker) walkSlot(t *plan.Type, bits int64) (fault int64) {
	switch t.Kind {
	case plan.Int:
		w.to.Int(bits)
	case plan.Double:
		w.to.Double(builtin.Double(bits))
	case plan.Bool:
		w.to.Bool(bits != 0)
	case plan.String:
		w.to.Text(w.frame.Text(bits))
	case plan.List, plan.Map:
		return w.walkSpan(t, bits)
	}
	return 0
}

// walkSpan hands over the elements of a list or the entries of a map.
func (w *walker) walkSpan(t *plan.Type, span int64) (fault int64) {
	if !w.count(int(SpanSize(span))) {
		return overread
	}
	if t.Kind == plan.List {
		w.to.BeginList()
	} else {
		w.to.BeginObject(plan.Map)
	}
	stride := t.Stride()
	all := w.frame.Elements(span, stride)
	n := int(min(SpanSize(span), plan.MaxRead)) // of elements without slots: as many as there may be
	if stride > 0 {
		n = len(all) / stride
	}
	for i := range n {
		slots := all[i*stride : (i+1)*stride]
		if t.Kind == plan.Map {
			name := w.keyText(t.Key, slots[0])
			if !w.count(len(name)) {
				return overread
			}
			w.to.Name(name)
			slots = slots[1:]
		}
		if fault := w.walkLayout(t.Elem, slots); fault != 0 {
			return fault
		}
	}
	if t.Kind == plan.List {
		w.to.EndList()
	} else {
		w.to.EndObject()
	}
	return 0
}

// keyText returns a map's key as the name of a member.
func (w *walker) keyText(kind plan.Kind, bits int64) string {
	switch kind {
	case plan.Int:
		return strconv.FormatInt(bits, 10)
	case plan.Bool:
		return strconv.FormatBool(bits != 0)
	}
	return w.frame.Text(bits)
}

// walkLayout hands over a value in consecutive slots of its type's layout.
func (w *walker) walkLayout(t *plan.Type, slots []int64) (fault int64) {
	if t.Kind == plan.String && !w.count(len(w.frame.Text(slots[0]))) {
		return overread
	}
	if t.Kind != plan.Record {
		return w.walkSlot(t, slots[0])
	}
	w.to.BeginObject(plan.Record)
	at := 0
	for i := range t.Fields {
		field := &t.Fields[i]
		present := true
		if field.Optional {
			present = slots[at] != 0
			at++
		}
		if field.Fallible {
			if present && slots[at] != 0 {
				return slots[at]
			}
			at++
		}
		n := field.Type.Slots()
		if present {
			w.to.Name(field.Name)
			if fault := w.walkLayout(field.Type, slots[at:at+n]); fault != 0 {
				return fault
			}
		}
		at += n
	}
	w.to.EndObject()
	return 0
}
