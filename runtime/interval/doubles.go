package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// doubles bounds the operations on doubles. Rounding is monotonic, so the ends round as the values between them do.
func (a *analysis) doubles(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpAddDouble:
		return ends(a.arg(n, 0), a.arg(n, 1), func(x, y float64) float64 { return x + y }), true
	case plan.OpSubDouble:
		return ends(a.arg(n, 0), a.arg(n, 1), func(x, y float64) float64 { return x - y }), true
	case plan.OpMulDouble:
		return products(a.arg(n, 0), a.arg(n, 1)), true
	case plan.OpDivDouble:
		return ratios(a.arg(n, 0), a.arg(n, 1)), true
	case plan.OpNegDouble:
		x := a.arg(n, 0)
		return Interval{Low: -x.High, High: -x.Low, NaN: x.NaN}, true
	case plan.OpAbsDouble:
		return magnitudes(a.arg(n, 0)), true
	case plan.OpMinDouble:
		x, y := a.arg(n, 0), a.arg(n, 1)
		if x.NaN || y.NaN {
			return x.join(y), true
		}
		return doubles(min(x.Low, y.Low), min(x.High, y.High)), true
	case plan.OpMaxDouble:
		x, y := a.arg(n, 0), a.arg(n, 1)
		if x.NaN || y.NaN {
			return x.join(y), true
		}
		return doubles(max(x.Low, y.Low), max(x.High, y.High)), true
	}
	return Interval{}, false
}

// ends is what an operation gives that is monotonic in each operand. Where an end is no number, one between may be none.
func ends(a, b Interval, op func(x, y float64) float64) Interval {
	out := Interval{Low: math.Inf(1), High: math.Inf(-1), NaN: a.NaN || b.NaN}
	for _, x := range [...]float64{a.Low, a.High} {
		for _, y := range [...]float64{b.Low, b.High} {
			v := op(x, y)
			if v != v {
				return anything(plan.Double)
			}
			out.Low, out.High = min(out.Low, v), max(out.High, v)
		}
	}
	return out
}

// infinite reports whether a double can be.
func (i Interval) infinite() bool { return math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) }

func (i Interval) zero() bool { return i.Low <= 0 && 0 <= i.High }

func products(a, b Interval) Interval {
	if a.zero() && b.infinite() || b.zero() && a.infinite() {
		return anything(plan.Double)
	}
	return ends(a, b, func(x, y float64) float64 { return x * y })
}

func ratios(a, b Interval) Interval {
	if b.zero() || a.infinite() && b.infinite() {
		return anything(plan.Double)
	}
	return ends(a, b, func(x, y float64) float64 { return x / y })
}

func magnitudes(x Interval) Interval {
	low, high := math.Abs(x.Low), math.Abs(x.High)
	out := Interval{Low: min(low, high), High: max(low, high), NaN: x.NaN}
	if x.zero() {
		out.Low = 0
	}
	return out
}

// conversions bounds what makes numbers of one kind from those of another.
func (a *analysis) conversions(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpFloor, plan.OpCeil, plan.OpRound, plan.OpTrunc:
		x := a.arg(n, 0)
		if !whole(n.Op, x) {
			return anything(plan.Int), true
		}
		return ints(int64(rounded(n.Op, x.Low)), int64(rounded(n.Op, x.High))), true
	case plan.OpToDouble:
		x := a.arg(n, 0)
		return doubles(float64(x.Min), float64(x.Max)), true
	case plan.OpSizeString:
		return ints(0, math.MaxInt64), true
	case plan.OpIndexOf:
		return ints(-1, math.MaxInt64), true
	}
	return Interval{}, false
}

// whole reports whether a double always rounds to an int.
func whole(op plan.Op, x Interval) bool {
	return !x.NaN && rounded(op, x.Low) > -1<<63 && rounded(op, x.High) < 1<<63
}

func rounded(op plan.Op, x float64) float64 {
	switch op {
	case plan.OpFloor:
		return math.Floor(x)
	case plan.OpCeil:
		return math.Ceil(x)
	case plan.OpRound:
		return math.Round(x)
	}
	return math.Trunc(x)
}
