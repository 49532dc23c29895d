package builtin

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// divisions are the functions that divide integers. Formulas have no division without one of them, because how to round is
// a ruling of the book.
var divisions = []Function{
	division("div_floor", "rounded down", "The quotient, rounded down.", plan.OpDivFloor,
		[]Example{{"div_floor(7, 2)", "3"}, {"div_floor(-7, 2)", "-4"}}),
	division("div_ceil", "rounded up", "The quotient, rounded up.", plan.OpDivCeil,
		[]Example{{"div_ceil(7, 2)", "4"}, {"div_ceil(-7, 2)", "-3"}}),
	division("div_half_up", "rounded, halves up", "The quotient, rounded to the nearest integer, a half upwards.",
		plan.OpDivHalfUp,
		[]Example{{"div_half_up(7, 2)", "4"}, {"div_half_up(-7, 2)", "-3"}, {"div_half_up(10, 3)", "3"}}),
	division("div_trunc", "rounded towards 0", "The quotient, rounded towards zero.", plan.OpDivTrunc,
		[]Example{{"div_trunc(7, 2)", "3"}, {"div_trunc(-7, 2)", "-3"}}),
	division("div_away", "rounded away from 0", "The quotient, rounded away from zero.", plan.OpDivAway,
		[]Example{{"div_away(7, 2)", "4"}, {"div_away(-7, 2)", "-4"}, {"div_away(6, 2)", "3"}}),
}

func division(name, rounds, doc string, op plan.Op, examples []Example) Function {
	return Function{Name: name, Doc: doc, Rounds: rounds, Examples: examples, Overloads: []Overload{{
		ID: name, Params: []string{"int", "int"}, Result: "int", Op: op, Extent: ofNumbers(wholeQuotient)}}}
}

// divide computes the operations of the divisions.
var divide = []scalar{
	{plan.OpDivTrunc, DivTrunc}, {plan.OpDivFloor, DivFloor}, {plan.OpDivCeil, DivCeil}, {plan.OpDivHalfUp, DivHalfUp},
	{plan.OpDivAway, DivAway},
	{plan.OpDivFault, tells(func(a, b int64) bool { return b == 0 || DivOverflows(a, b) })},
}

// DivOverflows reports whether a / b is no int64 for b other than 0, however it is rounded.
func DivOverflows(a, b int64) bool { return a == math.MinInt64 && b == -1 }

// DivTrunc returns a / b rounded towards 0.
func DivTrunc(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// DivFloor returns a / b rounded down.
func DivFloor(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q := a / b
	if a%b != 0 && a^b < 0 {
		q--
	}
	return q
}

// DivCeil returns a / b rounded up.
func DivCeil(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q := a / b
	if a%b != 0 && a^b >= 0 {
		q++
	}
	return q
}

// DivHalfUp returns a / b rounded to the nearest integer, a half up.
func DivHalfUp(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q := DivFloor(a, b)
	rest, whole := magnitude(a-q*b), magnitude(b)
	if rest >= whole-rest {
		q++
	}
	return q
}

// DivAway returns a / b rounded away from 0.
func DivAway(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q := a / b
	switch {
	case a%b == 0:
		return q
	case a^b < 0:
		return q - 1
	}
	return q + 1
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
