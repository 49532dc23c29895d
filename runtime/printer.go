package runtime

import (
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A record is the value of every slot of one evaluation: the slots of a frame, or one row across columns.
type record struct {
	slots  []int64
	stride int // from a slot to the next
	at     int
}

func (r record) slot(s int32) int64 { return r.slots[int(s)*r.stride+r.at] }

// record is the frame as the one evaluation that it holds.
func (f *vmFrame) record() record { return record{f.slots, 1, 0} }

// A printer writes the sheets of a rule as JSON straight from the slots: the same bytes as Sheet.AppendJSON, of which those
// that no sheet changes are prepared.
type printer struct {
	graph    *plan.Graph
	head     []byte // up to the seed
	undiced  []byte // of a sheet without faces: up to the first output
	outputs  []output
	pieces   []piece
	doubtful []int  // the pieces that may not be there to be written
	tail     []byte // after the last piece
	most     int    // bytes of a sheet without faces, but for the texts of its pieces that are longer than usual
	quoted   []token
}

// An output that was asked for.
type output struct {
	id    string
	name  []byte // quoted, with its colon, and the comma before it
	value *plan.Value
	printed
}

// A printed is a typed value prepared for writing. Slots are -1 where it has none.
type printed struct {
	typ                  *plan.Type
	slot, fault, present int32
	fields               []printedField
}

// A printedField is a member of a record.
type printedField struct {
	name []byte // quoted, with its colon
	printed
}

func newPrinter(r *Rule, code *schedule.Code) *printer {
	s := Sheet{Ruleset: r.program.plan.Ruleset, Revision: r.program.plan.Revision, Rule: r.rule.ID, Options: r.program.settings(r.values)}
	o := object{buf: []byte{'{'}}
	o.origin(&s)
	p := &printer{graph: &r.rule.Graph, head: o.buf, undiced: slices.Concat(o.buf, []byte(noDice+inOutput)), quoted: r.program.quoted()}
	for i := range p.graph.Outputs.Fields {
		v := newPrinted(&p.graph.Outputs.Fields[i], code)
		if name := p.graph.Outputs.Type.Fields[i].Name; code.Asked(name) {
			var comma []byte
			if len(p.outputs) > 0 {
				comma = []byte{','}
			}
			p.outputs = append(p.outputs, output{name, appendName(comma, name), &p.graph.Outputs.Fields[i], v})
		}
	}
	p.prepare()
	return p
}

const (
	noDice   = `,"dice":{}`
	inOutput = `,"output":{`
)

func newPrinted(v *plan.Value, code *schedule.Code) printed {
	out := printed{typ: v.Type, slot: slotOrNone(code, v.ID), fault: slotOrNone(code, v.Fault), present: slotOrNone(code, v.Present)}
	if out.fault >= 0 && code.Constant(out.fault) { // it is 0: a value that always fails has a site, and so a word
		out.fault = -1
	}
	for i := range v.Fields {
		name := appendName(nil, v.Type.Fields[i].Name)
		out.fields = append(out.fields, printedField{name, newPrinted(&v.Fields[i], code)})
	}
	return out
}

func slotOrNone(code *schedule.Code, id plan.ID) int32 {
	if slot, ok := code.Slot(id); ok {
		return slot
	}
	return -1
}

func appendName[T string | []byte](buf []byte, name T) []byte {
	return append(appendString(buf, name), ':')
}

// append appends a sheet, or nothing and why there is none: the failure of the first output that failed.
func (p *printer) append(buf []byte, f *vmFrame, r record, faces []fallen, seed *uint64) ([]byte, error) {
	start := len(buf)
	buf = p.begin(buf, f, faces, seed)
	buf, bad := p.fill(buf, f, r)
	if bad < 0 {
		return buf, nil
	}
	buf, err := p.output(buf, f, r, bad)
	return buf[:start], err
}

// begin appends what stands before the first output.
func (p *printer) begin(buf []byte, f *vmFrame, faces []fallen, seed *uint64) []byte {
	if len(faces) == 0 {
		return append(buf, p.undiced...)
	}
	buf = append(buf, p.head...)
	if seed != nil {
		buf = strconv.AppendUint(append(buf, `,"seed":`...), *seed, 10)
	}
	buf = f.appendDice(append(buf, `,"dice":{`...), p.graph, faces)
	return append(append(buf, '}'), inOutput...)
}

// output appends an output that was asked for.
func (p *printer) output(buf []byte, f *vmFrame, r record, i int) ([]byte, error) {
	v := &p.outputs[i]
	w := writer{readout: readout{frame: f}}
	buf = w.value(append(buf, v.name...), &v.printed, r)
	switch {
	case w.fault != 0:
		return buf, f.unread(p.graph, v.id, w.fault)
	case w.odd:
		return buf, p.unprintable(f, r, i)
	}
	return buf, nil
}

// unprintable is the failure of an output that has a double for which JSON has no number.
func (p *printer) unprintable(f *vmFrame, r record, i int) error {
	v := &p.outputs[i]
	x, _ := f.value(v.value, func(id plan.ID) int64 { return r.slot(slotOrNone(f.code, id)) })
	return unprintable(v.id, x)
}

// appendDice appends the members of dice. The faces of a die lie together, for its loops are all in its id.
func (f *vmFrame) appendDice(buf []byte, g *plan.Graph, faces []fallen) []byte {
	for i, face := range faces {
		if i > 0 && f.together(g, faces[i-1], face) {
			buf = append(buf, ',')
		} else {
			if i > 0 {
				buf = append(buf, ']', ',')
			}
			f.buf = dice.AppendID(f.buf[:0], g.Dice[face.die].ID, f.indices(face))
			buf = append(appendName(buf, f.buf), '[')
		}
		buf = strconv.AppendInt(buf, face.face, 10)
	}
	if len(faces) > 0 {
		buf = append(buf, ']')
	}
	return buf
}

// together reports whether two faces fell of the same source in the same iterations: its groups share an id.
func (f *vmFrame) together(g *plan.Graph, a, b fallen) bool {
	return (a.die == b.die || g.Dice[a.die].ID == g.Dice[b.die].ID) && slices.Equal(f.indices(a), f.indices(b))
}

// A writer appends a value as JSON. What it has appended counts only when neither a part has failed nor a double is odd.
type writer struct {
	readout
	fault int64 // of the first part that failed
	odd   bool  // JSON has no number for a double
}

// appendMember appends a name, after a comma when it is not the first of its object.
func appendMember(buf, name []byte) []byte {
	if buf[len(buf)-1] != '{' {
		buf = append(buf, ',')
	}
	return append(buf, name...)
}

// value appends a value that a record holds.
func (w *writer) value(buf []byte, v *printed, r record) []byte {
	if v.fault >= 0 {
		if w.fault = r.slot(v.fault); w.fault != 0 {
			return buf
		}
	}
	switch v.typ.Kind {
	case plan.Int:
		return strconv.AppendInt(buf, r.slot(v.slot), 10)
	case plan.Record:
		return w.members(append(buf, '{'), v.fields, r)
	}
	return w.scalar(buf, v.typ, r.slot(v.slot))
}

func (w *writer) members(buf []byte, fields []printedField, r record) []byte {
	for i := range fields {
		field := &fields[i]
		if field.present >= 0 && r.slot(field.present) == 0 {
			continue
		}
		if buf = w.value(appendMember(buf, field.name), &field.printed, r); w.fault != 0 {
			return buf
		}
	}
	return append(buf, '}')
}

// scalar appends a value that is in one slot.
func (w *writer) scalar(buf []byte, t *plan.Type, bits int64) []byte {
	switch t.Kind {
	case plan.Int:
		return strconv.AppendInt(buf, bits, 10)
	case plan.Double:
		v := math.Float64frombits(uint64(bits))
		w.odd = w.odd || math.IsNaN(v) || math.IsInf(v, 0)
		return appendDouble(buf, v)
	case plan.Bool:
		return strconv.AppendBool(buf, bits != 0)
	case plan.String:
		return appendString(buf, w.frame.text(bits))
	case plan.List:
		return w.span(buf, t, bits, '[', ']')
	}
	return w.span(buf, t, bits, '{', '}')
}

// span appends the elements of a list or the entries of a map.
func (w *writer) span(buf []byte, t *plan.Type, span int64, begin, end byte) []byte {
	if !w.take(int(size(span))) {
		w.fault = overread
		return buf
	}
	all, stride, n := w.frame.spread(t, span)
	buf = append(buf, begin)
	for i := range n {
		if i > 0 {
			buf = append(buf, ',')
		}
		slots := all[i*stride : (i+1)*stride]
		if t.Kind == plan.Map {
			name := w.frame.keyName(t.Key, slots[0])
			if !w.take(len(name)) {
				w.fault = overread
				return buf
			}
			buf = appendName(buf, name)
			slots = slots[1:]
		}
		if buf = w.laidOut(buf, t.Elem, slots); w.fault != 0 {
			return buf
		}
	}
	return append(buf, end)
}

// laidOut appends a value in consecutive slots of its type's layout.
func (w *writer) laidOut(buf []byte, t *plan.Type, slots []int64) []byte {
	if t.Kind == plan.String && !w.take(len(w.frame.text(slots[0]))) {
		w.fault = overread
		return buf
	}
	if t.Kind != plan.Record {
		return w.scalar(buf, t, slots[0])
	}
	buf = append(buf, '{')
	at, some := 0, false
	for i := range t.Fields {
		field := &t.Fields[i]
		there := true
		if field.Optional {
			there = slots[at] != 0
			at++
		}
		if field.Fallible {
			if there && slots[at] != 0 {
				w.fault = slots[at]
				return buf
			}
			at++
		}
		n := field.Type.Slots()
		if there {
			if some {
				buf = append(buf, ',')
			}
			some = true
			if buf = w.laidOut(appendName(buf, field.Name), field.Type, slots[at:at+n]); w.fault != 0 {
				return buf
			}
		}
		at += n
	}
	return append(buf, '}')
}
