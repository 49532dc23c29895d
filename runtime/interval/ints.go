package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An operation that is monotonic in each operand takes its extremes at the corners of the box that the operands' intervals
// span, and if it does not overflow there, it overflows nowhere within. So the bounds of most integer operations are the
// least and the greatest of four values, computed as the execution computes them.

// corners bounds an operation that is monotonic in each operand; ok is false when it overflows at a corner.
//
// For a product of -3 to 4 and 2 to 5 the corners are -6, -15, 8 and 20, and the bounds -15 to 20.
// Monotonic means in each operand alone, rising or falling, and which may depend on the other's
// value: that is why all four are needed.
func corners(op plan.Op, a, b Interval) (out Interval, ok bool) {
	compute, fails := builtin.ScalarOf(op), builtin.ScalarOf(op.Operation().Fails)
	out = intInterval(math.MaxInt64, math.MinInt64)
	for _, x := range [...]int64{a.Min, a.Max} {
		for _, y := range [...]int64{b.Min, b.Max} {
			if fails != nil && fails(x, y) != 0 {
				return anyOfKind(plan.Int), false
			}
			v := compute(x, y)
			out.Min, out.Max = min(out.Min, v), max(out.Max, v)
		}
	}
	return out, true
}

func boundMonotonic(v *valuation, n *plan.Node) Interval {
	out, _ := corners(n.Op, v.arg(n, 0), v.arg(n, 1))
	return out
}

func boundNegative(v *valuation, n *plan.Node) Interval { return negateInterval(v.arg(n, 0)) }
func boundAbsolute(v *valuation, n *plan.Node) Interval { return absoluteInterval(v.arg(n, 0)) }

func negateInterval(x Interval) Interval {
	if x.Min == math.MinInt64 {
		return anyOfKind(plan.Int)
	}
	return intInterval(-x.Max, -x.Min)
}

func absoluteInterval(x Interval) Interval {
	switch {
	case x.Min == math.MinInt64:
		return anyOfKind(plan.Int)
	case x.Min >= 0:
		return x
	case x.Max <= 0:
		return negateInterval(x)
	}
	return intInterval(0, max(-x.Min, x.Max))
}

// boundPower returns the interval of powers of a base that is not negative, which grow with both operands but for powers of
// 0. 0 to the power of 0 is 1 and every other power of 0 is 0, so the greatest is at least 1.
func boundPower(v *valuation, n *plan.Node) Interval {
	base, exponent := v.arg(n, 0), v.arg(n, 1)
	if base.Min < 0 || exponent.Min < 0 || builtin.PowOverflows(base.Max, exponent.Max) {
		return anyOfKind(plan.Int)
	}
	least := int64(0)
	if base.Min > 0 {
		least = builtin.PowInt(base.Min, exponent.Min)
	}
	return intInterval(least, max(1, builtin.PowInt(base.Max, exponent.Max)))
}

// boundQuotient bounds a quotient however it is rounded: rounding is monotonic, and so is a quotient where the divisor does
// not change its sign. A quotient is no larger than the dividend; that by 0 is 0.
func boundQuotient(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	if x.Min == math.MinInt64 && (y.Holds(-1) || y.Holds(0)) {
		return anyOfKind(plan.Int)
	}
	if y.Holds(0) {
		most := absoluteInterval(x).Max
		return intInterval(-most, most)
	}
	out, _ := corners(n.Op, x, y)
	return out
}

// boundRest bounds the rest of a division, which has the sign of the dividend.
func boundRest(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	most := int64(math.MaxInt64)
	if y.Min != math.MinInt64 {
		most = max(0, absoluteInterval(y).Max-1)
	}
	out := intInterval(0, 0)
	if x.Min < 0 {
		out.Min = max(x.Min, -most)
	}
	if x.Max > 0 {
		out.Max = min(x.Max, most)
	}
	return out
}
