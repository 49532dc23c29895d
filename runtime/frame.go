package runtime

import (
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// # Records without JSON
//
// A field of a record is a slot of the frame, and setting it is a comparison and a store: SetInt compares the value with
// the bounds of the schema by one unsigned subtraction, and only a value that does not pass goes the slow way, which finds
// the words for what is wrong. The code relies on those bounds (checks of overflow that they exclude are not in it), so no
// value may reach a slot unchecked.
//
// That every required field is set must not cost a look at each field in each Run. A field that is not set holds a bit
// pattern that no value within bounds has (unset); the list of such fields only shrinks, and is empty from the first
// complete record on.
//
// Errors are made when they are asked for. Run says whether there are outputs; Err finds out why not, in the slots and
// faults that the evaluation left. So records that fail are as fast as those that do not.

// A Result is a number, a truth or a string among the outputs of a rule, to be read from a Frame of that rule.
type Result struct {
	name string
	kind plan.Kind
	slot int32
}

// A Frame evaluates a rule many times without JSON: set the fields, Run, read the results. What was set stays until it is
// set again; fields with a default have it. Once the frame has grown to what is needed, no evaluation allocates memory,
// whether it comes to its end or not. A frame serves one goroutine at a time.
type Frame struct {
	rule    *Rule
	frame   *vm.Frame
	slots   []int64 // of frame
	decoder *jsonio.Decoder
	missing []missing          // fields that must be set and, so far as Run has seen, have not
	limited []rootReader       // records whose fields set bounds for each other
	given   vm.Mark            // of frame: what the fields hold
	refused *jsonio.InputError // why a field could not be set since the last Run; nil while none was refused
	problem *jsonio.InputError // why the last Run did not begin; nil when it did
	checks  []outputCheck      // what is judged of the outputs
	sheets  *jsonio.Template   // judges outputs that hold lists; nil when there are none
	encoder jsonio.Encoder     // writes them to be judged
	none    dice.Flat          // the dice of those who give none
	err     error
}

// A missing field must be set.
type missing struct {
	slot       int
	root, path string
}

// An outputCheck is a slot of an output that decides whether the output can be given: a fault, or a double that must be a
// number.
type outputCheck struct {
	slot   int32
	double bool
	name   string // of the output
}

// Frame is a new frame of the rule.
func (r *Rule) Frame() *Frame {
	f := r.frameOn(vm.NewFrame(r.program.image, r.code))
	f.prepareChecks()
	return f
}

// frameOn is a frame whose fields lie in the slots of another one.
func (r *Rule) frameOn(slots *vm.Frame) *Frame {
	f := &Frame{rule: r, frame: slots, slots: slots.Slots(), decoder: jsonio.NewDecoder(slots)}
	for _, root := range r.recordRoots() {
		f.prepareFields(root, "")
		if root.HasLimits() {
			f.limited = append(f.limited, root)
		}
	}
	f.given = slots.Mark()
	return f
}

// prepareFields gives the fields of a record their defaults, and marks those that must be set.
func (f *Frame) prepareFields(r rootReader, path string) {
	for i := range r.Members {
		m, at := &r.Members[i], r.base+r.Members[i].At
		switch {
		case m.Optional:
		case m.Default != "":
			if err := f.decoder.DecodeDefault(m, at); err != nil {
				panic("runtime: a default does not fit, although the plan was verified: " + err.Error())
			}
		case m.Shape.Kind == plan.Record:
			f.prepareFields(rootReader{m.Schema, at}, path+jsonio.PathStep(m.Name))
		default:
			f.slots[at] = unset
			f.missing = append(f.missing, missing{at, r.Root, path + jsonio.PathStep(m.Name)})
		}
	}
}

// prepareChecks lists the conditions under which the outputs can be given.
func (f *Frame) prepareChecks() {
	r := f.rule
	for i := range r.rule.Graph.Outputs.Fields {
		name := r.rule.Graph.Outputs.Type.Fields[i].Name
		if r.code.Asked(name) && !f.addChecks(r.code, name, &r.rule.Graph.Outputs.Fields[i]) {
			f.sheets = r.newTemplate(r.code)
			return
		}
	}
}

// addChecks adds the checks of a value; false for one that holds lists or optional fields.
func (f *Frame) addChecks(code *schedule.Code, name string, v *plan.Value) bool {
	if v.Present != plan.None || v.Type.Kind == plan.List || v.Type.Kind == plan.Map {
		return false
	}
	if slot, ok := code.Slot(v.Fault); ok && !code.Constant(slot) {
		f.checks = append(f.checks, outputCheck{slot: slot, name: name})
	}
	if slot, ok := code.Slot(v.ID); ok && v.Type.Kind == plan.Double {
		f.checks = append(f.checks, outputCheck{slot, true, name})
	}
	for i := range v.Fields {
		if !f.addChecks(code, name, &v.Fields[i]) {
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
			return nil, checkNames("output", []string{path}, g.Outputs.Type)
		}
		v = &v.Fields[i]
	}
	slot, ok := code.Slot(v.ID)
	if !ok || !v.Type.Scalar() {
		return nil, &UnknownError{What: "number, truth or string that is asked for", Name: path}
	}
	return &Result{path, v.Type.Kind, slot}, nil
}

// Read sets all fields at once from a character and an input in JSON; an empty one stays as it is. A character without
// fields does for a rule that reads none, as in Rule.Eval.
func (f *Frame) Read(character, input []byte) error {
	for i, root := range f.rule.recordRoots() {
		if text := [2][]byte{character, input}[i]; len(text) > 0 {
			schema := root.Schema
			if i == 0 {
				schema = f.rule.characterFor(text)
			}
			if err := f.decoder.DecodeTo(schema, text, root.base); err != nil {
				return err
			}
			f.missing = slices.DeleteFunc(f.missing, func(m missing) bool { return m.root == root.Root })
		}
	}
	f.given = f.frame.Mark()
	return nil
}

// A Record is what all fields of a frame were set to at some time, checked once and for all.
type Record struct {
	of    *Frame
	slots []int64
	texts []slotText
}

// A slotText is a string that a slot holds and that the plan does not know. Its symbol is good only until the frame drops
// its strings.
type slotText struct {
	at   int
	text string
}

// ownTexts lists the strings that fields are set to and that the plan does not know.
func (f *Frame) ownTexts() (out []slotText) {
	known := int64(len(f.rule.program.plan.Symbols))
	for _, root := range f.rule.recordRoots() {
		for slot := range root.Slots {
			at := root.base + slot
			if f.slots[at] < known || f.slots[at] == unset {
				continue
			}
			if t := root.Shape.SlotType(slot); t != nil && t.Kind == plan.String {
				out = append(out, slotText{at, f.frame.Text(f.slots[at])})
			}
		}
	}
	return out
}

// putTexts sets fields to strings again, which may have got other symbols.
func (f *Frame) putTexts(list []slotText) {
	for _, x := range list {
		f.slots[x.at] = f.frame.Intern([]byte(x.text))
	}
}

// Keep returns the values of the fields, to be set again in one go. It fails when Run would.
func (f *Frame) Keep() (*Record, error) {
	if !f.isReady() {
		return nil, f.problem
	}
	return &Record{f, slices.Clone(f.slots[:f.frame.Code().FirstConst]), f.ownTexts()}, nil
}

// Set sets all fields to the values that this frame has kept.
func (f *Frame) Set(r *Record) {
	if r.of != f {
		f.refused = &jsonio.InputError{Root: "character", Msg: "was kept by another frame"}
		return
	}
	copy(f.slots, r.slots)
	if len(r.texts) > 0 { // few records have strings of their own, and this is done for each of millions
		f.putTexts(r.texts)
	}
}

// Run carries the rule out with the dice of a source, nil when no die may fall, and reports whether it came to its end
// with all the outputs that are asked for. Err tells why not.
func (f *Frame) Run(source dice.Source) bool {
	f.err = nil
	f.frame.ResetTo(f.given)
	if !f.isReady() {
		return false
	}
	code := f.frame.Code()
	if source == nil {
		f.err = vm.Run(f.frame, code, &f.none)
	} else if f.err = vm.Run(f.frame, code, source); f.err == nil {
		f.err = source.Rest()
	}
	f.frame.Image().CountBranches(f.frame, code.Graph())
	return f.err == nil && f.canGiveOutputs()
}

// isReady reports whether every required field has been set to a value that fits.
func (f *Frame) isReady() bool {
	f.problem, f.refused = f.refused, nil
	if len(f.missing) > 0 {
		f.missing = slices.DeleteFunc(f.missing, func(m missing) bool { return f.slots[m.slot] != unset })
	}
	if len(f.missing) > 0 && f.problem == nil {
		f.problem = &jsonio.InputError{Root: f.missing[0].root, Path: f.missing[0].path, Msg: jsonio.MissingMsg}
	}
	for i := range f.limited {
		if root := &f.limited[i]; f.problem == nil {
			f.problem = root.JudgeLimits(f.frame, f.slots[root.base:root.base+root.Slots])
		}
	}
	return f.problem == nil
}

// canGiveOutputs reports whether the outputs are there, without making them.
func (f *Frame) canGiveOutputs() bool {
	if f.sheets != nil {
		f.err = f.sheets.Check(&f.encoder, f.frame, f.frame.View())
		return f.err == nil
	}
	for i := range f.checks {
		if !f.passesCheck(&f.checks[i]) {
			return false
		}
	}
	return true
}

func (f *Frame) passesCheck(c *outputCheck) bool {
	bits := f.slots[c.slot]
	if !c.double {
		return bits == 0
	}
	return jsonio.IsNumber(bits)
}

// Err is why the last Run did not come to its end: an *InputError, a *dice.Error, a *Refused or a *Failure.
func (f *Frame) Err() error {
	switch {
	case f.problem != nil:
		return f.problem
	case f.err != nil:
		return vm.Explain(f.frame, &f.rule.rule.Graph, f.err)
	case f.sheets != nil:
		return nil
	}
	for i := range f.checks {
		if c := &f.checks[i]; !f.passesCheck(c) {
			if !c.double {
				return vm.FailureOf(f.frame, &f.rule.rule.Graph, f.slots[c.slot])
			}
			return jsonio.NotANumberFailure(c.name, jsonio.DoubleValue(builtin.Double(f.slots[c.slot])))
		}
	}
	return nil
}

// Int reads a result of kind int. Like its siblings below it is right after a Run that came to its end, and reads the slot
// whatever its kind is.
func (f *Frame) Int(x *Result) int64 { return f.slots[x.slot] }

// Double is a result of kind double.
func (f *Frame) Double(x *Result) float64 { return math.Float64frombits(uint64(f.slots[x.slot])) }

// Bool is a result of kind bool.
func (f *Frame) Bool(x *Result) bool { return f.slots[x.slot] != 0 }

// Text is a result of kind string.
func (f *Frame) Text(x *Result) string { return f.frame.Text(f.slots[x.slot]) }
