package overlay

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// characters adds fields to the characters of the ruleset, wherever one stands in an input.
func (o *overlay) characters() {
	all := o.book.Character
	for _, m := range o.brew.Adds.Character.Fields {
		i := slices.IndexFunc(all.Fields, func(f plan.Member) bool { return f.Name == m.Name })
		if i >= 0 {
			o.silent("the field "+m.Name+" of characters", m.Place, all.Fields[i].Place)
			continue
		}
		all.Fields = append(all.Fields, m)
	}
	*o.brew.Adds.Character = *all
	o.everyone(o.book.Rules, o.book.Procedures)
	o.everyone(o.brew.Adds.Rules, o.brew.Adds.Procedures)
	if x := o.brew.Extends; x != nil {
		o.everyone(x.Rules, x.Procedures)
	}
}

// everyone gives the characters in inputs and states the fields that characters have.
func (o *overlay) everyone(rules []*book.Rule, procedures []*book.Procedure) {
	for _, r := range rules {
		o.within(r.Input)
	}
	for _, p := range procedures {
		o.within(p.Input)
		o.within(p.State)
		for _, e := range p.Events {
			o.within(e.Input)
		}
	}
}

func (o *overlay) within(s *plan.Shape) {
	switch {
	case s == nil:
	case s.Character:
		s.Fields = o.book.Character.Fields
	default:
		o.within(s.Elem)
		for _, m := range s.Fields {
			o.within(m.Shape)
		}
	}
}

// silent reports what would replace something without saying so.
func (o *overlay) silent(what string, at, there plan.Place) {
	d := o.diags.Addf("overlay-silent", at, "homebrew "+o.brew.ID, "%s is there already", what)
	d.Repair = "say what it replaces, under replace, or give it another name"
	d.Related = append(d.Related, diag.Related{Place: there, Message: "the one that is there"})
}

// add adds the definitions that the ruleset does not have.
func (o *overlay) add() {
	a, b := o.brew.Adds, o.book
	b.Options = added(o, b.Options, a.Options, "option", func(x *book.Option) *book.Definition { return &x.Definition })
	b.Tables = added(o, b.Tables, a.Tables, "table", tableDefinition)
	b.Traits = added(o, b.Traits, a.Traits, "trait", func(x *book.Trait) *book.Definition { return &x.Definition })
	b.Functions = added(o, b.Functions, a.Functions, "function",
		func(x *book.Function) *book.Definition { return &x.Definition })
	b.Rules = added(o, b.Rules, a.Rules, "rule", ruleDefinition)
	b.Procedures = added(o, b.Procedures, a.Procedures, "procedure", procedureDefinition)
	b.Readings = append(b.Readings, a.Readings...)
	b.Errata = append(b.Errata, a.Errata...)
}

func added[T any](o *overlay, to, more []T, kind string, of func(T) *book.Definition) []T {
	for _, x := range more {
		d := of(x)
		i := slices.IndexFunc(to, func(y T) bool { return of(y).ID == d.ID })
		if i < 0 {
			d.Overlay = o.brew.ID
			to = append(to, x)
			continue
		}
		o.silent(kind+" "+d.ID, d.Place, of(to[i]).Place)
	}
	return to
}
