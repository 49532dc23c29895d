package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/runtime/plan"
)

const listHelp = `List prints every definition of a ruleset, or of all rulesets: options, tables, traits, functions, rules, procedures
and their events, readings and errata; each with what it asks for, what it is, where the book says it, and the statements
of the book that it carries out. In JSON it is a list of objects, the inputs with their types, bounds and defaults.`

func newList(s *settings) *cobra.Command {
	var f format
	c := &cobra.Command{
		Use:   "list [RULESET]",
		Short: "List every definition",
		Long:  listHelp,
		Example: `  rules list
  rules list tempestas
  rules list tempestas --format json | jq -r '.[] | select(.kind == "rule") | .id'`,
		Args: between(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			plans, err := s.chosen(args)
			if err != nil {
				return err
			}
			return s.list(c, f, plans)
		},
		ValidArgsFunction: s.completeNames(nil),
	}
	f.addTo(c)
	return c
}

// chosen compiles the named ruleset, or all when none is named.
func (s *settings) chosen(args []string) ([]*plan.Plan, error) {
	if len(args) == 0 {
		return s.compile()
	}
	p, err := s.ruleset(args[0])
	return []*plan.Plan{p}, err
}

func (s *settings) list(c *cobra.Command, f format, plans []*plan.Plan) error {
	items := []item{}
	for _, p := range plans {
		items = append(items, itemsOf(p)...)
	}
	if f == asJSON {
		return printJSON(c.OutOrStdout(), items)
	}
	page := s.page(c.OutOrStdout())
	for i := range items {
		page.item(&items[i])
	}
	return page.flush(c.OutOrStdout())
}

// An item is a definition as list shows it.
type item struct {
	Ruleset string   `json:"ruleset"`
	Kind    string   `json:"kind"`
	ID      string   `json:"id"`
	Cite    string   `json:"cite"`
	Doc     string   `json:"doc,omitempty"`
	Place   string   `json:"place"`
	Covers  []string `json:"covers"`
	Overlay string   `json:"overlay,omitempty"` // the homebrew that added or changed it
	Input   []field  `json:"input,omitempty"`
	Params  []field  `json:"params,omitempty"` // of a function
}

// itemsOf are the definitions of a ruleset, then its readings and errata.
func itemsOf(p *plan.Plan) []item {
	var out []item
	for i := range p.Entries {
		out = append(out, itemOf(p, &p.Entries[i]))
	}
	for _, r := range p.Readings {
		out = append(out, item{Ruleset: p.Ruleset, Kind: "reading", ID: r.ID, Cite: r.Cite, Doc: r.Question, Place: placed(r.Place), Covers: []string{}})
	}
	for _, r := range p.Errata {
		out = append(out, item{Ruleset: p.Ruleset, Kind: "erratum", ID: r.ID, Cite: r.Cite, Doc: r.Printed, Place: placed(r.Place), Covers: []string{}})
	}
	return out
}

func itemOf(p *plan.Plan, e *plan.Entry) item {
	out := item{
		Ruleset: p.Ruleset, Kind: kindName(e.Kind), ID: e.ID, Cite: e.Cite, Doc: e.Doc, Place: placed(e.Place),
		Covers: append([]string{}, e.Covers...), Overlay: e.Overlay,
	}
	if asks := e.Kind == plan.RuleEntry || e.Kind == plan.ProcedureEntry || e.Kind == plan.EventEntry; asks {
		out.Input = fieldsOf(inputOf(p, e.ID))
	}
	for _, l := range e.Lines {
		if l.Part == "param" {
			out.Params = append(out.Params, field{Name: l.Name, Type: l.Text, Required: true})
		}
	}
	return out
}

// kindName names a kind of definition.
func kindName(k plan.EntryKind) string {
	return [...]string{"option", "table", "trait", "function", "rule", "procedure", "event"}[k]
}

// item shows a definition.
func (p *page) item(x *item) {
	p.line(0, "%s %s %s%s", x.Ruleset, x.Kind, p.in(bold, x.ID), signature(append(x.Params, x.Input...)))
	p.text(4, plain, x.Doc)
	p.text(4, faint, x.Cite)
	if len(x.Covers) > 0 {
		p.text(4, faint, "covers "+strings.Join(x.Covers, " "))
	}
}

// signature lists fields, without what is in them: "(name: string, kind: string = "skill")".
func signature(fields []field) string {
	if len(fields) == 0 {
		return ""
	}
	var parts []string
	for i := range fields {
		f := &fields[i]
		if strings.ContainsAny(f.Name, ".[*") {
			continue
		}
		part := f.Name + ": " + f.Type
		switch {
		case f.Default != nil:
			part += " = " + string(f.Default)
		case !f.Required:
			part = f.Name + "?: " + f.Type
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func placed(at plan.Place) string { return origin("", at) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
