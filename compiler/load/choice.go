package load

import (
	"cmp"
	"encoding/json"
	"maps"
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

// readChoice reads a disjunction: strings that are written out, or one type with values of it that are its default.
func (w *shaper) readChoice(s site) meaning {
	at := w.r.placeOf(s.expr.Pos())
	arms := w.readArms(s)
	out := meaning{Shape: &plan.Shape{Place: at}, fallback: markedDefault(arms)}
	rest := widerArms(arms)
	if slices.ContainsFunc(arms, func(a arm) bool { return a.unclear }) {
		return unclearMeaning(at)
	}
	if enum, ok := literalStrings(rest); ok {
		out.Kind, out.Enum = plan.String, enum
		return out
	}
	if shape := literalInts(rest, at); shape != nil {
		out.Shape = shape
		return out
	}
	if len(rest) == 1 {
		one := rest[0].meaning
		one.fallback = cmp.Or(out.fallback, one.fallback)
		return one
	}
	if wide := singleType(rest); wide != nil && out.fallback != "" && !fitsShape(out.fallback, wide) {
		w.reportUnsayable(at, "the default "+out.fallback+" lies outside of what the field may be").Repair =
			"widen the bounds, or give another default"
		out.Kind, out.fallback = wide.Kind, ""
		return out
	}
	if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind != plan.Bool }) {
		d := w.reportUnsayable(at, "alternatives are strings or whole numbers that are written out, "+
			"or one type and a default of it: *0 | int")
		if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind == plan.Map }) {
			d.Repair = "a map that is left out is empty as it is: [string]: int"
		} else if slices.ContainsFunc(rest, func(a arm) bool { return a.Kind == plan.Double }) {
			d.Repair = "bound the fractions, as in >=0.5 & <=1.5, or name them by strings that a table translates"
		}
	}
	out.Kind = rest[0].Kind
	return out
}

// readArms are the alternatives, those of nested choices too.
func (w *shaper) readArms(s site) []arm {
	switch x := s.expr.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.OR {
			return append(w.readArms(s.withOperand(x.X)), w.readArms(s.withOperand(x.Y))...)
		}
	case *ast.UnaryExpr:
		if x.Op == token.MUL {
			return []arm{{w.readMeaning([]site{s.withOperand(x.X)}, w.r.placeOf(x.Pos())), true}}
		}
	}
	return []arm{{w.readMeaning([]site{s}, w.r.placeOf(s.expr.Pos())), false}}
}

// markedDefault is the default of a choice: the marked alternative, or that of an alternative that is itself a choice.
func markedDefault(arms []arm) string {
	for _, a := range arms {
		if a.marked {
			return cmp.Or(a.constant, a.defaultValue())
		}
	}
	for _, a := range arms {
		if a.fallback != "" {
			return a.fallback
		}
	}
	return ""
}

// widerArms leaves out the values that another alternative allows anyway.
func widerArms(arms []arm) (out []arm) {
	for i, a := range arms {
		if a.constant != "" && slices.ContainsFunc(arms[i+1:], a.isWithin) ||
			a.constant != "" && slices.ContainsFunc(arms[:i], func(b arm) bool {
				return b.constant == a.constant || a.isWithin(b)
			}) {
			continue
		}
		out = append(out, a)
	}
	return out
}

// isWithin reports whether an alternative that is more than one value allows this value.
func (a arm) isWithin(b arm) bool { return b.constant == "" && fitsShape(a.constant, b.Shape) }

// literalStrings are the values of alternatives that are all strings written out, each once.
func literalStrings(arms []arm) (out []string, ok bool) {
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

// singleType is the shape of the only alternative that is more than one value; nil when there are several or none.
func singleType(arms []arm) *plan.Shape {
	var out *plan.Shape
	for _, a := range arms {
		switch {
		case a.constant != "":
		case out != nil:
			return nil
		default:
			out = a.Shape
		}
	}
	return out
}

// maxGaps bounds the numbers between whole numbers that are written out, each of which the shape excludes.
const maxGaps = 200

// literalInts is the shape of alternatives that are all whole numbers written out; nil of others. A shape says it by the
// least, the greatest, and the numbers between them that are none of them.
func literalInts(arms []arm, at plan.Place) *plan.Shape {
	values := map[int64]bool{}
	for _, a := range arms {
		if a.constant == "" || a.Kind != plan.Int || a.Min == nil {
			return nil
		}
		values[int64(a.Min.Value)] = true
	}
	sorted := slices.Sorted(maps.Keys(values))
	if len(sorted) < 2 || sorted[len(sorted)-1]-sorted[0] > maxGaps {
		return nil
	}
	out := &plan.Shape{Kind: plan.Int, Place: at}
	out.Min, out.Max = &plan.Bound{Value: float64(sorted[0])}, &plan.Bound{Value: float64(sorted[len(sorted)-1])}
	for n := sorted[0]; n < sorted[len(sorted)-1]; n++ {
		if !values[n] {
			out.Not = append(out.Not, plan.Bound{Value: float64(n)})
		}
	}
	return out
}

// fitsShape reports whether a JSON value is one of a shape. Lists and structs are compared by their kind alone.
func fitsShape(value string, s *plan.Shape) bool {
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return false
	}
	switch v := v.(type) {
	case string:
		return admitsKind(s, plan.String) && (s.Enum == nil || slices.Contains(s.Enum, v))
	case bool:
		return admitsKind(s, plan.Bool)
	case float64:
		return numberFits(v, s)
	case []any:
		return admitsKind(s, plan.List)
	case map[string]any:
		return admitsKind(s, plan.Map) || s.Kind == plan.Record
	}
	return false
}

func admitsKind(s *plan.Shape, k plan.Kind) bool { return s.Kind == plan.Invalid || s.Kind == k }

func numberFits(v float64, s *plan.Shape) bool {
	switch {
	case s.Kind == plan.Int && v != float64(int64(v)), s.Kind != plan.Invalid && !isNumber(s.Kind):
		return false
	case s.Min != nil && (v < s.Min.Value || v == s.Min.Value && s.Min.Open):
		return false
	case s.Max != nil && (v > s.Max.Value || v == s.Max.Value && s.Max.Open):
		return false
	}
	return !slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == v })
}
