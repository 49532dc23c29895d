package runtime

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Field is a number, a truth or a string of a rule's character or input, to be set in a Frame of that rule without
// JSON.
type Field struct {
	path     string
	shape    *plan.Shape
	at       int32
	present  []int32 // slots that say that it is there: of itself and of the records around it
	required int     // its number among the fields that must be set, -1 for one that need not
	min, max int64   // of an int
	words    []int64 // symbols of a string that is one of a list
}

// A Result is a number, a truth or a string among the outputs of a rule, to be read from a Frame of that rule.
type Result struct {
	name string
	kind plan.Kind
	slot int32
}

// direct is what a frame knows that is set field by field.
type direct struct {
	rule    *Rule
	given   []bool     // of the required fields, whether they have been set
	missing int        // required fields that have not
	arena   int        // how much of the arena belongs to what is given
	texts   int        // how many of the texts do
	refused InputError // why a field could not be set; Root is empty while none was refused
	values  []judged   // what is judged of the outputs
	printer *printer   // judges outputs that hold lists; nil when there are none
	none    dice.Flat  // the dice of those who give none
	err     error
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
		f.prepare(root.reader, root.base)
	}
	d.missing = len(d.given)
	d.arena, d.texts = len(f.arena), len(f.texts)
	d.judge(r)
	return f
}

// A rootReader reads a record into the slots from base on.
type rootReader struct {
	*reader
	base int
}

func (r *Rule) roots() [2]rootReader {
	return [2]rootReader{
		{r.program.character, int(r.code.Base[plan.CharacterRoot])},
		{r.input, int(r.code.Base[plan.InputRoot])},
	}
}

