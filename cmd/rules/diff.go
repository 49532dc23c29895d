package main

// diff, breaking, pin, serve and release ask one question of two states of a ruleset, and this file
// has what they share:
//
//	state A ─┐
//	         ├─ per ruleset: definitions (compare) ─ answers and cases (revisions) ─ party
//	state B ─┘
//
// A state is a release file, a directory or a git revision; package release makes a plan with its
// cases of each. Comparing goes from cheap to dear and stops early: equal semantic digests end it
// before any case is read. What is printed is made from revisions.Comparison alone, so that the
// text, the Markdown of a pull request and the JSON cannot tell different stories.

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
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
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const diffHelp = `Diff compares two states of rulesets and prints the definitions that are added, removed or changed,
tables cell by cell; the rules whose answers change, and the golden cases that answer otherwise;
with --characters, whose numbers change, from what to what, with the edit that did it.

` + release.SideHelp + `

Every change has a class. SHAPE is what may be asked and what is answered: inputs and outputs.
NUMBERS is answers. ODDS is what dice are declared to be, where the same faces answer the same. TEXT
is what people read. Formulas are compared as graphs in a normal form: other names, blanks and
places are TEXT, and so are 1 * n for n and !(n < 8) for n >= 8. A formula that is written in yet
another way but always gives the same may count as NUMBERS.

--characters DIR has characters, ada.json, and what they are asked: ada_test.json is Ada's input for
the rule test, ada_task_events.json her events of the procedure task. Where dice fall they are drawn
from the seeds 0 to 19. A character is asked what the golden cases ask of the rules for which it has
no input. The odds of a procedure are those by the same events, which happen again and again: always
the first that is offered. Where several rulesets are compared, a character counts for those that it
fits.

Exit status: 0 when the states were compared; 1 when a file of theirs has other instructions than its
rules, which "rules verify --deep" says of one file; 2 when they cannot be read.`

func newDiff(s *settings) *cobra.Command {
	var f usage.Format
	var characters string
	var states comparedStates
	c := &cobra.Command{
		Use:   "diff A B [RULESET ...]",
		Short: "Say what differs between two revisions, and for whom",
		Long:  diffHelp,
		Example: `  rules diff git:HEAD . tempestas --characters party
  rules diff tempestas-0.2.0.rules tempestas-0.3.0.rules
  rules diff --against git:HEAD
  rules diff git:v1.0 git:v1.1 --format markdown`,
		RunE: func(c *cobra.Command, args []string) error {
			earlier, later, only := states.of(args)
			// A git revision is looked up in the repository of --dir, so the flag means something
			// there and only there.
			if states.against == "" && !strings.HasPrefix(earlier, "git:") && !strings.HasPrefix(later, "git:") {
				if err := usage.RefuseGiven(c, "A and B say what is compared", "dir"); err != nil {
					return err
				}
			}
			if err := s.CheckDir(); err != nil {
				return err
			}
			list, isForeign, err := compareStates(s, c, earlier, later, only, characters)
			if err != nil {
				return err
			}
			if err := printComparisons(s, c.OutOrStdout(), f, list); err != nil {
				return err
			}
			if isForeign { // then "nothing changes" is said of the rules alone
				return exit.ErrNo
			}
			return nil
		},
	}
	states.addTo(c)
	c.Flags().StringVar(&characters, "characters", "", "say whose numbers change among the characters in `DIR`")
	f.AddTo(c, usage.AsMarkdown)
	usage.RefuseFlags(c, "A and B say what is compared", "with")
	return c
}

// compareStates compares the named rulesets, or all, in two states. It reports whether either state is a file whose
// instructions belong to other rules: package runtime would execute these, while the comparison is of the rules.
//
// Reading a state may compile a git revision, so the line on the terminal appears before. It is cleared before warnings
// are printed, which would be glued to it.
func compareStates(s *settings, c *cobra.Command, a, b string, only []string, characters string) (
	list []*revisions.Comparison, isForeign bool, err error) {
	line := layout.NewLiveLine(c.ErrOrStderr())
	defer line.Clear()
	line.Show("rules: reading both states")
	old, new, err := release.ReadStates(&s.Workspace, a, b, only)
	if err != nil {
		return nil, false, err
	}
	line.Clear()
	list, err = compareSides(c, line, old, new, only, characters)
	return list, len(old.Warnings)+len(new.Warnings) > 0, err
}

