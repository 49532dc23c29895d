package main

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const listHelp = `List prints every definition of a ruleset, or of all rulesets: options, tables, traits, functions,
rules, procedures and their events, readings and errata; each with what it asks for, what it is,
where the book says it, and the statements of the book that it carries out. In JSON it is a list of
objects, the inputs with their types, bounds and defaults.`

func newList(s *settings) *cobra.Command {
	var f usage.Format
	var from planFlag
	c := &cobra.Command{
		Use:   "list [RULESET]",
		Short: "List every definition",
		Long:  listHelp,
		Example: `  rules list
  rules list tempestas
  rules list tempestas --format json | jq -r '.[] | select(.kind == "rule") | .id'`,
		Args: usage.ArgCount(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if from.file != "" {
				list, err := from.readNamed(s, c, args...)
				if err != nil {
					return err
				}
				return printList(s, c, f, plansOf(list))
			}
			plans, err := compileNamed(s, args)
			if err != nil {
				return err
			}
			return printList(s, c, f, plans)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
	}
	f.AddTo(c)
	from.addTo(c)
	return c
}

// compileNamed compiles the named ruleset, or all when none is named.
func compileNamed(s *settings, args []string) ([]*plan.Plan, error) {
	if len(args) == 0 {
		return s.CompileAll()
	}
	p, err := s.CompileRuleset(args[0])
	return []*plan.Plan{p}, err
}

func printList(s *settings, c *cobra.Command, f usage.Format, plans []*plan.Plan) error {
	items := []describe.Item{}
	for _, p := range plans {
		items = append(items, describe.ItemsOf(p)...)
	}
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), items)
	}
	page := s.newPage(c.OutOrStdout())
	for i := range items {
		present.PrintItem(page, &items[i])
	}
	return page.Flush(c.OutOrStdout())
}
