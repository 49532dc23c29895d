package interval

import (
	"math"
	"math/bits"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// addInt is a sum and whether it is too large for an int.
func addInt(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (a^sum)&(b^sum) < 0
}

func subInt(a, b int64) (int64, bool) {
	d := a - b
	return d, (a^b)&(a^d) < 0
}

func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a&(b>>63) - b&(a>>63)
	return int64(lo), high != int64(lo)>>63
}

// A binary operation on ints, which tells whether the result is too large.
type intOp func(a, b int64) (int64, bool)

// corners is what an operation gives that is monotonic in each operand; ok is false when a result is too large.
func corners(a, b Interval, op intOp) (out Interval, ok bool) {
	out = ints(math.MaxInt64, math.MinInt64)
	for _, x := range [...]int64{a.Min, a.Max} {
		for _, y := range [...]int64{b.Min, b.Max} {
			v, over := op(x, y)
			if over {
				return anything(plan.Int), false
			}
			out.Min, out.Max = min(out.Min, v), max(out.Max, v)
		}
	}
	return out, true
}

// intOpOf is what an operation computes, or the operation that tells of its fault.
func intOpOf(op plan.Op) intOp {
	switch op {
	case plan.OpAddInt, plan.OpAddIntFault:
		return addInt
	case plan.OpSubInt, plan.OpSubIntFault:
		return subInt
	case plan.OpMulInt, plan.OpMulIntFault:
		return mulInt
	}
	return nil
}

// integers bounds the operations on ints but divisions.
func (a *analysis) integers(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpAddInt, plan.OpSubInt, plan.OpMulInt:
		out, _ := corners(a.arg(n, 0), a.arg(n, 1), intOpOf(n.Op))
		return out, true
	case plan.OpNegInt:
		return negative(a.arg(n, 0)), true
	case plan.OpAbsInt:
		return absolute(a.arg(n, 0)), true
	case plan.OpMinInt:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return ints(min(x.Min, y.Min), min(x.Max, y.Max)), true
	case plan.OpMaxInt:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return ints(max(x.Min, y.Min), max(x.Max, y.Max)), true
	case plan.OpPowInt:
		return power(a.arg(n, 0), a.arg(n, 1)), true
	}
	return Interval{}, false
}

func negative(x Interval) Interval {
	if x.Min == math.MinInt64 {
		return anything(plan.Int)
	}
	return ints(-x.Max, -x.Min)
}

func absolute(x Interval) Interval {
	switch {
	case x.Min == math.MinInt64:
		return anything(plan.Int)
	case x.Min >= 0:
		return x
	case x.Max <= 0:
		return negative(x)
	}
	return ints(0, max(-x.Min, x.Max))
}

// powers is a to the power of b, for b that is not negative.
func powers(a, b int64) (p int64, over bool) {
	p = 1
	for range b {
		if p, over = mulInt(p, a); over || p == a && a < 2 {
			return p, over
		}
	}
	return p, false
}

// power bounds powers of what is not negative.
func power(a, b Interval) Interval {
	if a.Min < 0 || b.Min < 0 {
		return anything(plan.Int)
	}
	most, over := powers(a.Max, b.Max)
	if over {
		return anything(plan.Int)
	}
	least := int64(0)
	if a.Min > 0 {
		least, _ = powers(a.Min, b.Min)
	}
	return ints(least, max(1, most))
}

// divisions bounds quotients and rests.
func (a *analysis) divisions(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpDivTrunc, plan.OpDivFloor, plan.OpDivCeil, plan.OpDivHalfUp:
		return quotients(n.Op, a.arg(n, 0), a.arg(n, 1)), true
	case plan.OpModInt:
		return rests(a.arg(n, 0), a.arg(n, 1)), true
	}
	return Interval{}, false
}

func quotients(op plan.Op, a, b Interval) Interval {
	if a.Min == math.MinInt64 && (b.Holds(-1) || b.Holds(0)) {
		return anything(plan.Int)
	}
	if b.Holds(0) { // a quotient is no larger than the dividend; that by 0 is 0
		most := absolute(a).Max
		return ints(-most, most)
	}
	out, _ := corners(a, b, func(x, y int64) (int64, bool) { return quotient(op, x, y), false })
	return out
}

// quotient divides, rounding as an operation does.
func quotient(op plan.Op, a, b int64) int64 {
	q, rest := a/b, a%b
	down := rest != 0 && a^b < 0 // the quotient lies below q
	switch {
	case op == plan.OpDivFloor && down:
		return q - 1
	case op == plan.OpDivCeil && rest != 0 && !down:
		return q + 1
	case op == plan.OpDivHalfUp:
		return halfUp(q, rest, b, down)
	}
	return q
}

func halfUp(q, rest, b int64, down bool) int64 {
	if rest < 0 {
		rest = -rest
	}
	whole := uint64(b)
	if b < 0 {
		whole = -whole
	}
	above := whole - uint64(rest) // what is missing to the next whole
	switch {
	case down && uint64(rest) > above:
		return q - 1
	case !down && rest != 0 && uint64(rest) >= above:
		return q + 1
	}
	return q
}

// rests bounds the rest of a division, which has the sign of the dividend.
func rests(a, b Interval) Interval {
	most := int64(math.MaxInt64)
	if b.Min != math.MinInt64 {
		most = max(0, absolute(b).Max-1)
	}
	out := ints(0, 0)
	if a.Min < 0 {
		out.Min = max(a.Min, -most)
	}
	if a.Max > 0 {
		out.Max = min(a.Max, most)
	}
	return out
}
