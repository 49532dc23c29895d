package main

// A JSON Schema is for editors and forms: it has every bound that JSON Schema can say. What it
// cannot say, a bound that depends on another field, only "rules check" finds.

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsonschema"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const schemaHelp = `Schema prints a JSON Schema (draft 2020-12) of the characters of a ruleset, so that editors complete
and check their files. With --input it is the schema of what a rule or a procedure is given, or, for
PROCEDURE.EVENT, of what comes with an event. A field that is decided when dice have fallen names the
dice and uses that it follows as "x-after".`

// newSchema makes the command schema. Its answer is printed and never written over a file: the
// shell says where.
func newSchema(s *settings) *cobra.Command {
	var input string
	var from planFlag
	c := &cobra.Command{
		Use:               "schema RULESET",
		Short:             "Print a JSON Schema of characters and inputs",
		Long:              schemaHelp,
		Example:           "  rules schema tempestas > character.schema.json\n  rules schema tempestas --input test",
		Args:              from.argCount(1, 1),
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := schemaPlan(s, c, &from, args)
			if err != nil {
				return err
			}
			text, err := jsonschema.Generate(p, input)
			if err != nil {
				return err
			}
			return jsontext.PrintIndented(c.OutOrStdout(), text)
		},
	}
	from.addTo(c)
	c.Flags().StringVar(&input, "input", "", "the input of `RULE`, of a procedure, or of PROCEDURE.EVENT")
	must.Succeed(c.RegisterFlagCompletionFunc("input", completion.CompleteInput(&s.Workspace)))
	return c
}

// schemaPlan returns the plan whose characters are described.
func schemaPlan(s *settings, c *cobra.Command, from *planFlag, args []string) (*plan.Plan, error) {
	if from.file == "" {
		return s.CompileRuleset(args[0])
	}
	list, err := from.readNamed(s, c, args...)
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		return nil, fmt.Errorf("%s has releases of several rulesets: name the ruleset", from.file)
	}
	return list[0].Plan, nil
}
