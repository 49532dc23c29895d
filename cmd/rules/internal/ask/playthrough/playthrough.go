// Package playthrough carries a procedure of a command from event to event: it goes on from a saved state, lets events
// happen with faces that are given or drawn, and words why one does not happen. What the command line says is read
// elsewhere.
package playthrough

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A Playthrough is what a procedure is played with.
type Playthrough struct {
	query.Question
	Seed      uint64
	Seeded    bool // Seed is given
	DiceGiven bool // faces of the start are given: without a seed those of events have to be as well
	// Begun is how it began, for a receipt.
	Begun receipt.Beginning
}

// Resume returns the play of a procedure's sheet, to go on from there; name is that of its file. Its options stay in
// use.
//
// Its seed stays in use too, so that an interrupted play has the faces of an uninterrupted one. Another --seed is
// refused: part of the faces could then not be replayed.
func (t *Playthrough) Resume(program *runtime.Program, id, name string, text []byte) (*runtime.Play, error) {
	saved, err := runtime.ReadPlay(text)
	if err != nil && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return nil, fmt.Errorf("%s: --state reads the sheet of a procedure in JSON, as --format json prints it, not %q",
			name,
			firstWords(text))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; --format json prints that sheet", name, err)
	}
	t.Options = saved.Options
	procedure, err := program.Procedure(id, runtime.Choice{Options: t.Options})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	play, err := procedure.Resume(saved)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, exit.PathOnly(err))
	}
	begun, err := receipt.BeginFrom(text)
	if err != nil {
		return nil, err
	}
	t.Begun = *begun
	switch {
	case saved.Seed != nil && t.Seeded && *saved.Seed != t.Seed:
		return nil, fmt.Errorf("%s was drawn from the seed %d: leave --seed out", name, *saved.Seed)
	case saved.Seed != nil:
		t.Seed, t.Seeded = *saved.Seed, true
	case !t.Seeded:
		t.Seed = argdata.DrawSeed()
	}
	return play, nil
}

// firstWords returns the beginning of an unexpected text, by which the reader recognises a file named by mistake.
func firstWords(text []byte) string {
	const most = 40
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return line
}

// ThrowAll says of events without faces that these are drawn, unless those of the start were given without a seed, and
// lets a given seed draw the faces that an event leaves out by the id of their die.
func (t *Playthrough) ThrowAll(events []runtime.Step) []runtime.Step {
	out := slices.Clone(events)
	for i := range out {
		e := &out[i]
		isDrawn := e.Throw.IsZero() && (t.Seeded || !t.DiceGiven)
		if isDrawn || t.Seeded && e.Dice.ByID != nil {
			e.Seed = &t.Seed
		}
	}
	return out
}

// Explain returns the error of a refused event with the missing faces or the compared values of its requirement added.
// The play is as it was before the event.
func Explain(p *plan.Plan, err error, play *runtime.Play, events []runtime.Step) error {
	stopped, ok := errors.AsType[*runtime.EventError](err)
	if !ok {
		return err
	}
	e := &events[stopped.Number-1]
	return &runtime.EventError{Number: stopped.Number, Event: stopped.Event, Err: explainEvent(p, stopped.Err, play, e)}
}

func explainEvent(p *plan.Plan, err error, play *runtime.Play, e *runtime.Step) error {
	q := runtime.Request{Input: e.Input, Throw: e.Throw}
	if refusal.IsOwn(err) {
		why, failed := play.Explain(e.Event, q)
		if failed != nil {
			return exit.WordRefusal(err)
		}
		return refusal.TellFallen(refusal.Explain(err, why, tellerOf(p, play, e.Event)), why, e.Seed)
	}
	err = refusal.NameLacks(err, func() []dice.Lack { return play.Lacks(e.Event, q) })
	return exit.WordRefusal(exit.PathOnly(refusal.NameOffered(err, play, e.Event)))
}

// tellerOf returns the words of an event; nil where the ruleset has none.
func tellerOf(p *plan.Plan, play *runtime.Play, event string) *say.Teller {
	_, _, procedure := play.Subject()
	return view.WordsOf(p, procedure+"."+event).Teller
}
