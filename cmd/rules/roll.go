package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/runtime/dice"
)

const rollHelp = `Roll rolls a sum of dice and constants, without any ruleset, in the notation in which rulesets write their dice.

` + dice.Help + `
The modifiers of a group stand in this order: again, explode, keep, count. --dice gives every face that fell, those that
were rolled again among them, in their order. Without --dice or --seed a seed is drawn and reported, so that the roll can
be repeated.`

func newRoll(s *settings) *cobra.Command {
	var given []string
	var seed uint64
	var format usage.Format
	c := &cobra.Command{
		Use:     "roll EXPR",
		Short:   "Roll dice",
		Long:    rollHelp,
		Example: "  rules roll 4d6kh3\n  rules roll 8d6>=6 --seed 7\n  rules roll '2d10r1 + 3' --dice 1,4,7",
		Args:    usage.ArgCount(1, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := parseDice(strings.Join(args, " "))
			if err != nil {
				return err
			}
			from, drawn, err := rollFrom(c, given, seed)
			if err != nil {
				return err
			}
			total, results, err := e.Roll(from)
			if err != nil {
				return err
			}
			return printRoll(s, c, format, total, results, drawn)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringArrayVar(&given, "dice", nil, "the faces that fell: `43,7`; may be repeated")
	c.Flags().Uint64Var(&seed, "seed", 0, "draw the faces from the seed `N`")
	c.MarkFlagsMutuallyExclusive("dice", "seed")
	format.AddTo(c)
	usage.RefuseFlags(c, "dice need no ruleset", "dir", "with")
	return c
}

// parseDice reads an expression; its error shows where it is wrong.
func parseDice(text string) (*dice.Expression, error) {
	e, err := dice.ParseExpression(text)
	if wrong, ok := errors.AsType[*dice.SyntaxError](err); ok {
		return nil, fmt.Errorf("column %d: %s\n  %s\n  %s^", wrong.Offset+1, wrong.Msg, text, strings.Repeat(" ", wrong.Offset))
	}
	return e, err
}

// rollFrom is where faces come from; drawn is the seed, unless they are given.
func rollFrom(c *cobra.Command, list []string, seed uint64) (from dice.Source, drawn *uint64, err error) {
	if c.Flags().Changed("dice") {
		g, err := argdata.ParseGiven(list, &argdata.Files{In: c.InOrStdin()})
		if err != nil {
			return nil, nil, err
		}
		return g.Source(), nil, nil
	}
	if !c.Flags().Changed("seed") {
		seed = argdata.DrawSeed()
	}
	return dice.FromSeed(seed, 0, 0), &seed, nil
}

func printRoll(s *settings, c *cobra.Command, format usage.Format, total int64, results []dice.Result,
	drawn *uint64) error {
	type group struct {
		Faces []int64 `json:"faces"`
		Dice  []int64 `json:"dice"`
		Kept  []bool  `json:"kept"`
		Value int64   `json:"value"`
	}
	answer := struct {
		Seed   *uint64 `json:"seed,omitempty"`
		Groups []group `json:"groups"`
		Total  int64   `json:"total"`
	}{Seed: drawn, Groups: []group{}, Total: total}
	page := s.newPage(c.OutOrStdout())
	page.AddLine(0, "%s", page.Style(layout.Bold, fmt.Sprint(total)))
	for _, r := range results {
		if r.Term.Count == 0 {
			continue
		}
		answer.Groups = append(answer.Groups, group{r.Faces, r.Dice, r.Kept, r.Value})
		page.AddLine(2, "%s", shownDice(page, r))
	}
	if format == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), answer)
	}
	if drawn != nil && !c.Flags().Changed("seed") {
		fmt.Fprintf(c.ErrOrStderr(), "rules: the dice fell by chance; --seed %d lets them fall so again\n", *drawn)
	}
	return page.Flush(c.OutOrStdout())
}

// shownDice lists the dice of a group, those that do not count in brackets.
func shownDice(p *layout.Page, r dice.Result) string {
	var out []string
	for i, n := range r.Dice {
		if r.Kept[i] {
			out = append(out, fmt.Sprint(n))
		} else {
			out = append(out, p.Style(layout.Faint, fmt.Sprintf("(%d)", n)))
		}
	}
	return fmt.Sprintf("%dd%d: %s = %d", r.Term.Count, r.Term.Faces, strings.Join(out, " "), r.Value)
}
