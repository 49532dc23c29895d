package main

// --why asks the rule many times with one thing changed: a face, a number, a choice, an option.
// Package why does the asking; this file gives it what makes each asking equal to the first but for
// that change. A source of faces is used up when it is read, so why gets a function that makes one;
// a procedure is played up to its last event, so why gets a function that starts it.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// explainOutput answers --why of a rule. It never needs the sheet that eval would print: why
// evaluates for itself, also the first time.
func (q *question) explainOutput(program *runtime.Program, id string) error {
	if err := q.checkWhy(); err != nil {
		return err
	}
	shape := describe.InputOf(program.Plan(), id)
	request, err := q.readRequest(shape)
	if err != nil {
		return err
	}
	source, err := q.repeatedFaces(request.Seed)
	if err != nil {
		return err
	}
	return q.printWhy(why.Question{
		Program: program, Rule: id, Options: q.Options, Character: request.Character, Input: request.Input, Shape: shape,
		Dice: source, Output: q.why,
	}, request.Seed)
}

// checkWhy refuses what --why cannot go together with: --output, which would hide what the output
// rests on, and what belongs to a sheet, which is not printed.
func (q *question) checkWhy() error {
	for _, other := range []string{"output", "trace", "receipt"} {
		if q.c.Flags().Changed(other) {
			return fmt.Errorf("--why asks about one output: leave --%s out", other)
		}
	}
	return nil
}

// explainStep answers --why of a procedure: of its last event or, without events, of its start.
//
// Everything before the last event is fixed, and only under another option it is played anew, from
// its start, with the same faces. With --state there is no start to play from: the sheet says how
// it stood and not under which options every event would have been allowed, so options are not
// tried.
func (q *question) explainStep(program *runtime.Program, id string) error {
	if err := q.checkWhy(); err != nil {
		return err
	}
	events, err := q.readEvents(program.Plan(), id)
	if err != nil {
		return err
	}
	if q.state != "" && len(events) == 0 {
		return errors.New("--why asks about the last event after --state: give one with --event or --events")
	}
	asked := why.Question{Program: program, Options: q.Options, Output: q.why, Step: &why.Step{Procedure: id}}
	start := func(map[string]string) (*runtime.Play, error) { return q.resumePlay(program, id) }
	var seed *uint64
	if asked.Step.Fixed = q.state != ""; !asked.Step.Fixed {
		request, err := q.readRequest(describe.InputOf(program.Plan(), id))
		if err != nil {
			return err
		}
		asked.Character, asked.Input, asked.Shape = request.Character, request.Input, describe.InputOf(program.Plan(), id)
		if asked.Dice, err = q.repeatedFaces(request.Seed); err != nil {
			return err
		}
		faces := asked.Dice
		start = func(options map[string]string) (*runtime.Play, error) {
			d, err := program.Procedure(id, runtime.Choice{Options: options})
			if err != nil {
				return nil, err
			}
			return d.Start(runtime.Request{Character: request.Character, Input: request.Input, Dice: faces()})
		}
		seed = request.Seed
	}
	if n := len(events); n > 0 {
		if err := q.AskAbout(&asked, events[:n-1], events[n-1], start); err != nil {
			return err
		}
		// With events the question is about the last one. The seed is worth telling only where an
		// event drew from it: the start's own draw is not what is explained.
		if seed = nil; slices.ContainsFunc(events, func(e golden.Event) bool { return q.DrawsFaces(&e) }) {
			seed = &q.Seed
		}
	}
	return q.printWhy(asked, seed)
}

// printWhy finds and prints the answer.
func (q *question) printWhy(asked why.Question, seed *uint64) error {
	answer, err := why.Find(asked)
	if err != nil {
		return exit.WordRefusal(q.placeError(err))
	}
	// A hint to repeat the faces would only puzzle where no die decides.
	if answer.HasDice {
		q.reportSeed(seed)
	}
	if q.format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), present.WhyJSON(answer))
	}
	page := q.s.newPage(q.c.OutOrStdout())
	present.PrintWhy(page, answer)
	return page.Flush(q.c.OutOrStdout())
}

// repeatedFaces returns a function that gives the same faces each time: those that are given, or
// those of the seed.
func (q *question) repeatedFaces(seed *uint64) (func() dice.Source, error) {
	if seed != nil {
		return func() dice.Source { return dice.FromSeed(*seed, 0, 0) }, nil
	}
	given, err := argdata.ParseGiven(q.dice, &q.files)
	return func() dice.Source { return given.Source() }, err
}
