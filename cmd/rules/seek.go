package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

const seekHelp = `Seek finds the first value of an input, in the order of --vary, with which the odds are good enough.

--until compares P(FORMULA), the probability that a formula over the outputs holds, or E(FORMULA), the mean of a number,
with a number: 'P(success) >= 0.75', 'E(effect) > 4'.

Exit status: 0 when there is such a value; 1 when there is none.`

// A goal is what is sought: a comparison of a probability or a mean with a number.
type goal struct {
	mean    bool
	formula string
	op      string
	limit   float64
}

func newSeek(s *settings) *cobra.Command {
	q := &chance{question: question{s: s}, form: "text"}
	var options []string
	var until string
	var format usage.Format
	c := &cobra.Command{
		Use:   "seek RULESET RULE",
		Short: "Find the least value of an input with which the odds are good enough",
		Long:  seekHelp,
		Example: "  rules seek tempestas test --character ada.json --set name=navigation --vary complications=0..60 --until " +
			"'P(success) < 0.75'",
		Args: usage.ArgCount(0, 2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			q.c, q.files.In = c, c.InOrStdin()
			if q.options, err = parseOptions(options); err != nil {
				return err
			}
			return q.seekValue(args, until, format)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.EvaluableNames),
	}
	q.addCommonFlags(c, &options)
	c.Flags().StringVar(&until, "until", "", "what is sought: a `GOAL` such as 'P(success) >= 0.75'")
	must.Succeed(c.MarkFlagRequired("until"))
	must.Succeed(c.MarkFlagRequired("vary"))
	format.AddTo(c)
	q.registerCompletions(c)
	return c
}

// parseGoal reads "P(success) >= 0.75".
func parseGoal(text string) (g goal, err error) {
	wrong := fmt.Errorf("--until %s: it is P(FORMULA) or E(FORMULA), compared with a number: P(success) >= 0.75", text)
	end := strings.LastIndexByte(text, ')')
	inner, found := strings.CutPrefix(strings.TrimSpace(text), "P(")
	if !found {
		if inner, found = strings.CutPrefix(strings.TrimSpace(text), "E("); !found {
			return g, wrong
		}
		g.mean = true
	}
	if end < 0 {
		return g, wrong
	}
	g.formula = inner[:strings.LastIndexByte(inner, ')')]
	rest := strings.TrimSpace(text[end+1:])
	for _, op := range []string{">=", "<=", ">", "<"} {
		if number, is := strings.CutPrefix(rest, op); is {
			g.op = op
			if g.limit, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil {
				return g, wrong
			}
			return g, nil
		}
	}
	return g, wrong
}

// isMet reports whether a number is good enough. Sums of floats are a little off: what is within that of the limit is at
// it.
func (g goal) isMet(v float64) bool {
	const off = 1e-12
	switch g.op {
	case ">=":
		return v >= g.limit-off
	case "<=":
		return v <= g.limit+off
	case ">":
		return v > g.limit+off
	}
	return v < g.limit-off
}

func (q *chance) seekValue(args []string, until string, format usage.Format) error {
	g, err := parseGoal(until)
	if err != nil {
		return err
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	program := runtime.New(p)
	if !slices.Contains(program.RuleNames(), id) {
		return &runtime.UnknownError{What: "rule", Name: id, Known: program.RuleNames()}
	}
	if q.character == "" {
		return errors.New("name a character with --character")
	}
	// so that a place in it is one in the flag
	q.ask = []string{strings.Repeat(" ", strings.Index(until, g.formula)) + g.formula}
	a, err := q.newAsker(program, id)
	if err != nil {
		return err
	}
	names, rows, err := a.variedRows()
	if err != nil {
		return err
	}
	best, at := 0.0, -1
	for i, row := range rows {
		v, err := a.measureGoal(g, names, row)
		if err != nil {
			return err
		}
		if g.isMet(v) {
			return q.printFound(names, row, g, v, format)
		}
		if at < 0 || g.isNearer(v, best) {
			best, at = v, i
		}
	}
	return q.printMissed(names, rows[at], g, best, format)
}

// isNearer reports whether a number is nearer to the goal than another one.
func (g goal) isNearer(a, b float64) bool {
	if strings.HasPrefix(g.op, ">") {
		return a > b
	}
	return a < b
}

// measureName is how the measure is written.
func (g goal) measureName() string {
	if g.mean {
		return "E"
	}
	return "P"
}

// printMissed says what comes nearest when nothing is good enough.
func (q *chance) printMissed(names []string, row []json.RawMessage, g goal, v float64, format usage.Format) error {
	if format == usage.AsJSON {
		if err := jsontext.PrintJSON(q.c.OutOrStdout(),
			map[string]any{"best": map[string]any{"at": valuesAt(names, row), "value": v}}); err != nil {
			return err
		}
		return exit.ErrNo
	}
	fmt.Fprintf(q.c.OutOrStdout(), "none of %s: the best is %s(%s) = %s at %s\n", strings.Join(q.vary, ", "), g.measureName(),
		g.formula, formatShort(v), joinValues(names, row))
	return exit.ErrNo
}

func valuesAt(names []string, row []json.RawMessage) map[string]json.RawMessage {
	at := map[string]json.RawMessage{}
	for i, n := range names {
		at[n] = row[i]
	}
	return at
}

// measureGoal is the probability or the mean that the goal is about.
func (a *asker) measureGoal(g goal, names []string, row []json.RawMessage) (float64, error) {
	input, err := a.inputWith(names, row)
	if err != nil {
		return 0, err
	}
	d, err := a.oddsOf(input)
	if err != nil {
		return 0, a.variedError(names, row, err)
	}
	m := d.list[0]
	switch {
	case g.mean && m.Numeric():
		return m.Mean(), nil
	case g.mean:
		return 0, fmt.Errorf("--until E(%s): it is no number", g.formula)
	}
	return probabilityOfTrue(m, g.formula)
}

// probabilityOfTrue is the probability that a condition holds.
func probabilityOfTrue(m *odds.Marginal, formula string) (p float64, err error) {
	for i, v := range m.Values {
		switch v.String() {
		case "true":
			p = m.P[i]
		case "false":
		default:
			return 0, fmt.Errorf("--until P(%s): it is no condition", formula)
		}
	}
	return p, nil
}

func (q *chance) printFound(names []string, row []json.RawMessage, g goal, v float64, format usage.Format) error {
	if format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), map[string]any{"at": valuesAt(names, row), "value": v})
	}
	_, err := fmt.Fprintf(q.c.OutOrStdout(), "%s: %s(%s) = %s\n", joinValues(names, row), g.measureName(), g.formula,
		formatShort(v))
	return err
}
