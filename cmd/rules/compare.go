package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

const compareHelp = `Compare sets options beside each other, by the exact distribution of a number or a condition. The options are the values of
the first --vary, such as all weapons: --vary weapon=*.

In one situation each has its mean, deviation, skewness and quantiles, and how likely it is more than each other one, when
both are rolled. An option dominates another one in the first order if it is at least as likely to reach any number, and
likelier for some: then it is better for everybody. In the second order it is better for everybody who avoids risk.

Further --vary are situations, such as all armours: compare then says in how many of them each option has the greatest mean,
with the first of these, and which option is never best, because another one has nowhere less and somewhere more. -o draws
the distributions, and of several situations a heat map of the means.

Exit status: 0 for an answer; 1 when the rule refuses whatever is chosen; 2 when the question cannot be asked.`

func newCompare(s *settings) *cobra.Command {
	q := &oddsQuestion{question: question{s: s}}
	var of string
	c := &cobra.Command{
		Use:   "compare RULESET RULE",
		Short: "Set options beside each other, and find those that are never best",
		Long:  compareHelp,
		Example: "  rules compare tempestas test --character ada.json --set name=navigation --of offenciancy" +
			" --vary difficulty=standard,moderate,hard\n" +
			"  rules compare tempestas test --character ada.json --set name=navigation --of offenciancy" +
			" --vary 'difficulty=*' --vary complications=0..40 -o difficulties.svg",
		Args: usage.ArgCount(0, 2),
	}
	q.askForOdds(c, func(args []string) error { return q.compare(args, of) })
	c.Flags().StringVar(&of, "of", "", "what is compared: a `FORMULA` over the outputs")
	must.Succeed(c.MarkFlagRequired("of"))
	must.Succeed(c.MarkFlagRequired("vary"))
	q.addFormFlags(c)
	return c
}

// compare asks for the number with each option, and prints how these compare.
func (q *oddsQuestion) compare(args []string, of string) error {
	if err := q.checkForm(); err != nil {
		return err
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	q.Formulas = []string{of}
	o, err := q.open(p, id, "--of")
	if err != nil {
		return err
	}
	counted, clear := q.countSettings(o)
	contest, err := tuning.NewContest(q.c.Context(), counted)
	clear()
	switch {
	case errors.Is(err, oddsquery.ErrNoValue):
		return &exit.Denial{Why: "the rule refuses whatever is chosen"}
	case err != nil:
		return exit.PathOnly(err)
	}
	subject := oddsjson.RuleSubject(p, id)
	if p.Rule(id) == nil {
		subject = oddsjson.ProcedureSubject(p, id)
	}
	return q.writeAnswer(&oddspage.Contest{Subject: subject, Formula: of, Of: contest})
}
