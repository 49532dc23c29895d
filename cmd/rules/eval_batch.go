package main

// # Lines in, lines out
//
// Line n of the output answers line n of the input, and nothing is buffered to the end: a program
// that writes one character and waits for its sheet gets it. Package ndjson cuts lines and writes
// answers; runtime's Batch evaluates blocks of them on several cores and gives them back in order.
//
// Two ways lead through this file. All lines of one plan go through Batch (evalBatch). With a
// directory of releases each line may be of another revision, and is evaluated by itself
// (mixedBatch), on one core. Both draw from the same stream: seed, number of the
// line from 0, event 0. So a line has the same sheet in both.

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/ndjson"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const ndjsonHelp = `

With --ndjson every line of a file is a character, and every line of the output the sheet of the
character in the same line; --input and --set are common to all. A line without a sheet is answered
by
    {"error":{"line":3,"path":"character.skills.stealth","column":52,"message":"must be at least 0, not -1","status":2}}
and the highest status of all lines is the exit status. A line has at most 1 MiB. The faces of each
line are drawn from a stream of its own, keyed by --seed and the number of the line, from 0: the
answers depend neither on other lines nor on --workers. An interrupt, or nobody reading on, ends the
reading; what has been read is answered. With a directory of releases as --plan, each line is
answered by the revision and with the homebrews that it is pinned to, and others by the newest, with
those of --with.`

// ndjsonFlags makes the flags of a batch.
func (q *question) ndjsonFlags(c *cobra.Command) {
	c.Flags().StringVar(&q.ndjson, "ndjson", "", "evaluate every line of `FILE` as a character, - for standard input")
	c.Flags().IntVar(&q.workers, "workers", 0, "evaluate `N` lines at once instead of one for each core")
	for _, other := range []string{"character", "state", "events", "dice", "trace", "why", "format", "receipt", "case"} {
		c.MarkFlagsMutuallyExclusive("ndjson", other)
	}
}

// evalBatch answers every line of a file.
//
// Each line draws from a stream of its own, keyed by the seed and the number of the line, so that
// the answers do not depend on how many workers there are, nor on which of them is first.
func (q *question) evalBatch(program *runtime.Program, id string) error {
	rule, err := program.Rule(id, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
	if err != nil {
		return err
	}
	in, err := q.openLines()
	if err != nil {
		return err
	}
	defer in.Close()
	input, err := q.inputText(describe.InputOf(program.Plan(), id))
	if err != nil {
		return err
	}
	b, err := rule.Batch(runtime.BatchOptions{Input: input, Seed: q.Seed, Workers: q.workers})
	if err != nil {
		return q.placeError(err)
	}
	return ndjson.AnswerLines(b.All, in, q.c.OutOrStdout(), q.c.ErrOrStderr())
}

// openLines opens the file of --ndjson, which may be standard input and then is nothing else's, and draws the seed of the
// run when none is given.
func (q *question) openLines() (io.ReadCloser, error) {
	// The seed is drawn even when no line will need it: it must be one for the whole run, whichever
	// line is the first to draw.
	if !q.Seeded {
		q.Seed = argdata.DrawSeed()
	}
	in, err := q.files.Open("ndjson", q.ndjson)
	if err != nil || q.ndjson == argdata.Stdin { // whose writer may wait for the first answer
		return in, err
	}
	lines := bufio.NewReader(in)
	if first, _ := lines.Peek(1); string(first) == "[" {
		in.Close()
		return nil, fmt.Errorf("--ndjson %s: it is a list: write each character in a line, without [ ] around them "+
			"and commas between them", q.ndjson)
	}
	return struct {
		io.Reader
		io.Closer
	}{lines, in}, nil
}

// evalMixedBatch answers every line of a file by the release that its character is pinned to, one line after the other.
func (q *question) evalMixedBatch(args []string) error {
	if err := usage.RefuseGiven(q.c, "lines of several revisions are evaluated one after the other",
		"workers"); err != nil {
		return err
	}
	if len(args) == 0 {
		return errors.New("name a rule: rules eval --plan DIR [RULESET] RULE --ndjson FILE")
	}
	releases, err := q.s.ReadReleases(q.plan)
	if err != nil {
		return err
	}
	in, err := q.openLines()
	if err != nil {
		return err
	}
	defer in.Close()
	m := &mixedBatch{q: q, releases: releases, id: args[len(args)-1], rules: map[*plan.Plan]*preparedRule{}}
	if len(args) == 2 {
		m.ruleset = args[0]
	}
	return ndjson.AnswerLines(ndjson.AnswerEach(m.answerLine), in, q.c.OutOrStdout(), q.c.ErrOrStderr())
}

// A mixedBatch is a rule that several releases have, for characters of several revisions.
//
// Lines are answered one after the other: which revision comes next is only known when the line is
// there. What is prepared for a revision is kept by its plan, whose pointer the releases give again
// and again.
type mixedBatch struct {
	q        *question
	releases *workspace.Releases
	ruleset  string // "" when the releases are of one
	id       string
	rules    map[*plan.Plan]*preparedRule
}

// A preparedRule is the rule of one release, with the input by its schema.
type preparedRule struct {
	rule  *runtime.Rule
	input []byte
	err   error // why there is none
}

// answerLine gives the sheet of the character in a line, with faces drawn from the stream of the line's number.
func (m *mixedBatch) answerLine(line []byte, number uint64) ([]byte, error) {
	p, err := m.releases.Choose(m.ruleset, workspace.PinOf(line))
	if err != nil {
		return nil, err
	}
	r := m.prepare(p)
	if r.err != nil {
		return nil, r.err
	}
	sheet, err := r.rule.Eval(runtime.Request{
		Character: line, Input: r.input, Throw: dice.DrawnFrom(m.q.Seed), Record: number,
	})
	if err != nil {
		return nil, err
	}
	return sheet.AppendJSON(nil), nil
}

// prepare readies the rule of a release, once.
func (m *mixedBatch) prepare(p *plan.Plan) *preparedRule {
	if r, known := m.rules[p]; known {
		return r
	}
	r := &preparedRule{}
	// A failure is kept like a success: a million lines of a revision without this rule look it up
	// once.
	m.rules[p] = r
	r.rule, r.err = runtime.New(p).Rule(m.id, runtime.Choice{Options: m.q.Options, Outputs: m.q.Outputs})
	if r.err == nil {
		r.input, r.err = m.q.inputText(describe.InputOf(p, m.id))
	}
	return r
}
