package runtime

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A piece of a sheet is a text that is the same in all of them, and a value behind it.
type piece struct {
	token
	kind   plan.Kind // of the value; Invalid when value writes it, Fault when nothing is written but a fault judged
	slot   int32
	fault  int32 // -1 where it has none
	output int   // of which it is a part
	value  *printed
}

// A token is a text that is written often: a short one by copying a number of bytes that is always the same.
type token struct {
	text  string
	short [tokenBytes]byte
}

const (
	tokenBytes  = 32
	numberBytes = 32 // more than any number has
)

func newToken(text []byte) token {
	t := token{text: string(text)}
	copy(t.short[:], text)
	return t
}

// append appends the token. Mostly there is room for it.
func (t *token) append(buf []byte) []byte {
	n := len(buf)
	if len(t.text) > tokenBytes || cap(buf)-n < tokenBytes {
		return append(buf, t.text...)
	}
	buf = buf[:n+tokenBytes]
	*(*[tokenBytes]byte)(buf[n:]) = t.short
	return buf[:n+len(t.text)]
}

// prepare lists the pieces of the outputs.
func (p *printer) prepare() {
	var text []byte
	for i := range p.outputs {
		text = p.cut(append(text, p.outputs[i].name...), i, &p.outputs[i].printed)
	}
	p.tail = append(text, '}', '}')
	p.most = len(p.tail) + tokenBytes
	for i := range p.pieces {
		x := &p.pieces[i]
		p.most += len(x.text) + tokenBytes + numberBytes
		if x.fault >= 0 || x.kind == plan.Double || x.kind == plan.Invalid {
			p.doubtful = append(p.doubtful, i)
		}
	}
}

// cut adds the pieces of a value, before which a text stands, and gives the text that stands behind the last one.
func (p *printer) cut(text []byte, output int, v *printed) []byte {
	if v.typ.Kind != plan.Record || slices.ContainsFunc(v.fields, func(f printedField) bool { return f.present >= 0 }) {
		p.pieces = append(p.pieces, piece{token: newToken(text), kind: pieceKind(v.typ.Kind), slot: v.slot, fault: v.fault, output: output, value: v})
		return nil
	}
	if v.fault >= 0 {
		p.pieces = append(p.pieces, piece{token: newToken(text), kind: plan.Fault, fault: v.fault, output: output})
		text = nil
	}
	text = append(text, '{')
	for i := range v.fields {
		if i > 0 {
			text = append(text, ',')
		}
		text = p.cut(append(text, v.fields[i].name...), output, &v.fields[i].printed)
	}
	return append(text, '}')
}

// bad is the index of the first output of a record that cannot be written; -1 when all can. Values that only writing can judge
// are written to scratch, which is given back.
func (p *printer) bad(f *vmFrame, r record, scratch []byte) (int, []byte) {
	for _, i := range p.doubtful {
		x := &p.pieces[i]
		switch {
		case x.fault >= 0 && r.slot(x.fault) != 0:
			return x.output, scratch
		case x.kind == plan.Double && !isNumber(r.slot(x.slot)):
			return x.output, scratch
		case x.kind == plan.Invalid:
			w := writer{readout: readout{frame: f}}
			if scratch = w.value(scratch[:0], x.value, r); w.fault != 0 || w.odd {
				return x.output, scratch
			}
		}
	}
	return -1, scratch
}

// isNumber reports whether a double is one for which JSON has a number.
func isNumber(bits int64) bool {
	v := math.Float64frombits(uint64(bits))
	return v-v == 0 // neither infinite nor no number
}

// pieceKind is the kind of a piece that is a value of a kind.
func pieceKind(kind plan.Kind) plan.Kind {
	switch kind {
	case plan.Int, plan.Double, plan.Bool, plan.String:
		return kind
	}
	return plan.Invalid
}

// fill appends the outputs of a record and the end of its sheet. It gives the index of the first output that cannot be
// written, -1 when all can.
func (p *printer) fill(buf []byte, f *vmFrame, r record) (all []byte, bad int) {
	buf = slices.Grow(buf, p.most)
	for i := range p.pieces {
		x := &p.pieces[i]
		if x.fault >= 0 && r.slot(x.fault) != 0 {
			return buf, x.output
		}
		buf = x.append(buf)
		switch x.kind {
		case plan.Int:
			buf = appendInt(buf, r.slot(x.slot))
		case plan.Bool:
			buf = appendBool(buf, r.slot(x.slot))
		case plan.String:
			if symbol := r.slot(x.slot); uint64(symbol) < uint64(len(p.quoted)) {
				buf = p.quoted[symbol].append(buf)
			} else {
				buf = appendString(buf, f.text(symbol))
			}
		case plan.Double:
			bits := r.slot(x.slot)
			if !isNumber(bits) {
				return buf, x.output
			}
			buf = appendDouble(buf, math.Float64frombits(uint64(bits)))
		case plan.Invalid:
			w := writer{readout: readout{frame: f}}
			if buf = w.value(buf, x.value, r); w.fault != 0 || w.odd {
				return buf, x.output
			}
		}
	}
	return append(buf, p.tail...), -1
}
