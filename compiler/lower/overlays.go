package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/check"
)

// Overlays are the homebrews that have a part in a value: those that wrote a formula, a die or a table that it comes
// from, through lets, uses, functions and traits. A table counts as a whole, whichever of its rows is looked up.

// overlays are those of a formula, in the order in which they were applied; nil for none.
func (p *planner) overlays(f *check.Formula) []string {
	if len(p.out.Overlays) == 0 || f == nil {
		return nil
	}
	o := origins{seen: map[any]bool{}, found: map[string]bool{}}
	o.formula(f)
	return slices.DeleteFunc(slices.Clone(p.out.Overlays), func(id string) bool { return !o.found[id] })
}

// origins gathers homebrews. Every formula is followed once.
type origins struct {
	seen  map[any]bool
	found map[string]bool
}

func (o *origins) formula(f *check.Formula) {
	if f == nil || o.seen[f] {
		return
	}
	o.seen[f] = true
	o.found[f.Text.Overlay] = true
	o.expr(f.Expr)
	o.expr(f.By)
	for _, a := range f.Arms {
		o.expr(a.Expr)
	}
}

func (o *origins) expr(e *check.Expr) {
	if e == nil {
		return
	}
	for _, a := range e.Args {
		o.expr(a)
	}
	switch d := e.Decl.(type) {
	case *check.TableDef:
		o.found[d.Book.Overlay] = true
	case *check.TraitDef:
		o.formula(d.Formula)
	case *check.FunctionDef:
		o.formula(d.Formula)
	}
	if e.Op == check.Ref {
		o.variable(e.Var)
	}
}

func (o *origins) variable(v *check.Var) {
	switch d := v.Decl.(type) {
	case *check.Let:
		o.formula(d.Formula)
	case *check.Die:
		o.found[d.Book.Overlay] = true
		o.expr(d.Faces)
		o.expr(d.Count)
	case *check.Each:
		o.expr(d.List)
	case *check.OptionDef:
		o.found[d.Book.Overlay] = true
	case *check.Use:
		o.use(d)
	}
}

// use follows all that the used rule gives, and what it is given.
func (o *origins) use(u *check.Use) {
	if o.seen[u] {
		return
	}
	o.seen[u] = true
	o.found[u.Book.Overlay] = true
	for _, l := range u.Rule.Body.Outputs {
		o.formula(l.Formula)
	}
	for _, l := range slices.Concat(u.Inputs, u.Otherwise) {
		o.formula(l.Formula)
	}
	for _, e := range []*check.Expr{u.Character, u.When, u.Input} {
		o.expr(e)
	}
}
