package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/asked"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
)

const sheetHelp = `Sheet prints what follows from a character alone: all traits of the ruleset, in the order of its files. A
trait that has no value for this character is shown with the reason. --format json gives the traits as a
list, each with its "value" or with why it "failed".

Exit status: 0 for a sheet; 1 when a trait has no value; 2 when the question cannot be asked.`

func newSheet(s *settings) *cobra.Command {
	var character string
	var options []string
	var format usage.Format
	c := &cobra.Command{
		Use:               "sheet RULESET --character FILE",
		Short:             "Print all traits of a character",
		Long:              sheetHelp,
		Example:           "  rules sheet tempestas --character ada.json",
		Args:              usage.ArgCount(1, 1),
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := parseOptions(options, &argdata.Files{In: c.InOrStdin()})
			if err != nil {
				return err
			}
			sheet, err := readTraits(s, c, args[0], character, settings)
			if err != nil {
				return err
			}
			return sheet.print(s, c.OutOrStdout(), format)
		},
	}
	c.Flags().StringVar(&character, "character", "", "read the character from `FILE`, - for standard input")
	c.Flags().StringArrayVar(&options, "option", nil, optionUsage)
	format.AddTo(c)
	must.Succeed(c.MarkFlagRequired("character"))
	must.Succeed(c.MarkFlagFilename("character", "json"))
	return c
}

// traitsRule is the rule that asks for the traits. No trait has its name.
const traitsRule = "traits"

// A traitSheet is a character's traits, in the author's order, in which they build on each other.
type traitSheet struct {
	Ruleset  string       `json:"ruleset"`
	Revision string       `json:"revision"`
	Traits   []traitValue `json:"traits"`
}

// A traitValue is the value of a trait, or why it has none.
type traitValue struct {
	Name   string         `json:"name"`
	Value  *runtime.Value `json:"value,omitempty"`
	Failed string         `json:"failed,omitempty"`

	rows [][]string // the value as people read it
}

// readTraits evaluates the traits of the character in a file.
//
// They are asked for in one rule, which is compiled once, and evaluated one by one, each as the
// only output: a sheet with a failed output is none, and one trait without a value would hide all
// others.
func readTraits(s *settings, c *cobra.Command, ruleset, file string, options map[string]string) (*traitSheet, error) {
	files := argdata.Files{In: c.InOrStdin()}
	text, err := files.Read("character", file)
	if err != nil {
		return nil, err
	}
	p, err := s.CompileRuleset(ruleset)
	if err != nil {
		return nil, err
	}
	program := runtime.New(p)
	if err := jsonadvice.Fits(program, text); err != nil {
		return nil, exit.PlaceIn(argdata.FileName(file), err)
	}
	// Judged even when there is no trait: a misspelled option should not depend on the ruleset to
	// be noticed.
	if _, err := program.Options(runtime.Choice{Options: options}); err != nil {
		return nil, err
	}
	out := &traitSheet{Ruleset: p.Ruleset, Revision: p.Revision, Traits: []traitValue{}}
	traits := asked.Traits(p)
	if len(traits) == 0 {
		return out, nil
	}
	if p, err = s.CompileAsking(p.Ruleset, asked.AboutTraits(p, traitsRule, traits)); err != nil {
		return nil, err
	}
	program = runtime.New(p)
	for _, id := range traits {
		x, err := evalTrait(program, id, runtime.Request{Character: text}, options)
		if err != nil {
			return nil, err
		}
		out.Traits = append(out.Traits, *x)
	}
	return out, nil
}

// evalTrait returns a trait with its value, or with why it has none. Only a formula without a value
// is such a reason; any other error ends the command.
func evalTrait(program *runtime.Program, id string, request runtime.Request, options map[string]string) (*traitValue,
	error) {
	rule, err := program.Rule(traitsRule, runtime.Choice{Options: options, Outputs: []string{id}})
	if err != nil {
		return nil, err
	}
	sheet, err := rule.Eval(request)
	if exit.Answered[*runtime.Failure](err) {
		return &traitValue{Name: id, Failed: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	value, _ := sheet.Output.Get(id)
	return &traitValue{Name: id, Value: &value, rows: view.Rows(view.Outputs(sheet.Output, &view.Notes{}))}, nil
}

// print prints the traits; its error says whether one has no value.
func (t *traitSheet) print(s *settings, w io.Writer, f usage.Format) error {
	var failed error
	var rows [][]string
	for _, x := range t.Traits {
		if x.Value == nil {
			failed = exit.ErrNo
			x.rows = [][]string{{x.Name, "has no value: " + x.Failed}}
		}
		rows = append(rows, x.rows...)
	}
	if f == usage.AsJSON {
		// Both are evaluated: the sheet is printed, and then the status says that something in it
		// has no value.
		return cmp.Or(jsontext.PrintJSON(w, t), failed)
	}
	page := s.newPage(w)
	page.AddLine(0, "%s", page.Style(layout.Bold, present.SubjectTitle("character", t.Ruleset, t.Revision)))
	if len(rows) == 0 {
		page.AddLine(2, "%s has no traits", t.Ruleset)
	}
	page.AddRows(2, rows, layout.Column{Style: layout.Bold})
	return cmp.Or(page.Flush(w), failed)
}
