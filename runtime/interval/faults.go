package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

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
	return func(v *valuation, n *plan.Node) Interval {
		out, ok := corners(op, v.arg(n, 0), v.arg(n, 1))
		return faultUnless(ok && v.hasInts(out))
	}
}

func boundNegFault(v *valuation, n *plan.Node) Interval {
	return faultUnless(v.arg(n, 0).Min > math.MinInt64)
}

func boundDivFault(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	return faultUnless(!y.Holds(0) && !(x.Min == math.MinInt64 && y.Holds(-1)))
}

func boundPowFault(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	return faultUnless(x.Min >= 0 && y.Min >= 0 && !builtin.PowOverflows(x.Max, y.Max) && v.hasInts(boundPower(v, n)))
}

func boundToIntFault(v *valuation, n *plan.Node) Interval {
	out, ok := roundInterval(plan.Op(n.Imm), v.arg(n, 0))
	return faultUnless(ok && v.hasInts(out))
}

func boundFail(v *valuation, n *plan.Node) Interval { return faultUnless(v.arg(n, 0).Min == 1) }

func boundFirstFault(v *valuation, n *plan.Node) Interval {
	return faultUnless(v.arg(n, 0).Max == 0 && v.arg(n, 1).Max == 0)
}

func boundSideFault(v *valuation, n *plan.Node) Interval {
	return faultUnless(v.arg(n, 1).Max == 0 && v.arg(n, 3).Max == 0)
}

func boundElemFault(v *valuation, n *plan.Node) Interval {
	list, i := v.arg(n, 0), v.arg(n, 1)
	return faultUnless(i.Min >= 0 && i.Max < list.Min)
}

func boundEmptyFault(v *valuation, n *plan.Node) Interval { return faultUnless(v.arg(n, 0).Min > 0) }

func boundSliceFault(v *valuation, n *plan.Node) Interval {
	list, from, to := v.arg(n, 0), v.arg(n, 1), v.arg(n, 2)
	return faultUnless(from.Min >= 0 && from.Max <= to.Min && to.Max <= list.Min)
}

func boundRangeFault(v *valuation, n *plan.Node) Interval {
	first, last := v.arg(n, 0).Min, v.arg(n, 1).Max
	return faultUnless(!builtin.SubOverflows(last, first) && last-first <= plan.MaxRange)
}

func boundSumFault(v *valuation, n *plan.Node) Interval {
	_, ok := v.sumInterval(v.arg(n, 0))
	return faultUnless(ok)
}

func boundRowFault(v *valuation, n *plan.Node) Interval { return faultUnless(v.arg(n, 0).Min >= 0) }
