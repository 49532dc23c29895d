package main

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsonschema"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
)

const schemaHelp = `Schema prints a JSON Schema (draft 2020-12) of the characters of a ruleset, so that editors complete
and check their files. With --input it is the schema of what a rule or a procedure is given, or, for
PROCEDURE.EVENT, of what comes with an event.`

func newSchema(s *settings) *cobra.Command {
	var input string
	c := &cobra.Command{
		Use:               "schema RULESET",
		Short:             "Print a JSON Schema of characters and inputs",
		Long:              schemaHelp,
		Example:           "  rules schema tempestas > character.schema.json\n  rules schema tempestas --input test",
		Args:              usage.ArgCount(1, 1),
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := s.CompileRuleset(args[0])
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
	c.Flags().StringVar(&input, "input", "", "the input of `RULE`, of a procedure, or of PROCEDURE.EVENT")
	must.Succeed(c.RegisterFlagCompletionFunc("input", completion.CompleteInput(&s.Workspace)))
	return c
}
