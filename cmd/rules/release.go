package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/plural"
)

const releaseHelp = `Release compiles rulesets, plays every golden case, compares with what was released before, and
writes for each a file <ruleset>-<revision>.rules, in this directory or that of -o: the plan with
its tables, options, citations and errata, a changelog, the cases, the sources of the ruleset, and a
digest of every part. "rules eval --plan" takes it, and "rules diff"; "--plan FILE --with DIR" lays a
homebrew over it. The same sources make the same bytes on every machine.

--against names what was released before. The change has a class, as "rules diff" says. What breaks
asks for the next major number, or while that is 0 for the next minor one; other changes of SHAPE,
NUMBERS and ODDS for the next minor one; TEXT for the next patch. A revision whose number is too
small is refused, and the right one proposed. Nothing is written unless all is right.

The digest under a file's name covers all of it, also the instructions that programs which embed the
rules execute; "rules release --read" prints it again, and the digest of what the rules say, which
receipts and "rules version" name. "rules" itself executes no instructions of a file.

A file appears whole or not at all, and a revision that is there is never overwritten by another.

--sign writes a signature beside each file, FILE.sig, by a private key that "rules key new" made.
When another signer releases the same sources into the same directory, the signature is added.
"rules verify FILE" checks them.

` + release.SideHelp

// newRelease makes the command release.
//
// All releases of one command are judged before the first is written. Each file then appears whole, but not all of them
// at once: the files left by a failure in between are sound, and the command can be repeated.
func newRelease(s *settings) *cobra.Command {
	var f usage.Format
	var against, out, read string
	var keys []string
	c := &cobra.Command{
		Use:   "release [RULESET ...] [--against A]",
		Short: "Judge a revision's number and write its release file",
		Long:  releaseHelp,
		Example: `  rules release tempestas --against tempestas-0.2.0.rules
  rules release --dir . --against git:v1.0 -o releases
  rules release --read tempestas-0.3.0.rules`,
		RunE: func(c *cobra.Command, only []string) error {
			if read != "" {
				if err := usage.RefuseGiven(c, "FILE is what is read", "dir"); err != nil {
					return err
				}
				return printReleaseFile(s, c, f, read)
			}
			if err := s.CheckDir(); err != nil {
				return err
			}
			if i := slices.IndexFunc(only, isRevision); i >= 0 {
				return fmt.Errorf("%q is no ruleset: the number of a revision stands in rules.cue, and is that of "+
					"the release", only[i])
			}
			// Keys are read first: judging takes seconds, and a missing key should not be found
			// after it.
			signers, err := readSigners(c, "sign", keys)
			if err != nil {
				return err
			}
			// Cases that fail are gathered on a page of standard error: standard output has
			// releases, and there are none then.
			failures := s.newPage(c.ErrOrStderr())
			made, err := release.MakeReleases(&s.Workspace, against, only,
				func(r *golden.Result) { present.PrintCaseResult(failures, r) })
			if err != nil {
				return errors.Join(failures.Flush(c.ErrOrStderr()), err)
			}
			for i := range made {
				made[i].File = filepath.Join(out, made[i].Name())
				if err := atomicfile.TheDisk().Publish(made[i].File, made[i].Data); err != nil {
					return err
				}
				subject := signature.Subject{Kind: signature.Release, Name: made[i].Ruleset + " " + made[i].Revision}
				if err := writeSignatures(made[i].File, subject, made[i].Data, signers); err != nil {
					return err
				}
			}
			return printReleases(s, c, f, made)
		},
		ValidArgsFunction: completion.CompleteRulesets(&s.Workspace),
	}
	c.Flags().StringVar(&against, "against", "", "compare with `A`: a release file, a directory or git:REV")
	c.Flags().StringVarP(&out, "out", "o", ".", "write the files to `DIR`")
	c.Flags().StringVar(&read, "read", "", "write nothing: print the parts and the changelog of the release in `FILE`")
	c.Flags().StringArrayVar(&keys, "sign", nil, "sign the files with the private key in `FILE`; may be repeated")
	c.MarkFlagsMutuallyExclusive("read", "out")
	c.MarkFlagsMutuallyExclusive("read", "sign")
	c.MarkFlagsMutuallyExclusive("read", "against")
	f.AddTo(c)
	usage.RefuseFlags(c, "a release is of a ruleset as its module has it; \"rules build\" builds a plan with a homebrew",
		"with")
	return c
}

