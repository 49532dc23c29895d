package main

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const showHelp = `Show prints the definitions of a ruleset as they stand in its book: what they compute and how, tables row by row, where
the book says it, and the rulings: options with their values, readings (rulings without a switch) and errata
(contradictions of the book). Chapters come in the order in which the book has them.

With a name it prints the definition, the reading or the erratum of that name; a procedure with its events, an event as
"procedure.event".`

func newShow(s *settings) *cobra.Command {
	var f format
	c := &cobra.Command{
		Use:   "show RULESET [NAME]",
		Short: "Print the definitions of a ruleset for reading",
		Long:  showHelp,
		Example: `  rules show tempestas
  rules show tempestas test
  rules show tempestas heroic_band --format json`,
		Args:              between(1, 2),
		RunE:              func(c *cobra.Command, args []string) error { return s.show(c, f, args) },
		ValidArgsFunction: s.completeNames(shownNames),
	}
	f.addTo(c)
	return c
}

func (s *settings) show(c *cobra.Command, f format, args []string) error {
	p, err := s.ruleset(args[0])
	if err != nil {
		return err
	}
	shown := shownOf(p, statementOrder(s.files(), p.Ruleset))
	if len(args) == 2 {
		if shown.Definitions = named(shown.Definitions, args[1]); len(shown.Definitions) == 0 {
			return unknownIn(p, "definition", args[1], shownNames(p))
		}
	}
	if f == asJSON {
		return printJSON(c.OutOrStdout(), shown)
	}
	page := s.page(c.OutOrStdout())
	page.show(shown, len(args) == 1)
	return page.flush(c.OutOrStdout())
}

// shownNames are the names that show takes.
func shownNames(p *plan.Plan) []string {
	var out []string
	for _, e := range p.Entries {
		out = append(out, e.ID)
	}
	for _, r := range p.Readings {
		out = append(out, r.ID)
	}
	for _, r := range p.Errata {
		out = append(out, r.ID)
	}
	return out
}

// named are the definitions of a name, with the events of a procedure.
func named(all []definition, name string) []definition {
	return slices.DeleteFunc(all, func(d definition) bool {
		procedure, _, isEvent := strings.Cut(d.ID, ".")
		return d.ID != name && !(isEvent && procedure == name)
	})
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

// A shown is a ruleset for reading.
type shown struct {
	Ruleset     string       `json:"ruleset"`
	Revision    string       `json:"revision"`
	Title       string       `json:"title"`
	Doc         string       `json:"doc,omitempty"`
	Book        string       `json:"book"`
	Author      string       `json:"author,omitempty"`
	Character   []field      `json:"character"`
	Definitions []definition `json:"definitions"`
}

// A definition is one for reading: a definition of the ruleset, a reading or an erratum.
type definition struct {
	item
	State   []field      `json:"state,omitempty"` // of a procedure: what it remembers
	Lines   []line       `json:"lines,omitempty"`
	Played  string       `json:"played,omitempty"`      // of an option: the value that is played when nothing is said
	Advised string       `json:"recommended,omitempty"` // of an option: the value that the ruleset recommends
	Values  []valueSays  `json:"values,omitempty"`
	Table   *tableSays   `json:"table,omitempty"`
	Reading *readingSays `json:"reading,omitempty"`
	Erratum *erratumSays `json:"erratum,omitempty"`
	at      plan.Place
}

// A line is a formula with its part in the definition.
type line struct {
	Part  string `json:"part"`
	Name  string `json:"name,omitempty"`
	Text  string `json:"text"`
	Place string `json:"place"`
}

type readingSays struct {
	Question string `json:"question"`
	Ruled    string `json:"ruled"`
	Rejected string `json:"rejected"`
	Why      string `json:"why"`
}

type erratumSays struct {
	Printed string `json:"printed"`
	Ruled   string `json:"ruled"`
	Why     string `json:"why"`
	Option  string `json:"option,omitempty"`
}

func shownOf(p *plan.Plan, rank map[string]int) *shown {
	out := &shown{
		Ruleset: p.Ruleset, Revision: p.Revision, Title: p.Title, Doc: strings.TrimSpace(p.Doc), Book: p.Book, Author: p.Author,
		Character: fieldsOf(p.Character),
	}
	for i := range p.Entries {
		out.Definitions = append(out.Definitions, definitionOf(p, &p.Entries[i]))
	}
	for i := range p.Readings {
		out.Definitions = append(out.Definitions, readingOf(p, &p.Readings[i]))
	}
	for i := range p.Errata {
		out.Definitions = append(out.Definitions, erratumOf(p, &p.Errata[i]))
	}
	inBookOrder(out.Definitions, rank)
	return out
}

func definitionOf(p *plan.Plan, e *plan.Entry) definition {
	d := definition{item: itemOf(p, e), at: e.Place}
	for _, l := range e.Lines {
		d.Lines = append(d.Lines, line{l.Part, l.Name, l.Text, placed(l.Place)})
	}
	switch e.Kind {
	case plan.OptionEntry:
		i := slices.IndexFunc(p.Options, func(o plan.Option) bool { return o.ID == e.ID })
		d.Played, d.Advised = p.Options[i].Values[p.Options[i].Default], p.Options[i].Values[p.Options[i].Book]
		d.Values = sayOption(p, i).Values
	case plan.TableEntry:
		d.Table = tableOf(p, e.ID)
	case plan.ProcedureEntry:
		i := slices.IndexFunc(p.Procedures, func(x plan.Procedure) bool { return x.ID == e.ID })
		d.State = fieldsOf(p.Procedures[i].State)
	}
	return d
}

func readingOf(p *plan.Plan, r *plan.Reading) definition {
	return definition{
		item:    item{Ruleset: p.Ruleset, Kind: "reading", ID: r.ID, Cite: r.Cite, Place: placed(r.Place), Covers: []string{}},
		Reading: &readingSays{r.Question, r.Ruled, r.Rejected, r.Why}, at: r.Place,
	}
}

func erratumOf(p *plan.Plan, r *plan.Erratum) definition {
	return definition{
		item:    item{Ruleset: p.Ruleset, Kind: "erratum", ID: r.ID, Cite: r.Cite, Place: placed(r.Place), Covers: []string{}},
		Erratum: &erratumSays{r.Printed, r.Ruled, r.Why, r.Option}, at: r.Place,
	}
}
