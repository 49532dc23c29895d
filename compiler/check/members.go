package check

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ShapeAt returns the shape of a record's field or a map's key; nil when there can be none of that name.
func ShapeAt(s *plan.Shape, name string) *plan.Shape {
	if s == nil {
		return nil
	}
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Shape
		}
	}
	if s.Kind == plan.Map && (s.Keys == nil || slices.Contains(s.Keys, name)) {
		return s.Elem
	}
	return nil
}

// ShapeNames lists the fields of a record, or the keys of a map that has a closed list of them.
func ShapeNames(s *plan.Shape) []string {
	if s == nil {
		return nil
	}
	out := slices.Clone(s.Keys)
	for i := range s.Fields {
		if name := s.Fields[i].Name; !slices.Contains(s.Keys, name) { // a key by name may stand among all
			out = append(out, name)
		}
	}
	return out
}

// suggestMember returns the repair for an unknown name of a few: the nearest, or else all of them.
func suggestMember(name string, known []string) string {
	if repair := diag.DidYouMean(name, known); repair != "" || len(known) == 0 || len(known) > diag.MaxListed {
		return repair
	}
	return "it has " + strings.Join(known, ", ")
}
