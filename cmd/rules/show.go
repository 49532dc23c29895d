package main

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const showHelp = `Show prints the definitions of a ruleset as they stand in its book: what they compute and how,
tables row by row, where the book says it, and the rulings: options with their values, readings
(rulings without a switch) and errata (contradictions of the book). Chapters come in the order in
which the book has them.

With a name it prints the definition, the reading or the erratum of that name; a procedure with its
events, an event as "procedure.event".`

func newShow(s *settings) *cobra.Command {
	var f usage.Format
	var from planFlag
	c := &cobra.Command{
		Use:   "show RULESET [NAME]",
		Short: "Print the definitions of a ruleset for reading",
		Long:  showHelp,
		Example: `  rules show tempestas
  rules show tempestas test
  rules show tempestas heroic_band --format json
  rules show --plan tempestas-0.2.0.rules test`,
		Args:              from.argCount(1, 2),
		RunE:              func(c *cobra.Command, args []string) error { return printShow(s, c, f, &from, args) },
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.ShownNames),
	}
	f.AddTo(c)
	from.addTo(c)
	return c
}

func printShow(s *settings, c *cobra.Command, f usage.Format, from *planFlag, args []string) error {
	var p *plan.Plan
	var order map[string]int
	var err error
	if from.file != "" {
		p, args, err = from.readOne(s, c, args) // a release has no list of statements
	} else if p, err = s.CompileRuleset(args[0]); err == nil {
		args, order = args[1:], statementOrder(s.Files(), p.Ruleset)
	}
	if err != nil {
		return err
	}
	shown := describe.ShownOf(p, order)
	if len(args) > 1 {
		return fmt.Errorf("%s is of the ruleset %s, not of %s", argdata.FileName(from.file), p.Ruleset, args[0])
	}
	if len(args) == 1 {
		if shown.Definitions = describe.FindNamed(shown.Definitions, args[0]); len(shown.Definitions) == 0 {
			return describe.UnknownIn(p, "definition", args[0], describe.ShownNames(p))
		}
	}
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), shown)
	}
	page := s.newPage(c.OutOrStdout())
	present.PrintRuleset(page, shown, len(args) == 0)
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
