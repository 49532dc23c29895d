package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

const verifyHelp = `Verify replays what a receipt of "rules eval --receipt" tells, and says what does not match, if
anything: the rules, the character or the input, the faces that the seed draws, the output, or the
receipt itself. A procedure is played again from where it began, event by event.

When everything matches, this is proved: these rules give this answer for this character, this input
and these faces. Not proved is what lies outside of the receipt, and verify says so: whether faces
that were given were rolled or chosen, how many seeds were tried until one pleased, whose character
it was, and who wrote the receipt.

Of a release file, verify checks the signatures in RELEASE.sig, which "rules release --sign" writes.
One signature by a key that you trust is enough: see "rules trust". A file that was altered, and one
that nobody you trust has signed, are refused.

Exit status: 0 when everything matches; 1 when something does not; 2 when the file cannot be read.`

func newVerify(s *settings) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "verify RECEIPT | verify RELEASE",
		Short: "Replay a receipt, or check the signatures of a release",
		Long:  verifyHelp,
		Example: "  rules eval tempestas test --character ada.json --set name=navigation --seed 7 --receipt roll.json\n" +
			"  rules verify roll.json",
		Args: usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			files := &argdata.Files{In: c.InOrStdin()}
			text, err := files.Read("receipt", args[0])
			if err != nil {
				return err
			}
			if planfile.IsRelease(text) || isSigned(args[0]) {
				return verifyRelease(c, args[0], text)
			}
			return verifyAll(c, s, args[0], receipt.SplitLog(text), file, files)
		},
	}
	c.Flags().StringVar(&file, "plan", "",
		"use the plan in `FILE`, as build or release writes it, or the releases in a directory")
	return c
}

// verifyAll replays the receipts of a log one after the other, or a single one.
func verifyAll(c *cobra.Command, s *settings, name string, texts [][]byte, file string, files *argdata.Files) error {
	var no error
	for i, text := range texts {
		r, err := receipt.ReadReceipt(text)
		if err != nil && len(texts) > 1 {
			return fmt.Errorf("%s:%d: %w", argdata.FileName(name), i+1, err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", argdata.FileName(name), err)
		}
		p, err := planFor(s, r, file, files)
		if err != nil {
			return err
		}
		if err := reportReceipt(c, r, r.FindMismatches(p)); err != nil {
			no = err
		}
	}
	return no
}

// isSigned reports whether a signature file stands beside a file, so that this is a release even when its first bytes
// were altered.
func isSigned(name string) bool {
	_, err := os.Stat(name + signature.Suffix)
	return name != argdata.Stdin && err == nil
}

// verifyRelease checks a release by its signature file.
func verifyRelease(c *cobra.Command, name string, data []byte) error {
	if err := usage.RefuseGiven(c, "a release is checked by its signatures alone", "dir", "with", "plan"); err != nil {
		return err
	}
	if name == argdata.Stdin {
		return errors.New("name the release file: its signatures stand beside it")
	}
	signed, err := safefile.Read(name + signature.Suffix)
	if errors.Is(err, fs.ErrNotExist) {
		return &exit.Denial{Why: fmt.Sprintf("%s is not signed: there is no %s%s", name, name, signature.Suffix)}
	}
	if err != nil {
		return err
	}
	r, err := planfile.ReadRelease(data)
	if err != nil {
		return &exit.Denial{Why: fmt.Sprintf("%s: %v", name, err)}
	}
	trusted, err := signature.TrustedKeys()
	if err != nil {
		return err
	}
	subject := r.Plan.Ruleset + " " + r.Plan.Revision
	check, err := signature.CheckFile(name, subject, data, signed, trusted)
	if err != nil {
		return err
	}
	for _, signer := range check.Trusted {
		fmt.Fprintf(c.OutOrStdout(), "%s: signed by %s\n", subject, signer)
	}
	for _, signer := range check.Unknown {
		fmt.Fprintf(c.OutOrStdout(), "%s: signed by %s too, whose key is not trusted\n", subject, signer)
	}
	return nil
}

func planFor(s *settings, r *receipt.Receipt, file string, files *argdata.Files) (*plan.Plan, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		releases, err := s.ReadReleases(file)
		if err != nil {
			return nil, err
		}
		return releases.Choose("", r.Ruleset+" "+r.Revision)
	}
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
	for _, limit := range r.Limits() {
		fmt.Fprintf(c.OutOrStdout(), "not proved: %s\n", limit)
	}
	return nil
}
