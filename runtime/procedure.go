package runtime

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/closing"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// # What is a step of a procedure?
//
// A procedure is a set of graphs that share a state: one of the start, one of each event, and one that closes. The start
// and the events make the next state and, if the procedure changes it, the next character; they refuse or fail like a rule.
// The closing graph reads the state after a step and gives the end that holds, if any, and the outputs. It rolls no dice,
// so it can be run again at any time: Resume trusts the state of a sheet and judges its status and outputs anew.
//
// Between two steps the state is JSON and not slots. So a Play is a value that can be copied, compared, stored and read by
// people; a step starts from the same bytes whether the play was saved in between or not; and no frame is tied to a play
// that somebody may have left on a table for a year. An event is carried out on a copy, which takes the place of the play
// when everything has succeeded: a refused event leaves no trace.

// A Procedure is a procedure of a program under a choice. It may be used by several goroutines at once.
type Procedure struct {
	program   *Program
	procedure *plan.Procedure
	choice    Choice
	values    []int
	input     *jsonio.Schema
	state     *jsonio.Schema
	start     *schedule.Code
	events    []event
	closing   *closing.Closing
}

// An event prepared for execution.
type event struct {
	*plan.Event
	input *jsonio.Schema
	code  *schedule.Code
}

// ProcedureNames returns the ids of the procedures, in the author's order.
func (p *Program) ProcedureNames() []string { return p.plan.ProcedureNames() }

// Procedure finds a procedure and prepares it for a choice.
func (p *Program) Procedure(id string, c Choice) (*Procedure, error) {
	d := p.plan.Procedure(id)
	if d == nil {
		return nil, &UnknownError{What: "procedure", Name: id, Known: p.plan.ProcedureNames()}
	}
	out := &Procedure{
		program: p, procedure: d, choice: c,
		input: jsonio.NewRootSchema(p.image, plan.InputRoot, d.Input),
		state: jsonio.NewRootSchema(p.image, plan.StateRoot, d.State),
	}
	var err error
	if out.values, err = p.Options(c); err != nil {
		return nil, err
	}
	c.Outputs = nil
	return out, out.scheduleSteps(c)
}

