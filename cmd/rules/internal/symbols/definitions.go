package symbols

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// addDefinitions lists the formulas of the book, and what the formulas of each definition may read.
func (x *Index) addDefinitions() {
	b := x.book
	for _, t := range b.Traits {
		x.addFormula("trait "+t.ID, "value", &t.Formula)
	}
	for _, f := range b.Functions {
		owner := "function " + f.ID
		x.addFormula(owner, "value", &f.Formula)
		x.scope[owner] = func() []Symbol { return params(f) }
	}
	for _, r := range b.Rules {
		owner := "rule " + r.ID
		x.addBody(owner, &r.Body)
		x.scope[owner] = func() []Symbol { return append(x.record("input", r.Input), x.locals(&r.Body)...) }
	}
	for _, p := range b.Procedures {
		x.addProcedure(p)
	}
}

func (x *Index) addText(owner, part string, t *book.Text) {
	if t.Written() {
		x.texts = append(x.texts, Text{t, owner, part})
	}
}

func (x *Index) addFormula(owner, part string, f *book.Formula) {
	x.addText(owner, part, &f.Expr)
	x.addText(owner, part, &f.By)
	for i := range f.Is {
		x.addText(owner, part, &f.Is[i].Expr)
	}
}

func (x *Index) addNamed(owner, part string, list []book.Named) {
	for i := range list {
		x.addFormula(owner, part+" "+list[i].Name, &list[i].Formula)
	}
}

func (x *Index) addBody(owner string, b *book.Body) {
	for _, s := range b.Sources {
		if d := s.Die; d != nil {
			for _, t := range []*book.Text{&d.Faces, &d.Count, &d.Again, &d.Explode} {
				x.addText(owner, "die "+d.Name, t)
			}
		}
		if u := s.Use; u != nil {
			part := "use " + u.Name
			for _, t := range []*book.Text{&u.Character, &u.When, &u.Input} {
				x.addText(owner, part, t)
			}
			for _, list := range [][]book.Named{u.Inputs, u.Each, u.Otherwise} {
				x.addNamed(owner, part, list)
			}
		}
	}
	x.addNamed(owner, "let", b.Lets)
	for i := range b.Requires {
		x.addText(owner, "require", &b.Requires[i].Expr)
	}
	x.addNamed(owner, "output", b.Outputs)
}

func (x *Index) addProcedure(p *book.Procedure) {
	owner := "procedure " + p.ID
	common := func() []Symbol {
		out := append(x.record("input", p.Input), x.record("state", p.State)...)
		return append(out, named(p.Lets, "let")...)
	}
	x.addNamed(owner, "let", p.Lets)
	for i := range p.Ends {
		x.addText(owner, "end", &p.Ends[i].Expr)
	}
	x.addNamed(owner, "output", p.Output)
	x.scope[owner] = common
	if p.Start != nil {
		x.addStep(owner+"/start", p.Start, func() []Symbol {
			return append(x.record("input", p.Input), x.locals(&p.Start.Body)...)
		})
	}
	for _, e := range p.Events {
		at := "event " + p.ID + "/" + e.ID
		x.addText(at, "when", &e.When)
		x.addStep(at, &e.Step, func() []Symbol {
			return append(append(common(), x.record("event", e.Input)...), x.locals(&e.Body)...)
		})
	}
}

func (x *Index) addStep(owner string, s *book.Step, scope func() []Symbol) {
	x.addBody(owner, &s.Body)
	x.addNamed(owner, "next", s.Next)
	x.scope[owner] = scope
}

// record is a variable whose members are the fields of a shape.
func (x *Index) record(name string, s *plan.Shape) []Symbol {
	return []Symbol{{Name: name, Kind: Variable, Place: placeOf(s), members: func() []Symbol { return fields(s, x) }}}
}

// locals are the names that a body declares.
func (x *Index) locals(b *book.Body) []Symbol {
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
	out = append(out, named(b.Lets, "let")...)
	return append(out, named(b.Outputs, "output")...)
}

func dieText(d *book.Die) string {
	switch {
	case d.Notation.S != "":
		return d.Notation.S
	case d.Roll != nil:
		return d.Roll.String()
	case d.Count.S == "":
		return "of " + d.Faces.S + " faces"
	}
	return "of " + d.Faces.S + " faces, " + d.Count.S + " times"
}

// outputsOf are the outputs of a rule.
func (x *Index) outputsOf(rule string) []Symbol {
	for _, r := range x.book.Rules {
		if r.ID == rule {
			return named(r.Body.Outputs, "output")
		}
	}
	return nil
}

func named(list []book.Named, part string) []Symbol {
	var out []Symbol
	for i := range list {
		n := &list[i]
		out = append(out, Symbol{Name: n.Name, Kind: Local, Detail: part + " = " + formulaText(&n.Formula), Place: n.Place})
	}
	return out
}

func params(f *book.Function) []Symbol {
	var out []Symbol
	for _, p := range f.Params {
		out = append(out, Symbol{Name: p.Name, Kind: Local, Detail: p.Type.S, Place: p.Place})
	}
	return out
}
