package mutants

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A site is a text of the book that mutations can change.
type site struct {
	owner string // the definition that has it
	part  string // what it is of the definition: "let chance"
	text  *book.Text
	dice  bool // it is dice in notation
	kind  Kind // of a bare number: what it counts; else empty
}

// A siteList collects the sites of a book, in its order.
type siteList struct {
	owner string
	sites []site
}

func (l *siteList) addText(part string, t *book.Text) {
	if t.S != "" {
		l.sites = append(l.sites, site{owner: l.owner, part: part, text: t})
	}
}

func (l *siteList) addFormula(part string, f *book.Formula) {
	l.addText(part, &f.Expr)
	for i := range f.Is {
		l.addText(part+", "+f.Is[i].Value, &f.Is[i].Expr)
	}
}

func (l *siteList) addNamed(part string, list []book.Named) {
	for i := range list {
		l.addFormula(part+" "+list[i].Name, &list[i].Formula)
	}
}

func (l *siteList) addBody(b *book.Body) {
	for i := range b.Sources {
		if d := b.Sources[i].Die; d != nil {
			l.addDie(d)
		} else {
			l.addUse(b.Sources[i].Use)
		}
	}
	l.addNamed("let", b.Lets)
	for i := range b.Requires {
		l.addText("require", &b.Requires[i].Expr)
	}
	l.addNamed("output", b.Outputs)
}

func (l *siteList) addDie(d *book.Die) {
	part := "die " + d.Name
	add := func(t *book.Text, kind Kind, notation bool) {
		if t.S != "" {
			l.sites = append(l.sites, site{owner: l.owner, part: part, text: t, dice: notation, kind: kind})
		}
	}
	add(&d.Notation, "", true)
	add(&d.Faces, DiceFaces, false)
	add(&d.Count, DiceCount, false)
	add(&d.Again, DiceModifier, false)
	add(&d.Explode, DiceModifier, false)
	for r := d.Roll; r != nil; r = r.Plus {
		add(&r.Dice, "", dice.IsNotation(r.Dice.S))
		add(&r.Times, DiceCount, false)
	}
}

func (l *siteList) addUse(u *book.Use) {
	part := "use " + u.Name
	l.addText(part+" character", &u.Character)
	l.addText(part+" when", &u.When)
	l.addText(part+" input", &u.Input)
	l.addNamed(part+" input", u.Inputs)
	l.addNamed(part+" each", u.Each)
	l.addNamed(part+" otherwise", u.Otherwise)
}

// listSites finds the texts of a ruleset that mutations can change.
func listSites(b *book.Ruleset) []site {
	l := &siteList{}
	for _, t := range b.Traits {
		l.owner = "trait " + t.ID
		l.addFormula("value", &t.Formula)
	}
	for _, f := range b.Functions {
		l.owner = "function " + f.ID
		l.addFormula("value", &f.Formula)
	}
	for _, r := range b.Rules {
		l.owner = "rule " + r.ID
		l.addBody(&r.Body)
	}
	for _, p := range b.Procedures {
		l.owner = "procedure " + p.ID
		l.addProcedure(p)
	}
	return l.sites
}

func (l *siteList) addProcedure(p *book.Procedure) {
	l.addNamed("let", p.Lets)
	if p.Start != nil {
		l.addBody(&p.Start.Body)
		l.addNamed("next", p.Start.Next)
	}
	for _, e := range p.Events {
		l.addText("event "+e.ID+" when", &e.When)
		l.addBody(&e.Body)
		l.addNamed("next", e.Next)
	}
	for i := range p.Ends {
		l.addText("end "+p.Ends[i].Message, &p.Ends[i].Expr)
	}
	l.addNamed("output", p.Output)
}

// words are the identifiers in everything that a definition reads: its formulas, the rules that it uses, the tables that
// its shapes name.
func (d *definition) words() map[string]bool {
	out := map[string]bool{}
	for _, s := range d.sites {
		for _, t := range tokenize(s.text.S) {
			if t.class == wordToken {
				out[s.text.S[t.from:t.to]] = true
			}
		}
	}
	for _, name := range d.uses {
		out[name] = true
	}
	for _, s := range d.shapes {
		addShapeTables(out, s)
	}
	return out
}

func addShapeTables(out map[string]bool, s *plan.Shape) {
	if s == nil {
		return
	}
	if s.KeyOf != "" {
		out[s.KeyOf] = true
	}
	addShapeTables(out, s.Elem)
	for i := range s.Fields {
		addShapeTables(out, s.Fields[i].Shape)
	}
}

// A definition is what depends on other definitions.
type definition struct {
	name   string // "rule test"
	id     string
	sites  []site
	uses   []string // ids of the rules that it uses
	shapes []*plan.Shape
}

// listDefinitions finds the definitions of a ruleset whose ids formulas and uses name.
func listDefinitions(b *book.Ruleset) []*definition {
	var out []*definition
	byName := map[string]*definition{}
	add := func(kind, id string, bodies []*book.Body, shapes ...*plan.Shape) {
		d := &definition{name: kind + " " + id, id: id, shapes: shapes}
		for _, x := range bodies {
			for i := range x.Sources {
				if u := x.Sources[i].Use; u != nil {
					d.uses = append(d.uses, u.Rule.S)
				}
			}
		}
		out = append(out, d)
		byName[d.name] = d
	}
	for _, t := range b.Tables {
		add("table", t.ID, nil)
	}
	for _, t := range b.Traits {
		add("trait", t.ID, nil)
	}
	for _, f := range b.Functions {
		add("function", f.ID, nil)
	}
	for _, r := range b.Rules {
		add("rule", r.ID, []*book.Body{&r.Body}, r.Input)
	}
	for _, p := range b.Procedures {
		bodies, shapes := []*book.Body{}, []*plan.Shape{p.Input, p.State}
		if p.Start != nil {
			bodies = append(bodies, &p.Start.Body)
		}
		for _, e := range p.Events {
			bodies, shapes = append(bodies, &e.Body), append(shapes, e.Input)
		}
		add("procedure", p.ID, bodies, shapes...)
	}
	for _, s := range listSites(b) {
		byName[s.owner].sites = append(byName[s.owner].sites, s)
	}
	return out
}

// describe says what a site is, for people.
func (s *site) describe() string { return fmt.Sprintf("%s, %s", s.owner, s.part) }

// kindOf splits a definition's name.
func kindOf(name string) (kind, id string) {
	kind, id, _ = strings.Cut(name, " ")
	return kind, id
}
