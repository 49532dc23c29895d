package load

import (
	"cmp"
	"encoding/json"
	"slices"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An arm is one alternative of a choice.
type arm struct {
	meaning
	marked bool // as the default
}

// choice reads a disjunction: strings that are written out, or one type with values of it that are its default.
func (w *shaper) choice(s site) meaning {
	at := w.r.place(s.expr.Pos())
	arms := w.arms(s)
	out := meaning{Shape: &plan.Shape{Place: at}, fallback: marked(arms)}
	rest := wider(arms)
	if slices.ContainsFunc(arms, func(a arm) bool { return a.unclear }) {
		return unclear(at)
	}
	if enum, ok := literals(rest); ok {
		out.Kind, out.Enum = plan.String, enum
		return out
	}
	if len(rest) == 1 {
		one := rest[0].meaning
		one.fallback = cmp.Or(out.fallback, one.fallback)
		return one
	}
	if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind != plan.Bool }) {
		d := w.cannot(at, "alternatives are strings that are written out, or one type and a default of it: *0 | int")
		if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind == plan.Map }) {
			d.Repair = "a map that is left out is empty as it is: [string]: int"
		}
	}
	out.Kind = rest[0].Kind
	return out
}

// arms are the alternatives, those of nested choices too.
func (w *shaper) arms(s site) []arm {
	switch x := s.expr.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.OR {
			return append(w.arms(s.operand(x.X)), w.arms(s.operand(x.Y))...)
		}
	case *ast.UnaryExpr:
		if x.Op == token.MUL {
			return []arm{{w.meaning([]site{s.operand(x.X)}, w.r.place(x.Pos())), true}}
		}
	}
	return []arm{{w.meaning([]site{s}, w.r.place(s.expr.Pos())), false}}
}

// marked is the default of a choice: the marked alternative, or that of an alternative that is itself a choice.
func marked(arms []arm) string {
	for _, a := range arms {
		if a.marked {
			return cmp.Or(a.constant, a.preset())
		}
	}
	for _, a := range arms {
		if a.fallback != "" {
			return a.fallback
		}
	}
	return ""
}

// wider leaves out the values that another alternative allows anyway.
func wider(arms []arm) (out []arm) {
	for i, a := range arms {
		if a.constant != "" && slices.ContainsFunc(arms[i+1:], a.within) ||
			a.constant != "" && slices.ContainsFunc(arms[:i], func(b arm) bool { return b.constant == a.constant || a.within(b) }) {
			continue
		}
		out = append(out, a)
	}
	return out
}

// within reports whether an alternative that is more than one value allows this value.
func (a arm) within(b arm) bool { return b.constant == "" && fits(a.constant, b.Shape) }

// literals are the values of alternatives that are all strings written out, each once.
func literals(arms []arm) (out []string, ok bool) {
	for _, a := range arms {
		if a.Kind != plan.String || a.Enum == nil {
			return nil, false
		}
		for _, s := range a.Enum {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out, true
}

// fits reports whether a JSON value is one of a shape. Lists and structs are compared by their kind alone.
func fits(value string, s *plan.Shape) bool {
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return false
	}
	switch v := v.(type) {
	case string:
		return admits(s, plan.String) && (s.Enum == nil || slices.Contains(s.Enum, v))
	case bool:
		return admits(s, plan.Bool)
	case float64:
		return numberFits(v, s)
	case []any:
		return admits(s, plan.List)
	case map[string]any:
		return admits(s, plan.Map) || s.Kind == plan.Record
	}
	return false
}

func admits(s *plan.Shape, k plan.Kind) bool { return s.Kind == plan.Invalid || s.Kind == k }

func numberFits(v float64, s *plan.Shape) bool {
	switch {
	case s.Kind == plan.Int && v != float64(int64(v)), s.Kind != plan.Invalid && !number(s.Kind):
		return false
	case s.Min != nil && (v < s.Min.Value || v == s.Min.Value && s.Min.Open):
		return false
	case s.Max != nil && (v > s.Max.Value || v == s.Max.Value && s.Max.Open):
		return false
	}
	return !slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == v })
}
