package main

// build is for whoever embeds the runtime in a program of their own: a plan file needs no compiler,
// no CUE and no network to be loaded. What is handed on between tables of players is a release file
// instead (release.go), which holds a plan, the cases and a changelog, and whose number is judged.

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

const buildHelp = `Build compiles a ruleset and writes its plan to a file, which "rules eval --plan" and the Go package
runtime load without CUE and CEL. The same ruleset gives the same bytes. The file appears whole or
not at all: it is written under another name and renamed.`

func newBuild(s *settings) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "build RULESET -o FILE",
		Short: "Compile a ruleset to a plan file",
		Long:  buildHelp,
		Example: `  rules build tempestas -o tempestas.plan
  rules build tempestas --dir . -o - | sha256sum`,
		Args:              usage.ArgCount(1, 1),
		RunE:              func(c *cobra.Command, args []string) error { return buildPlanFile(s, c, args[0], file) },
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
	}
	c.Flags().StringVarP(&file, "out", "o", "", "write the plan to `FILE`, - for standard output")
	must.Succeed(c.MarkFlagRequired("out"))
	return c
}

// buildPlanFile compiles a ruleset and writes its plan with stored instructions.
//
// Instructions for the default options are stored with the graphs: whoever embeds the runtime
// starts without scheduling anything. The commands of this program schedule for themselves and
// execute none that a file holds, because instructions of a stranger are not checked against their
// graph.
func buildPlanFile(s *settings, c *cobra.Command, ruleset, file string) error {
	p, err := s.CompileRuleset(ruleset)
	if err != nil {
		return err
	}
	data := planfile.Write(p, schedule.Stored(p))
	if file == argdata.Stdin {
		_, err = c.OutOrStdout().Write(data)
		return err
	}
	return atomicfile.TheDisk().WriteWhole(file, data)
}
