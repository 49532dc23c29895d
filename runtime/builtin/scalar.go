package builtin

import "github.com/tabletop-rules/rules/runtime/plan"

// A Scalar computes an operation of one or two slots: of their bits, the bits of the result; of a fault, 1 when it
// happens. One of a single slot ignores b.
type Scalar func(a, b int64) int64

// A scalar is the row of an operation that a Scalar computes.
type scalar struct {
	op      plan.Op
	compute Scalar
}

// scalars holds the rows of all files by their opcodes.
var scalars = indexScalars(integers, divide, doubles, truths)

func indexScalars(groups ...[]scalar) (out [plan.NumOps]Scalar) {
	for _, group := range groups {
		for _, row := range group {
			out[row.op] = row.compute
		}
	}
	return out
}

// ScalarOf computes an operation; nil when it takes more than two slots, or more than their bits decides: an immediate, the
// elements of a list, the text of a symbol.
func ScalarOf(op plan.Op) Scalar {
	if int(op) >= plan.NumOps {
		return nil
	}
	return scalars[op]
}

// truths computes comparisons and logic.
var truths = []scalar{
	{plan.OpEqInt, tells(func(a, b int64) bool { return a == b })},
	{plan.OpLtInt, tells(func(a, b int64) bool { return a < b })},
	{plan.OpLeInt, tells(func(a, b int64) bool { return a <= b })},
	{plan.OpEqDouble, tells(func(a, b int64) bool { return Double(a) == Double(b) })},
	{plan.OpLtDouble, tells(func(a, b int64) bool { return Double(a) < Double(b) })},
	{plan.OpLeDouble, tells(func(a, b int64) bool { return Double(a) <= Double(b) })},
	{plan.OpLtIntDouble, tells(func(a, b int64) bool { return LtIntDouble(a, Double(b)) })},
	{plan.OpLeIntDouble, tells(func(a, b int64) bool { return LeIntDouble(a, Double(b)) })},
	{plan.OpLtDoubleInt, tells(func(a, b int64) bool { return LtDoubleInt(Double(a), b) })},
	{plan.OpLeDoubleInt, tells(func(a, b int64) bool { return LeDoubleInt(Double(a), b) })},
	{plan.OpNot, func(a, _ int64) int64 { return a ^ 1 }},
	{plan.OpNoFault, tells(func(a, _ int64) bool { return a == 0 })},
	{plan.OpFail, tells(func(a, _ int64) bool { return a == 0 })},
}

// tells makes a Scalar of a predicate.
func tells(f func(a, b int64) bool) Scalar { return func(a, b int64) int64 { return Bool(f(a, b)) } }
