package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const seekHelp = `Seek finds the first value of an input, in the order of --vary, with which the odds are good enough.

--until compares P(FORMULA), the probability that a formula over the outputs holds, or E(FORMULA), the mean of a number,
with a number or with another one: 'P(success) >= 0.75', 'E(effect) == 4 +- 0.5'. Behind with stands what is otherwise for
one of them alone: 'E(damage with weapon=axe) >= E(damage with weapon=sword)'. Where the rule may refuse, a mean is that of
what is answered, and a probability is of all that falls. Of a procedure the formula is read where it ends, or after --after
events, and --policy or --best say how it is played, as for odds.

Exit status: 0 when there is such a value; 1 when there is none.`

// absentTarget is what to write instead of a target.
const absentTarget = "--until 'P(success) >= 0.75' says what shall hold"

func newSeek(s *settings) *cobra.Command {
	q := &oddsQuestion{question: question{s: s}, form: "text"}
	var until string
	var format usage.Format
	c := &cobra.Command{
		Use:   "seek RULESET RULE",
		Short: "Find the least value of an input with which the odds are good enough",
		Long:  seekHelp,
		Example: "  rules seek tempestas test --character ada.json --set name=navigation --vary complications=0..60 " +
			"--until " +
			"'P(success) < 0.75'",
		Args: leaveKindOut(usage.ArgCount(0, 2)),
	}
	q.askForOdds(c, func(args []string) error { return q.seekValue(args, until, format) })
	usage.AdviseInstead(c, "target", absentTarget)
	c.Flags().StringVar(&until, "until", "", "what is sought: a `GOAL` such as 'P(success) >= 0.75'")
	must.Succeed(c.MarkFlagRequired("until"))
	must.Succeed(c.MarkFlagRequired("vary"))
	format.AddTo(c)
	return c
}

// seekValue asks for the odds of each setting of --vary, and prints the first that meets the goal,
// or else the nearest.
//
// The settings are asked in the order of --vary and the first that is good enough ends it: chances
// need not rise with a number, so there is nothing to bisect.
func (q *oddsQuestion) seekValue(args []string, until string, format usage.Format) error {
	goal, err := oddsquery.ParseGoal(until)
	if err != nil {
		return err
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	q.Formulas = oddsquery.Formulas(goal.Measures)
	a, err := q.open(p, id, "--until")
	if err != nil {
		return err
	}
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	best, at := 0.0, -1
	var passed []string // settings for which the rule refuses
	why := ""           // the last of them is refused
	for i, s := range settings {
		measured, err := oddsquery.MeasureAt(q.c.Context(), a, goal.Measures, s)
		if none, is := errors.AsType[*oddsquery.NoValueError](err); is {
			// A setting that the rule refuses is neither good nor bad; it is told in the end, when
			// nothing was found.
			passed, why = append(passed, s.String()), none.Why
			continue
		}
		if err != nil {
			return q.pathError(err)
		}
		v := goal.Value(measured)
		if goal.Misses(v) == 0 {
			return q.printFound(&goal, s, v, format)
		}
		if at < 0 || goal.Misses(v) < goal.Misses(best) {
			best, at = v, i
		}
	}
	if len(passed) > 0 {
		fmt.Fprintf(q.c.ErrOrStderr(), "rules: no value for %s: %s\n", strings.Join(passed, "; "), why)
	}
	if at < 0 {
		return exit.ErrNo
	}
	return q.printMissed(&goal, settings[at], best, format)
}

// open returns the compiled question of a goal about a rule or a procedure.
func (q *oddsQuestion) open(p *plan.Plan, id, formulaFlag string) (oddsquery.Opening, error) {
	program := runtime.New(p)
	switch {
	case slices.Contains(program.RuleNames(), id):
		if err := q.checkRule(program, id); err != nil {
			return nil, err
		}
		return q.newAsker(program, id, formulaFlag)
	case slices.Contains(program.ProcedureNames(), id):
		return q.newPlayAsker(program, id, formulaFlag)
	}
	return nil, q.unknownSubject(p, "rule or procedure", id, describe.EvaluableNames(p))
}

// printFound prints the setting that meets the goal and the value there.
func (q *oddsQuestion) printFound(g *oddsquery.Goal, s oddsquery.Setting, v float64, format usage.Format) error {
	if format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), map[string]any{"at": s.ByName(), "value": v})
	}
	_, err := fmt.Fprintf(q.c.OutOrStdout(), "%s: %s = %s\n", s, g, layout.FormatShort(v))
	return err
}

// printMissed prints the nearest setting when none is good enough, and ends with the answer no.
func (q *oddsQuestion) printMissed(g *oddsquery.Goal, s oddsquery.Setting, v float64, format usage.Format) error {
	if format == usage.AsJSON {
		best := map[string]any{"at": s.ByName(), "value": v}
		if err := jsontext.PrintJSON(q.c.OutOrStdout(), map[string]any{"best": best}); err != nil {
			return err
		}
		return exit.ErrNo
	}
	fmt.Fprintf(q.c.OutOrStdout(), "none of %s: the best is %s = %s at %s\n", strings.Join(q.Vary, ", "), g,
		layout.FormatShort(v), s)
	return exit.ErrNo
}
