package main

// roll and odds take the same notation and read it by the same parser: what is rolled here is what
// odds counts. Faces come from --dice or a seed as in eval, so that a roll can be repeated and
// told.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
)

const rollHelp = `Roll rolls dice and computes with them, without any ruleset, in the notation in which rulesets write
their dice:

` + dice.Help + `
and in what else people type ("rules help dice" compares it with other programs):

` + dice.CommandHelp + `
Modifiers stand in any order. Where another program reads a text otherwise, a note says so. --dice
gives every face that fell, those that were rolled again among them, in their order; of a die whose
faces are named, the number of the face. Without --dice or --seed a seed is drawn and reported, so
that the roll can be repeated.`

func newRoll(s *settings) *cobra.Command {
	var given []string
	var seed uint64
	var format usage.Format
	c := &cobra.Command{
		Use:     "roll EXPR",
		Short:   "Roll dice",
		Long:    rollHelp,
		Example: "  rules roll 4d6kh3\n  rules roll '8d6>=6' --seed 7\n  rules roll '2d10r1 + 3' --dice 1,4,7",
		Args:    usage.ArgCount(1, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			// A shell splits "2d6 + 3" into words, which are one notation all the same.
			n, err := parseNotation(strings.Join(args, " "))
			if err != nil {
				return cmp.Or(refuseFiles(args), refuseRuleset(s, args), err)
			}
			printNotes(c.ErrOrStderr(), n)
			throw, err := chooseThrow(c, given, seed)
			if err != nil {
				return err
			}
			from, err := throw.NewSource(0, 0)
			if err != nil {
				return err
			}
			outcomes, err := n.Roll(from)
			if err != nil {
				return err
			}
			return printRoll(s, c, format, n, outcomes, throw.Seed)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringArrayVar(&given, "dice", nil, "the faces that fell: `43,7`; may be repeated")
	c.Flags().Uint64Var(&seed, "seed", 0, "draw the faces from the seed `N`")
	usage.AdviseInstead(c, "character", "dice need none: write the number that it has, or ask a rule, rules eval")
	c.MarkFlagsMutuallyExclusive("dice", "seed")
	format.AddTo(c)
	usage.RefuseFlags(c, "dice need no ruleset", "dir", "with")
	return c
}

// parseNotation returns the dice of a text. Its error shows the place of the mistake, with a caret under the column,
// which counts from 1.
func parseNotation(text string) (*dice.Notation, error) {
	n, err := dice.ParseNotation(text)
	if wrong, ok := errors.AsType[*dice.SyntaxError](err); ok {
		return nil, fmt.Errorf("column %d: %s\n  %s\n  %s^", wrong.Offset+1, wrong.Msg, text,
			strings.Repeat(" ", wrong.Offset))
	}
	return n, err
}

// refuseRuleset returns an error where a ruleset is named, and nil elsewhere.
func refuseRuleset(s *settings, args []string) error {
	if len(args) > 1 && slices.Contains(s.RulesetIDs(), args[0]) {
		return fmt.Errorf("%s is a ruleset, and roll takes dice alone: write rules eval %s",
			args[0], strings.Join(args, " "))
	}
	return nil
}

// refuseFiles returns an error where a shell has put the names of files for the * of a product, and nil elsewhere.
func refuseFiles(args []string) error {
	for _, word := range args {
		if _, err := os.Stat(word); err == nil && len(args) > 1 {
			return fmt.Errorf("%s is a file: the shell writes the names of files for *, so that dice with a * stand "+
				"in quotes, '3d6 * 2'", word)
		}
	}
	return nil
}

// printNotes tells where other programs read a notation otherwise.
//
// A notation that another program reads otherwise is still valid here; a note on standard error
// tells both spellings, and the answer on standard output stays clean.
func printNotes(w io.Writer, n *dice.Notation) {
	for _, note := range n.Notes {
		fmt.Fprintf(w, "rules: note: column %d: %s\n", note.Offset+1, note.Msg)
	}
}

// chooseThrow returns the faces that are given, or a seed that is given or drawn now.
func chooseThrow(c *cobra.Command, list []string, seed uint64) (t dice.Throw, err error) {
	if c.Flags().Changed("dice") {
		t.Dice, err = argdata.ParseGiven(list, &argdata.Files{In: c.InOrStdin()})
		return t, err
	}
	if !c.Flags().Changed("seed") {
		seed = argdata.DrawSeed()
	}
	return dice.DrawnFrom(seed), nil
}

// A rolledGroup is a group of dice as JSON. Faces are all that fell, those that were rolled again
// among them; Dice are the dice that came of them, and Kept says of each whether it counts.
type rolledGroup struct {
	Label string  `json:"label,omitempty"`
	Faces []int64 `json:"faces"`
	Dice  []int64 `json:"dice"`
	Kept  []bool  `json:"kept"`
	Value int64   `json:"value"`
}

// A rolledResult is one result as JSON; repeated notation has several.
type rolledResult struct {
	Groups []rolledGroup `json:"groups"`
	Total  runtime.Value `json:"total"`
}

// printRoll prints the results, and for repeated dice also the results from the highest down and their sum, as people
// write them down. JSON of a single roll is one object and not a list of one, since most rolls are single.
func printRoll(s *settings, c *cobra.Command, format usage.Format, n *dice.Notation, outcomes []dice.Outcome,
	drawn *uint64) error {
	page := s.newPage(c.OutOrStdout())
	var results []rolledResult
	sum := new(big.Rat)
	for _, o := range outcomes {
		results = append(results, resultOf(n, o))
		sum.Add(sum, o.Value)
		page.AddLine(0, "%s", page.Style(layout.Bold, results[len(results)-1].Total.String()))
		for _, f := range o.Falls {
			page.AddLine(2, "%s", shownDice(page, f))
		}
	}
	if n.Repeat > 1 && !n.IsTruth() {
		page.AddLine(0, "in order %s, in total %s", inOrder(outcomes), rollValue(sum, false))
	}
	if format == usage.AsJSON {
		if n.Repeat > 1 {
			return jsontext.PrintJSON(c.OutOrStdout(), struct {
				Seed    *uint64        `json:"seed,omitempty"`
				Results []rolledResult `json:"results"`
			}{drawn, results})
		}
		return jsontext.PrintJSON(c.OutOrStdout(), struct {
			Seed *uint64 `json:"seed,omitempty"`
			rolledResult
		}{drawn, results[0]})
	}
	if drawn != nil && !c.Flags().Changed("seed") {
		fmt.Fprintf(c.ErrOrStderr(), "rules: the dice fell by chance; --seed %d lets them fall so again\n", *drawn)
	}
	return page.Flush(c.OutOrStdout())
}

// inOrder lists the results, the highest first, as scores of a character are written down.
func inOrder(outcomes []dice.Outcome) string {
	values := make([]*big.Rat, len(outcomes))
	for i, o := range outcomes {
		values[i] = o.Value
	}
	slices.SortFunc(values, func(a, b *big.Rat) int { return b.Cmp(a) })
	var out []string
	for _, v := range values {
		out = append(out, rollValue(v, false).String())
	}
	return strings.Join(out, " ")
}

// resultOf returns a result for JSON.
func resultOf(n *dice.Notation, o dice.Outcome) rolledResult {
	out := rolledResult{Groups: []rolledGroup{}, Total: rollValue(o.Value, n.IsTruth())}
	for _, f := range o.Falls {
		out.Groups = append(out.Groups, rolledGroup{f.Pool.Label, f.Faces, f.Dice, f.Kept, f.Value})
	}
	return out
}

// rollValue returns a result as a value: a whole number, a fraction in decimals, or a truth. Results are exact until
// here; only the printed value is rounded.
func rollValue(v *big.Rat, truth bool) runtime.Value {
	switch {
	case truth:
		return jsonio.BoolValue(v.Sign() != 0)
	case v.IsInt() && v.Num().IsInt64():
		return jsonio.IntValue(v.Num().Int64())
	}
	f, _ := v.Float64()
	return jsonio.DoubleValue(f)
}

// shownDice lists the dice of a group, those that do not count in brackets.
func shownDice(p *layout.Page, f dice.Fall) string {
	var out []string
	for i, n := range f.Dice {
		if f.Kept[i] {
			out = append(out, fmt.Sprint(n))
		} else {
			out = append(out, p.Style(layout.Faint, fmt.Sprintf("(%d)", n)))
		}
	}
	name := f.Pool.Name()
	if f.Pool.Label != "" {
		name += " " + f.Pool.Label
	}
	return fmt.Sprintf("%s: %s = %d", name, strings.Join(out, " "), f.Value)
}
