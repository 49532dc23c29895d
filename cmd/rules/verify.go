package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const verifyHelp = `Verify replays what a receipt of "rules eval --receipt" tells, and says what does not match, if anything: the rules, the
character or the input, the faces that the seed draws, the output, or the receipt itself. A procedure is played again from
where it began, event by event.

Exit status: 0 when everything matches; 1 when something does not; 2 when the receipt cannot be read.`

func newVerify(s *settings) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:     "verify RECEIPT",
		Short:   "Replay a receipt and say what does not match",
		Long:    verifyHelp,
		Example: "  rules eval tempestas test --character ada.json --set name=navigation --seed 7 --receipt roll.json\n  rules verify roll.json",
		Args:    between(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			files := &files{in: c.InOrStdin()}
			text, err := files.read("receipt", args[0])
			if err != nil {
				return err
			}
			r, err := readReceipt(text)
			if err != nil {
				return fmt.Errorf("%s: %w", called(args[0]), err)
			}
			p, err := s.planFor(r, file, files)
			if err != nil {
				return err
			}
			return reportReceipt(c, r, r.mismatches(p))
		},
	}
	c.Flags().StringVar(&file, "plan", "", "use the plan in `FILE`, as build writes it")
	return c
}

func (s *settings) planFor(r *receipt, file string, files *files) (*plan.Plan, error) {
	if file != "" {
		return s.planFile(file, files)
	}
	return s.ruleset(r.Ruleset)
}

// reportReceipt prints what does not match.
func reportReceipt(c *cobra.Command, r *receipt, wrong []string) error {
	for _, w := range wrong {
		fmt.Fprintln(c.OutOrStdout(), w)
	}
	if len(wrong) > 0 {
		return errNo
	}
	subject := "rule " + r.Rule
	if r.Procedure != "" {
		subject = "procedure " + r.Procedure
	}
	fmt.Fprintf(c.OutOrStdout(), "everything matches: %s\n", title(subject, r.Ruleset, r.Revision))
	return nil
}

// mismatches replays the receipt.
func (r *receipt) mismatches(p *plan.Plan) (out []string) {
	wrong := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	wrong(r.Digest != r.sum(), "the receipt was altered: its digest does not match")
	wrong(!bytes.Equal(r.text, r.printed()), "the receipt was altered: it is not written as receipts are")
	wrong(r.CharacterDigest != digestOf(r.Character), "the character is another one than its digest says")
	wrong(r.InputDigest != digestOf(r.Input), "the input is another one than its digest says")
	wrong(r.Ruleset != p.Ruleset, "the ruleset is %s, not %s", p.Ruleset, r.Ruleset)
	wrong(r.Revision != p.Revision, "the revision is %s, not %s", p.Revision, r.Revision)
	wrong(r.Plan != planDigest(p), "the rules of %s %s here are not those of the receipt: their digest is %s", p.Ruleset, p.Revision, planDigest(p))
	program := runtime.New(p)
	if r.Procedure != "" {
		return append(out, r.replay(program)...)
	}
	rule, err := program.Rule(r.Rule, runtime.Choice{Options: r.Options, Outputs: r.Outputs})
	if err != nil {
		return append(out, err.Error())
	}
	out = append(out, r.replayed(rule, dice.ByID(r.Dice), "the faces")...)
	if r.Seed != nil {
		out = append(out, r.replayed(rule, dice.FromSeed(*r.Seed, 0, 0), "the seed")...)
	}
	return out
}

// replayed says what comes of the rule otherwise than the receipt tells, with faces from somewhere.
func (r *receipt) replayed(rule *runtime.Rule, from dice.Source, by string) (out []string) {
	sheet, err := rule.Eval(runtime.Request{Character: r.Character, Input: r.Input, Dice: from})
	if err != nil {
		return []string{fmt.Sprintf("played again with %s: %v", by, told(err))}
	}
	for _, d := range sheet.Dice {
		if !slices.Equal(d.Faces, r.Dice[d.ID]) {
			out = append(out, fmt.Sprintf("%s gives %s=%s, the receipt says %s", by, d.ID, facesText(d.Faces), facesText(r.Dice[d.ID])))
		}
	}
	if output := sheet.Output.AppendJSON(nil); !bytes.Equal(output, r.Output) {
		out = append(out, fmt.Sprintf("played again with %s, the output is %s, not %s", by, output, r.Output))
	}
	return out
}

func facesText(faces []int64) string {
	text, err := json.Marshal(faces)
	must(err)
	return string(text)
}