// compareSides compares two states, and shows on a line how far it has come.
func compareSides(c *cobra.Command, line *layout.LiveLine, old, new *release.State, only []string, characters string) (
	[]*revisions.Comparison, error) {
	for _, warning := range slices.Concat(old.Warnings, new.Warnings) {
		fmt.Fprintf(c.ErrOrStderr(), "rules: %s\n", warning)
	}
	if len(only) == 0 {
		// Rulesets that are named are compared in the order in which they are named, others in that
		// of the newer state.
		only = commonRulesets(old, new)
	}
	var out []*revisions.Comparison
	for i, ruleset := range only {
		x, err := compareRulesets(old, new, ruleset, characters, func(what string) {
			line.Show("rules: comparing %s, %d of %d rulesets: %s", ruleset, i+1, len(only), what)
		})
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, strangerError(out)
}

// strangerError is the error of a character that fits none of the rulesets. A party may have characters of several.
//
// It is an error only when no ruleset knows the character: a mistake in the file would otherwise
// look as if nothing changed for it.
func strangerError(list []*revisions.Comparison) error {
	if len(list) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(list[0].Strangers)) {
		if slices.ContainsFunc(list, func(c *revisions.Comparison) bool { return c.Strangers[name] == nil }) {
			continue
		}
		if len(list) == 1 {
			return fmt.Errorf("%s fits neither revision: %w", name, list[0].Strangers[name])
		}
		return fmt.Errorf("%s fits none of the rulesets that are compared: name its own to be told why", name)
	}
	return nil
}

// commonRulesets returns the ids of the rulesets to compare. If a state is a file, these are the rulesets of the file;
// else those of either state.
//
// A release file holds one ruleset and a directory several. Compared with a file, every other ruleset of the module
// would count as added.
func commonRulesets(old, new *release.State) []string {
	var out []string
	for _, x := range []*release.State{new, old} {
		for _, r := range x.Releases {
			id := r.Plan.Ruleset
			missing := old.File && old.Of(id) == nil || new.File && new.Of(id) == nil
			if !missing && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	if out == nil { // two files, of two rulesets
		return []string{new.Releases[0].Plan.Ruleset}
	}
	return out
}

// compareRulesets compares one ruleset of two states. A ruleset that only one of them has counts as added or removed,
// unless a state is a file: a file holds one ruleset and says nothing about others.
//
// Cases are read only when the plans differ. Reading and parsing hundreds of them takes longer than comparing two equal
// digests, and after an edit of one ruleset the other four are equal.
func compareRulesets(old, new *release.State, ruleset, characters string, tell func(what string)) (
	*revisions.Comparison, error) {
	a, b := old.Of(ruleset), new.Of(ruleset)
	switch {
	case a == nil && b == nil:
		return nil, errors.New(old.Called + " and " + new.Called + " have no ruleset " + ruleset)
	case (a == nil || b == nil) && (old.File || new.File):
		return nil, errors.New(old.Called + " and " + new.Called + " have no ruleset in common")
	case a == nil:
		return loneRuleset("added", b.Plan), nil
	case b == nil:
		return loneRuleset("removed", a.Plan), nil
	}
	var cases []*golden.Case
	if !revisions.AreSame(a.Plan, b.Plan) { // else nobody asks them
		err := errors.Join(old.LoadCases(a), new.LoadCases(b))
		if err != nil {
			return nil, err
		}
		// The cases of the newer state come first: where both have a case of one name, it is the
		// newer text that is played on both plans.
		if cases, err = release.ParseCases(b, a); err != nil {
			return nil, err
		}
	}
	// The party is read even when the plans are the same, so that a mistake in its files is told at
	// every run and not only on the day on which something changes.
	party, err := loadParty(characters, b.Plan)
	if err != nil {
		return nil, err
	}
	return revisions.CompareTelling(tell, a.Plan, b.Plan, cases, party), nil
}

// loneRuleset is the comparison of a ruleset that only one state has.
//
// A ruleset that is new has an empty history: it is one change of shape. One that is gone breaks
// everybody who asked it.
func loneRuleset(verb string, p *plan.Plan) *revisions.Comparison {
	name := compare.NameOf(p)
	change := compare.Change{Class: compare.ShapeClass, Breaking: verb == "removed", Part: p.Title}
	return &revisions.Comparison{
		Diff: &compare.Diff{Old: name, New: name, Definitions: []compare.Changed{
			{Kind: "ruleset", ID: p.Ruleset, Verb: verb, Changes: []compare.Change{change}},
		}},
		Cases: []revisions.Shift{}, Party: []revisions.Shift{}, Odds: []revisions.Chance{},
	}
}

// loadParty reads the characters of --characters; no directory is no party.
//
// The look by os.Stat is for the message alone: a directory that is missing would read as an empty
// one.
func loadParty(dir string, p *plan.Plan) ([]revisions.Member, error) {
	if dir == "" {
		return nil, nil
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	return revisions.LoadParty(workspace.OpenDir(dir), ".", filepath.ToSlash(dir), describe.EvaluableNames(p))
}

// printComparisons prints one comparison after the other. JSON is a list even of one, so that a
// script need not tell the two apart.
func printComparisons(s *settings, w io.Writer, as usage.Format, list []*revisions.Comparison) error {
	if as == usage.AsJSON {
		return jsontext.PrintJSON(w, present.ComparisonsJSON(list))
	}
	page := s.newPage(w)
	for _, c := range list {
		if as == usage.AsMarkdown {
			present.PrintMarkdown(page, c)
		} else {
			present.PrintComparison(page, c)
		}
	}
	return page.Flush(w)
}
