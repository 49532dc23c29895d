package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/artifact"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/registry"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

const signHelp = `Sign writes a signature file beside each file: FILE.sig, or DIR.sig beside the directory of a homebrew.
It says what was signed and its digest, and is signed with the private keys of --key, which "rules
key new" makes. Signatures that are there already of the same contents stay, so that several people
can sign the same file.

A release file, a file of receipts and the directory of a homebrew can be signed. Of a directory all
files count but those whose names begin with a dot; a homebrew is called after its directory.

What is signed is its kind, its name, its digest and where it is published. The name of a release is its
ruleset and its revision. Without --for it may be published in every repository that ends in the name
of the ruleset or the homebrew; with --for games/tempestas in those that end so, and with
registry.example/games/tempestas in this one alone. A homebrew has no revision: --for
homebrews/myhomebrew:2 binds its tag.

"rules verify FILE" checks the signatures, and "rules publish" takes them along.`

// A signed is a signature file that was written.
type signed struct {
	File      string `json:"file"`
	Kind      string `json:"kind"`
	Signature string `json:"signature"` // the signature file
}

func newSign(s *settings) *cobra.Command {
	var keys []string
	var place string
	var format usage.Format
	c := &cobra.Command{
		Use:   "sign FILE|DIR ... --key KEY",
		Short: "Sign releases, homebrews and receipts",
		Long:  signHelp,
		Example: "  rules sign tempestas-0.2.0.rules --key harbor.key\n" +
			"  rules sign myhomebrew roll.json --key harbor.key",
		Args: usage.ArgCount(1, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			// All keys are read before the first file is signed, so that a misspelled one leaves
			// nothing half done.
			signers, err := readSigners(c, "key", keys)
			if err != nil {
				return err
			}
			if place != "" && len(args) > 1 {
				return errors.New("--for is the place of one thing: sign each by itself")
			}
			done := []signed{}
			for _, name := range args {
				subject, data, err := readSignable(s, name)
				if err != nil {
					return err
				}
				if subject.Place = place; place != "" {
					if err := checkPlace(subject); err != nil {
						return err
					}
				}
				if err := writeSignatures(name, subject, data, signers); err != nil {
					return err
				}
				done = append(done, signed{name, string(subject.Kind), artifact.SignatureFile(name)})
			}
			return printSigned(s, c, format, done)
		},
	}
	c.Flags().StringArrayVar(&keys, "key", nil, "sign with the private key in `FILE`; may be repeated")
	c.Flags().StringVar(&place, "for", "", "sign it for the repository `PLACE` alone, or for those that end so")
	must.Succeed(c.MarkFlagRequired("key"))
	format.AddTo(c)
	usage.RefuseFlags(c, "what is signed are files as they are", "dir", "with")
	return c
}

// checkPlace refuses a place that nothing could be pulled from.
func checkPlace(subject signature.Subject) error {
	ref, err := registry.ParseReference(subject.Place)
	if err != nil { // it may lack its host
		ref, err = registry.ParseReference("registry.example/" + subject.Place)
	}
	_, isLayout := ref.Layout()
	switch {
	case err != nil || isLayout || ref.Digest != "":
		return fmt.Errorf("--for %s: it is a repository, like registry.example/games/tempestas, or the end of one",
			subject.Place)
	case subject.Kind == signature.Receipt:
		return fmt.Errorf("--for %s: a receipt is not published", subject.Place)
	case subject.Kind == signature.Release && ref.Tag != "":
		return fmt.Errorf("--for %s: leave the tag out: the revision of a release is signed in any case", subject.Place)
	}
	return nil
}

// printSigned prints the names of the signature files, each with the file that it signs.
func printSigned(s *settings, c *cobra.Command, format usage.Format, done []signed) error {
	if format == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), done)
	}
	page := s.newPage(c.OutOrStdout())
	for _, x := range done {
		page.AddLine(0, "%s", page.Style(layout.Bold, x.Signature))
		page.AddLine(2, "signs the %s %s", x.Kind, x.File)
	}
	return page.Flush(c.OutOrStdout())
}

// readSignable returns the subject and the bytes to be signed. The file must be sound: a signature says that its signer
// stands by it.
//
// A release is parsed, and receipts are read, before they are signed. Signing bytes unseen would lend a name to a file
// that no command can use.
func readSignable(s *settings, name string) (signature.Subject, []byte, error) {
	if name == argdata.Stdin {
		return signature.Subject{}, nil, errors.New("name the file: its signatures are written beside it")
	}
	info, err := os.Stat(name)
	if err != nil {
		return signature.Subject{}, nil, err
	}
	if info.IsDir() {
		a, err := readHomebrew(s, name)
		if err != nil {
			return signature.Subject{}, nil, err
		}
		return signature.Subject{Kind: a.Kind, Name: a.Name}, a.Data, nil
	}
	text, err := safefile.Read(name)
	if err != nil {
		return signature.Subject{}, nil, err
	}
	if planfile.IsRelease(text) {
		a, err := artifact.Parse(signature.Release, "", text)
		if err != nil {
			return signature.Subject{}, nil, fmt.Errorf("%s: %w", name, err)
		}
		return a.Subject(), text, nil
	}
	var first *receipt.Receipt
	// A log of play has several receipts. They are signed as one file, and named after the first.
	for _, one := range receipt.SplitLog(text) {
		r, err := receipt.ReadReceipt(one)
		if err != nil {
			return signature.Subject{}, nil, fmt.Errorf("%s is no release, and no receipt: %w", name, err)
		}
		first = cmp.Or(first, r)
	}
	return signature.Subject{Kind: signature.Receipt, Name: first.Ruleset + " " + first.Revision}, text, nil
}

// readHomebrew reads the directory of a homebrew.
func readHomebrew(s *settings, dir string) (*artifact.Artifact, error) {
	if _, err := workspace.HomebrewModule(dir); err != nil {
		return nil, err
	}
	if !s.IsHomebrew(dir) {
		return nil, fmt.Errorf("%s is no homebrew: the package there does not say which ruleset it changes", dir)
	}
	return artifact.Read(dir)
}

// readSigners reads the private keys that a flag names. The flag is in the messages: sign calls it
// --key and release --sign.
func readSigners(c *cobra.Command, flag string, names []string) ([]*signature.Signer, error) {
	files := &argdata.Files{In: c.InOrStdin()}
	var out []*signature.Signer
	for _, name := range names {
		text, err := files.Read(flag, name)
		if err != nil {
			return nil, err
		}
		signer, err := signature.ParseSigner(string(text))
		if err != nil {
			return nil, fmt.Errorf("--%s %s: %w", flag, name, err)
		}
		out = append(out, signer)
	}
	return out, nil
}

// writeSignatures writes the signature file of a file or directory, with the signatures that it has already.
//
// Signatures of the same contents stay, and those of other contents go: they would only fail to
// verify.
func writeSignatures(name string, subject signature.Subject, data []byte, signers []*signature.Signer) error {
	if len(signers) == 0 {
		return nil
	}
	earlier, err := artifact.ReadSignature(name)
	if err != nil {
		return err
	}
	text, err := signature.SignFile(subject, data, earlier, signers)
	if err != nil {
		return err
	}
	return atomicfile.TheDisk().WriteWhole(artifact.SignatureFile(name), text)
}
