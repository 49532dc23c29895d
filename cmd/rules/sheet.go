package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/asked"
	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const sheetHelp = `Sheet prints what follows from a character alone: all traits of the ruleset, in the order of its files. A
trait that has no value for this character is shown with the reason.

Exit status: 0 for a sheet; 1 when a trait has no value; 2 when the question cannot be asked.`

func newSheet(s *settings) *cobra.Command {
	var character string
	var options []string
	c := &cobra.Command{
		Use:               "sheet RULESET --character FILE",
		Short:             "Print all traits of a character",
		Long:              sheetHelp,
		Example:           "  rules sheet tempestas --character ada.json",
		Args:              usage.ArgCount(1, 1),
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := parseOptions(options)
			if err != nil {
				return err
			}
			return printTraits(s, c, args[0], character, settings)
		},
	}
	c.Flags().StringVar(&character, "character", "", "read the character from `FILE`, - for standard input")
	c.Flags().StringArrayVar(&options, "option", nil, "play another ruling: `NAME=VALUE`; may be repeated")
	must.Succeed(c.MarkFlagRequired("character"))
	must.Succeed(c.MarkFlagFilename("character", "json"))
	return c
}

// traitsRule is the rule that asks for the traits. No trait has its name.
const traitsRule = "traits"

// printTraits prints the traits of a character. They are evaluated one by one, so that one without a value hides no other.
func printTraits(s *settings, c *cobra.Command, ruleset, file string, options map[string]string) error {
	files := argdata.Files{In: c.InOrStdin()}
	text, err := files.Read("character", file)
	if err != nil {
		return err
	}
	p, err := s.CompileRuleset(ruleset)
	if err != nil {
		return err
	}
	traits := asked.Traits(p)
	page := s.newPage(c.OutOrStdout())
	page.AddLine(0, "%s", page.Style(layout.Bold, present.SubjectTitle("character", p.Ruleset, p.Revision)))
	if len(traits) == 0 {
		page.AddLine(2, "%s has no traits", p.Ruleset)
		return page.Flush(c.OutOrStdout())
	}
	if p, err = s.CompileAsking(p.Ruleset, asked.AboutTraits(p, traitsRule, traits)); err != nil {
		return err
	}
	rows, failed, err := evalTraits(p, traits, runtime.Request{Character: text}, options)
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return fmt.Errorf("%s:%d:%d: %s%s: %s", argdata.FileName(file), e.Line, e.Col, e.Root, e.Path, e.Msg)
	}
	if err != nil {
		return err
	}
	page.AddRows(2, rows, layout.Column{Style: layout.Bold})
	if err := page.Flush(c.OutOrStdout()); err != nil {
		return err
	}
	return failed
}

// evalTraits are the traits with their values, or why one has none: then failed says so.
func evalTraits(p *plan.Plan, traits []string, request runtime.Request, options map[string]string) (
	rows [][]string, failed, err error,
) {
	program := runtime.New(p)
	for _, id := range traits {
		rule, err := program.Rule(traitsRule, runtime.Choice{Options: options, Outputs: []string{id}})
		if err != nil {
			return nil, nil, err
		}
		sheet, err := rule.Eval(request)
		if _, ok := errors.AsType[*runtime.Failure](err); ok {
			rows = append(rows, []string{id, "has no value: " + err.Error()})
			failed = exit.ErrNo
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, present.OutputRows(sheet.Output)...)
	}
	return rows, failed, nil
}
