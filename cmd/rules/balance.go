package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plural"
)

const balanceHelp = `Balance finds the smallest change of a game under which its odds are as they should be: which cells of tables, options or
inputs, of those that --vary leaves open, have to be others so that every --until holds. The answer has the fewest changes
that do, and among these the nearest ones: numbers are near by their difference, dice such as 1d8 by that of their means,
words by their place in the list of --vary. Of a cell with dice, --vary tables.weapon.axe.damage=2d6..2d6+3 leaves these
open, 1d6..1d10 the sizes between, 1d6..2d8 both; a list may have any notation of a ruleset.

All choices are asked for their exact odds in that order, the smallest first, so that nothing smaller than the answer does.

--until compares P(FORMULA) or E(FORMULA) with a number or with another one, as for seek: 'P(success) >= 0.75',
'E(damage with weapon=axe) == E(damage with weapon=sword) +- 0.5'. It may be repeated; then all have to hold.

Exit status: 0 when there is such a change, or none is needed; 1 when there is none, with what comes nearest.`

// A balanceQuestion is what balance is asked.
type balanceQuestion struct {
	oddsQuestion
	until  []string
	goals  []oddsquery.Goal
	format usage.Format
}

func newBalance(s *settings) *cobra.Command {
	q := &balanceQuestion{oddsQuestion: oddsQuestion{question: question{s: s}, form: "text", startsFromSet: true}}
	c := &cobra.Command{
		Use:   "balance RULESET RULE",
		Short: "Find the smallest change of tables with which the odds are as they should be",
		Long:  balanceHelp,
		Example: "  rules balance tempestas test --character ada.json --set name=navigation" +
			" --vary tables.difficulty.hard.points=15..40 --until 'P(success with difficulty=hard) <= 0.5'",
		Args: usage.ArgCount(0, 2),
	}
	q.askForOdds(c, q.balance)
	usage.AdviseInstead(c, "target", absentTarget)
	c.Flags().StringArrayVar(&q.until, "until", nil,
		"what shall hold: a `GOAL` such as 'P(success) >= 0.75'; may be repeated")
	must.Succeed(c.MarkFlagRequired("until"))
	must.Succeed(c.MarkFlagRequired("vary"))
	q.format.AddTo(c)
	return c
}

// balance asks for the smallest change that meets the goals.
func (q *balanceQuestion) balance(args []string) error {
	for _, text := range q.until {
		g, err := oddsquery.ParseGoal(text)
		if err != nil {
			return err
		}
		q.goals = append(q.goals, g)
		q.Formulas = append(q.Formulas, oddsquery.Formulas(g.Measures)...)
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	o, err := q.open(p, id, "--until")
	if err != nil {
		return err
	}
	variations, err := o.Variations()
	if err != nil {
		return err
	}
	counter := q.newSettingCounter()
	b, err := tuning.Balance(q.c.Context(), counter.count(o), q.goals,
		tuning.LeversOf(tuning.NewSubject(p, o.Asked()), variations))
	counter.clear()
	if none, is := errors.AsType[*oddsquery.NoValueError](err); is {
		return &exit.Denial{Why: "as things are, a formula of --until has no value: " + none.Why}
	}
	switch {
	case err != nil:
		return q.pathError(err)
	case q.format == usage.AsJSON:
		err = q.printBalancedJSON(b)
	default:
		err = q.printBalanced(b)
	}
	if err == nil && !b.IsMet {
		return exit.ErrNo
	}
	return err
}

// printBalanced prints the changes and their effect on each goal.
func (q *balanceQuestion) printBalanced(b *tuning.Balanced) error {
	page := q.s.newPage(q.c.OutOrStdout())
	title := plural.Of(len(b.Changes), "change") + " will do"
	switch {
	case b.After == nil:
		title = "nothing in " + strings.Join(q.Vary, ", ") + " has an answer: " + b.Refused
	case !b.IsMet && len(b.Changes) == 0:
		title = "nothing in " + strings.Join(q.Vary, ", ") + " will do, or comes nearer than it is"
	case !b.IsMet:
		title = "nothing in " + strings.Join(q.Vary, ", ") + " will do; the nearest is " + plural.Of(len(b.Changes), "change")
	case len(b.Changes) == 0:
		title = "it is so already"
	}
	page.AddLine(0, "%s", page.Style(layout.Bold, title))
	var rows [][]string
	for _, c := range b.Changes {
		from := "not given"
		if c.From != nil {
			from = view.TextOfJSON(c.From)
		}
		rows = append(rows, []string{c.Name, from + " → " + view.TextOfJSON(c.To)})
	}
	page.AddRows(2, rows)
	page.AddBlank()
	rows = nil
	for i := range b.After {
		row := []string{q.goals[i].String(), "", layout.FormatShort(b.After[i])}
		if b.Before != nil {
			row[1] = layout.FormatShort(b.Before[i]) + " →"
		}
		rows = append(rows, row)
	}
	page.AddRows(2, rows)
	if b.After != nil {
		page.AddBlank()
	}
	proof := ""
	if b.IsMet && b.Tried > 1 {
		proof = ", so that no smaller one will do"
	}
	page.AddLine(0, "%s asked for, the smallest changes first%s", plural.Of(b.Tried, "choice"), proof)
	return page.Flush(q.c.OutOrStdout())
}

// printBalancedJSON prints the changes and their effect on each goal.
func (q *balanceQuestion) printBalancedJSON(b *tuning.Balanced) error {
	type goal struct {
		Goal   string   `json:"goal"`
		Before *float64 `json:"before,omitempty"`
		After  float64  `json:"after"`
	}
	out := struct {
		Met     bool                  `json:"met"`
		Changes []oddspage.EffectJSON `json:"changes"`
		Goals   []goal                `json:"goals"`
		Tried   int                   `json:"tried"`
		Minimal bool                  `json:"minimal"` // all smaller changes were asked for, and miss
		Refused string                `json:"refused,omitempty"`
	}{Met: b.IsMet, Changes: []oddspage.EffectJSON{}, Goals: []goal{}, Tried: b.Tried, Minimal: b.IsMet}
	if b.After == nil {
		out.Refused = b.Refused
	}
	for _, c := range b.Changes {
		out.Changes = append(out.Changes, oddspage.EffectJSON{Name: c.Name, From: c.From, To: c.To})
	}
	for i := range b.After {
		g := goal{Goal: q.goals[i].String(), After: b.After[i]}
		if b.Before != nil {
			g.Before = &b.Before[i]
		}
		out.Goals = append(out.Goals, g)
	}
	return jsontext.PrintJSON(q.c.OutOrStdout(), out)
}
