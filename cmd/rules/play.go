package main

import (
	"errors"
	"fmt"

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
	if err := q.writePlay(program.Plan(), id, play); err != nil {
		return err
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
	request, err := q.request(inputOf(program.Plan(), id))
	if err != nil {
		return nil, err
	}
	play, err := procedure.Start(request)
	if err != nil {
		return nil, told(pathOnly(err))
	}
	q.begun.request = request
	if len(play.Dice) == 0 {
		play.Seed = nil
	}
	if play.Seed != nil {
		q.begun.drawn = append(q.begun.drawn, 0)
	}
	return play, nil
}

// resume reads --state. A seed that its faces were drawn from goes on being used.
func (q *question) resume(program *runtime.Program, id string) (*runtime.Play, error) {
	text, err := q.files.read("state", q.state)
	if err != nil {
		return nil, err
	}
	saved, err := runtime.ReadState(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called(q.state), err)
	}
	q.options = saved.Options
	procedure, err := program.Procedure(id, runtime.Choice{Options: q.options})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called(q.state), err)
	}
	play, err := procedure.Resume(saved)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called(q.state), pathOnly(err))
	}
	q.begun.request.Character, q.begun.request.Input = play.Character, play.Input
	if q.begun.from, _, err = digested(text); err != nil {
		return nil, err
	}
	switch {
	case saved.Seed != nil && q.seeded && *saved.Seed != q.seed:
		return nil, fmt.Errorf("%s was drawn from the seed %d: leave --seed out", called(q.state), *saved.Seed)
	case saved.Seed != nil:
		q.seed, q.seeded = *saved.Seed, true
	case !q.seeded:
		q.seed = drawSeed()
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
			return fmt.Errorf("event %d, %s: %w", i+1, e.Name, told(pathOnly(err)))
		}
		if drawn && len(play.Events[len(play.Events)-1].Dice) > 0 {
			play.Seed = &q.seed
			q.begun.drawn = append(q.begun.drawn, uint64(len(play.Events)))
		}
	}
	return nil
}

func (q *question) printPlay(play *runtime.Play) error {
	out := q.c.OutOrStdout()
	if q.format == asJSON {
		return printIndented(out, play.AppendJSON(nil))
	}
	page := q.s.page(out)
	page.play(play)
	return page.flush(out)
}

// pathOnly leaves out of an error where in its JSON a value stands: a procedure keeps JSON without the blanks of its file.
func pathOnly(err error) error {
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return fmt.Errorf("%s%s: %s", e.Root, e.Path, e.Msg)
	}
	return err
}

// readEvents reads --events.
func (q *question) readEvents() ([]golden.Event, error) {
	text, err := q.files.read("events", q.events)
	if err != nil || q.events == "" {
		return nil, err
	}
	return golden.ParseEvents(called(q.events), text)
}
