package check

import (
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// mapKeys reports keys that are written out and that a map with a closed list of keys can never have.
func (c *pass) mapKeys() {
	for _, f := range c.out.Formulas {
		k := keyed{pass: c, at: c.at(f.Text)}
		k.walk(f.Expr)
	}
}

type keyed struct {
	*pass
	at *formula
}

func (k *keyed) walk(e *Expr) {
	for _, a := range e.Args {
		k.walk(a)
	}
	switch {
	case e.Op == Get || e.Op == Has:
		k.key(e.Args[0], e.Name, e.Place)
	case e.Op != Call || len(e.Args) < 2 || e.Args[1].Op != Const:
	case e.Name == "index_map" || e.Name == "get_map" || e.Name == "with_map":
		k.key(e.Args[0], e.Args[1].Value.String, e.Args[1].Place)
	}
}

func (k *keyed) key(of *Expr, name string, at plan.Place) {
	s := k.shapeOf(of)
	if s == nil || s.Kind != plan.Map || s.Keys == nil || member(s, name) != nil {
		return
	}
	k.at.addf("unknown-member", at, "%s never has the key %s", describe(of), name).
		Repair = diag.DidYouMean(name, memberNames(s))
}

// shapeOf is the shape of a part of what is given; nil of anything else.
func (c *pass) shapeOf(e *Expr) *plan.Shape {
	var s *plan.Shape
	switch e.Op {
	case Ref:
		s = c.shapes[e.Var]
	case Get:
		s = member(c.shapeOf(e.Args[0]), e.Name)
	}
	if s != nil && s.Character {
		return c.names.Book.Character
	}
	return s
}
