package check

import (
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// findUnread returns where a name of a ruleset is declared that nothing reads; not ok of a name that is declared more than
// once, or read anywhere: it is then not the declaration that is misspelt.
func findUnread(b *book.Ruleset) func(name string) (at plan.Place, ok bool) {
	places, read := map[string][]plan.Place{}, map[string]bool{}
	declare := func(name string, at plan.Place) { places[name] = append(places[name], at) }
	var addShape func(s *plan.Shape)
	addShape = func(s *plan.Shape) {
		if s == nil {
			return
		}
		if table, _, _ := strings.Cut(s.KeyOf, "."); table != "" {
			read[table] = true
		}
		addShape(s.Elem)
		for i := range s.Fields {
			m := &s.Fields[i]
			if declare(m.Name, m.Place); !m.Shape.Character {
				addShape(m.Shape)
			}
		}
	}
	addBody := func(x *book.Body) {
		for i := range x.Lets {
			declare(x.Lets[i].Name, x.Lets[i].Place)
		}
		for _, s := range x.Sources {
			if s.Die != nil {
				declare(s.Die.Name, s.Die.Place)
			}
		}
	}
	addShape(b.Character)
	for _, t := range b.Tables {
		declare(t.ID, t.Place)
	}
	for _, t := range b.Traits {
		declare(t.ID, t.Place)
	}
	for _, f := range b.Functions {
		declare(f.ID, f.Place)
	}
	for _, r := range b.Rules {
		addShape(r.Input)
		addBody(&r.Body)
	}
	for _, p := range b.Procedures {
		addShape(p.Input)
		addShape(p.State)
		for _, e := range p.Events {
			addShape(e.Input)
			addBody(&e.Body)
		}
	}
	for _, p := range b.Parts() {
		for _, t := range syntax.Tokens(p.S) {
			if t.Class == syntax.NameToken {
				read[p.S[t.From:t.To]] = true
			}
		}
	}
	return func(name string) (plan.Place, bool) {
		if len(places[name]) != 1 || read[name] {
			return plan.Place{}, false
		}
		return places[name][0], true
	}
}
