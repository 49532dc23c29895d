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
	case s.Kind == plan.String:
		s.Enum = joinWords(s.Enum, t.Enum)
	}
	return true
}

// joinWords returns the words of a column of which some rows are said to be of one choice and some of another: where one
// has all words of the other, its order stands.
func joinWords(a, b []string) []string {
	further := slices.DeleteFunc(slices.Clone(b), func(w string) bool { return slices.Contains(a, w) })
	if len(a)+len(further) == len(b) {
		return b
	}
	return slices.Concat(a, further)
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
