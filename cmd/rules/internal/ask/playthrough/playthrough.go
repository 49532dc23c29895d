// Package playthrough carries a procedure of a command from event to event: it goes on from a saved state, lets events
// happen with faces that are given or drawn, and words why one does not happen. What the command line says is read
// elsewhere.
package playthrough

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A Playthrough is what a procedure is played with.
type Playthrough struct {
	Options   map[string]string
	Seed      uint64
	Seeded    bool // Seed is given
	DiceGiven bool // faces of the start are given: without a seed those of events have to be as well
	// Begun is how it began and which faces were drawn, for a receipt.
	Begun receipt.Beginning
}

// Resume goes on from the sheet of a procedure; name is that of its file. Its options and its seed go on being used.
//
// The seed of the sheet is used for what follows, so that a play which was interrupted has the
// faces of one that was not. Another --seed is refused: part of the faces could then not be
// replayed.
func (t *Playthrough) Resume(program *runtime.Program, id, name string, text []byte) (*runtime.Play, error) {
	saved, err := runtime.ReadPlay(text)
	if err != nil && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return nil, fmt.Errorf("%s: --state reads the sheet of a procedure in JSON, as --format json prints it, not %q",
			name,
			firstWords(text))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
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
	t.Begun.Request.Character, t.Begun.Request.Input = play.Character, play.Input
	if t.Begun.From, _, err = receipt.CompactDigest(text); err != nil {
		return nil, err
	}
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

// firstWords returns the beginning of a text that is not what it should be, so that the reader
// recognises which file was named by mistake.
func firstWords(text []byte) string {
	const most = 40
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return line
}

// Continue lets events happen, up to the first that is refused.
//
// A refused event leaves the play as it was before it, takes no number, and ends the list: what
// comes after it was meant for another state.
func (t *Playthrough) Continue(play *runtime.Play, events []golden.Event, trace bool) error {
	for i := range events {
		e := &events[i]
		q := runtime.Request{Input: e.Input, Dice: t.FacesOf(e, play.Number()), Trace: trace}
		if err := play.Do(e.Name, q); err != nil {
			return fmt.Errorf("event %d, %s: %w", i+1, e.Name, t.explainFailure(err, play, q, e))
		}
		if t.DrawsFaces(e) && len(play.Events[len(play.Events)-1].Dice) > 0 {
			play.Seed = &t.Seed
			// Counted after the event: its number is now the length of the list.
			t.Begun.Drawn = append(t.Begun.Drawn, uint64(len(play.Events)))
		}
	}
	return nil
}

// explainFailure says of an event that did not happen what it lacks, or what its requirement compared.
//
// Both ways ask again, with a source made anew. The play itself is not touched: ExplainRefusal
// works on a copy, and so does again.
func (t *Playthrough) explainFailure(err error, play *runtime.Play, q runtime.Request, asked *golden.Event) error {
	if refusal.IsOwn(err) {
		q.Dice = t.FacesOf(asked, play.Number())
		why, failed := play.ExplainRefusal(asked.Name, q)
		if failed != nil {
			return exit.WordRefusal(err)
		}
		var seed *uint64
		if t.DrawsFaces(asked) {
			seed = &t.Seed
		}
		return refusal.TellFallen(refusal.Explain(err, why), why, seed)
	}
	err = refusal.NameLacks(err, q.Dice, func(s dice.Source) {
		again := *play
		again.Do(asked.Name, runtime.Request{Input: q.Input, Dice: s}) // only which faces it asks for matters
	})
	return exit.WordRefusal(exit.PathOnly(refusal.NameOffered(err, play, asked.Name)))
}

// DrawsFaces reports whether the faces of an event are drawn: those that it does not bring, unless those of the start were
// given without a seed.
func (t *Playthrough) DrawsFaces(e *golden.Event) bool {
	return !e.Dice.IsGiven() && (!t.DiceGiven || t.Seeded)
}

// FacesOf gives the faces of an event, from the first on; its number keys those that are drawn.
//
// Each call gives a fresh source, because a source is used up by the evaluation that reads it.
func (t *Playthrough) FacesOf(e *golden.Event, number uint64) dice.Source {
	if t.DrawsFaces(e) {
		return dice.FromSeed(t.Seed, 0, number)
	}
	return e.Dice.Source()
}
