package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Rounding is monotonic, so the ends of an interval of doubles round as the values between them do.

func boundMonotonicDouble(v *valuation, n *plan.Node) Interval {
	compute := builtin.ScalarOf(n.Op)
	return boundByEnds(v.arg(n, 0), v.arg(n, 1), func(x, y float64) float64 {
		return builtin.Double(compute(builtin.Bits(x), builtin.Bits(y)))
	})
}

func boundNegativeDouble(v *valuation, n *plan.Node) Interval {
	x := v.arg(n, 0)
	return Interval{Low: -x.High, High: -x.Low, NaN: x.NaN}
}

func boundAbsoluteDouble(v *valuation, n *plan.Node) Interval { return absoluteDouble(v.arg(n, 0)) }

// boundLesserDouble returns the interval of the lesser or the greater of two doubles. NaN compares false, so that either
// operand may be the result.
func boundLesserDouble(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	if x.NaN || y.NaN {
		return x.join(y)
	}
	if n.Op == plan.OpMinDouble {
		return doubleInterval(min(x.Low, y.Low), min(x.High, y.High))
	}
	return doubleInterval(max(x.Low, y.Low), max(x.High, y.High))
}

// boundProduct and boundRatio know nothing where 0 meets infinity: the result may be no number.
func boundProduct(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	if x.hasZero() && y.hasInfinity() || y.hasZero() && x.hasInfinity() {
		return anyOfKind(plan.Double)
	}
	return boundMonotonicDouble(v, n)
}

func boundRatio(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	if y.hasZero() || x.hasInfinity() && y.hasInfinity() {
		return anyOfKind(plan.Double)
	}
	return boundMonotonicDouble(v, n)
}

// boundByEnds bounds an operation that is monotonic in each operand. Where an end is no number, one between may be none.
func boundByEnds(a, b Interval, op func(x, y float64) float64) Interval {
	out := Interval{Low: math.Inf(1), High: math.Inf(-1), NaN: a.NaN || b.NaN}
	for _, x := range [...]float64{a.Low, a.High} {
		for _, y := range [...]float64{b.Low, b.High} {
			v := op(x, y)
			if v != v {
				return anyOfKind(plan.Double)
			}
			out.Low, out.High = min(out.Low, v), max(out.High, v)
		}
	}
	return out
}

// hasInfinity reports whether a double can be infinite.
func (i Interval) hasInfinity() bool { return math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) }

func (i Interval) hasZero() bool { return i.Low <= 0 && 0 <= i.High }

func absoluteDouble(x Interval) Interval {
	low, high := math.Abs(x.Low), math.Abs(x.High)
	out := Interval{Low: min(low, high), High: max(low, high), NaN: x.NaN}
	if x.hasZero() {
		out.Low = 0
	}
	return out
}

// boundRounded bounds a double that is rounded to an int.
func boundRounded(v *valuation, n *plan.Node) Interval {
	out, _ := roundInterval(n.Op, v.arg(n, 0))
	return out
}

// roundInterval bounds a rounded double; ok is false if it may be no int.
func roundInterval(op plan.Op, x Interval) (out Interval, ok bool) {
	low, high := builtin.RoundBy(op, x.Low), builtin.RoundBy(op, x.High)
	if x.NaN || !builtin.IsInt(low) || !builtin.IsInt(high) {
		return anyOfKind(plan.Int), false
	}
	return intInterval(int64(low), int64(high)), true
}

func boundToDouble(v *valuation, n *plan.Node) Interval {
	x := v.arg(n, 0)
	return doubleInterval(float64(x.Min), float64(x.Max))
}
