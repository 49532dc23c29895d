package main

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

// comparedStates are the two states that diff and breaking compare, in either spelling: A B, or --against A where the later
// state is the module that is worked on.
type comparedStates struct{ against string }

func (x *comparedStates) addTo(c *cobra.Command) {
	c.Flags().StringVar(&x.against, "against", "",
		"the earlier state `A`: a release file, a directory or git:REV; the later one is the module of --dir")
	c.Args = func(c *cobra.Command, args []string) error {
		if x.against != "" {
			return nil
		}
		return usage.ArgCount(2, usage.Many)(c, args)
	}
}

// of returns both states, and the rulesets that the arguments name.
func (x *comparedStates) of(args []string) (earlier, later string, only []string) {
	if x.against != "" {
		return x.against, release.Worked, args
	}
	return args[0], args[1], args[2:]
}
