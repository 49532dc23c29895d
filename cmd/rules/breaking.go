package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime/compare"
)

const breakingHelp = `Breaking is a gate: it compares the rulesets with an earlier state, prints what breaks and ends with
status 1 when something does, and with status 0 otherwise.

A change breaks when what was asked before cannot be asked any more, or what was answered is not: a
rule, an input's value or an output is gone, an input is newly required or its bounds are narrower,
a type is another one. More rules, inputs that may be left out, wider bounds and more outputs do not
break. With --class the gate shuts for every change of a class and above too: --class numbers lets
only ODDS and TEXT pass.

` + release.SideHelp

func newBreaking(s *settings) *cobra.Command {
	var class string
	var states comparedStates
	var f usage.Format
	c := &cobra.Command{
		Use:   "breaking A B [RULESET ...]",
		Short: "End with status 1 when a change breaks what was asked or answered before",
		Long:  breakingHelp,
		Example: `  rules breaking --against git:origin/main
  rules breaking git:v1.0 git:v1.1
  rules breaking --dir . --against releases tempestas --class numbers`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.CheckDir(); err != nil {
				return err
			}
			g, err := newGate(class)
			if err != nil {
				return err
			}
			// No party is read here: a gate runs in CI, where the characters of a table are not.
			// Only definitions and answers decide.
			earlier, later, only := states.of(args)
			list, _, err := compareStates(s, c, earlier, later, only, "")
			if err != nil {
				return err
			}
			// stopsComparison changes the comparisons in place, which is allowed because this list
			// belongs to nobody else; what is printed is what is left.
			shut := slices.DeleteFunc(list, func(x *revisions.Comparison) bool { return !g.stopsComparison(x) })
			if err := printComparisons(s, c.OutOrStdout(), f, shut); err != nil || len(shut) == 0 {
				return err
			}
			return exit.ErrNo
		},
		ValidArgsFunction: completion.CompleteRulesets(&s.Workspace),
	}
	states.addTo(c)
	c.Flags().StringVar(&class, "class", "", "stop changes of `CLASS` and above too: text, odds, numbers or shape")
	f.AddTo(c, usage.AsMarkdown)
	// Ending with status 1 and printing nothing else on standard error is what CI systems expect of
	// a gate: ErrNo has no text of its own.
	usage.RefuseFlags(c, "a homebrew has no revision of the ruleset", "with")
	must.Succeed(c.RegisterFlagCompletionFunc("class", usage.Among("text", "odds", "numbers", "shape")))
	return c
}

// A gate lets changes pass up to a class, unless they break.
//
// One past the highest class lets every class pass, so that without --class only what breaks stops.
type gate struct{ from compare.Class }

func newGate(class string) (gate, error) {
	if class == "" {
		return gate{compare.ShapeClass + 1}, nil
	}
	from, err := compare.ParseClass(class)
	if err != nil {
		return gate{}, errors.Join(errors.New("--class"), err)
	}
	return gate{from}, nil
}

// stopsComparison reports whether a comparison is stopped by the gate, and removes from it the changes that pass.
//
// So a build that fails prints its reasons and nothing else. Cases stay beside answers that stop it, because they show
// the meaning of the change.
func (g gate) stopsComparison(c *revisions.Comparison) bool {
	c.Definitions = g.stoppedChanges(c.Definitions)
	c.Answers = g.stoppedChanges(c.Answers)
	if len(c.Answers) == 0 {
		c.Cases = []revisions.Shift{}
	}
	return len(c.Definitions)+len(c.Answers) > 0
}

// stoppedChanges returns the definitions with the changes that stop them, and leaves out those with
// none. It filters the lists of changes in place.
func (g gate) stoppedChanges(list []compare.Changed) []compare.Changed {
	var out []compare.Changed
	for _, x := range list {
		x.Changes = slices.DeleteFunc(x.Changes, func(c compare.Change) bool { return !c.Breaking && c.Class < g.from })
		if len(x.Changes) > 0 {
			out = append(out, x)
		}
	}
	return out
}
