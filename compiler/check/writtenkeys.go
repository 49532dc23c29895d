package check

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// checkWrittenKeys reports keys that are written out and that a map with a closed list of keys can never have.
func checkWrittenKeys(t *Tree, b *book.Ruleset, diags *diag.List) {
	t.Root.Visit(func(e *Expr) {
		switch {
		case e.Op == OpField || e.Op == OpHas:
			checkKey(t, b, e.Args[0], e.Name, e.Place, diags)
		case e.Op != OpCall || len(e.Args) < 2 || e.Args[1].Op != OpConst:
		case e.Name == "index_map" || e.Name == "get_map" || e.Name == "with_map":
			checkKey(t, b, e.Args[0], e.Args[1].Value.String, e.Args[1].Place, diags)
		}
	})
}

// checkKey reports a key that a map with a closed list of keys does not have.
func checkKey(t *Tree, b *book.Ruleset, of *Expr, name string, at plan.Place, diags *diag.List) {
	s := ShapeOf(of, b)
	if s == nil || s.Kind != plan.Map || s.Keys == nil || ShapeAt(s, name) != nil {
		return
	}
	diags.Addf("unknown-member", at, t.Subject, "%s never has the key %s", of.Describe(), name).
		Repair = diag.DidYouMeanOneOf(name, ShapeNames(s))
}

// ShapeOf returns the shape of a part of a given record; nil of anything else.
func ShapeOf(e *Expr, b *book.Ruleset) *plan.Shape {
	var s *plan.Shape
	switch e.Op {
	case OpRef:
		if given, ok := e.Object.(*Given); ok {
			s = given.Shape
		}
	case OpField:
		s = ShapeAt(ShapeOf(e.Args[0], b), e.Name)
	}
	if s != nil && s.Character {
		return b.Character
	}
	return s
}
