package symbols

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// addScopes adds the scopes of the formulas of each definition and step.
//
// Scopes are functions: an index is made after every key that is typed, and mostly one scope of it is asked for.
func (x *Index) addScopes() {
	for _, f := range x.book.Functions {
		x.scope["function "+f.ID] = func() []Symbol { return paramSymbols(f) }
	}
	for _, r := range x.book.Rules {
		x.scope["rule "+r.ID] = func() []Symbol {
			return append(x.recordVariable("input", r.Input), x.localsOf(&r.Body)...)
		}
	}
	for _, p := range x.book.Procedures {
		x.addProcedure(p)
	}
}

// addProcedure adds the scopes of the formulas of a procedure, which differ from step to step: its lets and outputs read
// input and state; the start reads no state, as there is none yet; an event reads all of that and its own input.
func (x *Index) addProcedure(p *book.Procedure) {
	owner := "procedure " + p.ID
	common := func() []Symbol {
		out := append(x.recordVariable("input", p.Input), x.recordVariable("state", p.State)...)
		return append(out, x.letSymbols(p.Lets)...)
	}
	x.scope[owner] = common
	if p.Start != nil {
		x.scope[owner+"/start"] = func() []Symbol { // there is no state before it
			return append(x.recordVariable("input", p.Input), x.localsOf(&p.Start.Body)...)
		}
	}
	for _, e := range p.Events {
		x.scope["event "+p.ID+"/"+e.ID] = func() []Symbol {
			return append(append(common(), x.recordVariable("event", e.Input)...), x.localsOf(&e.Body)...)
		}
	}
}

// recordVariable returns a variable whose members are the fields of a shape, as a list of one to be
// appended to others.
func (x *Index) recordVariable(name string, s *plan.Shape) []Symbol {
	return []Symbol{{Name: name, Kind: Variable, Place: placeOf(s), members: func() []Symbol { return fieldSymbols(s, x) }}}
}

// localsOf returns the names that a body declares, in the order of the author: dice and uses, then
// lets, then outputs.
func (x *Index) localsOf(b *book.Body) []Symbol {
	var out []Symbol
	for _, s := range b.Sources {
		if d := s.Die; d != nil {
			out = append(out, Symbol{Name: d.Name, Kind: Local, Detail: "die " + dieText(d), Place: d.Place})
		}
		if u := s.Use; u != nil {
			out = append(out, Symbol{
				Name: u.Name, Kind: Local, Detail: "use of " + u.Rule.S, Place: u.Place,
				members: func() []Symbol { return x.outputsOf(u.Rule.S) },
			})
		}
	}
	return append(append(out, x.letSymbols(b.Lets)...), namedSymbols(b.Outputs, "output")...)
}

// letSymbols returns the symbols of lets, of which those that are just a look-up have the columns of its table. let: w:
// "weapon(input.with)" is the one inference that is made, since authors want a completion behind w. most.
func (x *Index) letSymbols(list []book.Named) []Symbol {
	out := namedSymbols(list, "let")
	for i := range list {
		text := strings.TrimSpace(list[i].Formula.Expr.S)
		tokens := syntax.Tokens(text)
		called, ok := callBefore(text, tokens, len(tokens)-1)
		if !ok || called != 0 {
			continue
		}
		k := slices.IndexFunc(x.book.Tables, func(t *book.Table) bool { return t.ID == text[tokens[0].From:tokens[0].To] })
		if k >= 0 && x.book.Tables[k].Gives.S == "" && x.book.Tables[k].Across == nil {
			out[i].members = func() []Symbol { return columnSymbols(x.book.Tables[k]) }
		}
	}
	return out
}

// dieText returns a die as its author would write it: the notation where there is one, else the struct in words.
func dieText(d *book.Die) string {
	switch {
	case d.Notation.S != "":
		return d.Notation.S
	case d.Roll != nil:
		return d.Roll.String()
	case d.Faces.S == "" && d.Count.S == "":
		return d.DiceText()
	case d.Faces.S == "":
		return d.DiceText() + ", " + d.Count.S + " times"
	case d.Count.S == "":
		return "of " + d.Faces.S + " faces"
	}
	return "of " + d.Faces.S + " faces, " + d.Count.S + " times"
}

// outputsOf returns the outputs of a rule, nil when there is none of that name: the name of a use
// may be wrong while it is being typed.
func (x *Index) outputsOf(rule string) []Symbol {
	if r := x.ruleOf(rule); r != nil {
		return namedSymbols(r.Body.Outputs, "output")
	}
	return nil
}

// namedSymbols returns lets or outputs as symbols; part says which.
func namedSymbols(list []book.Named, part string) []Symbol {
	var out []Symbol
	for i := range list {
		n := &list[i]
		out = append(out, Symbol{Name: n.Name, Kind: Local, Detail: part + " = " + formulaText(&n.Formula), Place: n.Place})
	}
	return out
}

func paramSymbols(f *book.Function) []Symbol {
	var out []Symbol
	for _, p := range f.Params {
		out = append(out, Symbol{Name: p.Name, Kind: Local, Detail: p.Type.S, Place: p.Place})
	}
	return out
}
