package builtin

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// roundings are the functions that make integers of doubles.
var roundings = []Function{
	{
		Name:   "ceil",
		Rounds: "rounded up",
		Doc:    "The least integer that is not below the number.",
		Overloads: []Overload{{ID: "ceil_double", Params: []string{"double"}, Result: "int", Op: plan.OpCeil,
			Extent: ofNumber((*Extent).WidenToWhole)}},
		Examples: []Example{{"ceil(2.1)", "3"}, {"ceil(-2.9)", "-2"}},
	},
	{
		Name:   "floor",
		Rounds: "rounded down",
		Doc:    "The greatest integer that is not above the number.",
		Overloads: []Overload{{ID: "floor_double", Params: []string{"double"}, Result: "int", Op: plan.OpFloor,
			Extent: ofNumber((*Extent).WidenToWhole)}},
		Examples: []Example{{"floor(2.9)", "2"}, {"floor(-2.1)", "-3"}},
	},
	{
		Name:   "round",
		Rounds: "rounded, halves away from 0",
		Doc:    "The nearest integer, a half away from zero.",
		Overloads: []Overload{{ID: "round_double", Params: []string{"double"}, Result: "int", Op: plan.OpRound,
			Extent: ofNumber((*Extent).WidenToWhole)}},
		Examples: []Example{{"round(2.5)", "3"}, {"round(-2.5)", "-3"}, {"round(2.4)", "2"}},
	},
}

// doubles computes the operations on doubles, and the conversions.
var doubles = []scalar{
	{plan.OpAddDouble, ofDoubles(func(a, b float64) float64 { return a + b })},
	{plan.OpSubDouble, ofDoubles(func(a, b float64) float64 { return a - b })},
	{plan.OpMulDouble, ofDoubles(func(a, b float64) float64 { return a * b })},
	{plan.OpDivDouble, ofDoubles(func(a, b float64) float64 { return a / b })},
	{plan.OpNegDouble, ofDoubles(func(a, _ float64) float64 { return -a })},
	{plan.OpAbsDouble, ofDoubles(func(a, _ float64) float64 { return math.Abs(a) })},
	{plan.OpMinDouble, ofDoubles(MinDouble)}, {plan.OpMaxDouble, ofDoubles(MaxDouble)},
	{plan.OpPowDouble, ofDoubles(PowDouble)},
	{plan.OpFloor, rounds(plan.OpFloor)}, {plan.OpCeil, rounds(plan.OpCeil)},
	{plan.OpRound, rounds(plan.OpRound)}, {plan.OpTrunc, rounds(plan.OpTrunc)},
	{plan.OpToDouble, func(a, _ int64) int64 { return Bits(float64(a)) }},
}

func ofDoubles(f func(a, b float64) float64) Scalar {
	return func(a, b int64) int64 { return Bits(f(Double(a), Double(b))) }
}

func rounds(op plan.Op) Scalar {
	return func(a, _ int64) int64 { return ToInt(RoundBy(op, Double(a))) }
}

// RoundBy returns a double rounded as an operation does.
func RoundBy(op plan.Op, f float64) float64 {
	switch op {
	case plan.OpFloor:
		return math.Floor(f)
	case plan.OpCeil:
		return math.Ceil(f)
	case plan.OpRound:
		return math.Round(f)
	}
	return math.Trunc(f)
}

// Bits returns a double as a slot holds it.
func Bits(f float64) int64 { return int64(math.Float64bits(f)) }

// Double returns the double of a slot, the inverse of Bits.
func Double(bits int64) float64 { return math.Float64frombits(uint64(bits)) }

// MinDouble is b if b < a, else a.
func MinDouble(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}

// MaxDouble is b if b > a, else a.
func MaxDouble(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// IsInt reports whether a rounded double is an int: as CEL has it, greater than -2^63 and less than 2^63.
func IsInt(f float64) bool { return -1<<63 < f && f < 1<<63 }

// ToInt returns a rounded double as an int; 0 when it is none.
func ToInt(f float64) int64 {
	if !IsInt(f) {
		return 0
	}
	return int64(f)
}

// LtIntDouble reports a < b as CEL does: for the double that is nearest to a, so beyond 2^53 unequal numbers may compare
// as equal ones.
func LtIntDouble(a int64, b float64) bool { return float64(a) < b }

// LeIntDouble reports a <= b likewise.
func LeIntDouble(a int64, b float64) bool { return float64(a) <= b }

// LtDoubleInt reports a < b likewise.
func LtDoubleInt(a float64, b int64) bool { return a < float64(b) }

// LeDoubleInt reports a <= b likewise.
func LeDoubleInt(a float64, b int64) bool { return a <= float64(b) }
