package main

import (
	"bufio"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

const pinHelp = `Pin moves characters to another revision knowingly. It says whose numbers and odds change, from
what to what and by which edit, asks, and then writes the revision into the files, each whole or not at all; nothing else
in them changes.

The revisions are the releases in the directory of --plan, or of its lock file. REVISION is a number, or a ruleset and a
number: "tempestas 0.3.0". What a character is asked stands in files beside it, as for "rules diff --characters"; without
any it is asked what the cases of the releases ask. A character without a revision is compared with the newest.

With --with the characters are pinned to homebrews too: to those directories as they are now, by their digests. DIR may be
the name that the lock file of --plan has for a homebrew. Without --with a character keeps the homebrews that it names.

Exit status: 0 when the files are written, or name the revision already; 1 when the answer was not yes or a character does
not fit the revision, and then nothing is written; 2 when the question cannot be asked.`

// A pinning is one call of pin: its flags, and the releases among which revisions are looked up.
type pinning struct {
	s        *settings
	c        *cobra.Command
	releases *workspace.Releases
	format   usage.Format
	to       string
	yes      bool
}

// A pinned is a character that moves from one revision to another.
//
// The new text is made before anything is shown, because making it may fail, and a question must
// not be asked whose answer cannot be carried out.
type pinned struct {
	file     string
	text     []byte // with the new revision
	from, to *plan.Plan
	member   *revisions.Member
}

func newPin(s *settings) *cobra.Command {
	q := &pinning{s: s}
	var dir string
	c := &cobra.Command{
		Use:   "pin FILE ... --to REVISION --plan DIR",
		Short: "Move characters to another revision, and say what changes for them",
		Long:  pinHelp,
		Example: "  rules pin ada.json --to 0.2.0 --plan releases\n" +
			"  rules pin ada.json party/ada.json --to 'tempestas 0.2.0' --plan releases --yes\n" +
			"  rules pin party/bran.json --to 0.2.0 --with myhomebrew --plan releases --yes",
		Args: usage.ArgCount(1, usage.Many),
		RunE: func(c *cobra.Command, args []string) (err error) {
			q.c = c
			if q.releases, err = s.ReadReleases(dir); err != nil {
				return err
			}
			return q.pinFiles(args)
		},
	}
	c.Flags().StringVar(&dir, "plan", "", "the revisions are the releases in `DIR`, or of a lock file")
	c.Flags().StringVar(&q.to, "to", "", "move the characters to `REVISION`")
	c.Flags().BoolVar(&q.yes, "yes", false, "write the files without asking")
	q.format.AddTo(c)
	must.Succeed(c.MarkFlagRequired("plan"))
	must.Succeed(c.MarkFlagRequired("to"))
	usage.RefuseFlags(c, "the revisions are the releases of --plan", "dir")
	return c
}

// pinFiles shows the changes for the characters in files, asks for confirmation, and writes the files.
//
// All characters are read and judged before anything is shown, everything is shown before the question, and files are
// written after the one answer: a party moves together or not at all, as far as files can.
func (q *pinning) pinFiles(files []string) error {
	var list []pinned
	for _, file := range files {
		p, err := q.readPinned(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if p != nil {
			list = append(list, *p)
		}
	}
	comparisons, err := q.compare(list)
	if err != nil {
		return err
	}
	if err := q.show(comparisons); err != nil {
		return err
	}
	if len(list) == 0 {
		return nil
	}
	if !q.yes && !q.isAgreed(len(list)) {
		// A no is an answer, so the status is 1: a script can tell it from a file that could not be
		// read.
		return &exit.Denial{Why: "nothing is written"}
	}
	for _, p := range list {
		if err := atomicfile.TheDisk().WriteWhole(p.file, p.text); err != nil {
			return err
		}
	}
	return nil
}

// readPinned returns a character with the revisions between which it moves, or nil when these are the same.
//
// The homebrews of a pin have three forms with different meanings: absent, an empty list, and a list. For the rules
// that the character comes from, absent means none, because those of --with are new to it. In the new pin absent stays
// absent, unless there are homebrews.
func (q *pinning) readPinned(file string) (*pinned, error) {
	text, err := safefile.Read(file)
	if err != nil {
		return nil, err
	}
	pin := workspace.PinOf(text)
	ruleset, _, full := strings.Cut(q.to, " ")
	if !full || strings.Contains(pin.Revision, " ") {
		ruleset = "" // the character says which it is of
	}
	p := &pinned{file: file}
	from := pin
	if from.Homebrews == nil { // those of --with are new to it
		from.Homebrews = &[]workspace.PinnedHomebrew{}
	}
	if p.from, err = q.releases.Choose(ruleset, from); err != nil {
		return nil, err
	}
	goal := workspace.Pin{Revision: q.to, Homebrews: pin.Homebrews}
	if len(q.s.With) > 0 {
		goal.Homebrews = nil
	}
	if p.to, err = q.releases.Find(p.from.Ruleset, goal); err != nil {
		return nil, err
	}
	// A pin is worth something only while what it names can be recognised. A homebrew without a
	// digest could be changed under the character, unseen.
	if i := slices.Index(p.to.OverlayDigests, ""); i >= 0 {
		return nil, fmt.Errorf("the homebrew %s cannot be pinned: its directory has what cannot be published, "+
			"so it has no digest", p.to.Overlays[i])
	}
	goal = workspace.PinBy(p.to)
	if len(p.to.Overlays) == 0 {
		goal.Homebrews = pin.Homebrews
	}
	if pin.IsSame(goal) || p.from == p.to && pin.Revision == p.to.Revision {
		return nil, nil
	}
	if p.text, err = goal.AddTo(text); err != nil {
		return nil, err
	}
	// Judged with the new pin in it: a ruleset whose characters are closed must accept that field
	// too.
	if err := runtime.New(p.to).Fits(p.text); err != nil {
		return nil, &exit.Denial{Why: fmt.Sprintf("the character does not fit %s: %v", goal.Revision, err)}
	}
	dir := filepath.Dir(file)
	// What this character is asked stands beside its file, not in the releases.
	p.member, err = revisions.LoadMember(workspace.OpenDir(dir), filepath.Base(file), filepath.ToSlash(dir),
		describe.EvaluableNames(p.to))
	return p, err
}

// compare compares the revisions for the characters, each pair of revisions once: comparing is
// dear, and the characters of a party usually move together.
func (q *pinning) compare(list []pinned) ([]*revisions.Comparison, error) {
	type pair struct{ from, to *plan.Plan }
	parties := map[pair][]revisions.Member{}
	var pairs []pair
	for _, p := range list {
		move := pair{p.from, p.to}
		if !slices.Contains(pairs, move) {
			pairs = append(pairs, move)
		}
		parties[move] = append(parties[move], *p.member)
	}
	var out []*revisions.Comparison
	line := layout.NewLiveLine(q.c.ErrOrStderr())
	defer line.Clear()
	for _, move := range pairs {
		// A character that has no input of its own is asked what the cases ask; the newer release's
		// cases are preferred.
		cases, err := release.ParseCases(q.releases.ReleaseOf(move.to), q.releases.ReleaseOf(move.from))
		if err != nil {
			return nil, err
		}
		tell := func(what string) {
			line.Show("rules: comparing %s with %s: %s", workspace.RevisionName(move.from), move.to.Revision, what)
		}
		out = append(out, revisions.CompareTelling(tell, move.from, move.to, cases, parties[move]))
	}
	return out, nil
}

// show prints the changes for the characters.
func (q *pinning) show(list []*revisions.Comparison) error {
	if q.format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), present.ComparisonsJSON(list))
	}
	page := q.s.newPage(q.c.OutOrStdout())
	for _, c := range list {
		present.PrintParty(page, c)
	}
	return page.Flush(q.c.OutOrStdout())
}

// isAgreed asks whether so many files are written. No answer is no, so that a script without --yes writes nothing.
func (q *pinning) isAgreed(files int) bool {
	fmt.Fprintf(q.c.ErrOrStderr(), "rules: write %s? yes or no: ", plural.Of(files, "file"))
	answer := bufio.NewScanner(q.c.InOrStdin())
	answer.Scan()
	fmt.Fprintln(q.c.ErrOrStderr())
	return slices.Contains([]string{"yes", "y"}, strings.ToLower(strings.TrimSpace(answer.Text())))
}