// isRevision reports whether a word is the number of a revision.
func isRevision(word string) bool {
	return strings.ContainsRune(word, '.') && strings.Trim(strings.TrimPrefix(word, "v"), "0123456789.") == ""
}

// printReleases prints the written releases. JSON is a list even when there are none.
func printReleases(s *settings, c *cobra.Command, f usage.Format, list []release.Made) error {
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), append([]release.Made{}, list...))
	}
	page := s.newPage(c.OutOrStdout())
	for i := range list {
		printMadeRelease(page, &list[i])
	}
	return page.Flush(c.OutOrStdout())
}

// printMadeRelease prints a release for a reviewer: the release that it follows, the class of the change, and the
// digest to compare with another machine's.
func printMadeRelease(p *layout.Page, m *release.Made) {
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, m.File))
	cases := plural.Of(m.Cases, "case passes", "cases pass")
	if m.Follows == "" {
		p.AddLine(2, "the first release; %s", cases)
	} else {
		p.AddLine(2, "follows %s; the change is %s; %s", m.Follows, m.ClassText(), cases)
	}
	p.AddLine(2, "%s", m.Digest)
	printParts(p, m.Parts)
}

func printParts(p *layout.Page, list []release.PartJSON) {
	var rows [][]string
	for _, x := range list {
		rows = append(rows, []string{x.Name, fmt.Sprint(x.Size), x.Digest})
	}
	p.AddRows(2, rows, layout.Column{}, layout.Column{Right: true}, layout.Column{Style: layout.Faint})
}

// A released is what a release file says of itself.
//
// Two digests are told because they answer two questions: "is this the same file", which embedding
// programs execute, and "are these the same rules", which receipts name.
type released struct {
	Ruleset  string             `json:"ruleset"`
	Revision string             `json:"revision"`
	Digest   string             `json:"digest"`                         // of the file, with its instructions
	Rules    string             `json:"rules"`                          // of what the plan says, as receipts name it
	Foreign  []string           `json:"foreign_instructions,omitempty"` // titles of graphs
	Parts    []release.PartJSON `json:"parts"`
	Log      string             `json:"changelog"`
}

// readReleased returns the description of a release file.
func readReleased(data []byte) (*released, error) {
	r, err := planfile.ReadRelease(data)
	if err != nil {
		return nil, err
	}
	a, err := planfile.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	// Instructions in a file that do not follow from its graphs were not made by this compiler.
	// Commands schedule for themselves; a program that embeds the runtime would execute them.
	foreign, err := release.ForeignInstructions(data)
	return &released{
		Ruleset: r.Plan.Ruleset, Revision: r.Plan.Revision, Digest: release.DigestText(a.Digest()),
		Rules: release.DigestText(planfile.Digest(r.Plan)), Foreign: foreign, Parts: release.PartsJSON(a), Log: r.Changelog,
	}, err
}

// printReleaseFile prints the description of a release file.
func printReleaseFile(s *settings, c *cobra.Command, f usage.Format, name string) error {
	data, err := (&argdata.Files{In: c.InOrStdin()}).Read("read", name)
	if err != nil {
		return err
	}
	x, err := readReleased(data)
	if err != nil {
		return fmt.Errorf("%s: %w", argdata.FileName(name), err)
	}
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), x)
	}
	page := s.newPage(c.OutOrStdout())
	page.AddLine(0, "%s", page.Style(layout.Bold, x.Ruleset+" "+x.Revision))
	page.AddRows(2, [][]string{{"file", x.Digest}, {"rules", x.Rules}})
	if len(x.Foreign) > 0 {
		page.AddText(2, layout.Red, release.ForeignText(x.Foreign))
	}
	printParts(page, x.Parts)
	page.AddBlank()
	page.AddText(0, layout.Plain, strings.TrimSuffix(x.Log, "\n"))
	return page.Flush(c.OutOrStdout())
}
