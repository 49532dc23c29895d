package overlay

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// extendCharacters adds fields to the characters of the ruleset, wherever one stands in an input.
//
// The homebrew was loaded with a #Character of its own, which has its new fields alone. After this
// its shape and the ruleset's are one, and every shape that is marked as a character gets the same
// list of fields.
func (o *overlay) extendCharacters() {
	all := o.book.Character
	for _, m := range o.brew.Adds.Character.Fields {
		i := slices.IndexFunc(all.Fields, func(f plan.Member) bool { return f.Name == m.Name })
		if i >= 0 {
			o.reportSilent("the field "+m.Name+" of characters", m.Place, all.Fields[i].Place).
				Repair = "a homebrew adds fields to characters and changes none: give it another name, or leave it out"
			continue
		}
		all.Fields = append(all.Fields, m)
	}
	*o.brew.Adds.Character = *all
	o.refreshCharacters(o.book.Rules, o.book.Procedures)
	o.refreshCharacters(o.brew.Adds.Rules, o.brew.Adds.Procedures)
	if x := o.brew.Extends; x != nil {
		o.refreshCharacters(x.Rules, x.Procedures)
	}
}

// refreshCharacters gives the characters in inputs and states the fields that characters have.
func (o *overlay) refreshCharacters(rules []*book.Rule, procedures []*book.Procedure) {
	for _, r := range rules {
		o.refreshShape(r.Input)
	}
	for _, p := range procedures {
		o.refreshShape(p.Input)
		o.refreshShape(p.State)
		for _, e := range p.Events {
			o.refreshShape(e.Input)
		}
	}
}

// refreshShape gives every character within a shape the fields of the ruleset's, among them those that the homebrew
// adds.
func (o *overlay) refreshShape(s *plan.Shape) {
	switch {
	case s == nil:
	case s.Character:
		s.Fields = o.book.Character.Fields
	default:
		o.refreshShape(s.Elem)
		for _, m := range s.Fields {
			o.refreshShape(m.Shape)
		}
	}
}

// addDefinitions adds the definitions that the ruleset does not have.
// Readings and errata are appended without a look at their names, for no formula reads them.
func (o *overlay) addDefinitions() {
	a, b := o.brew.Adds, o.book
	b.Options = addNew(o, b.Options, a.Options, "option", func(x *book.Option) *book.Definition { return &x.Definition })
	b.Tables = addNew(o, b.Tables, a.Tables, "table", tableDefinition)
	b.Traits = addNew(o, b.Traits, a.Traits, "trait", func(x *book.Trait) *book.Definition { return &x.Definition })
	b.Functions = addNew(o, b.Functions, a.Functions, "function",
		func(x *book.Function) *book.Definition { return &x.Definition })
	b.Rules = addNew(o, b.Rules, a.Rules, "rule", ruleDefinition)
	b.Procedures = addNew(o, b.Procedures, a.Procedures, "procedure", procedureDefinition)
	b.Readings = append(b.Readings, a.Readings...)
	b.Errata = append(b.Errata, a.Errata...)
}

// addNew appends definitions under names that are free. A homebrew that means to change one says so by replacing it: a
// definition of the same name would do so in silence. A name that another homebrew has disabled is not free, for in the
// other order it would not be either.
func addNew[T any](o *overlay, to, more []T, kind string, of func(T) *book.Definition) []T {
	for _, x := range more {
		d := of(x)
		i := slices.IndexFunc(to, func(y T) bool { return of(y).ID == d.ID })
		switch {
		case i >= 0:
			r := o.reportSilent(kind+" "+d.ID, d.Place, of(to[i]).Place)
			if kind == "rule" || kind == "procedure" {
				r.Repair = fmt.Sprintf("more in it stands under extend: %ss: %s, what changes under replace, part by "+
					"part; or disable it, and add this one under another name: disable: %[1]ss: %[2]s: \"the reason\"",
					kind, d.ID)
			}
			if kind == "table" {
				r.Repair = fmt.Sprintf("more rows stand under extend: tables: %s, other cells under replace: tables: "+
					"%[1]s; a table of its own has another name", d.ID)
			}
			if kind == "option" {
				r.Repair = fmt.Sprintf("an option keeps its values: give this one another name, and replace the "+
					"formulas that read it; or replace how it is played: replace: options: %s: {expect: \"...\", "+
					"with: \"...\"}", d.ID)
			}
		case !o.reportTaken([]string{kind + "s", d.ID}, d.Place):
			d.Overlays = []string{o.brew.ID}
			to = append(to, x)
		}
	}
	return to
}
