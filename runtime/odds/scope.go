package odds

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Scope is the values that are open to a field that is decided: an int, a bool or a string.
type Scope struct {
	Least, Most int64 // of an int; the least and the greatest int64 where there is no bound
	shape       *plan.Shape
}

// NewScope returns all values of a shape.
func NewScope(shape *plan.Shape) Scope {
	s := Scope{Least: math.MinInt64, Most: math.MaxInt64, shape: shape}
	if b := shape.Min; b != nil {
		if s.Least = int64(math.Ceil(b.Value)); b.Open && float64(s.Least) == b.Value {
			s.Least++
		}
	}
	if b := shape.Max; b != nil {
		if s.Most = int64(math.Floor(b.Value)); b.Open && float64(s.Most) == b.Value {
			s.Most--
		}
	}
	return s
}

// RaiseLeast leaves out what is less than a number.
func (s *Scope) RaiseLeast(v jsonio.Value) {
	s.Least = max(s.Least, wholeOf(v, math.Ceil, math.MaxInt64))
}

// LowerMost leaves out what is more than a number.
func (s *Scope) LowerMost(v jsonio.Value) {
	s.Most = min(s.Most, wholeOf(v, math.Floor, math.MinInt64))
}

// wholeOf returns an int as it is, and a double as it is rounded, within the ints; where it is no number, none.
func wholeOf(v jsonio.Value, round func(float64) float64, none int64) int64 {
	if v.Kind() == plan.Int {
		return v.Int()
	}
	switch d := round(v.Double()); {
	case math.IsNaN(d):
		return none
	case d >= 1<<63:
		return math.MaxInt64
	case d < -1<<63:
		return math.MinInt64
	default:
		return int64(d)
	}
}

// Has reports whether a value is open.
func (s *Scope) Has(v jsonio.Value) bool {
	switch {
	case v.Kind() != s.shape.Kind:
		return false
	case v.Kind() == plan.Bool:
		return true
	case v.Kind() == plan.String:
		return s.shape.Enum == nil || slices.Contains(s.shape.Enum, v.Text())
	}
	return s.Least <= v.Int() && v.Int() <= s.Most &&
		!slices.ContainsFunc(s.shape.Not, func(b plan.Bound) bool { return b.Value == float64(v.Int()) })
}

// Refuse returns the error of a value that is not open.
func (s *Scope) Refuse(v jsonio.Value) error { return fmt.Errorf("it may not be %s: it is %s", v, s) }

// String describes the values.
func (s *Scope) String() string {
	switch {
	case s.shape.Kind == plan.Bool:
		return "true or false"
	case s.shape.Kind == plan.String && s.shape.Enum == nil:
		return "a string"
	case s.shape.Kind == plan.String:
		return "one of " + strings.Join(s.shape.Enum, ", ")
	case s.Least > math.MinInt64 && s.Most < math.MaxInt64:
		return fmt.Sprintf("a whole number from %d to %d", s.Least, s.Most)
	case s.Least > math.MinInt64:
		return fmt.Sprintf("a whole number of at least %d", s.Least)
	case s.Most < math.MaxInt64:
		return fmt.Sprintf("a whole number of at most %d", s.Most)
	}
	return "a whole number"
}
