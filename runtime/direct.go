package runtime

import (
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Result is a number, a truth or a string among the outputs of a rule, to be read from a Frame of that rule.
type Result struct {
	name string
	kind plan.Kind
	slot int32
}

// direct is what a frame knows that is set field by field.
type direct struct {
	rule    *Rule
	missing []missing   // fields that must be set and, so far as Run has seen, have not
	arena   int         // how much of the arena belongs to what is given
	texts   int         // how many of the texts do
	refused *InputError // why a field could not be set since the last Run; nil while none was refused
	problem *InputError // why the last Run did not begin; nil when it did
	values  []judged    // what is judged of the outputs
	printer *printer    // judges outputs that hold lists; nil when there are none
	none    dice.Flat   // the dice of those who give none
	err     error
}

// A missing field must be set.
type missing struct {
	slot       int
	root, path string
}

// A judged slot of an output is a fault, or a double that must be a number.
type judged struct {
	slot   int32
	double bool
	name   string // of the output
}

// Frame is a frame for evaluating the rule many times without JSON: set the fields, Run, read the results. What was
// set stays until it is set again; fields with a default have it. Neither an evaluation nor one that fails allocates, once the frame has
// grown to what is needed. A frame serves one goroutine at a time.
func (r *Rule) Frame() *Frame {
	f := newFrame(r.program, r.code)
	d := &direct{rule: r}
	f.direct = d
	for _, root := range r.roots() {
		f.prepare(root, "")
	}
	d.arena, d.texts = len(f.arena), len(f.texts)
	d.judge(r)
	return f
}

// prepare gives the fields of a record their defaults, and marks those that must be set.
func (f *Frame) prepare(r rootReader, path string) {
	for i := range r.members {
		m, at := &r.members[i], r.base+r.members[i].at
		switch {
		case m.Optional:
		case m.Default != "":
			f.fillIn(m, at)
		case m.Shape.Kind == plan.Record:
			f.prepare(rootReader{m.reader, at}, path+key(m.Name))
		default:
			f.slots[at] = unset
			f.direct.missing = append(f.direct.missing, missing{at, r.root, path + key(m.Name)})
		}
	}
}

// fillIn gives a field its default, which the compiler has checked.
func (f *Frame) fillIn(m *member, at int) {
	d := &f.decoder
	d.frame, d.stack = f, d.stack[:0]
	to := d.reserve(m.reader.slots)
	if err := d.fill(m.reader, m.Default, to); err != nil {
		panic("runtime: a default does not fit: " + err.Msg)
	}
	copy(f.slots[at:], d.stack[to:to+m.reader.slots])
}

// judge lists what of the outputs decides whether they stand.
func (d *direct) judge(r *Rule) {
	for i := range r.rule.Graph.Outputs.Fields {
		name := r.rule.Graph.Outputs.Type.Fields[i].Name
		if r.code.Asked(name) && !d.flat(r, name, &r.rule.Graph.Outputs.Fields[i]) {
			d.printer = newPrinter(r, r.code)
			return
		}
	}
}

// flat adds what is judged of a value; false for one that holds lists or optional fields.
func (d *direct) flat(r *Rule, name string, v *plan.Value) bool {
	if v.Present != plan.None || v.Type.Kind == plan.List || v.Type.Kind == plan.Map {
		return false
	}
	if slot, ok := r.code.Slot(v.Fault); ok && !r.code.Constant(slot) {
		d.values = append(d.values, judged{slot: slot, name: name})
	}
	if slot, ok := r.code.Slot(v.ID); ok && v.Type.Kind == plan.Double {
		d.values = append(d.values, judged{slot, true, name})
	}
	for i := range v.Fields {
		if !d.flat(r, name, &v.Fields[i]) {
			return false
		}
	}
	return true
}

// Result finds a result by its path among the outputs: "chance", "place.name".
func (r *Rule) Result(path string) (*Result, error) { return r.resultIn(r.code, path) }

func (r *Rule) resultIn(code *schedule.Code, path string) (*Result, error) {
	g := &r.rule.Graph
	v := &g.Outputs
	for name := range strings.SplitSeq(path, ".") {
		i := -1
		if v.Type.Kind == plan.Record {
			i, _ = v.Type.Field(name)
		}
		if i < 0 {
			return nil, known("output", []string{path}, g.Outputs.Type)
		}
		v = &v.Fields[i]
	}
	slot, ok := code.Slot(v.ID)
	if !ok || !v.Type.Scalar() {
		return nil, &UnknownError{What: "number, truth or string that is asked for", Name: path}
	}
	return &Result{path, v.Type.Kind, slot}, nil
}

// Read sets all fields at once from a character and an input in JSON; an empty one stays as it is.
func (f *Frame) Read(character, input []byte) error {
	d := f.direct
	for i, root := range d.rule.roots() {
		if text := [2][]byte{character, input}[i]; len(text) > 0 {
			if err := f.decode(root.reader, text, root.base); err != nil {
				return err
			}
			d.missing = slices.DeleteFunc(d.missing, func(m missing) bool { return m.root == root.root })
		}
	}
	d.arena, d.texts = len(f.arena), len(f.texts)
	return nil
}

// A Given is what all fields of a frame were set to at some time, checked once and for all.
type Given struct {
	of    *direct
	slots []int64
}

// Keep gives what the fields are set to, to be set again in one go. It fails when Run would.
func (f *Frame) Keep() (*Given, error) {
	if !f.ready() {
		return nil, f.direct.problem
	}
	return &Given{f.direct, slices.Clone(f.slots[:f.code.FirstConst])}, nil
}

// Set sets all fields to what this frame has kept.
func (f *Frame) Set(g *Given) {
	if g.of != f.direct {
		f.direct.refused = &InputError{Root: "character", Msg: "was kept by another frame"}
		return
	}
	copy(f.slots, g.slots)
}

// Run carries the rule out with the dice of a source, nil when no die may fall, and reports whether it came to its end
// with all the outputs that are asked for. Err tells why not.
func (f *Frame) Run(source dice.Source) bool {
	d := f.direct
	d.err = nil
	f.arena = f.arena[:d.arena]
	f.faults, f.faces, f.index = f.faults[:0], f.faces[:0], f.index[:0]
	if f.kept > maxKept {
		f.forget(d.texts)
	}
	if !f.ready() {
		return false
	}
	if source == nil {
		d.err = f.run(f.code, &d.none)
	} else if d.err = f.run(f.code, source); d.err == nil {
		d.err = source.Rest()
	}
	if len(f.covered) > 0 {
		f.count(f.code.Graph())
	}
	return d.err == nil && f.stands()
}

// ready reports whether everything has been set that must be, and to what fits.
func (f *Frame) ready() bool {
	d := f.direct
	d.problem, d.refused = d.refused, nil
	if len(d.missing) > 0 {
		d.missing = slices.DeleteFunc(d.missing, func(m missing) bool { return f.slots[m.slot] != unset })
	}
	if len(d.missing) > 0 && d.problem == nil {
		d.problem = &InputError{Root: d.missing[0].root, Path: d.missing[0].path, Msg: "is missing"}
	}
	return d.problem == nil
}

// forget drops the strings that evaluations have made.
func (f *Frame) forget(from int) {
	f.kept = 0
	for i, text := range f.texts {
		if f.kept += len(text); i >= from {
			delete(f.symbols, text)
		}
	}
	f.texts = f.texts[:from]
}

// stands reports whether the outputs are there, without making them.
func (f *Frame) stands() bool {
	d := f.direct
	if d.printer != nil {
		f.sheet, d.err = d.printer.append(f.sheet[:0], f, f.record(), f.faces, nil)
		return d.err == nil
	}
	for i := range d.values {
		if !f.good(&d.values[i]) {
			return false
		}
	}
	return true
}

func (f *Frame) good(c *judged) bool {
	bits := f.slots[c.slot]
	if !c.double {
		return bits == 0
	}
	return isNumber(bits)
}

// Err is why the last Run did not come to its end: an *InputError, a *dice.Error, a *Refused or a *Failure.
func (f *Frame) Err() error {
	d := f.direct
	switch {
	case d.problem != nil:
		return d.problem
	case d.err != nil:
		return f.explain(&d.rule.rule.Graph, d.err)
	case d.printer != nil:
		return nil
	}
	for i := range d.values {
		if c := &d.values[i]; !f.good(c) {
			if !c.double {
				return f.failure(&d.rule.rule.Graph, f.slots[c.slot])
			}
			return unprintable(c.name, Value{kind: plan.Double, bits: f.slots[c.slot]})
		}
	}
	return nil
}

// Int is a result of kind int.
func (f *Frame) Int(x *Result) int64 { return f.slots[x.slot] }

// Double is a result of kind double.
func (f *Frame) Double(x *Result) float64 { return math.Float64frombits(uint64(f.slots[x.slot])) }

// Bool is a result of kind bool.
func (f *Frame) Bool(x *Result) bool { return f.slots[x.slot] != 0 }

// Text is a result of kind string.
func (f *Frame) Text(x *Result) string { return f.text(f.slots[x.slot]) }
