package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
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
		Args:    usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			files := &argdata.Files{In: c.InOrStdin()}
			text, err := files.Read("receipt", args[0])
			if err != nil {
				return err
			}
			r, err := receipt.ReadReceipt(text)
			if err != nil {
				return fmt.Errorf("%s: %w", argdata.FileName(args[0]), err)
			}
			p, err := planFor(s, r, file, files)
			if err != nil {
				return err
			}
			return reportReceipt(c, r, r.FindMismatches(p))
		},
	}
	c.Flags().StringVar(&file, "plan", "", "use the plan in `FILE`, as build writes it")
	return c
}

func planFor(s *settings, r *receipt.Receipt, file string, files *argdata.Files) (*plan.Plan, error) {
	if file != "" {
		return s.PlanFile(file, files)
	}
	return s.CompileRuleset(r.Ruleset)
}

// reportReceipt prints what does not match.
func reportReceipt(c *cobra.Command, r *receipt.Receipt, wrong []string) error {
	for _, w := range wrong {
		fmt.Fprintln(c.OutOrStdout(), w)
	}
	if len(wrong) > 0 {
		return exit.ErrNo
	}
	subject := "rule " + r.Rule
	if r.Procedure != "" {
		subject = "procedure " + r.Procedure
	}
	fmt.Fprintf(c.OutOrStdout(), "everything matches: %s\n", present.SubjectTitle(subject, r.Ruleset, r.Revision))
	return nil
}
