package main

import (
	"errors"
	"fmt"
	"maps"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/artifact"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
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

Of a release file, or the directory of a homebrew, verify checks the signatures in FILE.sig, which
"rules sign" and "rules release --sign" write. One signature by a key that you trust is enough: see
"rules trust". What was altered, and what nobody you trust has signed, is refused. A receipt need not
be signed; when it is, its signatures are checked before it is replayed.

Of the log of a table ("rules serve --session"), or a transcript of it, verify checks that no line was
changed, that everybody had the right to what they did, and that dice which nobody could choose come
from what all have committed to; then it replays every roll that can be seen.

A release file holds the rules, and instructions that were made of them, by which programs start
sooner. --deep makes the instructions again and refuses a file that has others, signed or not. This
program answers by the rules alone; whoever loads a file into a program of his own compares its digest
with the published one, or verifies it so.

Exit status: 0 when everything matches; 1 when something does not; 2 when the file cannot be read.`

func newVerify(s *settings) *cobra.Command {
	var file string
	var deep bool
	c := &cobra.Command{
		Use:   "verify FILE|DIR",
		Short: "Replay a receipt, or check the signatures of a release or a homebrew",
		Long:  verifyHelp,
		Example: "  rules eval tempestas test --character ada.json --set name=navigation --seed 7 --receipt roll.json\n" +
			"  rules verify roll.json",
		Args: usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
				if deep {
					return errors.New("--deep is of a release file or a plan file")
				}
				return verifyHomebrew(c, args[0])
			}
			files := &argdata.Files{In: c.InOrStdin()}
			text, err := files.Read("receipt", args[0])
			if err != nil {
				return err
			}
			if deep {
				return verifyInstructions(c, args[0], text)
			}
			var signed []byte
			if args[0] != argdata.Stdin {
				if signed, err = artifact.ReadSignature(args[0]); err != nil {
					return err
				}
			}
			// What a file is follows from its contents and from its signature file, not from its
			// name.
			if planfile.IsRelease(text) || signature.KindOf(signed) == signature.Release {
				return verifyRelease(c, args[0], text, signed)
			}
			if err := verifyReceiptSignatures(c, args[0], text, signed); err != nil {
				return err
			}
			if session.IsLog(text) {
				return verifySession(c, s, args[0], text, file, files)
			}
			return verifyAll(c, s, args[0], receipt.SplitLog(text), file, files, signed != nil)
		},
	}
	c.Flags().StringVar(&file, "plan", "",
		"use the plan in `FILE`, as build or release writes it, or the releases of a directory or a lock file")
	c.Flags().BoolVar(&deep, "deep", false, "make the instructions of a release or plan file again, and compare them")
	return c
}

// verifySession checks the log of a table, or a transcript of it, and replays its rolls.
func verifySession(c *cobra.Command, s *settings, name string, text []byte, file string, files *argdata.Files) error {
	h, err := session.Read(text)
	if err != nil {
		return &exit.Denial{Why: fmt.Sprintf("%s: %v", argdata.FileName(name), err)}
	}
	fmt.Fprintln(c.OutOrStdout(), h.Summary())
	plans := &replayPlans{s: s, file: file, files: files}
	var no error
	for _, roll := range h.Receipts() {
		r, err := receipt.ReadReceipt(receipt.SplitLog(roll.Receipt)[0])
		if err != nil {
			return err
		}
		p, err := plans.find(r)
		if err != nil {
			return err
		}
		limits := r.Limits(false)
		if roll.IsFair {
			limits = []string{"whether all who took part, and the server, have conspired"}
		}
		wrong := append(r.FindMismatches(p), findOtherRulings(r, p.Plan(), roll.Rulings)...)
		for i, fell := range roll.Fell {
			throw, err := dice.ParseThrow(fell.Throw)
			if err != nil {
				return err
			}
			if i == 0 && throw.Seed != nil && !roll.IsFair { // the receipt has what fell first as given
				limits = []string{fmt.Sprintf("faces before the decision were drawn from the seed %d: whether other seeds "+
					"were tried first, the log cannot tell", *throw.Seed)}
			}
			wrong = append(wrong, r.FindOtherFaces(p, throw, fell.Faces)...)
		}
		if err := reportReceipt(c, r, wrong, limits); err != nil {
			no = err
		}
	}
	return no
}

// findOtherRulings returns the rulings of a table by which a roll of it was not played. A receipt has those that differ
// from the rules' own, so that one without them is held to the rules' own too.
func findOtherRulings(r *receipt.Receipt, p *plan.Plan, rulings map[string]string) []string {
	want, is := changedRulings(p, rulings), changedRulings(p, r.Options)
	if maps.Equal(want, is) {
		return nil
	}
	subject := "rule " + r.Rule
	if r.Procedure != "" {
		subject = "procedure " + r.Procedure
	}
	return []string{fmt.Sprintf("%s was played by the rulings %v, and the table plays by %v", subject, is, want)}
}

// changedRulings returns the options that are not played as a plan plays them by default.
func changedRulings(p *plan.Plan, options map[string]string) map[string]string {
	out := maps.Clone(options)
	for _, o := range p.Options {
		if out[o.ID] == o.Values[o.Default] {
			delete(out, o.ID)
		}
	}
	return out
}

// verifyInstructions refuses a release or plan file whose stored instructions are not those of its rules.
func verifyInstructions(c *cobra.Command, name string, data []byte) error {
	err := usage.RefuseGiven(c, "instructions are made of the rules in the file", "dir", "with", "plan")
	if err != nil {
		return err
	}
	foreign, err := release.ForeignInstructions(data)
	if err != nil {
		return fmt.Errorf("%s: %w", argdata.FileName(name), err)
	}
	if len(foreign) > 0 {
		return &exit.Denial{Why: fmt.Sprintf("%s: %s", argdata.FileName(name), release.ForeignText(foreign))}
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: the instructions are those of the rules\n", argdata.FileName(name))
	return nil
}

// verifyAll replays the receipts of a log one after the other, or a single one.
//
// A log is judged receipt by receipt, and all that does not match is told, not only the first:
// whoever reads a log wants to know which rolls stand.
func verifyAll(c *cobra.Command, s *settings, name string, texts [][]byte, file string, files *argdata.Files,
	signed bool) error {
	plans := &replayPlans{s: s, file: file, files: files}
	var no error
	for i, text := range texts {
		r, err := receipt.ReadReceipt(text)
		if err != nil && len(texts) > 1 {
			return fmt.Errorf("%s:%d: %w", argdata.FileName(name), i+1, err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", argdata.FileName(name), err)
		}
		p, err := plans.find(r)
		if err != nil {
			return err
		}
		if err := reportReceipt(c, r, r.FindMismatches(p), r.Limits(signed)); err != nil {
			no = err
		}
	}
	return no
}

// verifyRelease checks a release by its signature file. A signature file says that there is a release even when its first
// bytes were altered.
//
// A damaged file is the answer no, and not a question that could not be asked: whoever verifies
// wants to know just that.
func verifyRelease(c *cobra.Command, name string, data, signed []byte) error {
	if name == argdata.Stdin {
		return errors.New("name the release file: its signatures stand beside it")
	}
	a, err := artifact.Parse(signature.Release, "", data)
	if err != nil {
		return &exit.Denial{Why: fmt.Sprintf("%s: %v", name, err)}
	}
	a.Signature = signed
	return verifyArtifact(c, name, a)
}

// verifyHomebrew checks a directory by the signature file beside it. The files are packed as they are now and compared
// with the signed contents.
func verifyHomebrew(c *cobra.Command, dir string) error {
	a, err := artifact.Read(dir)
	if err != nil {
		return err
	}
	return verifyArtifact(c, dir, a)
}

// verifyArtifact checks signatures. Flags that choose rules are refused: nothing is evaluated here.
func verifyArtifact(c *cobra.Command, name string, a *artifact.Artifact) error {
	err := usage.RefuseGiven(c, "releases and homebrews are checked by their signatures alone", "dir", "with", "plan")
	if err != nil {
		return err
	}
	check, err := a.Check(name)
	if err != nil {
		return err
	}
	subject := check.Name
	if check.Place != "" {
		subject += ", published as " + check.Place
	}
	printSigners(c, subject, check)
	return nil
}

// verifyReceiptSignatures checks the signature file of a file of receipts, which need not have one.
// A signature proves who stands by a receipt; that the roll is right only replaying proves.
func verifyReceiptSignatures(c *cobra.Command, name string, text, signed []byte) error {
	if signed == nil {
		return nil
	}
	trusted, err := signature.TrustedKeys()
	if err != nil {
		return err
	}
	check, err := signature.CheckFile(name, signature.Subject{Kind: signature.Receipt}, text, signed, trusted)
	if err != nil {
		return err
	}
	printSigners(c, name, check)
	return nil
}

// printSigners prints trusted signers and then others, who are told apart in words.
func printSigners(c *cobra.Command, subject string, check *signature.Check) {
	for _, signer := range check.Trusted {
		fmt.Fprintf(c.OutOrStdout(), "%s: signed by %s\n", subject, signer)
	}
	for _, signer := range check.Unknown {
		fmt.Fprintf(c.OutOrStdout(), "%s: signed by %s too, whose key is not trusted\n", subject, signer)
	}
}

// replayPlans finds the programs of receipts. Each receipt of a log may be of another revision, and most are of the same one,
// which is compiled once.
type replayPlans struct {
	s     *settings
	file  string // of --plan
	files *argdata.Files
	found map[string]*runtime.Program
}

// find returns the program that a receipt is replayed by.
//
// Without --plan it is the ruleset of now. When its rules have changed since, the digest in the
// receipt does not match, and the message names both: that is an answer, and no error.
func (x *replayPlans) find(r *receipt.Receipt) (*runtime.Program, error) {
	pin := workspace.Pin{Revision: r.Ruleset + " " + r.Revision, Homebrews: workspace.PinOf(r.Character).Homebrews}
	key := pin.Revision
	if pin.Homebrews != nil {
		key += fmt.Sprintf(" %q", *pin.Homebrews)
	}
	if p := x.found[key]; p != nil {
		return p, nil
	}
	p, err := x.load(r.Ruleset, pin)
	if err != nil {
		return nil, err
	}
	if x.found == nil {
		x.found = map[string]*runtime.Program{}
	}
	x.found[key] = runtime.New(p)
	return x.found[key], nil
}

func (x *replayPlans) load(ruleset string, pin workspace.Pin) (*plan.Plan, error) {
	if workspace.HoldsReleases(x.file) {
		releases, err := x.s.ReadReleases(x.file)
		if err != nil {
			return nil, err
		}
		return releases.Choose("", pin)
	}
	if x.file != "" {
		return x.s.PlanFile(x.file, x.files)
	}
	return x.s.CompileRuleset(ruleset)
}

// reportReceipt prints all differences of a receipt, and not only the first. Which of them differ, the rules, the faces
// or the receipt's own digest, hints at the cause.
func reportReceipt(c *cobra.Command, r *receipt.Receipt, wrong, limits []string) error {
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
	// A receipt that matches proves less than people think: that the rules give this answer for
	// these faces, not that they fell. The limits say so each time.
	for _, limit := range limits {
		fmt.Fprintf(c.OutOrStdout(), "not proved: %s\n", limit)
	}
	return nil
}
