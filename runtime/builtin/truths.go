package builtin

import "github.com/tabletop-rules/rules/runtime/plan"

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
