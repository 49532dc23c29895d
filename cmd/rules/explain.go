package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/spell"
)

const explainHelp = `Explain prints the page of a diagnostic's code, which stands in brackets behind each message of vet:
what the problem is, how grave, an example that has it and one that has not. Without a code it lists
all codes.`

func newExplain(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:     "explain [CODE]",
		Short:   "Say what a diagnostic means",
		Long:    explainHelp,
		Example: "  rules explain table-hole\n  rules explain",
		Args:    usage.ArgCount(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			p := s.newPage(c.OutOrStdout())
			if len(args) == 0 {
				printCodes(p)
				return p.Flush(c.OutOrStdout())
			}
			// A code is copied from a message, often with the brackets around it.
			entry, err := findPage(strings.Trim(args[0], "[]"))
			if err != nil {
				return err
			}
			printCodePage(p, entry)
			return p.Flush(c.OutOrStdout())
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return diagnosticCodes(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	usage.RefuseFlags(c, "codes are those of the program", "dir", "with")
	return c
}

// diagnosticCodes returns the codes in the catalogue's order, which is by name.
func diagnosticCodes() []string {
	var out []string
	for _, p := range diag.Pages() {
		out = append(out, string(p.Code))
	}
	return out
}

// findPage returns the page of a code. The error of a code that there is not names the nearest:
// codes are read from a screen and typed.
func findPage(code string) (*diag.Page, error) {
	all := diag.Pages()
	i := slices.IndexFunc(all, func(p diag.Page) bool { return string(p.Code) == code })
	if i >= 0 {
		return &all[i], nil
	}
	if near := spell.Nearest(code, diagnosticCodes()); near != "" {
		return nil, fmt.Errorf("there is no code %s: did you mean %s?", code, near)
	}
	return nil, fmt.Errorf("there is no code %s; \"rules explain\" lists them", code)
}

// printCodes lists every code with how grave it is and the first sentence of its page.
func printCodes(p *layout.Page) {
	const columns = 30 // that the code and how grave it is take
	var rows [][]string
	for _, x := range diag.Pages() {
		rows = append(rows, []string{string(x.Code), present.SeverityNames[x.Severity],
			layout.WrapText(x.Summary(), layout.PageWidth-columns)})
	}
	p.AddRows(0, rows, layout.Column{Style: layout.Bold})
}

// printCodePage prints the page of a diagnostic code.
//
// Pages are part of the program and compiled by a test: the wrong example gives the code, and the right one gives
// nothing. So a printed page cannot be out of date.
func printCodePage(p *layout.Page, x *diag.Page) {
	p.AddLine(0, "%s, %s", p.Style(layout.Bold, string(x.Code)),
		[...]string{"an error", "a warning", "a note, printed under --strict"}[x.Severity])
	p.AddBlank()
	p.AddText(0, layout.Plain, x.Text)
	if x.Bare {
		return
	}
	for _, example := range []struct{ what, text string }{{"wrong", x.Bad}, {"right", x.Good}} {
		p.AddBlank()
		p.AddLine(0, "%s", p.Style(layout.Bold, example.what))
		p.AddText(4, layout.Plain, strings.Trim(example.text, "\n"))
	}
}
