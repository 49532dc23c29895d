package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
)

// Overlays are the homebrews that have a part in a value: those that wrote a formula, a die or a table that it comes
// from, through lets, uses, functions and traits. A table counts as a whole, whichever of its cells is looked up: all
// homebrews that changed one of them are named.

// overlaysOf returns those of a formula, in the order in which they were applied; nil for none.
func (p *planner) overlaysOf(f *check.Formula) []string {
	if len(p.out.Overlays) == 0 || f == nil {
		return nil
	}
	o := origins{formulas: map[*check.Formula]bool{}, uses: map[*check.Use]bool{}, found: map[string]bool{}}
	o.addFormula(f)
	return slices.DeleteFunc(slices.Clone(p.out.Overlays), func(id string) bool { return !o.found[id] })
}

// origins gathers homebrews. Every formula and every use is followed once.
type origins struct {
	formulas map[*check.Formula]bool
	uses     map[*check.Use]bool
	found    map[string]bool
}

func (o *origins) addFormula(f *check.Formula) {
	if f == nil || o.formulas[f] {
		return
	}
	o.formulas[f] = true
	o.found[f.Book.Overlay] = true
	o.addExpr(f.Expr)
}

// addExpr notes which homebrews have a part in the value of an expression, through everything that it names. It follows the
// tree and not the graph, where functions and lets have left no trace.
func (o *origins) addExpr(e *check.Expr) {
	if e == nil {
		return
	}
	for _, a := range e.Args {
		o.addExpr(a)
	}
	switch d := e.Object.(type) {
	case *check.Table:
		o.addDefinition(&d.Book.Definition)
	case *check.Trait:
		o.addFormula(d.Formula)
	case *check.Function:
		o.addFormula(d.Formula)
	case *check.Let:
		o.addFormula(d.Formula)
	case *check.Die:
		o.found[d.Book.Overlay] = true
		if d.Rows != nil {
			o.addDefinition(&d.Rows.Book.Definition)
		}
		for _, e := range []*check.Expr{d.Faces, d.Count, d.Pool, d.Series} {
			o.addExpr(e)
		}
		for _, v := range d.Variants {
			for _, c := range v.Conditions {
				o.addExpr(c.Expr)
			}
		}
		for _, r := range d.Data {
			o.addExpr(r.Notation)
			o.addExpr(r.Times)
		}
	case *check.Each:
		o.addExpr(d.List)
	case *check.Option:
		o.addDefinition(&d.Book.Definition)
	case *check.Use:
		o.addUse(d)
	}
}

// addDefinition notes every homebrew that added or changed a definition.
func (o *origins) addDefinition(d *book.Definition) {
	for _, id := range d.Overlays {
		o.found[id] = true
	}
}

// addUse follows the outputs of the used rule and the inputs of the use.
func (o *origins) addUse(u *check.Use) {
	if o.uses[u] {
		return
	}
	o.uses[u] = true
	o.found[u.Book.Overlay] = true
	for _, l := range slices.Concat(u.Rule.Body.Outputs, u.Inputs, u.Otherwise) {
		o.addFormula(l.Formula)
	}
	for _, e := range []*check.Expr{u.Character, u.When, u.Input} {
		o.addExpr(e)
	}
}
