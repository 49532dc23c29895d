package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Open is the status of a play that has reached no end.
const Open = plan.Open

// A Procedure plays a procedure on records in JSON. Its functions take pointers to structs: C is the character, I the input,
// S the state, and O the output. N has what a step makes: State, and Character where steps change it.
type Procedure struct {
	Ruleset   *Ruleset
	ID        string
	Overlays  []Overlay
	Character *Schema
	Input     *Schema
	State     *Schema
	Begin     any // a func(*C, *I, *Evaluation, *N) error
	Events    []Event
	Close     any // a func(*C, *I, *S, *Evaluation, *string, *O) error, which sets the status, too

	made   sync.Once
	next   *codec
	output *codec
}

// An Event is a step of a procedure.
type Event struct {
	ID    string
	Input *Schema
	Guard any // a func(*C, *I, *S, *Evaluation) error; nil if the event is always offered
	Run   any // a func(*C, *I, *S, *E, *Evaluation, *N, *P) error, of which E is the input of the event and P its output

	output *codec
}

// make makes what writes the records of the procedure, when it is played first.
func (d *Procedure) make() {
	d.made.Do(func() {
		d.next, d.output = newCodec(d.nextType(), nil), newCodec(d.outputType(), nil)
		for i := range d.Events {
			d.Events[i].output = newCodec(parameter(d.Events[i].Run, 6), nil)
		}
	})
}

func (d *Procedure) nextType() reflect.Type   { return parameter(d.Begin, 3) }
func (d *Procedure) outputType() reflect.Type { return parameter(d.Close, 5) }

// writeNext returns an encoder that has written a field of what a step makes; nothing if steps do not make it.
func (d *Procedure) writeNext(next reflect.Value, i int) *Encoder {
	e := NewWriter()
	if i < len(d.next.fields) {
		d.next.fields[i].of.write(e, next.Elem().Field(i))
	}
	return e
}

// A happening is an event that has been carried out.
type happening struct {
	source dice.Source
	faces  dice.Rolls
	next   reflect.Value
	output []byte
}

// carryOut carries an event out on a character, an input and a state.
func (d *Procedure) carryOut(x *Event, records []reflect.Value, text []byte, newSource func() (Source, error)) (
	*happening, error) {
	given, _, err := x.Input.readNew(text)
	if err != nil && x.Guard != nil { // it cannot read the input, and comes first
		arguments := append(slices.Clip(records), reflect.ValueOf(NewEvaluation(nil)))
		if refused := call(x.Guard, arguments...); refused != nil {
			return nil, refused
		}
	}
	if err != nil {
		return nil, err
	}
	source, err := newSource()
	if err != nil {
		return nil, err
	}
	e, next, out := NewEvaluation(source), reflect.New(d.nextType()), reflect.New(parameter(x.Run, 6))
	if err := call(x.Run, append(slices.Clip(records), given, reflect.ValueOf(e), next, out)...); err != nil {
		return nil, err
	}
	w := jsonio.NewEncoder(nil)
	x.output.write(w, out.Elem())
	return &happening{source, e.faces, next, w.Bytes()}, nil
}

// isGuard reports whether an error says that a guard does not hold.
func isGuard(err error) bool {
	refused, ok := errors.AsType[*Refused](err)
	return ok && refused.Require.Message == ""
}

// A NotOffered is an event whose guard does not hold, or that comes after an end.
type NotOffered struct {
	Event  string
	Status string // the end that has been reached, or Open
}

// Error names the event, and the end when there is one.
func (e *NotOffered) Error() string {
	if e.Status != Open {
		return fmt.Sprintf("event %s is not offered: the procedure has ended: %s", e.Event, e.Status)
	}
	return fmt.Sprintf("event %s is not offered", e.Event)
}

// A Play is a procedure as it is being played. Between two steps its records are JSON, as they stand in its sheet.
type Play struct {
	Character, Input, State []byte
	Status                  string
	Output                  any // a pointer to the struct of the output
	procedure               *Procedure
	seed, drawnFrom         *uint64 // from which faces are drawn that a step does not give, and from which some were
	given, faces            dice.Rolls
	events                  []event
}

// An event is one that has happened.
type event struct {
	id            string
	input, output []byte
	given, faces  dice.Rolls
}

// orEmpty returns a text, or that of an object of which nothing is given.
func orEmpty(text []byte) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}

// compactJSON returns JSON, which has been read, without blanks.
func compactJSON(text []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, orEmpty(text)) != nil {
		return text
	}
	return out.Bytes()
}

