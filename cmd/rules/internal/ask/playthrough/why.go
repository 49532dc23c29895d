package playthrough

import (
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// AskAbout lets a question be about an event after others that happen from the start on, which may be under other options.
//
// Before is called again for each option that is tried. The event itself keeps its number and so
// its seeded faces, whatever happened before it.
func (t *Playthrough) AskAbout(asked *why.Question, before []golden.Event, last golden.Event,
	start func(options map[string]string) (*runtime.Play, error)) error {
	asked.Step.Event, asked.Input = last.Name, last.Input
	asked.Shape = describe.InputOf(asked.Program.Plan(), asked.Step.Procedure+"."+last.Name)
	asked.Step.Before = func(options map[string]string) (*runtime.Play, error) {
		play, err := start(options)
		for i := range before {
			if err != nil {
				break
			}
			e := &before[i]
			if err = play.Do(e.Name, runtime.Request{Input: e.Input, Dice: t.FacesOf(e, play.Number())}); err != nil {
				err = fmt.Errorf("event %d, %s: %w", i+1, e.Name, err)
			}
		}
		return play, err
	}
	// The number of the event keys its faces, and does not change with the options.
	play, err := asked.Step.Before(asked.Options)
	if err != nil {
		return exit.WordRefusal(exit.PathOnly(err))
	}
	number := play.Number()
	asked.Dice = func() dice.Source { return t.FacesOf(&last, number) }
	return nil
}
