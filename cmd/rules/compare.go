package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const compareHelp = `Compare sets options beside each other, by the exact distribution of a number or a condition. The options are

  the values of the first --vary, such as all weapons: --of damage --vary 'weapon=*',
  several formulas: --of damage --of 'damage with weapon=axe,raging=true', in which with sets values for one alone,
  or several rules, whose one --of is for all of them, and one of 'RULE: FORMULA' for that rule.

Of several rules, what --input, --set and --vary say counts for those that have an input of that name.

In one situation each option has its mean, deviation, skewness and quantiles, and how likely it is more than each other one,
when both are rolled. An option dominates another one in the first order if it is at least as likely to reach any number,
and likelier for some: then it is better for everybody. In the second order it is better for everybody who avoids risk.
Where an option may be refused, all this is of what is answered, answered says how likely that is, and it neither dominates
nor is dominated.

Further --vary are situations, such as all armours: compare then says in how many of them each option has the greatest mean,
with the first of these, and which option is never best, because another one has nowhere less and somewhere more. -o draws
the distributions, of more than six options how likely each is more than each other one, and of several situations a heat
map of the means.

Exit status: 0 for an answer; 1 when the rule refuses whatever is chosen; 2 when the question cannot be asked.`

func newCompare(s *settings) *cobra.Command {
	q := &oddsQuestion{question: question{s: s}}
	var of []string
	c := &cobra.Command{
		Use:   "compare RULESET RULE...",
		Short: "Set rules, formulas or settings beside each other, and find those that are never best",
		Long:  compareHelp,
		Example: "  rules compare tempestas test --character ada.json --set name=navigation --of offenciancy" +
			" --vary difficulty=standard,moderate,hard\n" +
			"  rules compare tempestas test --character ada.json --set name=navigation --of offenciancy" +
			" --vary 'difficulty=*' --vary complications=0..40 -o difficulties.svg\n" +
			"  rules compare haze resist_poison resist_disease --character warrior.json --set strength=2" +
			" --set infectiousness=3 --of resisted",
		Args: usage.ArgCount(0, usage.Many),
	}
	q.askForOdds(c, func(args []string) error { return q.compare(args, of) })
	c.Flags().StringArrayVar(&of, "of", nil, "what is compared: a `FORMULA` over the outputs, RULE: FORMULA of one "+
		"rule, or FORMULA with NAME=VALUE,...; may be repeated")
	must.Succeed(c.MarkFlagRequired("of"))
	q.addFormFlags(c)
	return c
}

// refuseDice returns an error where dice are to be compared, and nil elsewhere.
func refuseDice(args []string) error {
	for i, text := range args {
		if _, err := dice.ParseNotation(text); err != nil || !strings.Contains(text, "d") {
			return nil
		}
		if strings.ContainsAny(text, " *<>|&") {
			args = slices.Clone(args)
			args[i] = "'" + text + "'"
		}
	}
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("compare takes a ruleset and its rules: dice alone stand beside each other in rules odds %s",
		strings.Join(args, " "))
}

// compare asks for the number with each option, and prints how these compare.
func (q *oddsQuestion) compare(args, of []string) error {
	if err := q.checkForm(); err != nil {
		return err
	}
	if err := refuseDice(args); err != nil {
		return err
	}
	p, ids, err := q.findCompared(args)
	if err != nil {
		return err
	}
	if err := refuseWords(p, ids); err != nil {
		return err
	}
	contenders, err := tuning.ParseContenders(ids, of)
	if err != nil {
		return fmt.Errorf("--of: %w", err)
	}
	for _, id := range ids {
		q.compared = append(q.compared, describe.InputOf(p, id))
		q.sharesPolicy = q.sharesPolicy || p.Procedure(id) != nil
	}
	counter, decide := q.newSettingCounter(), q.Decide
	for i := range contenders {
		x := &contenders[i]
		q.Formulas, q.Decide = x.Texts(), tuning.OwnDecisions(p, x.ID, ids, decide)
		o, err := q.open(p, x.ID, "--of")
		if err != nil && len(contenders) > 1 {
			err = fmt.Errorf("%s: %w", x.ID, err)
			if _, wrong := compiler.Formula(p, x.ID, of[0], "--of"); wrong != nil && len(of) == 1 && len(ids) > 1 {
				err = fmt.Errorf("%w\n    each rule may have a formula of its own: --of '%s: ...' --of '%s: ...'", err,
					ids[0], ids[1])
			}
		}
		if err != nil {
			return err
		}
		x.Of = counter.count(o)
	}
	contest, err := tuning.NewContest(q.c.Context(), contenders, q.Vary)
	counter.clear()
	if none, is := errors.AsType[*oddsquery.NoValueError](err); is {
		return &exit.Denial{Why: "the formula has no value whatever is chosen: " + none.Why}
	}
	if err != nil {
		return q.pathError(err)
	}
	return q.writeAnswer(oddspage.NewContest(p, contenders, contest))
}

// refuseWords returns the error of words behind a rule that are no rules, and values of a field of its input.
func refuseWords(p *plan.Plan, ids []string) error {
	isRule := func(id string) bool { return slices.Contains(describe.EvaluableNames(p), id) }
	if len(ids) < 2 || !isRule(ids[0]) || slices.ContainsFunc(ids[1:], isRule) {
		return nil
	}
	for _, m := range describe.InputOf(p, ids[0]).Fields {
		if !slices.ContainsFunc(ids[1:], func(word string) bool { return !slices.Contains(m.Shape.Enum, word) }) {
			return fmt.Errorf("%q is no rule, and a value of the input: write --vary %s=%s", ids[1], m.Name,
				strings.Join(ids[1:], ","))
		}
	}
	return nil
}

// findCompared returns the plan that is used, whole, and the names of the rules and procedures.
func (q *oddsQuestion) findCompared(args []string) (*plan.Plan, []string, error) {
	if q.plan == "" {
		first := min(len(args), 2)
		p, id, err := q.findSubject(args[:first])
		return p, append([]string{id}, args[first:]...), err
	}
	var ruleset []string
	if workspace.HoldsReleases(q.plan) {
		ruleset = args[:min(len(args), 1)]
	}
	p, err := q.readPlan(ruleset)
	if err != nil {
		return nil, nil, err
	}
	if len(args) > 0 && args[0] == p.Ruleset && (len(args) > 1 || !slices.Contains(describe.EvaluableNames(p), args[0])) {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil, nil, nameSubject(p)
	}
	return p, args, nil
}
