package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func (a *analyser) boundLess(n *plan.Node) Interval {
	x, y := a.bits(n, 0), a.bits(n, 1)
	return truthInterval(x.Max < y.Min, x.Min >= y.Max)
}

func (a *analyser) boundAtMost(n *plan.Node) Interval {
	x, y := a.bits(n, 0), a.bits(n, 1)
	return truthInterval(x.Max <= y.Min, x.Min > y.Max)
}

func (a *analyser) boundAnd(n *plan.Node) Interval {
	x, y := a.arg(n, 0), a.arg(n, 1)
	return truthInterval(x.Min == 1 && y.Min == 1, x.Max == 0 || y.Max == 0)
}

func (a *analyser) boundOr(n *plan.Node) Interval {
	x, y := a.arg(n, 0), a.arg(n, 1)
	return truthInterval(x.Min == 1 || y.Min == 1, x.Max == 0 && y.Max == 0)
}

func (a *analyser) boundNot(n *plan.Node) Interval {
	x := a.arg(n, 0)
	return truthInterval(x.Max == 0, x.Min == 1)
}

func (a *analyser) boundNoFault(n *plan.Node) Interval {
	return truthInterval(a.arg(n, 0).Max == 0, false)
}

// boundEqual compares slots of any kind by their bits.
// Equal for sure are only two operands that always have one and the same value; unequal for sure,
// two without a value in common.
func (a *analyser) boundEqual(n *plan.Node) Interval {
	if kind := a.graph.Nodes[n.Args[0]].Kind; kind == plan.List || kind == plan.Map {
		return intInterval(0, 1)
	}
	x, y := a.bits(n, 0), a.bits(n, 1)
	switch {
	case x.Single():
		return truthInterval(y.Single() && x.Min == y.Min, !y.Holds(x.Min))
	case y.Single():
		return truthInterval(false, !x.Holds(y.Min))
	}
	return truthInterval(false, x.Max < y.Min || y.Max < x.Min)
}

// boundLessDouble compares numbers, of which one or both are doubles; one that is no number compares false.
func (a *analyser) boundLessDouble(n *plan.Node) Interval {
	x, y := a.number(n, 0), a.number(n, 1)
	return truthInterval(!x.NaN && !y.NaN && x.High < y.Low, x.Low >= y.High)
}

// boundEqualDouble returns the interval of an equality of doubles. It knows that a number equals itself: a formula that
// asks this asks whether the value is a number.
func (a *analyser) boundEqualDouble(n *plan.Node) Interval {
	return truthInterval(n.Args[0] == n.Args[1] && !a.arg(n, 0).NaN, false)
}

func (a *analyser) boundAtMostDouble(n *plan.Node) Interval {
	x, y := a.number(n, 0), a.number(n, 1)
	return truthInterval(!x.NaN && !y.NaN && x.High <= y.Low, x.Low > y.High)
}

// number returns an operand as a double.
func (a *analyser) number(n *plan.Node, k int) Interval {
	x := a.arg(n, k)
	if a.graph.Nodes[n.Args[k]].Kind == plan.Double {
		return x
	}
	return doubleInterval(float64(x.Min), float64(x.Max))
}

func (a *analyser) boundSelect(n *plan.Node) Interval {
	switch c := a.arg(n, 0); {
	case c.Min == 1 && c.Max == 1:
		return a.arg(n, 1)
	case c.Max == 0:
		return a.arg(n, 2)
	}
	return a.arg(n, 1).join(a.arg(n, 2))
}

// Of faults it is bounded which cannot happen.

// faultUnless returns the fault that does not happen, or may.
func faultUnless(impossible bool) Interval {
	if impossible {
		return intInterval(0, 0)
	}
	return anyOfKind(plan.Fault)
}

// overflowOf bounds the fault of an operation that is monotonic in each operand.
func overflowOf(op plan.Op) transfer {
	return func(a *analyser, n *plan.Node) Interval {
		_, ok := corners(op, a.arg(n, 0), a.arg(n, 1))
		return faultUnless(ok)
	}
}

func (a *analyser) boundNegFault(n *plan.Node) Interval {
	return faultUnless(a.arg(n, 0).Min > math.MinInt64)
}

func (a *analyser) boundDivFault(n *plan.Node) Interval {
	x, y := a.arg(n, 0), a.arg(n, 1)
	return faultUnless(!y.Holds(0) && !(x.Min == math.MinInt64 && y.Holds(-1)))
}

func (a *analyser) boundPowFault(n *plan.Node) Interval {
	x, y := a.arg(n, 0), a.arg(n, 1)
	return faultUnless(x.Min >= 0 && y.Min >= 0 && !builtin.PowOverflows(x.Max, y.Max))
}

func (a *analyser) boundToIntFault(n *plan.Node) Interval {
	return faultUnless(roundsToInt(plan.Op(n.Imm), a.arg(n, 0)))
}

func (a *analyser) boundFail(n *plan.Node) Interval { return faultUnless(a.arg(n, 0).Min == 1) }

func (a *analyser) boundFirstFault(n *plan.Node) Interval {
	return faultUnless(a.arg(n, 0).Max == 0 && a.arg(n, 1).Max == 0)
}

func (a *analyser) boundSideFault(n *plan.Node) Interval {
	return faultUnless(a.arg(n, 1).Max == 0 && a.arg(n, 3).Max == 0)
}

func (a *analyser) boundElemFault(n *plan.Node) Interval {
	list, i := a.arg(n, 0), a.arg(n, 1)
	return faultUnless(i.Min >= 0 && i.Max < list.Min)
}

func (a *analyser) boundEmptyFault(n *plan.Node) Interval { return faultUnless(a.arg(n, 0).Min > 0) }

func (a *analyser) boundSliceFault(n *plan.Node) Interval {
	list, from, to := a.arg(n, 0), a.arg(n, 1), a.arg(n, 2)
	return faultUnless(from.Min >= 0 && from.Max <= to.Min && to.Max <= list.Min)
}

func (a *analyser) boundRangeFault(n *plan.Node) Interval {
	first, last := a.arg(n, 0).Min, a.arg(n, 1).Max
	return faultUnless(!builtin.SubOverflows(last, first) && last-first <= plan.MaxRange)
}

func (a *analyser) boundSumFault(n *plan.Node) Interval {
	_, ok := sumInterval(a.arg(n, 0))
	return faultUnless(ok)
}

func (a *analyser) boundRowFault(n *plan.Node) Interval { return faultUnless(a.arg(n, 0).Min >= 0) }
