package jsonio

import (
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Template writes the sheets of a rule straight from slots, for many records. Most bytes of a sheet are the same in all
// of them: the template keeps them as pieces, each followed by the value of a slot, so that a sheet is written by going
// through one list. What a piece cannot say, lists, maps and records with optional fields, an Encoder writes; so does
// whoever has the values and no slots. A template is never changed, and may be used by several goroutines at once.
//
// Invariant: the bytes are those of an Encoder that is handed the whole sheet.
type Template struct {
	graph    *plan.Graph
	head     []byte // up to the seed
	undiced  []byte // of a sheet without faces: up to the first output
	outputs  []templateOutput
	pieces   []piece
	doubtful []int  // the pieces that decide whether the outputs can be written
	tail     []byte // after the last piece
	most     int    // bytes of a sheet without faces, but for the texts of its pieces that are longer than usual
	quoted   []Token
}

// A templateOutput is an output that was asked for.
type templateOutput struct {
	id string
	at vm.Location
}

// A piece is a text that is the same in all sheets, and a value behind it.
type piece struct {
	Token
	kind   plan.Kind // of the value; Invalid when an Encoder writes it, Fault when nothing is written but a fault judged
	slot   int32
	fault  int32 // -1 where it has none
	output int   // of which it is a part
	value  *vm.Location
}

// A Token is a text that is written often: a short one by copying a number of bytes that is always the same.
type Token struct {
	text  string
	short [tokenBytes]byte
}

const (
	tokenBytes  = 32
	numberBytes = 32 // more than any number has
)

func newToken(text []byte) Token {
	t := Token{text: string(text)}
	copy(t.short[:], text)
	return t
}

// QuoteAll prepares strings, as JSON, for being written often.
func QuoteAll(texts []string) []Token {
	out := make([]Token, len(texts))
	for i, s := range texts {
		out[i] = newToken(appendString(nil, s))
	}
	return out
}

// appendTo appends the token. Mostly there is room for it.
func (t *Token) appendTo(buf []byte) []byte {
	n := len(buf)
	if len(t.text) > tokenBytes || cap(buf)-n < tokenBytes {
		return append(buf, t.text...)
	}
	buf = buf[:n+tokenBytes]
	*(*[tokenBytes]byte)(buf[n:]) = t.short
	return buf[:n+len(t.text)]
}

const (
	noDice   = `,"dice":{}`
	inOutput = `,"output":{`
)

// NewTemplate prepares the sheets of code. head is how they all begin: an object up to the member before the seed. quoted
// are the plan's symbols.
func NewTemplate(head []byte, code *schedule.Code, quoted []Token) *Template {
	g := code.Graph()
	p := &Template{graph: g, head: head, undiced: slices.Concat(head, []byte(noDice+inOutput)), quoted: quoted}
	for i := range g.Outputs.Fields {
		if name := g.Outputs.Type.Fields[i].Name; code.Asked(name) {
			p.outputs = append(p.outputs, templateOutput{name, vm.LocateIn(code, &g.Outputs.Fields[i])})
		}
	}
	p.cutPieces()
	return p
}

// cutPieces lists the pieces of the outputs.
func (p *Template) cutPieces() {
	var text []byte
	for i := range p.outputs {
		if i > 0 {
			text = append(text, ',')
		}
		text = p.cutPiece(appendName(text, p.outputs[i].id), i, &p.outputs[i].at)
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

// cutPiece adds the pieces of a value, before which a text stands, and gives the text that stands behind the last one.
//
// For {hit: bool, at: {zone: string}} as the only output x the pieces are
//
//	"x":{"hit":      Bool
//	,"at":{"zone":   String
//	}}               the text behind the last, which becomes a part of the tail
//
// A record with an optional field is no sequence of the same pieces in every sheet: an Encoder
// writes it whole.
func (p *Template) cutPiece(text []byte, output int, v *vm.Location) []byte {
	if v.Type.Kind != plan.Record || slices.ContainsFunc(v.Fields, func(f vm.Location) bool { return f.Present >= 0 }) {
		p.pieces = append(p.pieces, piece{newToken(text), pieceKind(v.Type.Kind), v.Slot, v.Fault, output, v})
		return nil
	}
	if v.Fault >= 0 {
		p.pieces = append(p.pieces, piece{Token: newToken(text), kind: plan.Fault, fault: v.Fault, output: output})
		text = nil
	}
	text = append(text, '{')
	for i := range v.Fields {
		if i > 0 {
			text = append(text, ',')
		}
		text = p.cutPiece(appendName(text, v.Type.Fields[i].Name), output, &v.Fields[i])
	}
	return append(text, '}')
}

// pieceKind returns the kind of a piece that is a value of a kind.
func pieceKind(kind plan.Kind) plan.Kind {
	switch kind {
	case plan.Int, plan.Double, plan.Bool, plan.String:
		return kind
	}
	return plan.Invalid
}

// IsNumber reports whether a double, given by its bits, is one for which JSON has a number.
func IsNumber(bits int64) bool {
	return isFinite(math.Float64frombits(uint64(bits)))
}

// isFinite reports whether a double is neither infinite nor no number: the difference of such a one to itself is no
// number, which equals nothing.
func isFinite(v float64) bool { return v-v == 0 }

// Append appends the sheet of a record, or nothing and why there is none: the failure of the first output that failed.
// seed is written when there are faces; it is nil when they were not drawn. The encoder writes lists; it serves one
// goroutine at a time.
func (p *Template) Append(buf []byte, e *Encoder, f *vm.Frame, r vm.View, faces []vm.Face, seed *uint64) ([]byte, error) {
	start := len(buf)
	buf = p.appendHead(buf, f, faces, seed)
	buf, bad := p.appendPieces(buf, e, f, r)
	if bad < 0 {
		return buf, nil
	}
	return buf[:start], p.outputError(f, r, bad)
}

// Check reports why the sheet of a record cannot be written; nil when it can. The encoder writes values that only writing
// can judge.
func (p *Template) Check(e *Encoder, f *vm.Frame, r vm.View) error {
	for _, i := range p.doubtful {
		x := &p.pieces[i]
		switch {
		case x.fault >= 0 && r.Slot(x.fault) != 0:
			return p.outputError(f, r, x.output)
		case x.kind == plan.Double && !IsNumber(r.Slot(x.slot)):
			return p.outputError(f, r, x.output)
		case x.kind == plan.Invalid:
			if _, bad := encodeValue(e.buf[:0], e, f, x.value, r); bad {
				return p.outputError(f, r, x.output)
			}
		}
	}
	return nil
}

// appendHead appends the part of a sheet before the first output.
func (p *Template) appendHead(buf []byte, f *vm.Frame, faces []vm.Face, seed *uint64) []byte {
	if len(faces) == 0 {
		return append(buf, p.undiced...)
	}
	buf = append(buf, p.head...)
	if seed != nil {
		buf = strconv.AppendUint(append(buf, `,"seed":`...), *seed, 10)
	}
	buf = appendDice(append(buf, `,"dice":{`...), f, p.graph, faces)
	return append(append(buf, '}'), inOutput...)
}

// appendDice appends the members of dice. The faces of a die lie together, for its loops are all in its id.
func appendDice(buf []byte, f *vm.Frame, g *plan.Graph, faces []vm.Face) []byte {
	e := Encoder{buf: buf}
	var id [64]byte
	for i, face := range faces {
		if i == 0 || !f.SameDie(g, faces[i-1], face) {
			if i > 0 {
				e.EndList()
			}
			e.separate()
			e.buf = appendName(e.buf, dice.AppendID(id[:0], g.Dice[face.Die].ID, f.LoopsOf(face)))
			e.comma = false
			e.BeginList()
		}
		e.Int(face.Face)
	}
	if len(faces) > 0 {
		e.EndList()
	}
	return e.buf
}

// encodeValue appends a value that an Encoder writes. It reports whether the value is bad: a part failed, or is a double
// for which JSON has no number. The encoder is the caller's, because one made here would be allocated anew for each
// value.
func encodeValue(buf []byte, e *Encoder, f *vm.Frame, at *vm.Location, r vm.View) (out []byte, bad bool) {
	*e = Encoder{buf: buf}
	fault := vm.Walk(f, at, r, e)
	return e.buf, fault != 0 || e.notNumber != ""
}

// appendPieces appends the outputs of a record and the end of its sheet. It gives the index of the first output that
// cannot be written, -1 when all can.
//
// p.most bytes are made room for at the beginning, so that the pieces append without asking; only
// long texts and lists may still grow the buffer. A fault is judged where its piece stands, so that
// the first output in the author's order decides.
func (p *Template) appendPieces(buf []byte, e *Encoder, f *vm.Frame, r vm.View) (all []byte, bad int) {
	buf = slices.Grow(buf, p.most)
	for i := range p.pieces {
		x := &p.pieces[i]
		if x.fault >= 0 && r.Slot(x.fault) != 0 {
			return buf, x.output
		}
		buf = x.appendTo(buf)
		switch x.kind {
		case plan.Int:
			buf = appendInt(buf, r.Slot(x.slot))
		case plan.Bool:
			buf = strconv.AppendBool(buf, r.Slot(x.slot) != 0)
		case plan.String:
			if symbol := r.Slot(x.slot); uint64(symbol) < uint64(len(p.quoted)) {
				buf = p.quoted[symbol].appendTo(buf)
			} else {
				buf = appendString(buf, f.Text(symbol))
			}
		case plan.Double:
			bits := r.Slot(x.slot)
			if !IsNumber(bits) {
				return buf, x.output
			}
			buf = appendDouble(buf, math.Float64frombits(uint64(bits)))
		case plan.Invalid:
			var bad bool
			if buf, bad = encodeValue(buf, e, f, x.value, r); bad {
				return buf, x.output
			}
		}
	}
	return append(buf, p.tail...), -1
}

// outputError is why an output that was asked for cannot be written.
func (p *Template) outputError(f *vm.Frame, r vm.View, i int) error {
	_, err := ReadOutput(f, p.graph, p.outputs[i].id, &p.outputs[i].at, r)
	return err
}

// ReadOutput reads an output of a graph. Its error is the *Failure of a part that has no value, or is no number that JSON
// has.
func ReadOutput(f *vm.Frame, g *plan.Graph, name string, at *vm.Location, r vm.View) (Value, error) {
	v, fault := ReadValue(f, at, r)
	if fault != 0 {
		return Value{}, vm.OutputFailure(f, g, name, fault)
	}
	if err := NotANumberFailure(name, v); err != nil {
		return Value{}, err
	}
	return v, nil
}

// ReadOutputs returns the asked outputs of a graph, or the failure of the first that failed.
func ReadOutputs(f *vm.Frame, code *schedule.Code, g *plan.Graph) (Value, error) {
	names, members := []string{}, []Value(nil)
	for i := range g.Outputs.Fields {
		name := g.Outputs.Type.Fields[i].Name
		if !code.Asked(name) {
			continue
		}
		at := vm.LocateIn(code, &g.Outputs.Fields[i])
		v, err := ReadOutput(f, g, name, &at, f.View())
		if err != nil {
			return Value{}, err
		}
		names, members = append(names, name), append(members, v)
	}
	return RecordValue(names, members), nil
}

// NotANumberFailure returns the failure of an output that has a double for which JSON has no number; nil when it has none.
func NotANumberFailure(output string, v Value) error {
	if bad := v.NotANumber(); bad != "" {
		return &vm.Failure{Site: plan.Site{Name: "output " + output}, Msg: "the value is " + bad + ", not a number"}
	}
	return nil
}
