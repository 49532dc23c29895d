package main

import (
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/why"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// explainOutput answers --why.
func (q *question) explainOutput(program *runtime.Program, id string) error {
	for _, other := range []string{"output", "trace", "receipt"} {
		if q.c.Flags().Changed(other) {
			return fmt.Errorf("--why asks about one output: leave --%s out", other)
		}
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
	answer, err := why.Find(why.Question{
		Program: program, Rule: id, Options: q.options, Character: request.Character, Input: request.Input, Shape: shape,
		Dice: source, Output: q.why,
	})
	if err != nil {
		return exit.WordRefusal(q.placeError(err))
	}
	if answer.HasDice {
		q.reportSeed(request.Seed)
	}
	if q.format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), present.WhyJSON(answer))
	}
	page := q.s.newPage(q.c.OutOrStdout())
	present.PrintWhy(page, answer)
	return page.Flush(q.c.OutOrStdout())
}

// repeatedFaces gives the same faces each time: those that are given, or those of the seed.
func (q *question) repeatedFaces(seed *uint64) (func() dice.Source, error) {
	if seed != nil {
		return func() dice.Source { return dice.FromSeed(*seed, 0, 0) }, nil
	}
	given, err := argdata.ParseGiven(q.dice, &q.files)
	return func() dice.Source { return given.Source() }, err
}