// prepare gives the fields of a record their defaults, and counts those that must be set.
func (f *Frame) prepare(r *reader, base int) {
	for i := range r.members {
		m := &r.members[i]
		switch {
		case m.Optional:
		case m.Default != "":
			f.fillIn(m, base+m.at)
		case m.Shape.Kind == plan.Record:
			f.prepare(m.reader, base+m.at)
		default:
			f.direct.given = append(f.direct.given, false)
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

// Field finds a field by its path: "character.strength", "input.place.height".
func (r *Rule) Field(path string) (*Field, error) {
	root, rest, _ := strings.Cut(path, ".")
	required := 0
	for _, of := range r.roots() {
		if of.root == root {
			x := &Field{path: path, required: required}
			return x, x.find(of.reader, of.base, rest, true)
		}
		required += of.required()
	}
	return nil, &UnknownError{What: "record", Name: root, Known: []string{r.program.character.root, r.input.root}}
}

// required counts the fields that must be set.
func (r *reader) required() (n int) {
	for i := range r.members {
		n += r.members[i].required()
	}
	return n
}

func (m *member) required() int {
	switch {
	case m.Optional || m.Default != "":
		return 0
	case m.Shape.Kind == plan.Record:
		return m.reader.required()
	}
	return 1
}

// find goes down a path; must tells that all the records on the way must be set.
func (x *Field) find(r *reader, base int, path string, must bool) error {
	name, rest, more := strings.Cut(path, ".")
	i := slices.IndexFunc(r.members, func(m member) bool { return m.Name == name })
	if i < 0 {
		return &UnknownError{What: "field", Name: name, Known: memberNames(r)}
	}
	m := &r.members[i]
	for k := range r.members[:i] {
		x.required += r.members[k].required()
	}
	at := base + m.at
	if m.Optional {
		x.present = append(x.present, int32(at))
		at++
	}
	must = must && m.required() > 0
	if m.Shape.Kind == plan.Record && more {
		return x.find(m.reader, at, rest, must)
	}
	if !must {
		x.required = -1
	}
	return x.settle(m, at, more)
}

func memberNames(r *reader) (out []string) {
	for _, m := range r.members {
		out = append(out, m.Name)
	}
	return out
}

// settle is the field at the end of the path.
func (x *Field) settle(m *member, at int, more bool) error {
	if more || m.Shape.Kind < plan.Int || m.Shape.Kind > plan.String {
		return &UnknownError{What: "number, truth or string", Name: x.path}
	}
	x.shape, x.at, x.words = m.Shape, int32(at), m.reader.enum
	x.min, x.max = math.MinInt64, math.MaxInt64
	if b := m.Shape.Min; b != nil {
		x.min = int64(math.Ceil(b.Value))
	}
	if b := m.Shape.Max; b != nil {
		x.max = int64(math.Floor(b.Value))
	}
	return nil
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

// put writes a field that fits.
func (f *Frame) put(x *Field, bits int64) {
	f.slots[x.at] = bits
	for _, slot := range x.present {
		f.slots[slot] = 1
	}
	if x.required >= 0 && !f.direct.given[x.required] {
		f.direct.given[x.required] = true
		f.direct.missing--
	}
}

// refuse notes that a field was set to what does not fit; the first one is what Run tells.
func (f *Frame) refuse(x *Field, format string, args ...any) {
	if f.direct.refused.Root == "" {
		root, path, _ := strings.Cut(x.path, ".")
		f.direct.refused = InputError{Root: root, Path: "." + path, Msg: fmt.Sprintf(format, args...)}
	}
}

// SetInt sets an int, or a double to a whole number. What does not fit makes the next Run fail.
func (f *Frame) SetInt(x *Field, v int64) {
	switch {
	case x.shape.Kind == plan.Double:
		f.SetDouble(x, float64(v))
	case x.shape.Kind != plan.Int:
		f.refuse(x, "must be %s", kinds[x.shape.Kind])
	case v < x.min || v > x.max || !x.strict(float64(v)):
		f.refuse(x, "%s", misfit(x.shape, float64(v)))
	default:
		f.put(x, v)
	}
}

// strict judges the bounds that are rarely there.
func (x *Field) strict(v float64) bool {
	s := x.shape
	return s.Not == nil && (s.Min == nil || !s.Min.Open) && (s.Max == nil || !s.Max.Open) || misfit(s, v) == ""
}

// misfit says why a number does not fit; nothing when it does.
func misfit(s *plan.Shape, v float64) string {
	switch b, not := s.Min, slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == v }); {
	case not:
		return fmt.Sprintf("must not be %v", v)
	case b != nil && (v < b.Value || b.Open && v == b.Value):
		return fmt.Sprintf("must be %s %v, not %v", choose(b.Open, "more than", "at least"), b.Value, v)
	}
	if b := s.Max; b != nil && (v > b.Value || b.Open && v == b.Value) {
		return fmt.Sprintf("must be %s %v, not %v", choose(b.Open, "less than", "at most"), b.Value, v)
	}
	return ""
}

// SetDouble sets a double.
func (f *Frame) SetDouble(x *Field, v float64) {
	s := x.shape
	switch {
	case s.Kind != plan.Double:
		f.refuse(x, "must be %s", kinds[s.Kind])
	case math.IsNaN(v) || math.IsInf(v, 0):
		f.refuse(x, "must be a number, not %v", v)
	case s.Min != nil && v < s.Min.Value || s.Max != nil && v > s.Max.Value || !x.strict(v):
		f.refuse(x, "%s", misfit(s, v))
	default:
		f.put(x, int64(math.Float64bits(v)))
	}
}

// SetBool sets a truth.
func (f *Frame) SetBool(x *Field, v bool) {
	if x.shape.Kind != plan.Bool {
		f.refuse(x, "must be %s", kinds[x.shape.Kind])
		return
	}
	bits := int64(0)
	if v {
		bits = 1
	}
	f.put(x, bits)
}

// A Symbol is a string that a program knows by number: setting it compares no text.
type Symbol struct{ number int64 }

// Symbol is the symbol of a string that stands in the plan; ok is false for any other.
func (p *Program) Symbol(text string) (s Symbol, ok bool) {
	number, ok := p.symbols[text]
	return Symbol{number}, ok
}

// SetText sets a string.
func (f *Frame) SetText(x *Field, v string) {
	f.SetSymbol(x, Symbol{f.internText(v)})
	f.direct.texts = len(f.texts)
}

func (f *Frame) internText(v string) int64 {
	if symbol, ok := f.program.symbols[v]; ok {
		return symbol
	}
	if symbol, ok := f.symbols[v]; ok {
		return symbol
	}
	return f.add(v)
}

// SetSymbol sets a string that the program of the frame knows by number.
func (f *Frame) SetSymbol(x *Field, v Symbol) {
	switch {
	case x.shape.Kind != plan.String:
		f.refuse(x, "must be %s", kinds[x.shape.Kind])
	case x.words != nil && !slices.Contains(x.words, v.number):
		f.refuse(x, "must be %s, not %q", oneOf(x.shape.Enum), f.text(v.number))
	default:
		f.put(x, v.number)
	}
}

// Read sets all fields at once from a character and an input in JSON; an empty one stays as it is.
func (f *Frame) Read(character, input []byte) error {
	d := f.direct
	for i, root := range d.rule.roots() {
		if text := [2][]byte{character, input}[i]; len(text) > 0 {
			if err := f.decode(root.reader, text, root.base); err != nil {
				return err
			}
			d.set(i)
		}
	}
	d.arena, d.texts = len(f.arena), len(f.texts)
	return nil
}

// set notes that all the fields of a root have been set.
func (d *direct) set(root int) {
	first := 0
	for i, r := range d.rule.roots() {
		n := r.required()
		for k := first; i == root && k < first+n; k++ {
			if !d.given[k] {
				d.given[k] = true
				d.missing--
			}
		}
		first += n
	}
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
	if d.missing > 0 || d.refused.Root != "" {
		return false
	}
	if source == nil {
		source = &d.none
	}
	d.err = f.run(f.code, source)
	f.count(f.code.Graph())
	if d.err == nil {
		d.err = source.Rest()
	}
	return d.err == nil && f.stands()
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
	v := math.Float64frombits(uint64(bits))
	return v-v == 0 // neither infinite nor no number
}

// Err is why the last Run did not come to its end: an *InputError, a *dice.Error, a *Refused or a *Failure.
func (f *Frame) Err() error {
	d := f.direct
	switch {
	case d.refused.Root != "":
		err := d.refused
		return &err
	case d.missing > 0:
		return f.unset()
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

// unset is the error of the first field that must be set and was not.
func (f *Frame) unset() error {
	n := slices.Index(f.direct.given, false)
	for _, r := range f.direct.rule.roots() {
		if k := r.required(); n >= k {
			n -= k
			continue
		}
		return &InputError{Root: r.root, Path: r.unset(n), Msg: "is missing"}
	}
	return nil
}

// unset is the path of the n-th field that must be set.
func (r *reader) unset(n int) string {
	for i := range r.members {
		m := &r.members[i]
		k := m.required()
		if n >= k {
			n -= k
			continue
		}
		if m.Shape.Kind == plan.Record {
			return key(m.Name) + m.reader.unset(n)
		}
		return key(m.Name)
	}
	return ""
}

// Int is a result of kind int.
func (f *Frame) Int(x *Result) int64 { return f.slots[x.slot] }

// Double is a result of kind double.
func (f *Frame) Double(x *Result) float64 { return math.Float64frombits(uint64(f.slots[x.slot])) }

// Bool is a result of kind bool.
func (f *Frame) Bool(x *Result) bool { return f.slots[x.slot] != 0 }

// Text is a result of kind string.
func (f *Frame) Text(x *Result) string { return f.text(f.slots[x.slot]) }
