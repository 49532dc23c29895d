package main

import (
	"io/fs"
	"path"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/golden"
)

const showHelp = `Show prints the definitions of a ruleset as they stand in its book: what they compute and how,
tables row by row, where the book says it, and the rulings: options with their values, readings
(rulings without a switch) and errata (contradictions of the book). Chapters come in the order in
which the book has them.

With a name it prints the definition, the reading or the erratum of that name; a procedure with its
events, an event as "procedure.event".`

func newShow(s *settings) *cobra.Command {
	var f usage.Format
	c := &cobra.Command{
		Use:   "show RULESET [NAME]",
		Short: "Print the definitions of a ruleset for reading",
		Long:  showHelp,
		Example: `  rules show tempestas
  rules show tempestas test
  rules show tempestas heroic_band --format json`,
		Args:              usage.ArgCount(1, 2),
		RunE:              func(c *cobra.Command, args []string) error { return printShow(s, c, f, args) },
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.ShownNames),
	}
	f.AddTo(c)
	return c
}

func printShow(s *settings, c *cobra.Command, f usage.Format, args []string) error {
	p, err := s.CompileRuleset(args[0])
	if err != nil {
		return err
	}
	shown := describe.ShownOf(p, statementOrder(s.Files(), p.Ruleset))
	if len(args) == 2 {
		if shown.Definitions = describe.FindNamed(shown.Definitions, args[1]); len(shown.Definitions) == 0 {
			return describe.UnknownIn(p, "definition", args[1], describe.ShownNames(p))
		}
	}
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), shown)
	}
	page := s.newPage(c.OutOrStdout())
	present.PrintRuleset(page, shown, len(args) == 1)
	return page.Flush(c.OutOrStdout())
}

// statementOrder gives the rank of each statement of a ruleset's book; none when the module has no list of them.
func statementOrder(files fs.FS, ruleset string) map[string]int {
	dir := path.Join("golden", ruleset)
	list, _ := golden.LoadStatements(files, dir, dir)
	out := map[string]int{}
	for i, s := range list {
		out[s.ID] = i
	}
	return out
}
