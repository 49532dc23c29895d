package main

import (
	"fmt"
	"os"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// play begins a procedure or goes on with it, and lets the events happen up to the first that is refused.
func (q *question) play(program *runtime.Program, id string) error {
	play, err := q.begin(program, id)
	if err != nil {
		return err
	}
	events, err := q.readEvents()
	if err != nil {
		return err
	}
	refusal := q.happen(play, events)
	if q.receipt != "" {
		r, err := receipt.NewPlayReceipt(program.Plan(), id, q.options, &q.begun, q.seed, play)
		if err != nil {
			return err
		}
		if err := os.WriteFile(q.receipt, r.Printed(), 0o644); err != nil {
			return err
		}
	}
	q.report(play.Seed)
	if err := q.printPlay(play); err != nil {
		return err
	}
	return refusal
}

// begin starts a procedure, or resumes the one in --state.
func (q *question) begin(program *runtime.Program, id string) (*runtime.Play, error) {
	if q.state != "" {
		return q.resume(program, id)
	}
	procedure, err := program.Procedure(id, runtime.Choice{Options: q.options})
	if err != nil {
		return nil, err
	}
	request, err := q.request(describe.InputOf(program.Plan(), id))
	if err != nil {
		return nil, err
	}
	play, err := procedure.Start(request)
	if err != nil {
		return nil, exit.Told(exit.PathOnly(err))
	}
	q.begun.Request = request
	if len(play.Dice) == 0 {
		play.Seed = nil
	}
	if play.Seed != nil {
		q.begun.Drawn = append(q.begun.Drawn, 0)
	}
	return play, nil
}

// resume reads --state. A seed that its faces were drawn from goes on being used.
func (q *question) resume(program *runtime.Program, id string) (*runtime.Play, error) {
	text, err := q.files.Read("state", q.state)
	if err != nil {
		return nil, err
	}
	saved, err := runtime.ReadState(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.Called(q.state), err)
	}
	q.options = saved.Options
	procedure, err := program.Procedure(id, runtime.Choice{Options: q.options})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.Called(q.state), err)
	}
	play, err := procedure.Resume(saved)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.Called(q.state), exit.PathOnly(err))
	}
	q.begun.Request.Character, q.begun.Request.Input = play.Character, play.Input
	if q.begun.From, _, err = receipt.Digested(text); err != nil {
		return nil, err
	}
	switch {
	case saved.Seed != nil && q.seeded && *saved.Seed != q.seed:
		return nil, fmt.Errorf("%s was drawn from the seed %d: leave --seed out", argdata.Called(q.state), *saved.Seed)
	case saved.Seed != nil:
		q.seed, q.seeded = *saved.Seed, true
	case !q.seeded:
		q.seed = argdata.DrawSeed()
	}
	return play, nil
}

// happen lets events happen. Faces that an event does not bring are drawn, unless --dice gave those of the start.
func (q *question) happen(play *runtime.Play, events []golden.Event) error {
	for i, e := range events {
		source := e.Dice.Source()
		drawn := !e.Dice.Given() && !q.diceGiven
		if drawn {
			source = dice.FromSeed(q.seed, 0, play.Number())
		}
		err := play.Do(runtime.Event{Name: e.Name, Input: e.Input, Dice: source, Trace: q.trace})
		if err != nil {
			return fmt.Errorf("event %d, %s: %w", i+1, e.Name, exit.Told(exit.PathOnly(err)))
		}
		if drawn && len(play.Events[len(play.Events)-1].Dice) > 0 {
			play.Seed = &q.seed
			q.begun.Drawn = append(q.begun.Drawn, uint64(len(play.Events)))
		}
	}
	return nil
}

func (q *question) printPlay(play *runtime.Play) error {
	out := q.c.OutOrStdout()
	if q.format == usage.AsJSON {
		return jsontext.PrintIndented(out, play.AppendJSON(nil))
	}
	page := q.s.page(out)
	present.PrintPlay(page, play)
	return page.Flush(out)
}

// readEvents reads --events.
func (q *question) readEvents() ([]golden.Event, error) {
	text, err := q.files.Read("events", q.events)
	if err != nil || q.events == "" {
		return nil, err
	}
	return golden.ParseEvents(argdata.Called(q.events), text)
}
