package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Open is the status of a play that has reached no end.
const Open = plan.Open

// A Procedure plays a procedure on records in JSON. N has what a step makes: the next state and the next character.
type Procedure[C, I, S, N, O any] struct {
	Ruleset        *Ruleset
	ID             string
	Overlays       []Overlay
	Character      *RecordOf[C]
	Input          *RecordOf[I]
	State          *RecordOf[S]
	Begin          func(*C, *I, *Evaluation, *N) error
	Events         []Event[C, I, S, N]
	Close          func(*C, *I, *S, *Evaluation, *string, *O) error // gives the status, too
	WriteState     func(*Encoder, *N)
	WriteCharacter func(*Encoder, *N) // nil if no step changes the character
	Write          func(*Encoder, *O)
}

// An Event is a step of a procedure.
type Event[C, I, S, N any] struct {
	ID  string
	run func(c *C, in *I, s *S, input []byte, newSource func() (Source, error)) (*happening[N], error)
}

// A happening is an event that has been carried out.
type happening[N any] struct {
	source dice.Source
	faces  dice.Rolls
	next   *N
	output []byte
}

// NewEvent returns an event with an input and an output of its own. Its guard is nil if it is always offered.
func NewEvent[C, I, S, N, E, P any](id string, input *RecordOf[E], guard func(*C, *I, *S, *Evaluation) error,
	run func(*C, *I, *S, *E, *Evaluation, *N, *P) error, write func(*Encoder, *P)) Event[C, I, S, N] {
	type happened = *happening[N]
	return Event[C, I, S, N]{id, func(c *C, in *I, s *S, text []byte, newSource func() (Source, error)) (happened, error) {
		given, err := input.Read(text)
		if err != nil && guard != nil { // it cannot read the input, and comes first
			if refused := guard(c, in, s, NewEvaluation(nil)); refused != nil {
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
		e, out, next := NewEvaluation(source), new(P), new(N)
		if err := run(c, in, s, given, e, next, out); err != nil {
			return nil, err
		}
		w := jsonio.NewEncoder(nil)
		write(w, out)
		return &happening[N]{source, e.faces, next, w.Bytes()}, nil
	}}
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
type Play[C, I, S, N, O any] struct {
	Character, Input, State []byte
	Status                  string
	Output                  O
	procedure               *Procedure[C, I, S, N, O]
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

// compactJSON returns JSON without blanks; a text that is no JSON stays as it is, to be refused when it is read.
func compactJSON(text []byte) []byte {
	if len(text) == 0 {
		text = []byte("{}")
	}
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return text
	}
	return out.Bytes()
}

// Start begins a play. The seed of the request is that of the play: steps without faces of their own draw from it.
func (d *Procedure[C, I, S, N, O]) Start(q Request) (*Play[C, I, S, N, O], error) {
	p := &Play[C, I, S, N, O]{procedure: d, Character: compactJSON(q.Character), Input: compactJSON(q.Input), seed: q.Seed}
	c, pins, err := d.Character.readPinned(p.Character)
	if err != nil {
		return nil, err
	}
	in, err := d.Input.Read(p.Input)
	if err != nil {
		return nil, err
	}
	source, err := q.NewSource(q.Record, 0)
	if err != nil {
		return nil, err
	}
	e, next := NewEvaluation(source), new(N)
	if err := d.Begin(c, in, e, next); err != nil {
		return nil, err
	}
	p.faces = e.faces
	p.drawnFrom, p.given = q.Report(source, e.faces)
	return p, p.takeNext(next, pins)
}

// takeNext takes the next state and character, and judges the ends.
func (p *Play[C, I, S, N, O]) takeNext(next *N, pins jsonio.Pins) error {
	d := p.procedure
	state, character := NewWriter(), NewWriter()
	d.WriteState(state, next)
	p.State = state.Bytes()
	if d.WriteCharacter != nil {
		d.WriteCharacter(character, next)
		p.Character = pins.AddTo(character.Bytes(), d.Character.untyped.plan())
	}
	c, err := d.Character.Read(p.Character)
	if err != nil {
		return computedMisfit(err, character)
	}
	in, err := d.Input.Read(p.Input)
	if err != nil {
		return err
	}
	s, err := d.State.Read(p.State)
	if err != nil {
		return computedMisfit(err, state)
	}
	p.Output = *new(O)
	return d.Close(c, in, s, NewEvaluation(nil), &p.Status, &p.Output)
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

// Do lets an event happen. One that is refused, or fails, changes nothing.
func (p *Play[C, I, S, N, O]) Do(name string, q Request) error {
	d := p.procedure
	i := slices.IndexFunc(d.Events, func(x Event[C, I, S, N]) bool { return x.ID == name })
	if i < 0 {
		return fmt.Errorf("there is no event %q", name)
	}
	if p.Status != Open {
		return &NotOffered{name, p.Status}
	}
	if q.Throw.IsZero() {
		q.Seed = p.seed
	}
	c, pins, err := d.Character.readPinned(p.Character)
	if err != nil {
		return err
	}
	in, err := d.Input.Read(p.Input)
	if err != nil {
		return err
	}
	s, err := d.State.Read(p.State)
	if err != nil {
		return err
	}
	input := compactJSON(q.Input)
	done, err := d.Events[i].run(c, in, s, input, func() (Source, error) {
		return q.NewSource(q.Record, uint64(len(p.events))+1)
	})
	if isGuard(err) {
		return &NotOffered{name, Open}
	}
	if err != nil {
		return err
	}
	after := *p
	happened := event{id: name, input: input, output: done.output, faces: done.faces}
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

// Sheet returns the sheet of the play, byte for byte that of "rules eval".
func (p *Play[C, I, S, N, O]) Sheet() []byte {
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
	d.Write(e, &p.Output)
	e.EndObject()
	return e.Bytes()
}
