package resolve

import (
	"encoding/json"
	"slices"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// preset checks that what a field is when nobody gives it are keys of its tables. CUE, which knows no tables, lets every
// string stand there.
func (r *resolver) preset(m *plan.Member, subject string) {
	var value any
	if json.Unmarshal([]byte(m.Default), &value) == nil {
		r.presetKeys(value, m.Shape, m, subject)
	}
}

func (r *resolver) presetKeys(value any, s *plan.Shape, m *plan.Member, subject string) {
	switch v := value.(type) {
	case string:
		r.presetKey(v, s, m, subject)
	case []any:
		for _, x := range v {
			r.presetKeys(x, s.Elem, m, subject)
		}
	case map[string]any:
		for name, x := range v {
			r.presetKeys(x, within(s, name), m, subject)
		}
	}
}

func (r *resolver) presetKey(key string, s *plan.Shape, m *plan.Member, subject string) {
	switch {
	case s.KeyOf == "" || len(s.Enum) == 0 || slices.Contains(s.Enum, key):
	case r.disabled(subject+", "+m.Name, m.Place, "tables", s.KeyOf, "rows", key):
	default:
		r.diags.Addf("enum-value", m.Place, subject, "%s is %q when nobody gives it, which is no key of the table %s", m.Name, key, s.KeyOf).
			Repair = diag.DidYouMean(key, s.Enum)
	}
}

// within is the shape of a field of a record, or of a value of a map.
func within(s *plan.Shape, name string) *plan.Shape {
	i := slices.IndexFunc(s.Fields, func(f plan.Member) bool { return f.Name == name })
	if i < 0 {
		return s.Elem
	}
	return s.Fields[i].Shape
}
