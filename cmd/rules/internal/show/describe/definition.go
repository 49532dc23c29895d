package describe

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A Shown is a ruleset for reading.
//
// It has everything that the plan knows for readers, whether a ruleset came from sources or from a
// release file: showing a release needs no module.
type Shown struct {
	Ruleset     string       `json:"ruleset"`
	Revision    string       `json:"revision"`
	Title       string       `json:"title"`
	Doc         string       `json:"doc,omitempty"`
	Book        string       `json:"book"`
	Author      string       `json:"author,omitempty"`
	Character   []Field      `json:"character"`
	Definitions []Definition `json:"definitions"`
}

// A Definition is one for reading: a definition of the ruleset, a reading or an erratum.
type Definition struct {
	Item
	State   []Field      `json:"state,omitempty"` // of a procedure: what it remembers
	Lines   []line       `json:"lines,omitempty"`
	Played  string       `json:"played,omitempty"`      // of an option: the value that is played when nothing is said
	Advised string       `json:"recommended,omitempty"` // of an option: the value that the ruleset recommends
	Values  []valueSays  `json:"values,omitempty"`
	Table   *Table       `json:"table,omitempty"`
	Reading *readingSays `json:"reading,omitempty"`
	Erratum *erratumSays `json:"erratum,omitempty"`
	at      plan.Place
}

// A line is a formula with its part in the definition.
//
// Part is the word by which the ruleset introduces the formula: let, output, require, when. Pages
// and the editor group formulas by it.
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

// ShownOf returns a plan's ruleset for reading, in the order of the book. rank has the places of
// the book's statements; without it (a plan alone has no list of them) files come by their names.
func ShownOf(p *plan.Plan, rank map[string]int) *Shown {
	out := &Shown{
		Ruleset: p.Ruleset, Revision: p.Revision, Title: p.Title, Doc: strings.TrimSpace(p.Doc), Book: p.Book,
		Author:    p.Author,
		Character: FieldsOf(p.Character),
	}
	speaker := say.NewSpeaker(p)
	addHints(speaker, plan.CharacterRoot, "", out.Character)
	for i := range p.Entries {
		out.Definitions = append(out.Definitions, definitionOf(p, speaker, &p.Entries[i]))
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

// definitionOf returns the definition of an entry. Options and tables are looked up by their id: an entry holds the
// readers' text and the plan's own tables the executed values.
func definitionOf(p *plan.Plan, s *say.Speaker, e *plan.Entry) Definition {
	d := Definition{Item: itemOf(p, s, e), at: e.Place}
	for _, l := range e.Lines {
		d.Lines = append(d.Lines, line{l.Part, l.Name, l.Text, placeText(l.Place)})
	}
	switch e.Kind {
	case plan.OptionEntry:
		i := slices.IndexFunc(p.Options, func(o plan.Option) bool { return o.ID == e.ID })
		d.Played, d.Advised = p.Options[i].Values[p.Options[i].Default], p.Options[i].Values[p.Options[i].Book]
		d.Values = describeOption(p, i).Values
	case plan.TableEntry:
		d.Table = TableOf(p, e.ID)
	case plan.ProcedureEntry:
		d.State = FieldsOf(p.Procedure(e.ID).State)
	}
	return d
}

// readingOf makes a definition of a reading. It covers no statement: a reading says how one is
// understood, and the rule that carries it out covers it.
func readingOf(p *plan.Plan, r *plan.Reading) Definition {
	return Definition{
		Item: Item{Ruleset: p.Ruleset, Kind: "reading", ID: r.ID, Cite: r.Cite, Place: placeText(r.Place),
			Covers: []string{}},
		Reading: &readingSays{r.Question, r.Ruled, r.Rejected, r.Why}, at: r.Place,
	}
}

// erratumOf returns the definition of an erratum. The option that plays the printed text stands in it by name, for
// readers to look up.
func erratumOf(p *plan.Plan, r *plan.Erratum) Definition {
	return Definition{
		Item: Item{Ruleset: p.Ruleset, Kind: "erratum", ID: r.ID, Cite: r.Cite, Place: placeText(r.Place),
			Covers: []string{}},
		Erratum: &erratumSays{r.Printed, r.Ruled, r.Why, r.Option}, at: r.Place,
	}
}

// Source returns the document that the rules come from, with its author when the ruleset names one.
func (s *Shown) Source() string {
	if s.Author == "" {
		return s.Book
	}
	return s.Book + ", " + s.Author
}
