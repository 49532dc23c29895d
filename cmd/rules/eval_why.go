package main

// --why asks the rule many times with one thing changed: a face, a number, a choice, an option.
// Package why does the asking; this file says what is asked.

import (
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
)

// explainOutput answers --why of a rule. It never needs the sheet that eval would print: why
// evaluates for itself, also the first time.
func (q *question) explainOutput(program *runtime.Program, id string) error {
	if err := q.checkWhy(); err != nil {
		return err
	}
	request, err := q.readRequest(describe.InputOf(program.Plan(), id))
	if err != nil {
		return err
	}
	asked := &query.Question{Subject: id, Options: q.Options, Request: request, Why: q.Why}
	return q.printWhy(program, asked, request.Seed)
}

// checkWhy returns an error if a flag excludes --why: --output would hide values on which the output rests, and --trace
// and --receipt belong to a sheet, which is not printed.
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
	asked := &query.Question{Subject: id, Why: q.Why}
	var seed *uint64
	if q.state != "" {
		if asked.From, err = q.resumePlay(program, id); err != nil {
			return err
		}
	} else {
		if asked.Request, err = q.readRequest(describe.InputOf(program.Plan(), id)); err != nil {
			return err
		}
		seed = asked.Request.Seed
	}
	asked.Options = q.Options
	asked.Steps = q.ThrowAll(events) // resuming or reading the start has chosen the seed
	if n := len(asked.Steps); n > 0 {
		// With events the question is about the last one. The seed is worth telling only where an
		// event drew from it: the start's own draw is not what is explained.
		seed = nil
		for i := range asked.Steps {
			if asked.Steps[i].Seed != nil {
				seed = asked.Steps[i].Seed
			}
		}
		if asked.From != nil {
			if err := asked.From.Go(false, asked.Steps[:n-1]...); err != nil {
				return exit.WordRefusal(q.pathError(err))
			}
		}
	}
	return q.printWhy(program, asked, seed)
}

// printWhy finds and prints the answer.
func (q *question) printWhy(program *runtime.Program, asked *query.Question, seed *uint64) error {
	answer, err := why.Find(program, asked)
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
