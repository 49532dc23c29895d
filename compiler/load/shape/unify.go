package shape

import (
	"cmp"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// unify unifies a meaning with another. Where they contradict each other, no value is left: see empty.
func (m *meaning) unify(o meaning) {
	if m.Character || o.Character {
		if o.Character {
			m.Shape = o.Shape
		}
		return
	}
	m.unifyKind(o)
	m.unifyBounds(o)
	m.Enum = commonStrings(m.Enum, o.Enum)
	m.Keys = append(m.Keys, o.Keys...)
	m.Fields = append(m.Fields, o.Fields...)
	m.KeyOf = cmp.Or(o.KeyOf, m.KeyOf)
	m.Elem = cmp.Or(o.Elem, m.Elem)
	m.constant = cmp.Or(m.constant, o.constant)
	if m.fallback != "" && o.fallback != "" && m.fallback != o.fallback {
		m.second = cmp.Or(m.second, o.fallback)
	}
	m.fallback, m.second = cmp.Or(m.fallback, o.fallback), cmp.Or(m.second, o.second)
	m.rational = cmp.Or(m.rational, o.rational)
	m.unclear = m.unclear || o.unclear
}

// unifyBounds unifies bounds and sizes.
func (m *meaning) unifyBounds(o meaning) {
	m.Min, m.Max = tighterBound(m.Min, o.Min, 1), tighterBound(m.Max, o.Max, -1)
	m.Not, m.Limits = append(m.Not, o.Not...), append(m.Limits, o.Limits...)
	m.MinItems = max(m.MinItems, o.MinItems)
	if m.MaxItems == 0 || o.MaxItems != 0 && o.MaxItems < m.MaxItems {
		m.MaxItems = o.MaxItems
	}
}

// unifyKind unifies the kinds: a number that is also an int is an int.
func (m *meaning) unifyKind(o meaning) {
	switch {
	case m.Kind == plan.Invalid, m.Kind == plan.Double && o.Kind == plan.Int:
		m.Kind = o.Kind
	case o.Kind == plan.Invalid, o.Kind == m.Kind, m.Kind == plan.Int && o.Kind == plan.Double:
	case m.Kind == plan.Map && o.Kind == plan.Record:
	case m.Kind == plan.Record && o.Kind == plan.Map:
		m.Kind = plan.Map
	default:
		m.void = true
	}
	m.numeric = m.numeric || o.numeric
}

// isEmpty reports whether no value satisfies the meaning.
func (m *meaning) isEmpty() bool {
	below := m.Min != nil && m.Max != nil && (m.Min.Value > m.Max.Value ||
		m.Min.Value == m.Max.Value && (m.Min.Open || m.Max.Open))
	worded := m.Kind == plan.String || m.Kind == plan.Invalid
	return m.void || below || m.Enum != nil && len(m.Enum) == 0 ||
		m.Enum != nil && !worded || m.Min != nil && m.Kind != plan.Invalid && !IsNumber(m.Kind)
}

// tighterBound is the bound that excludes more: the greater one for sign 1, the smaller one for -1.
func tighterBound(a, b *plan.Bound, sign float64) *plan.Bound {
	switch {
	case a == nil:
		return b
	case b == nil || a.Value*sign > b.Value*sign || a.Value == b.Value && a.Open:
		return a
	}
	return b
}

// commonStrings are the strings that both allow, in the order of the first; nil allows all.
func commonStrings(a, b []string) []string {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}
