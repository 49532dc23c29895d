package interval

import "github.com/tabletop-rules/rules/runtime/plan"

func boundLess(v *valuation, n *plan.Node) Interval {
	x, y := v.bits(n, 0), v.bits(n, 1)
	return truthInterval(x.Max < y.Min, x.Min >= y.Max)
}

func boundAtMost(v *valuation, n *plan.Node) Interval {
	x, y := v.bits(n, 0), v.bits(n, 1)
	return truthInterval(x.Max <= y.Min, x.Min > y.Max)
}

func boundAnd(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	return truthInterval(x.Min == 1 && y.Min == 1, x.Max == 0 || y.Max == 0)
}

func boundOr(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	return truthInterval(x.Min == 1 || y.Min == 1, x.Max == 0 && y.Max == 0)
}

func boundNot(v *valuation, n *plan.Node) Interval {
	x := v.arg(n, 0)
	return truthInterval(x.Max == 0, x.Min == 1)
}

func boundNoFault(v *valuation, n *plan.Node) Interval {
	return truthInterval(v.arg(n, 0).Max == 0, false)
}

// boundEqual compares slots of any kind by their bits.
// Equal for sure are only two operands that always have one and the same value; unequal for sure,
// two without a value in common.
func boundEqual(v *valuation, n *plan.Node) Interval {
	if kind := v.graph.Nodes[n.Args[0]].Kind; kind == plan.List || kind == plan.Map {
		return intInterval(0, 1)
	}
	x, y := v.bits(n, 0), v.bits(n, 1)
	switch {
	case x.Single():
		return truthInterval(y.Single() && x.Min == y.Min, !y.Holds(x.Min))
	case y.Single():
		return truthInterval(false, !x.Holds(y.Min))
	}
	return truthInterval(false, x.Max < y.Min || y.Max < x.Min)
}

// boundLessDouble compares numbers, of which one or both are doubles; one that is no number compares false.
func boundLessDouble(v *valuation, n *plan.Node) Interval {
	x, y := v.number(n, 0), v.number(n, 1)
	return truthInterval(!x.NaN && !y.NaN && x.High < y.Low, x.Low >= y.High)
}

// boundEqualDouble returns the interval of an equality of doubles. It knows that a number equals itself: a formula that
// asks this asks whether the value is a number.
func boundEqualDouble(v *valuation, n *plan.Node) Interval {
	return truthInterval(n.Args[0] == n.Args[1] && !v.arg(n, 0).NaN, false)
}

func boundAtMostDouble(v *valuation, n *plan.Node) Interval {
	x, y := v.number(n, 0), v.number(n, 1)
	return truthInterval(!x.NaN && !y.NaN && x.High <= y.Low, x.Low > y.High)
}

// number returns an operand as a double.
func (v *valuation) number(n *plan.Node, k int) Interval {
	x := v.arg(n, k)
	if v.graph.Nodes[n.Args[k]].Kind == plan.Double {
		return x
	}
	return doubleInterval(float64(x.Min), float64(x.Max))
}

func boundSelect(v *valuation, n *plan.Node) Interval {
	switch c := v.arg(n, 0); {
	case c.Min == 1 && c.Max == 1:
		return v.arg(n, 1)
	case c.Max == 0:
		return v.arg(n, 2)
	}
	return v.arg(n, 1).join(v.arg(n, 2))
}
