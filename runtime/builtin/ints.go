package builtin

import (
	"math"
	"math/bits"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// extreme returns a function that gives the greatest or the least number, by its operations on ints, on doubles and on
// lists.
func extreme(name, doc string, ops [3]plan.Op, bound func(x, y *Extent) *Extent, examples []Example) Function {
	return Function{Name: name, Doc: doc, Examples: examples, Overloads: []Overload{
		{ID: name + "_int", Params: []string{"int", "int"}, Result: "int", Op: ops[0], Extent: ofNumbers(bound)},
		{ID: name + "_double", Params: []string{"double", "double"}, Result: "double", Op: ops[1], OnlyNumbers: true,
			Extent: ofNumbers(bound)},
		{ID: name + "_list_int", Params: []string{"list(int)"}, Result: "int", Op: ops[2], Extent: anElement},
		{ID: name + "_list_double", Params: []string{"list(double)"}, Result: "double", Op: ops[2], OnlyNumbers: true,
			Extent: anElement},
	}}
}

// numbers are the functions of numbers that neither divide nor round.
var numbers = []Function{
	{
		Name: "abs",
		Doc:  "The number without its sign.",
		Overloads: []Overload{
			{ID: "abs_int", Params: []string{"int"}, Result: "int", Op: plan.OpAbsInt,
				Extent: ofNumber((*Extent).absoluteValue)},
			{ID: "abs_double", Params: []string{"double"}, Result: "double", Op: plan.OpAbsDouble,
				Extent: ofNumber((*Extent).absoluteValue)},
		},
		Examples: []Example{{"abs(-3)", "3"}, {"abs(-2.5)", "2.5"}},
	},
	extreme("max", "The greatest of two or more numbers, or of a list that is not empty. It fails where one is NaN.",
		[...]plan.Op{plan.OpMaxInt, plan.OpMaxDouble, plan.OpGreatest}, (*Extent).maxWith,
		[]Example{{"max(1, 3, 2)", "3"}, {"max(1.5, 1.0)", "1.5"}, {"max([4, 9, 2])", "9"}}),
	extreme("min", "The least of two or more numbers, or of a list that is not empty. It fails where one is NaN.",
		[...]plan.Op{plan.OpMinInt, plan.OpMinDouble, plan.OpLeast}, (*Extent).minWith,
		[]Example{{"min(1, 3, 2)", "1"}, {"min(1.5, 1.0)", "1.0"}, {"min([4, 9, 2])", "2"}}),
	{
		Name: "pow",
		Doc:  "The first number to the power of the second.",
		Overloads: []Overload{
			{ID: "pow_int", Params: []string{"int", "int"}, Result: "int", Op: plan.OpPowInt,
				Extent: ofNumbers((*Extent).raiseTo)},
			{ID: "pow_double", Params: []string{"double", "double"}, Result: "double", Op: plan.OpPowDouble,
				Extent: ofNumbers((*Extent).raiseTo)},
		},
		Examples: []Example{{"pow(2, 10)", "1024"}, {"pow(2.0, -1.0)", "0.5"}},
	},
}

// integers computes the operations on ints but the divisions.
var integers = []scalar{
	{plan.OpAddInt, func(a, b int64) int64 { return a + b }}, {plan.OpAddIntFault, tells(AddOverflows)},
	{plan.OpSubInt, func(a, b int64) int64 { return a - b }}, {plan.OpSubIntFault, tells(SubOverflows)},
	{plan.OpMulInt, func(a, b int64) int64 { return a * b }}, {plan.OpMulIntFault, tells(MulOverflows)},
	{plan.OpNegInt, func(a, _ int64) int64 { return -a }},
	{plan.OpNegIntFault, tells(func(a, _ int64) bool { return NegOverflows(a) })},
	{plan.OpAbsInt, func(a, _ int64) int64 { return AbsInt(a) }},
	{plan.OpAbsIntFault, tells(func(a, _ int64) bool { return NegOverflows(a) })},
	{plan.OpMinInt, func(a, b int64) int64 { return min(a, b) }},
	{plan.OpMaxInt, func(a, b int64) int64 { return max(a, b) }},
	{plan.OpModInt, ModInt}, {plan.OpModFault, tells(func(a, b int64) bool { return b == 0 || DivOverflows(a, b) })},
	{plan.OpPowInt, PowInt}, {plan.OpPowIntFault, tells(func(a, b int64) bool { return b < 0 || PowOverflows(a, b) })},
}

// Scalar functions are total: where their operands are senseless they give 0 or wrap, and the predicate beside them
// says so. They are small, so that the execution's switch can take them in.

// Bool returns a truth as a slot holds it.
func Bool(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// AddOverflows reports whether a + b is no int64.
func AddOverflows(a, b int64) bool {
	sum := a + b
	return (a^sum)&(b^sum) < 0
}

// SubOverflows reports whether a - b is no int64.
func SubOverflows(a, b int64) bool { return (a^b)&(a^(a-b)) < 0 }

// MulOverflows reports whether a * b is no int64.
//
// The upper half of the unsigned product, minus a where b is negative and minus b where a is (a &
// (b >> 63)), is that of the signed product; this fits when it is nothing but copies of the lower
// half's sign (H. S. Warren, "Hacker's Delight", 8-3).
func MulOverflows(a, b int64) bool {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a&(b>>63) - b&(a>>63) // of the signed product
	return high != int64(lo)>>63
}

// NegOverflows reports whether -a is no int64, nor then |a|.
func NegOverflows(a int64) bool { return a == math.MinInt64 }

// AbsInt is |a|.
func AbsInt(a int64) int64 { return max(a, -a) }

// ModInt returns the rest of DivTrunc: it has the sign of a.
func ModInt(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a % b
}

// PowInt returns a to the power of b; 0 for a negative b. By squaring: at most 63 rounds whatever b is. It may wrap, as
// PowOverflows says.
func PowInt(a, b int64) int64 {
	if b < 0 {
		return 0
	}
	p := int64(1)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			p *= a
		}
		a *= a
	}
	return p
}

// PowOverflows reports whether a to the power of b is no int64, for a b that is not negative.
// The loop ends after 63 products at the latest, as |a| is 2 or more.
func PowOverflows(a, b int64) bool {
	if -1 <= a && a <= 1 {
		return false
	}
	p := int64(1)
	for ; b > 0; b-- {
		if MulOverflows(p, a) {
			return true
		}
		p *= a
	}
	return false
}
