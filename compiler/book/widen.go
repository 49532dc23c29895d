package book

import (
	"cmp"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Widen makes the type of a column hold cells of another type too: an int becomes a double beside one, an empty list
// takes any element. It reports whether they go together.
//
// It is the only inference that is made from data: a column has the least type that holds all of
// its cells. One fraction makes every number of the column a double, also those of the rows that a
// homebrew adds.
func Widen(s, t *plan.Shape) bool {
	s.KeyOf = cmp.Or(s.KeyOf, t.KeyOf)
	switch {
	case t.Kind == plan.Invalid:
		return true
	case s.Kind == plan.Invalid:
		*s = *t
		return true
	case number(s.Kind) && number(t.Kind):
		s.Kind = max(s.Kind, t.Kind)
		return true
	case s.Kind != t.Kind:
		return false
	case s.Kind == plan.List:
		s.MaxItems = max(s.MaxItems, t.MaxItems)
		return Widen(s.Elem, t.Elem)
	case s.Kind == plan.Record:
		return widenFields(s.Fields, t.Fields)
	}
	return true
}

func number(k plan.Kind) bool { return k == plan.Int || k == plan.Double }

// widenFields widens fields one by one; not ok unless both records have the same fields.
func widenFields(a, b []plan.Member) bool {
	if len(a) != len(b) {
		return false
	}
	for _, m := range a {
		i := slices.IndexFunc(b, func(o plan.Member) bool { return o.Name == m.Name })
		if i < 0 || !Widen(m.Shape, b[i].Shape) {
			return false
		}
	}
	return true
}
