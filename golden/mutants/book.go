package mutants

import (
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// identifiers returns the names in everything that a definition reads: its formulas, the rules that it uses, the tables
// that its shapes name.
func (d *definition) identifiers() map[string]bool {
	out := map[string]bool{}
	for _, p := range d.parts {
		for _, t := range syntax.Tokens(p.S) {
			if t.Class == syntax.NameToken {
				out[p.S[t.From:t.To]] = true
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
	if table, _, _ := strings.Cut(s.KeyOf, ","); table != "" { // behind it stand words for no key
		out[strings.TrimSuffix(strings.TrimSpace(table), ".columns")] = true
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
	parts  []book.Part
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
	for _, p := range b.Parts() {
		byName[p.Definition].parts = append(byName[p.Definition].parts, p)
	}
	return out
}

// kindOf splits a definition's name.
func kindOf(name string) (kind, id string) {
	kind, id, _ = strings.Cut(name, " ")
	return kind, id
}
