package symbols

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// MembersAt returns the members that an object may have in a record of JSON, such as the input of a rule: at a path of
// names below it, through lists and maps. Owner is the definition whose record it is, root is "character", "input", "state"
// or "event".
//
// Traits are left out, for JSON of a character has fields only. Keys that a map may have are
// members here, as an editor offers them the same way.
func (x *Index) MembersAt(owner, root string, path []string) []Symbol {
	if id, ok := strings.CutPrefix(owner, Function.String()+" "); ok && root == "input" {
		return x.parametersOf(id, path)
	}
	s := x.recordOf(owner, root)
	for _, name := range path {
		if s = x.memberShape(s, name); s == nil {
			return nil
		}
	}
	if s = x.elementShape(s); s == nil {
		return nil
	}
	out := slices.DeleteFunc(fieldSymbols(s, x), func(m Symbol) bool { return m.Kind == Trait })
	for _, key := range s.Keys {
		if !slices.ContainsFunc(out, func(m Symbol) bool { return m.Name == key }) {
			out = append(out, Symbol{Name: key, Kind: Field, Place: s.Place})
		}
	}
	return out
}

// parametersOf returns the parameters of a function, which are the members of its input, with the keys that each may
// be; nil below one of them.
func (x *Index) parametersOf(id string, path []string) []Symbol {
	i := slices.IndexFunc(x.book.Functions, func(f *book.Function) bool { return f.ID == id })
	if i < 0 || len(path) > 0 {
		return nil
	}
	out := paramSymbols(x.book.Functions[i])
	for i := range out {
		out[i].members = func() []Symbol { return x.keysLookedUp(Function.String()+" "+id, out[i].Name) }
	}
	return out
}

// keysLookedUp returns the keys of the tables in which formulas of a scope look up a name as it is.
func (x *Index) keysLookedUp(scope, name string) []Symbol {
	var out []Symbol
	for _, t := range x.texts {
		if t.Scope != scope {
			continue
		}
		f := formula{t, syntax.Tokens(t.S)}
		for i := range f.tokens {
			if f.tokenText(i+1) == "(" && f.tokenText(i+2) == name && (f.tokenText(i+3) == ")" || f.tokenText(i+3) == ",") {
				out = append(out, x.Keys(f.tokenText(i))...)
			}
		}
	}
	return out
}

// NewField returns a member of an object that no ruleset declares, with the values that it may have.
func NewField(name, doc string, values []Symbol) Symbol {
	return Symbol{Name: name, Kind: Field, Detail: doc, members: func() []Symbol { return values }}
}

// recordOf returns the shape of a record of a definition; nil when it has none. Owners are named as
// in formulas' scopes: "rule test", "event task/roll".
func (x *Index) recordOf(owner, root string) *plan.Shape {
	kind, id, _ := strings.Cut(owner, " ")
	if root == "character" {
		return x.book.Character
	}
	if kind == Rule.String() {
		if r := x.ruleOf(id); r != nil && root == "input" {
			return r.Input
		}
		return nil
	}
	procedure, event, _ := strings.Cut(id, "/")
	p := x.procedureOf(procedure)
	switch {
	case p == nil:
		return nil
	case root == "input":
		return p.Input
	case root == "state":
		return p.State
	}
	if e := eventOf(p, event); e != nil && root == "event" {
		return e.Input
	}
	return nil
}

// memberShape returns the shape of a member of a shape, or of each element of it; nil if that has none.
func (x *Index) memberShape(s *plan.Shape, name string) *plan.Shape {
	return x.elementShape(s).Member(name)
}

// elementShape returns the shape of the elements of a list, or of lists of lists. A character within an input has the
// fields of every character.
func (x *Index) elementShape(s *plan.Shape) *plan.Shape {
	for s != nil && s.Kind == plan.List {
		s = s.Elem
	}
	if s != nil && s.Character {
		return x.book.Character
	}
	return s
}

// OutputsOf returns the outputs of a rule, a procedure or an event; nil for any other owner.
func (x *Index) OutputsOf(owner string) []Symbol {
	kind, id, _ := strings.Cut(owner, " ")
	if kind == Rule.String() {
		return x.outputsOf(id)
	}
	procedure, event, isEvent := strings.Cut(id, "/")
	p := x.procedureOf(procedure)
	switch {
	case p == nil:
		return nil
	case !isEvent:
		return namedSymbols(p.Output, "output")
	}
	if e := eventOf(p, event); e != nil {
		return namedSymbols(e.Body.Outputs, "output")
	}
	return nil
}

// Events returns the events of a procedure.
func (x *Index) Events(procedure string) []Symbol {
	p := x.procedureOf(procedure)
	if p == nil {
		return nil
	}
	var out []Symbol
	for _, e := range p.Events {
		out = append(out, definitionSymbol(Event, &e.Definition, "", nil))
	}
	return out
}

func (x *Index) ruleOf(id string) *book.Rule {
	for _, r := range x.book.Rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

func (x *Index) procedureOf(id string) *book.Procedure {
	for _, p := range x.book.Procedures {
		if p.ID == id {
			return p
		}
	}
	return nil
}

func eventOf(p *book.Procedure, id string) *book.Event {
	for _, e := range p.Events {
		if e.ID == id {
			return e
		}
	}
	return nil
}
