package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const diffHelp = `Diff compares two states of rulesets and prints the definitions that are added, removed or changed, tables cell by cell;
the rules whose answers change, and the golden cases that answer otherwise; with --characters, whose numbers change, from
what to what, with the edit that did it.

` + sideHelp + `

Every change has a class. SHAPE is what may be asked and what is answered: inputs and outputs. NUMBERS is answers. ODDS is
what dice are declared to be, where the same faces answer the same. TEXT is what people read. Formulas are compared as
graphs in a normal form: other names, blanks and places are TEXT, and so are 1 * n for n and !(n < 8) for n >= 8. A formula
that is written in yet another way but always gives the same may count as NUMBERS.

--characters DIR has characters, ada.json, and what they are asked: ada_test.json is Ada's input for the rule test,
ada_task_events.json her events of the procedure task. Where dice fall they are drawn from the seeds 0 to 19. A character is
asked what the golden cases ask of the rules for which it has no input. The odds of a procedure are those by the same
events, which happen again and again: always the first that is offered. Where several rulesets are compared, a character
counts for those that it fits.`

func newDiff(s *settings) *cobra.Command {
	var f format
	var characters string
	c := &cobra.Command{
		Use:   "diff A B [RULESET ...]",
		Short: "Say what differs between two revisions, and for whom",
		Long:  diffHelp,
		Example: `  rules diff tempestas-0.1.0.rules tempestas-0.2.0.rules
  rules diff git:HEAD . tempestas --characters party
  rules diff git:v1.0 git:v1.1 --format markdown`,
		Args: between(2, many),
		RunE: func(c *cobra.Command, args []string) error {
			list, err := s.compare(args[0], args[1], args[2:], characters)
			if err != nil {
				return err
			}
			return s.printComparisons(c.OutOrStdout(), f, list)
		},
	}
	c.Flags().StringVar(&characters, "characters", "", "say whose numbers change among the characters in `DIR`")
	f.addTo(c, asMarkdown)
	return c
}

// compare compares the rulesets that are named, or all, in two states.
func (s *settings) compare(a, b string, only []string, characters string) ([]*golden.Comparison, error) {
	old, err := s.side(a, only)
	if err != nil {
		return nil, err
	}
	new, err := s.side(b, only)
	if err != nil {
		return nil, err
	}
	return compareSides(old, new, only, characters)
}

// compareWorking compares what is worked on with an earlier state.
func (s *settings) compareWorking(against string, only []string) ([]*golden.Comparison, error) {
	old, err := s.side(against, only)
	if err != nil {
		return nil, err
	}
	new, err := moduleSide(s.files(), filepath.ToSlash(s.module()), only)
	if err != nil {
		return nil, err
	}
	return compareSides(old, new, only, "")
}

func compareSides(old, new *side, only []string, characters string) ([]*golden.Comparison, error) {
	if len(only) == 0 {
		only = both(old, new)
	}
	var out []*golden.Comparison
	for _, ruleset := range only {
		c, err := compareRulesets(old, new, ruleset, characters)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, strangers(out)
}

// strangers is the error of a character that fits none of the rulesets. A party may have characters of several.
func strangers(list []*golden.Comparison) error {
	if len(list) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(list[0].Strangers)) {
		if slices.ContainsFunc(list, func(c *golden.Comparison) bool { return c.Strangers[name] == nil }) {
			continue
		}
		if len(list) == 1 {
			return fmt.Errorf("%s fits neither revision: %w", name, list[0].Strangers[name])
		}
		return fmt.Errorf("%s fits none of the rulesets that are compared: name its own to be told why", name)
	}
	return nil
}

// both are the rulesets of two states: of one file, those that it holds; else those of either.
func both(old, new *side) []string {
	var out []string
	for _, x := range []*side{new, old} {
		for _, r := range x.releases {
			id := r.Plan.Ruleset
			missing := old.file && old.of(id) == nil || new.file && new.of(id) == nil
			if !missing && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	if out == nil { // two files, of two rulesets
		return []string{new.releases[0].Plan.Ruleset}
	}
	return out
}

func compareRulesets(old, new *side, ruleset, characters string) (*golden.Comparison, error) {
	a, b := old.of(ruleset), new.of(ruleset)
	switch {
	case a == nil && b == nil:
		return nil, errors.New(old.called + " and " + new.called + " have no ruleset " + ruleset)
	case (a == nil || b == nil) && (old.file || new.file):
		return nil, errors.New(old.called + " and " + new.called + " have no ruleset in common")
	case a == nil:
		return loneRuleset("added", b.Plan), nil
	case b == nil:
		return loneRuleset("removed", a.Plan), nil
	}
	cases, err := parsed(b, a)
	if err != nil {
		return nil, err
	}
	party, err := loadParty(characters, b.Plan)
	if err != nil {
		return nil, err
	}
	return golden.Compare(a.Plan, b.Plan, cases, party), nil
}

// loneRuleset is the comparison of a ruleset that only one state has.
func loneRuleset(verb string, p *plan.Plan) *golden.Comparison {
	name := compare.Name{Ruleset: p.Ruleset, Revision: p.Revision}
	change := compare.Change{Class: compare.ShapeClass, Breaking: verb == "removed", Part: p.Title}
	return &golden.Comparison{
		Diff: &compare.Diff{Old: name, New: name, Definitions: []compare.Changed{
			{Kind: "ruleset", ID: p.Ruleset, Verb: verb, Changes: []compare.Change{change}},
		}},
		Cases: []golden.Shift{}, Party: []golden.Shift{}, Odds: []golden.Chance{},
	}
}

func loadParty(dir string, p *plan.Plan) ([]golden.Member, error) {
	if dir == "" {
		return nil, nil
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	return golden.LoadParty(within(dir), ".", filepath.ToSlash(dir), evaluable(p))
}

func (s *settings) printComparisons(w io.Writer, as format, list []*golden.Comparison) error {
	if as == asJSON {
		return printJSON(w, comparisonsJSON(list))
	}
	page := s.page(w)
	for _, c := range list {
		if as == asMarkdown {
			page.markdown(c)
		} else {
			page.comparison(c)
		}
	}
	return page.flush(w)
}
