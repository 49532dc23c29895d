package shape

import (
	"encoding/json"
	"math/big"
	"slices"

	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// FitsShape reports whether a JSON value is one of a shape. Lists and structs are compared by their kind alone.
func FitsShape(value string, s *plan.Shape) bool {
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

// numberFits holds a number against the kind and the bounds of a shape. A fraction is no int, whatever the bounds are.
func numberFits(v float64, s *plan.Shape) bool {
	switch {
	case s.Kind == plan.Int && v != float64(int64(v)), s.Kind != plan.Invalid && !IsNumber(s.Kind):
		return false
	case s.Min != nil && (v < s.Min.Value || v == s.Min.Value && s.Min.Open):
		return false
	case s.Max != nil && (v > s.Max.Value || v == s.Max.Value && s.Max.Open):
		return false
	}
	return !slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == v })
}

// unclearMeaning returns the meaning of an expression that was reported: nothing more is said about it.
func unclearMeaning(at plan.Place) meaning {
	return meaning{Shape: &plan.Shape{Place: at}, unclear: true}
}

// A Reader reads the specification of one #Character, #Input, #State or #Event.
type Reader struct {
	*site.Module
	diags          *diag.List
	contradictions Contradictions
	subject        string      // of its reports
	member         string      // the innermost that is read, and that means nothing when it is reported
	character      *plan.Shape // nil while it is itself read
	active         map[ast.Node]bool
	marks          Marks // where attributes of fields are noted; nil for a record that nobody is asked for
}

// NewReader returns a reader that refers to a character, if there is one, by its shape, and notes attributes of fields in
// marks unless that is nil.
func NewReader(
	m *site.Module, diags *diag.List, found Contradictions, subject string, character *plan.Shape, marks Marks,
) *Reader {
	return &Reader{Module: m, diags: diags, contradictions: found, subject: subject, character: character,
		active: map[ast.Node]bool{}, marks: marks}
}

// Contradictions are the lines of inputs at which no value satisfies what is said of them, and of cells that a definition
// refuses. It is reported there, and CUE may find the same once more.
type Contradictions map[plan.Place]bool

// Add notes that the contradiction in the line of a place is reported.
func (c Contradictions) Add(at plan.Place) { c[lineOf(at)] = true }

// IsAt reports whether the contradiction in the line of a place is reported.
func (c Contradictions) IsAt(at plan.Place) bool { return c[lineOf(at)] }

func lineOf(at plan.Place) plan.Place { return plan.Place{File: at.File, Line: at.Line} }

// A meaning is what some atoms say together. Kind Invalid of its shape is any value.
//
// The embedded Shape is what a caller takes in the end; the fields beside it are needed only while
// conjuncts and alternatives are put together. constant is set by a literal: of a number, a word or
// a truth, or a list of such.
type meaning struct {
	*plan.Shape
	numeric  bool     // bounded as a number, be it an int or not
	constant string   // JSON: the only value; "" when there are others
	fallback string   // JSON: the default; "" when there is none
	second   string   // JSON: another default; "" when none contradicts the first
	rational *big.Rat // the only value, when it is a number
	void     bool     // parts of it contradict each other
	unclear  bool     // part of it was reported
}

// reportUnsayable reports an expression that a shape cannot express.
func (w *Reader) reportUnsayable(at plan.Place, message string) *diag.Diagnostic {
	d := w.diags.Addf("cannot-lower", at, w.subject, "%s", message)
	if w.member != "" {
		d.Breaks = []string{w.member}
	}
	return d
}

// defaultValue returns the value of a field that nobody gives: its default, its only value, or the empty one where that is
// allowed. A record is {} only if none of its members is demanded, so that {} is a value of it: its members' own defaults
// fill it.
func (m meaning) defaultValue() string {
	switch {
	case m.fallback != "":
		return m.fallback
	case m.constant != "":
		return m.constant
	case m.Shape.Character:
		return ""
	case m.Kind == plan.List && m.MinItems == 0:
		return "[]"
	case (m.Kind == plan.Record || m.Kind == plan.Map) && !slices.ContainsFunc(m.Fields, isDemanded):
		return "{}"
	}
	return ""
}

func isDemanded(m plan.Member) bool { return !m.Optional && m.Default == "" }

// IsNumber reports whether a kind is ordered by size, so that it may have bounds.
func IsNumber(k plan.Kind) bool { return k == plan.Int || k == plan.Double }

// IsExact reports whether a double holds a whole number and both of its neighbours, so that no other one is taken for it.
func IsExact(i *big.Int) bool { return i.CmpAbs(big.NewInt(1<<53)) < 0 }
