package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A StateError is a procedure's sheet that cannot be gone on with.
type StateError struct{ Msg string }

// Error says what does not fit.
func (e *StateError) Error() string { return "state: " + e.Msg }

// A saved play, as AppendJSON writes it.
type saved struct {
	Ruleset, Revision, Procedure string
	Overlays                     map[string][]string
	Character, Input, State      json.RawMessage
	Options                      map[string]string
	Seed                         *uint64
	Given                        Faces
	Dice                         Faces
	Events                       []struct {
		Event  string
		Input  json.RawMessage
		Given  Faces
		Dice   Faces
		Output json.RawMessage
		Trace  json.RawMessage
	}
	Status string
	Output json.RawMessage
	Begun  json.RawMessage
	Trace  json.RawMessage
}

// Saved is what a procedure's sheet says of itself: what must be known before it can be gone on with.
type Saved struct {
	Ruleset, Revision, Procedure string
	Options                      map[string]string
	Seed                         *uint64
	play                         saved
}

// ReadState reads a procedure's sheet.
func ReadState(data []byte) (*Saved, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var s saved
	if err := d.Decode(&s); err != nil {
		return nil, &StateError{err.Error()}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &StateError{"there is more text after the value"}
	}
	if s.Procedure == "" {
		return nil, &StateError{"it names no procedure: it is not the sheet of one"}
	}
	return &Saved{Ruleset: s.Ruleset, Revision: s.Revision, Procedure: s.Procedure, Options: s.Options, Seed: s.Seed,
			play: s},
		nil
}

// Resume goes on with a procedure where its sheet ends. The status and the outputs are judged again.
func (d *Procedure) Resume(s *Saved) (*Play, error) {
	plan := d.program.plan
	switch {
	case s.Ruleset != plan.Ruleset:
		return nil, &StateError{fmt.Sprintf("it is of ruleset %q, not %q", s.Ruleset, plan.Ruleset)}
	case s.Revision != plan.Revision:
		return nil, &StateError{fmt.Sprintf("it is of revision %q, not %q", s.Revision, plan.Revision)}
	case !slices.Equal(slices.Sorted(maps.Keys(s.play.Overlays)), slices.Sorted(slices.Values(plan.Overlays))):
		return nil, &StateError{fmt.Sprintf("it is played with the homebrews %q, not %q",
			slices.Sorted(maps.Keys(s.play.Overlays)), plan.Overlays)}
	case s.Procedure != d.procedure.ID:
		return nil, &StateError{fmt.Sprintf("it is of procedure %q, not %q", s.Procedure, d.procedure.ID)}
	}
	p := &Play{
		procedure: d, Character: compactJSON(s.play.Character), Input: compactJSON(s.play.Input), Seed: s.Seed,
		State: compactJSON(s.play.State),
		Given: s.play.Given, Dice: s.play.Dice,
	}
	for _, e := range s.play.Events {
		p.Events = append(p.Events, Happened{Event: e.Event, Input: compactJSON(e.Input), Given: e.Given, Dice: e.Dice,
			Output: compactJSON(e.Output)})
	}
	return p, p.judgeEnds()
}
