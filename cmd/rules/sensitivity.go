package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

const sensitivityHelp = `Sensitivity tells on which values a chance or a mean depends, the strongest first. It changes one value after the
other by one step and asks for the exact odds each time: whole numbers and numbers are one more and one less, a word is its
neighbour in the author's order, a truth is the other one, an option is played in every other way; dice of a table are one
more or less, of the next size, or with a number added that is one more or less. Values are those of the
input, of the character, of the options, and all cells of the tables that the rule reads; --only names some of these.

--of is what is measured: P(FORMULA), the probability that a formula over the outputs holds, or E(FORMULA), the mean of a
number. Of a procedure the formula is read where it ends, or after --after events, and --policy or --best say how it is
played, as for odds.

What a schema or a requirement refuses is counted and not shown, as is what changes nothing. -o draws a tornado plot: for
each value a bar to either side of the measure as things are, the longest first.

Exit status: 0 for an answer; 1 when the rule refuses or the formula has no value as things are.`

// A sensitivityQuestion is what sensitivity is asked.
type sensitivityQuestion struct {
	oddsQuestion
	of   string
	only []string
	top  int
}

func newSensitivity(s *settings) *cobra.Command {
	q := &sensitivityQuestion{oddsQuestion: oddsQuestion{question: question{s: s}}}
	c := &cobra.Command{
		Use:   "sensitivity RULESET RULE",
		Short: "Tell on which values a chance or a mean depends most",
		Long:  sensitivityHelp,
		Example: "  rules sensitivity tempestas test --character ada.json --set name=navigation --of 'P(success)'\n" +
			"  rules sensitivity haze effect --character warrior.json --set dice=8 --of 'E(total)' --only tables\n" +
			"  rules sensitivity haze effect --character warrior.json --set dice=8 --of 'E(total)' -o tornado.svg",
		Args: usage.ArgCount(0, 2),
	}
	q.askForOdds(c, q.rank)
	must.Succeed(c.Flags().MarkHidden("vary"))
	f := c.Flags()
	f.StringVar(&q.of, "of", "", "what is measured: `P(FORMULA)` or E(FORMULA)")
	f.StringSliceVar(&q.only, "only", nil, "change these only: `KIND,...` of input, character, option, tables")
	f.IntVar(&q.top, "top", 20, "show the strongest `N`, 0 for all")
	must.Succeed(c.MarkFlagRequired("of"))
	must.Succeed(c.RegisterFlagCompletionFunc("only", usage.Among(kindNames()...)))
	q.addFormFlags(c)
	return c
}

// kindNames returns the kinds of levers as --only names them.
func kindNames() []string {
	var out []string
	for _, k := range tuning.Kinds() {
		out = append(out, string(k))
	}
	return out
}

// kinds returns the kinds of --only, all when there is none.
func (q *sensitivityQuestion) kinds() ([]tuning.Kind, error) {
	if len(q.only) == 0 {
		return tuning.Kinds(), nil
	}
	var out []tuning.Kind
	for _, name := range q.only {
		if !slices.Contains(kindNames(), name) {
			return nil, fmt.Errorf("--only %s: it is one of %s", name, strings.Join(kindNames(), ", "))
		}
		out = append(out, tuning.Kind(name))
	}
	return out, nil
}

// rank asks for the measure with each step of each value.
func (q *sensitivityQuestion) rank(args []string) error {
	if err := q.checkForm(); err != nil {
		return err
	}
	if q.top < 0 {
		return fmt.Errorf("--top %d: it is 0 for all, or more", q.top)
	}
	if len(q.Vary) > 0 {
		return fmt.Errorf("--vary: every value is varied, and --only says of which kinds")
	}
	m, err := oddsquery.ParseMeasure(q.of)
	if err != nil {
		return fmt.Errorf("--of %w", err)
	}
	kinds, err := q.kinds()
	if err != nil {
		return err
	}
	p, id, err := q.findSubject(args)
	if err == nil && q.plan == "" {
		// A step of dice may be to some that stand in no table: the ruleset is compiled once more with these.
		if q.openColumns = tuning.NearDice(p, id); len(q.openColumns) > 0 {
			p, id, err = q.findSubject(args)
		}
	}
	if err != nil {
		return err
	}
	q.Formulas = oddsquery.Formulas([]oddsquery.Measure{m})
	o, err := q.open(p, id, "--of")
	if err != nil {
		return err
	}
	counter := q.newSettingCounter()
	r, err := tuning.Rank(q.c.Context(), counter.count(o), m, tuning.NewSubject(p, o.Asked()).Steps(kinds))
	counter.clear()
	if none, is := errors.AsType[*oddsquery.NoValueError](err); is {
		return &exit.Denial{Why: "as things are, the formula of --of has no value: " + none.Why}
	}
	if err != nil {
		return q.pathError(err)
	}
	return q.writeAnswer(&oddspage.Ranking{Measure: m.String(), Of: r, Top: q.top})
}
