package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// truths bounds comparisons, logic and choice.
func (a *analysis) truths(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpEqInt:
		return a.equalInts(n), true
	case plan.OpLtInt, plan.OpLeInt:
		x, y := a.bits(n, 0), a.bits(n, 1)
		if n.Op == plan.OpLtInt {
			return truth(x.Max < y.Min, x.Min >= y.Max), true
		}
		return truth(x.Max <= y.Min, x.Min > y.Max), true
	case plan.OpLtDouble, plan.OpLeDouble, plan.OpLtIntDouble, plan.OpLeIntDouble, plan.OpLtDoubleInt, plan.OpLeDoubleInt:
		return a.compareDoubles(n), true
	case plan.OpAnd:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return truth(x.Min == 1 && y.Min == 1, x.Max == 0 || y.Max == 0), true
	case plan.OpOr:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return truth(x.Min == 1 || y.Min == 1, x.Max == 0 && y.Max == 0), true
	case plan.OpNot:
		x := a.arg(n, 0)
		return truth(x.Max == 0, x.Min == 1), true
	case plan.OpNoFault:
		x := a.arg(n, 0)
		return truth(x.Max == 0, false), true
	case plan.OpSelect:
		return a.choice(n), true
	}
	return Interval{}, false
}

// equalInts compares slots of any kind by their bits.
func (a *analysis) equalInts(n *plan.Node) Interval {
	if kind := a.graph.Nodes[n.Args[0]].Kind; kind == plan.List || kind == plan.Map {
		return ints(0, 1)
	}
	x, y := a.bits(n, 0), a.bits(n, 1)
	switch {
	case x.Single():
		return truth(y.Single() && x.Min == y.Min, !y.Holds(x.Min))
	case y.Single():
		return truth(false, !x.Holds(y.Min))
	}
	return truth(false, x.Max < y.Min || y.Max < x.Min)
}

// compareDoubles compares numbers, of which one or both are doubles; one that is none compares false.
func (a *analysis) compareDoubles(n *plan.Node) Interval {
	x, y := a.number(n, 0), a.number(n, 1)
	none := x.NaN || y.NaN
	switch n.Op {
	case plan.OpLtDouble, plan.OpLtIntDouble, plan.OpLtDoubleInt:
		return truth(!none && x.High < y.Low, x.Low >= y.High)
	}
	return truth(!none && x.High <= y.Low, x.Low > y.High)
}

// number is an operand as a double.
func (a *analysis) number(n *plan.Node, k int) Interval {
	x := a.arg(n, k)
	if a.graph.Nodes[n.Args[k]].Kind == plan.Double {
		return x
	}
	return doubles(float64(x.Min), float64(x.Max))
}

func (a *analysis) choice(n *plan.Node) Interval {
	switch c := a.arg(n, 0); {
	case c.Min == 1 && c.Max == 1:
		return a.arg(n, 1)
	case c.Max == 0:
		return a.arg(n, 2)
	}
	return a.arg(n, 1).join(a.arg(n, 2))
}

// never is the fault that does not happen, or may.
func never(impossible bool) Interval {
	if impossible {
		return ints(0, 0)
	}
	return anything(plan.Fault)
}

// faults bounds faults: which of them cannot happen.
func (a *analysis) faults(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpAddIntFault, plan.OpSubIntFault, plan.OpMulIntFault:
		_, ok := corners(a.arg(n, 0), a.arg(n, 1), intOpOf(n.Op))
		return never(ok), true
	case plan.OpNegIntFault, plan.OpAbsIntFault:
		return never(a.arg(n, 0).Min > math.MinInt64), true
	case plan.OpDivFault, plan.OpModFault:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return never(!y.Holds(0) && !(x.Min == math.MinInt64 && y.Holds(-1))), true
	case plan.OpPowIntFault:
		x, y := a.arg(n, 0), a.arg(n, 1)
		_, over := powers(x.Max, min(y.Max, 64))
		return never(x.Min >= 0 && y.Min >= 0 && !over && (y.Max <= 64 || x.Max < 2)), true
	case plan.OpToIntFault:
		return never(whole(plan.Op(n.Imm), a.arg(n, 0))), true
	case plan.OpFail:
		return never(a.arg(n, 0).Min == 1), true
	case plan.OpFirstFault:
		return never(a.arg(n, 0).Max == 0 && a.arg(n, 1).Max == 0), true
	case plan.OpAndFault, plan.OpOrFault:
		return never(a.arg(n, 1).Max == 0 && a.arg(n, 3).Max == 0), true
	case plan.OpElemFault:
		list, i := a.arg(n, 0), a.arg(n, 1)
		return never(i.Min >= 0 && i.Max < list.Min), true
	case plan.OpEmptyFault:
		return never(a.arg(n, 0).Min > 0), true
	case plan.OpSliceFault:
		list, from, to := a.arg(n, 0), a.arg(n, 1), a.arg(n, 2)
		return never(from.Min >= 0 && from.Max <= to.Min && to.Max <= list.Min), true
	case plan.OpRangeFault:
		span, over := subInt(a.arg(n, 1).Max, a.arg(n, 0).Min)
		return never(!over && span <= plan.MaxRange), true
	case plan.OpSumIntFault:
		_, ok := sums(a.arg(n, 0))
		return never(ok), true
	case plan.OpRowFault:
		return never(a.arg(n, 0).Min >= 0), true
	}
	return Interval{}, false
}
