package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// A StateError is a procedure's sheet that cannot be gone on with.
type StateError struct{ Msg string }

// Error returns the part of the state that does not fit, with the reason.
func (e *StateError) Error() string { return "state: " + e.Msg }

// A playJSON is a saved play, as AppendJSON writes it.
type playJSON struct {
	Ruleset, Revision, Procedure string
	Overlays                     map[string][]string
	Character, Input, State      json.RawMessage
	Options                      map[string]string
	Seed                         *uint64
	Given                        dice.Rolls
	Dice                         dice.Rolls
	Events                       []struct {
		Event  string
		Input  json.RawMessage
		Given  dice.Rolls
		Dice   dice.Rolls
		Output json.RawMessage
		Trace  json.RawMessage
	}
	Status string
	Output json.RawMessage
	Begun  json.RawMessage
	Trace  json.RawMessage
}

// SavedPlay is what a procedure's sheet says of itself: what must be known before it can be gone on with.
type SavedPlay struct {
	Ruleset, Revision, Procedure string
	Options                      map[string]string
	Seed                         *uint64
	play                         playJSON
}

// ReadPlay reads a procedure's sheet.
func ReadPlay(data []byte) (*SavedPlay, error) {
	var head struct{ Procedure string }
	if json.Unmarshal(data, &head) == nil && head.Procedure == "" {
		return nil, &StateError{"it names no procedure: what is given is the whole sheet of the last answer, with state, " +
			"character and input in it"}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var s playJSON
	if err := d.Decode(&s); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // whose text has the names of types of Go
			return nil, &StateError{fmt.Sprintf("%s cannot be of the type %s: what is given is the whole sheet of the last "+
				"answer, an object", cmp.Or(strings.ToLower(e.Field), "it"), e.Value)}
		}
		return nil, &StateError{err.Error()}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &StateError{"there is more text after the value"}
	}
	if s.State == nil {
		return nil, &StateError{"its member state is missing, and it would begin anew: what is given is the whole sheet of the last answer, " +
			"with state, character and input in it"}
	}
	return &SavedPlay{Ruleset: s.Ruleset, Revision: s.Revision, Procedure: s.Procedure, Options: s.Options, Seed: s.Seed,
			play: s},
		nil
}

// Resume goes on with a procedure where its sheet ends. The status and the outputs are judged again.
func (d *Procedure) Resume(s *SavedPlay) (*Play, error) {
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
		seed:  s.Seed,
		State: compactJSON(s.play.State),
		Given: s.play.Given, Dice: s.play.Dice,
	}
	for _, e := range s.play.Events {
		p.Events = append(p.Events, Event{Name: e.Event, Input: compactJSON(e.Input), Given: e.Given, Dice: e.Dice,
			Output: compactJSON(e.Output)})
	}
	return p, p.judgeEnds()
}
