package runtime

import (
	"encoding/json"
	"fmt"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// A Step is an event that is to happen. A Throw that says anything falls as it is, and its Seed becomes that of the play.
// The zero Throw draws from the seed of the play, and has no faces where the play has no seed.
type Step struct {
	Event string          `json:"event"`
	Input json.RawMessage `json:"input,omitempty"` // empty for {}
	dice.Throw
	Source dice.Source `json:"-"` // in place of the Throw: dice of one's own, for one evaluation
}

// An EventError reports the step at which a play stopped. The play is as it was before that step.
type EventError struct {
	Number int // of the step among those that were to happen, from 1
	Event  string
	Err    error
}

// Error returns the error of the event behind its number and its name.
func (e *EventError) Error() string { return fmt.Sprintf("event %d, %s: %v", e.Number, e.Event, e.Err) }

// Unwrap returns the error of the event: a *Refused, *NotOffered, *Failure, *InputError, *dice.Error, *dice.ThrowError or
// *UnknownError.
func (e *EventError) Unwrap() error { return e.Err }

// Play begins the procedure and lets steps happen in order, up to the first that does not. It returns the play up to there,
// also beside an *EventError; an error of the start is as it is.
func (d *Procedure) Play(q Request, steps ...Step) (*Play, error) {
	p, err := d.Start(q)
	if err != nil {
		return nil, err
	}
	return p, p.Go(q.Trace, steps...)
}

// Go lets steps happen in order, up to the first that does not: the error is then an *EventError.
func (p *Play) Go(trace bool, steps ...Step) error {
	for i := range steps {
		if err := p.Do(steps[i], trace); err != nil {
			return &EventError{Number: i + 1, Event: steps[i].Event, Err: err}
		}
	}
	return nil
}

// Do lets one event happen. One that is refused, or fails, changes nothing. Its errors are those of Rule.Eval,
// *NotOffered, and an *UnknownError.
func (p *Play) Do(s Step, trace bool) error {
	d := p.procedure
	i, err := d.eventIndex(s.Event)
	if err != nil {
		return err
	}
	if !p.IsOpen() {
		return &NotOffered{Event: s.Event, Status: p.Status}
	}
	q := Request{Input: s.Input, Throw: s.Throw, Source: s.Source, Trace: trace}
	p.drawMissing(&q)
	next, err := p.playAfter(i, &q)
	if err != nil {
		return err
	}
	*p = *next
	return nil
}

// drawMissing lets the faces of an event fall from the seed of the play if its request says nothing of them.
func (p *Play) drawMissing(q *Request) {
	if q.Throw.IsZero() {
		q.Seed = p.seed
	}
}

// Lacks returns the faces that an event needs and is not given, in the order in which they fall (dice.FindLacks).
func (p *Play) Lacks(event string, q Request) []dice.Lack {
	p.drawMissing(&q)
	return q.findLacks(p.Number(), func(q Request) {
		again := *p
		_ = again.Do(Step{Event: event, Input: q.Input, Source: q.Source}, false) // only the faces that it asks for matter
	})
}
