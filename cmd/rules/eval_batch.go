package main

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ndjson"
	"github.com/tabletop-rules/rules/runtime"
)

const ndjsonHelp = `

With --ndjson every line of a file is a character, and every line of the output the sheet of the character in the same
line; --input and --set are common to all. A line without a sheet is answered by
    {"error":{"line":3,"path":"character.skills.stealth","column":52,"message":"must be at least 0, not -1","status":2}}
and the highest status of all lines is the exit status. A line has at most 1 MiB. The faces of each line are drawn from a
stream of its own, keyed by --seed and the number of the line, from 0: the answers depend neither on other lines nor on
--workers. An interrupt, or nobody reading on, ends the reading; what has been read is answered.`

// ndjsonFlags makes the flags of a batch.
func (q *question) ndjsonFlags(c *cobra.Command) {
	c.Flags().StringVar(&q.ndjson, "ndjson", "", "evaluate every line of `FILE` as a character, - for standard input")
	c.Flags().IntVar(&q.workers, "workers", 0, "evaluate `N` lines at once instead of one for each core")
	for _, other := range []string{"character", "state", "events", "dice", "trace", "format"} {
		c.MarkFlagsMutuallyExclusive("ndjson", other)
	}
}

// evalBatch answers every line of a file.
func (q *question) evalBatch(program *runtime.Program, id string) error {
	rule, err := program.Rule(id, runtime.Choice{Options: q.options, Outputs: q.outputs})
	if err != nil {
		return err
	}
	in, err := q.files.Open("ndjson", q.ndjson)
	if err != nil {
		return err
	}
	defer in.Close()
	input, err := q.inputText(describe.InputOf(program.Plan(), id))
	if err != nil {
		return err
	}
	if !q.seeded {
		q.seed = argdata.DrawSeed()
	}
	b, err := rule.Batch(runtime.BatchOptions{Input: input, Seed: q.seed, Workers: q.workers})
	if err != nil {
		return q.placeError(err)
	}
	return ndjson.AnswerLines(b, in, q.c.OutOrStdout(), q.c.ErrOrStderr())
}