// Start begins a play. The seed of the request is that of the play: steps without faces of their own draw from it.
func (d *Procedure) Start(q Request) (*Play, error) {
	d.make()
	c, pins, err := d.Character.readNew(orEmpty(q.Character))
	if err != nil {
		return nil, err
	}
	in, _, err := d.Input.readNew(orEmpty(q.Input))
	if err != nil {
		return nil, err
	}
	p := &Play{procedure: d, Character: compactJSON(q.Character), Input: compactJSON(q.Input), seed: q.Seed}
	source, err := q.NewSource(q.Record, 0)
	if err != nil {
		return nil, err
	}
	e, next := NewEvaluation(source), reflect.New(d.nextType())
	if err := call(d.Begin, c, in, reflect.ValueOf(e), next); err != nil {
		return nil, err
	}
	p.faces = e.faces
	p.drawnFrom, p.given = q.Report(source, e.faces)
	return p, p.takeNext(next, pins)
}

// takeNext takes the next state and character, and judges the ends.
func (p *Play) takeNext(next reflect.Value, pins jsonio.Pins) error {
	d := p.procedure
	state, character := d.writeNext(next, 0), d.writeNext(next, 1)
	p.State = state.Bytes()
	if len(d.next.fields) > 1 {
		p.Character = pins.AddTo(character.Bytes(), d.Character.plan())
	}
	c, _, err := d.Character.readNew(p.Character)
	if err != nil {
		return computedMisfit(err, character)
	}
	in, _, err := d.Input.readNew(p.Input)
	if err != nil {
		return err
	}
	s, _, err := d.State.readNew(p.State)
	if err != nil {
		return computedMisfit(err, state)
	}
	out := reflect.New(d.outputType())
	p.Output = out.Interface()
	return call(d.Close, c, in, s, reflect.ValueOf(NewEvaluation(nil)), reflect.ValueOf(&p.Status), out)
}

// computedMisfit returns the error of a next record that is not as its fields say: nobody has written the JSON that it stands
// in, nor the string that stands for a double which JSON has no number for.
func computedMisfit(err error, written *Encoder) error {
	misfit, isMisfit := errors.AsType[*InputError](err)
	if !isMisfit {
		return err
	}
	out := &InputError{Root: misfit.Root, Path: misfit.Path, Msg: misfit.Msg}
	if what := written.NotANumber(); what != "" && strings.HasPrefix(out.Msg, "must be a number, not a string") {
		out.Msg = "must be a number, not " + what
	}
	return out
}

func unknownEvent(name string, events []Event) error {
	out := &plan.UnknownError{What: "event", Name: name}
	for _, e := range events {
		out.Known = append(out.Known, e.ID)
	}
	return out
}

// Do lets an event happen. One that is refused, or fails, changes nothing.
func (p *Play) Do(name string, q Request) error {
	d := p.procedure
	i := slices.IndexFunc(d.Events, func(x Event) bool { return x.ID == name })
	if i < 0 {
		return unknownEvent(name, d.Events)
	}
	if p.Status != Open {
		return &NotOffered{name, p.Status}
	}
	if q.Throw.IsZero() {
		q.Seed = p.seed
	}
	c, pins, err := d.Character.readNew(p.Character)
	if err != nil {
		return err
	}
	in, _, err := d.Input.readNew(p.Input)
	if err != nil {
		return err
	}
	s, _, err := d.State.readNew(p.State)
	if err != nil {
		return err
	}
	done, err := d.carryOut(&d.Events[i], []reflect.Value{c, in, s}, orEmpty(q.Input), func() (Source, error) {
		return q.NewSource(q.Record, uint64(len(p.events))+1)
	})
	if isGuard(err) {
		return &NotOffered{name, Open}
	}
	if err != nil {
		return err
	}
	after := *p
	happened := event{id: name, input: compactJSON(q.Input), output: done.output, faces: done.faces}
	drawnFrom, given := q.Report(done.source, done.faces)
	if happened.given = given; drawnFrom != nil {
		after.drawnFrom = drawnFrom
	}
	if q.Seed != nil {
		after.seed = q.Seed
	}
	after.events = append(slices.Clip(p.events), happened)
	if err := after.takeNext(done.next, pins); err != nil {
		return err
	}
	*p = after
	return nil
}

// Sheet returns the sheet of the play, byte for byte the line of "rules eval --ndjson".
func (p *Play) Sheet() []byte {
	d, e := p.procedure, jsonio.NewEncoder(nil)
	e.BeginObject(plan.Record)
	d.Ruleset.writeOrigin(e, "procedure", d.ID, d.Overlays)
	e.RawMember("character", p.Character)
	e.RawMember("input", p.Input)
	d.Ruleset.writeOptions(e)
	writeFaces(e, p.drawnFrom, p.given, p.faces)
	e.Name("events")
	e.BeginList()
	for _, h := range p.events {
		e.BeginObject(plan.Record)
		e.TextMember("event", h.id)
		e.RawMember("input", h.input)
		writeFaces(e, nil, h.given, h.faces)
		e.RawMember("output", h.output)
		e.EndObject()
	}
	e.EndList()
	e.RawMember("state", p.State)
	e.TextMember("status", p.Status)
	e.Name("output")
	d.output.write(e, reflect.ValueOf(p.Output).Elem())
	e.EndObject()
	return e.Bytes()
}