// scheduleSteps makes the code of all steps.
func (d *Procedure) scheduleSteps(c Choice) error {
	p := d.program
	var codes []*schedule.Code
	for _, b := range p.plan.Steps(d.procedure) {
		code, err := p.codeOf(b, d.values, c)
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	last := len(codes) - 1
	d.start, d.closing = codes[0], closing.New(p.image, d.procedure, codes[last])
	for k, code := range codes[1:last] {
		e := &d.procedure.Events[k]
		d.events = append(d.events,
			event{Event: e, input: jsonio.NewRootSchema(p.image, plan.EventRoot, e.Input), code: code})
	}
	return nil
}

// EventNames returns the ids of the events, in the author's order.
func (d *Procedure) EventNames() []string { return d.procedure.EventNames() }

// Inputs returns every field that may be given to the start: those of the input, then those of the character.
func (d *Procedure) Inputs() []ask.Need { return d.program.listInputs(d.procedure.Input) }

// Outputs returns the record of the outputs.
func (d *Procedure) Outputs() *plan.Type { return d.procedure.Close.Outputs.Type }

// A Play is a procedure as it is being played: what has happened, and what follows from it. Its JSON is what ReadPlay and
// Resume read. It belongs to one goroutine; a copy is a play of its own.
type Play struct {
	procedure *Procedure
	Character []byte // as it is now, JSON
	Input     []byte
	Seed      *uint64    // from which faces were drawn; nil when none were
	Given     dice.Rolls // of the start, when faces were given and drawn: those of Dice, with 0 for each that was drawn
	Dice      dice.Rolls
	Events    []Event
	State     []byte
	Status    string // plan.Open, or the end that holds
	Output    jsonio.Value
	Begun     []*trace.Step // the trace of the state with which it began, when it was asked for
	Trace     []*trace.Step // of the status and the outputs, when the last step was traced
	traced    bool
	seed      *uint64 // from which faces are drawn that a step does not give
	drew      bool    // the start drew a face, and the play was not resumed
	// written counts the events in the array behind Events, which all plays that follow from one start share as far as
	// they can. It is nil before the first event since the play was begun or resumed.
	written *atomic.Int64
}

// An Event is one that has happened in a play.
type Event struct {
	Name   string
	Input  []byte     // JSON
	Given  dice.Rolls // as in Play
	Dice   dice.Rolls
	Output []byte        // JSON
	Trace  []*trace.Step // when it was asked for

	// State and Character are those of the procedure after the event, JSON; nil of an event that was read.
	State, Character []byte

	outputs jsonio.Value // the values behind Output; none of an event that was read
	drew    bool         // a face was drawn, and the event was not read
}

// NotOffered is an event whose guard does not hold.
type NotOffered struct {
	Event  string
	Status string // the end that has been reached, or plan.Open
}

// Error names the event, and the end when there is one.
func (e *NotOffered) Error() string {
	if e.Status != plan.Open {
		return fmt.Sprintf("event %s is not offered: the procedure has ended: %s", e.Event, e.Status)
	}
	return fmt.Sprintf("event %s is not offered", e.Event)
}

// Start begins a procedure. The Seed of the request is that of the play: steps without faces of their own draw from it.
// Its errors are those of Rule.Eval.
func (d *Procedure) Start(q Request) (*Play, error) {
	p := &Play{procedure: d, Character: orEmpty(q.Character), Input: orEmpty(q.Input), Status: plan.Open, seed: q.Seed}
	e := newEvaluation(d.program.image, d.start)
	if err := p.writeRoots(e, d.start, false); err != nil { // with its place in the texts as they were given
		return nil, err
	}
	p.Character, p.Input = compactJSON(p.Character), compactJSON(p.Input)
	source, err := e.newSource(&q, 0)
	if err != nil {
		return nil, err
	}
	g := &d.procedure.Start
	if err := vm.Evaluate(e.frame, d.start, g, source); err != nil {
		return nil, err
	}
	p.reportStart(&q, source, vm.ListFaces(e.frame, g))
	if p.traced = q.Trace; q.Trace {
		if p.Begun, err = p.traceStep(0, p.Dice, nil); err != nil {
			return nil, err
		}
	}
	return p, p.takeNext(e, d.start, g)
}

// reportStart notes the faces that fell at the start, and their origin.
func (p *Play) reportStart(q *Request, source dice.Source, faces dice.Rolls) {
	p.Dice = faces
	p.Seed, p.Given = q.Report(source, faces)
	p.drew = p.Seed != nil
}

// Drawn returns the numbers of the steps that drew a face, of those since the play was begun or resumed. The start is 0.
func (p *Play) Drawn() (out []uint64) {
	if p.drew {
		out = append(out, 0)
	}
	for i := range p.Events {
		if p.Events[i].drew {
			out = append(out, uint64(i)+1)
		}
	}
	return out
}

// Lacks returns the faces that the start needs and is not given, in the order in which they fall (dice.FindLacks).
func (d *Procedure) Lacks(q Request) []dice.Lack {
	return q.findLacks(0, func(q Request) { _, _ = d.Start(q) }) // only the faces that it asks for matter
}

// traceStep returns the trace of a step of the procedure, by its number among plan.Steps, from the play as it was before
// the step; the faces fell in it, and read puts the event's own input into its frame.
func (p *Play) traceStep(step int, faces dice.Rolls, read func(*evaluation, *schedule.Code) error) ([]*trace.Step, error) {
	d := p.procedure
	body := d.program.plan.Steps(d.procedure)[step]
	return d.program.traceAgain(body, d.values, nil, faces, func(e *evaluation, code *schedule.Code) error {
		if err := p.writeRoots(e, code, step > 0); err != nil || read == nil {
			return err
		}
		return read(e, code)
	})
}

// traceEvent traces an event that happened, from the play as it was before.
func (p *Play) traceEvent(x *event, happened *Event) ([]*trace.Step, error) {
	i, err := p.procedure.eventIndex(x.ID)
	if err != nil {
		return nil, err
	}
	return p.traceStep(1+i, happened.Dice, func(e *evaluation, code *schedule.Code) error {
		return e.decoder.DecodeTo(x.input, happened.Input, int(code.Base[plan.EventRoot]))
	})
}

// writeRoots puts the records of the play into the frame's roots.
func (p *Play) writeRoots(e *evaluation, code *schedule.Code, state bool) error {
	e.frame.Reset(code)
	return p.decodeRoots(e.decoder, func(r plan.Root) int { return int(code.Base[r]) }, state)
}

// decodeRoots decodes the records of the play, each root to the slots from the one on that base tells.
func (p *Play) decodeRoots(to *jsonio.Decoder, base func(plan.Root) int, state bool) error {
	d := p.procedure
	if err := to.DecodeTo(d.program.character, p.Character, base(plan.CharacterRoot)); err != nil {
		return err
	}
	if err := to.DecodeTo(d.input, p.Input, base(plan.InputRoot)); err != nil {
		return err
	}
	if !state {
		return nil
	}
	return to.DecodeTo(d.state, p.State, base(plan.StateRoot))
}

// takeNext takes the new state and character from the frame and judges the ends.
func (p *Play) takeNext(e *evaluation, code *schedule.Code, g *plan.Graph) error {
	f := e.frame
	state, fault := readRoot(f, code, &g.Next[0])
	if fault != 0 {
		return vm.FailureOf(f, g, fault)
	}
	character, fault := readRoot(f, code, &g.Next[1])
	if fault != 0 {
		return vm.FailureOf(f, g, fault)
	}
	p.State = state.AppendJSON(nil)
	if p.procedure.procedure.Changes {
		p.Character = character.AppendJSON(nil)
		p.Character = e.decoder.Pins().AddTo(p.Character, p.procedure.program.plan)
	}
	err := p.judgeEnds()
	if misfit, isMisfit := errors.AsType[*jsonio.InputError](err); isMisfit {
		return misfit.AsComputed(state, character)
	}
	return err
}

// readRoot reads a value that code keeps.
func readRoot(f *vm.Frame, code *schedule.Code, v *plan.Value) (jsonio.Value, int64) {
	at := vm.LocateIn(code, v)
	return jsonio.ReadValue(f, &at, f.View())
}

// judgeEnds judges the ends and the outputs of the state as it is now.
func (p *Play) judgeEnds() error {
	d := p.procedure
	status, output, err := d.closing.NewJudge().Judge(p.Character, p.Input, p.State)
	if err != nil {
		return err
	}
	p.Status, p.Output = status, output
	if p.traced {
		p.Trace, err = p.traceStep(len(d.events)+1, nil, nil)
	}
	return err
}

// IsOpen reports whether no end of the procedure has been reached.
func (p *Play) IsOpen() bool { return p.Status == plan.Open }

// eventIndex finds an event.
func (d *Procedure) eventIndex(name string) (int, error) {
	i := slices.IndexFunc(d.events, func(x event) bool { return x.ID == name })
	if i < 0 {
		return 0, &UnknownError{What: "event", Name: name, Known: d.EventNames()}
	}
	return i, nil
}

// playAfter carries an event out on a frame of its own and returns the play that follows. p stays as it is, so that nothing
// has to be undone when the event is refused.
func (p *Play) playAfter(i int, q *Request) (*Play, error) {
	d := p.procedure
	x := &d.events[i]
	at := newEvaluation(d.program.image, x.code)
	if err := p.writeRoots(at, x.code, true); err != nil {
		return nil, err
	}
	if err := at.decoder.DecodeTo(x.input, orEmpty(q.Input), int(x.code.Base[plan.EventRoot])); err != nil {
		return nil, p.orGuardError(err, i)
	}
	source, err := at.newSource(q, p.Number())
	if err != nil {
		return nil, err
	}
	if err := vm.Evaluate(at.frame, x.code, &x.Graph, source); err != nil {
		return nil, orNotOffered(err, x.ID)
	}
	return p.acceptEvent(at, x, q, source)
}

// acceptEvent returns the play after an event that has been carried out in a frame with faces from a source.
func (p *Play) acceptEvent(at *evaluation, x *event, q *Request, source dice.Source) (*Play, error) {
	f, g := at.frame, &x.Graph
	out, err := jsonio.ReadOutputs(f, x.code, g)
	if err != nil {
		return nil, err
	}
	next := *p
	happened := Event{Name: x.ID, Input: compactJSON(q.Input), Dice: vm.ListFaces(f, g), Output: out.AppendJSON(nil),
		outputs: out}
	var drawnFrom *uint64
	if drawnFrom, happened.Given = q.Report(source, happened.Dice); drawnFrom != nil {
		next.Seed, happened.drew = drawnFrom, true
	}
	if q.Seed != nil {
		next.seed = q.Seed
	}
	if next.Trace, next.traced = nil, q.Trace; q.Trace {
		if happened.Trace, err = p.traceEvent(x, &happened); err != nil {
			return nil, err
		}
	}
	if err := next.takeNext(at, x.code, g); err != nil {
		return nil, err
	}
	happened.State, happened.Character = next.State, next.Character
	next.addEvent(&happened)
	return &next, nil
}

// addEvent appends an event to those of a copy of a play, and leaves the events of the play that was copied as they are.
//
// Several plays may follow from one, after an undo or where an event is only tried. The first takes the place behind the
// last event in the array that all share; the others find the place taken and go on with an array of their own. So a play
// of n events copies O(n) of them, and not all of them for each event.
func (p *Play) addEvent(happened *Event) {
	n := int64(len(p.Events))
	if p.written == nil || !p.written.CompareAndSwap(n, n+1) {
		p.Events, p.written = slices.Clone(p.Events), new(atomic.Int64)
		p.written.Store(n + 1)
	}
	p.Events = append(p.Events, *happened)
}

// Number is the number of the next event, which keys its faces when they are drawn from a seed; start is 0.
func (p *Play) Number() uint64 { return uint64(len(p.Events)) + 1 }

// MarshalJSON implements json.Marshaler.
func (p *Play) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// AppendJSON appends the procedure's sheet as JSON.
func (p *Play) AppendJSON(buf []byte) []byte {
	d := p.procedure
	e := jsonio.NewEncoder(buf)
	e.BeginObject(plan.Record)
	e.TextMember("ruleset", d.program.plan.Ruleset)
	e.TextMember("revision", d.program.plan.Revision)
	e.TextMember("procedure", d.procedure.ID)
	writeOverlays(e, p.Overlays())
	e.RawMember("character", p.Character)
	e.RawMember("input", p.Input)
	writeSettings(e, d.program.changedSettings(d.values))
	writeSeed(e, p.Seed)
	writeGiven(e, p.Given)
	writeDice(e, p.Dice)
	e.Name("events")
	e.BeginList()
	for i := range p.Events {
		p.Events[i].writeTo(e)
	}
	e.EndList()
	e.RawMember("state", p.State)
	e.TextMember("status", p.Status)
	e.Name("output")
	p.Output.WriteTo(e)
	if p.Begun != nil {
		e.Name("begun")
		trace.Write(e, p.Begun)
	}
	writeTrace(e, p.Trace)
	e.EndObject()
	return e.Bytes()
}

func (h *Event) writeTo(e *jsonio.Encoder) {
	e.BeginObject(plan.Record)
	e.TextMember("event", h.Name)
	e.RawMember("input", h.Input)
	writeGiven(e, h.Given)
	writeDice(e, h.Dice)
	e.RawMember("output", h.Output)
	writeTrace(e, h.Trace)
	e.EndObject()
}

// Subject returns the ruleset, its revision and the procedure that is played.
func (p *Play) Subject() (ruleset, revision, procedure string) {
	return p.procedure.program.plan.Ruleset, p.procedure.program.plan.Revision, p.procedure.procedure.ID
}

// Settings are the options that are played otherwise than the plan's defaults.
func (p *Play) Settings() []Setting { return p.procedure.program.changedSettings(p.procedure.values) }

// Overlays are the homebrews that are played, and the outputs in which each has a part.
func (p *Play) Overlays() []Homebrew {
	return p.procedure.program.listHomebrews(&p.procedure.procedure.Close)
}

// orGuardError returns the error of what comes with an event, unless its guard, which is judged before, fails or does not
// hold.
func (p *Play) orGuardError(misfit error, i int) error {
	d, x := p.procedure, &p.procedure.events[i]
	if x.Graph.When.ID == plan.None {
		return misfit
	}
	guard, err := closing.NewGuard(d.program.image, d.procedure, i, d.values)
	if err != nil {
		return err
	}
	err = guard.Judge(func(f *vm.Frame, base func(plan.Root) int) error {
		return p.decodeRoots(jsonio.NewDecoder(f), base, true)
	})
	if err != nil {
		return orNotOffered(err, x.ID)
	}
	return misfit
}

// orNotOffered makes of a guard that refuses an event that is not offered.
func orNotOffered(err error, event string) error {
	var r *Refused
	if errors.As(err, &r) && r.Require.Message == "" {
		return &NotOffered{Event: event, Status: plan.Open}
	}
	return err
}
