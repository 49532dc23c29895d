package plan

import "math"

// truths bounds comparisons, logic and choice.
func (a *analysis) truths(n *Node) (Interval, bool) {
	switch n.Op {
	case OpEqInt:
		return a.equalInts(n), true
	case OpLtInt, OpLeInt:
		x, y := a.bits(n, 0), a.bits(n, 1)
		if n.Op == OpLtInt {
			return truth(x.Max < y.Min, x.Min >= y.Max), true
		}
		return truth(x.Max <= y.Min, x.Min > y.Max), true
	case OpLtDouble, OpLeDouble, OpLtIntDouble, OpLeIntDouble, OpLtDoubleInt, OpLeDoubleInt:
		return a.compareDoubles(n), true
	case OpAnd:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return truth(x.Min == 1 && y.Min == 1, x.Max == 0 || y.Max == 0), true
	case OpOr:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return truth(x.Min == 1 || y.Min == 1, x.Max == 0 && y.Max == 0), true
	case OpNot:
		x := a.arg(n, 0)
		return truth(x.Max == 0, x.Min == 1), true
	case OpNoFault:
		x := a.arg(n, 0)
		return truth(x.Max == 0, false), true
	case OpSelect:
		return a.choice(n), true
	}
	return Interval{}, false
}

// equalInts compares slots of any kind by their bits.
func (a *analysis) equalInts(n *Node) Interval {
	if kind := a.graph.Nodes[n.Args[0]].Kind; kind == List || kind == Map {
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
func (a *analysis) compareDoubles(n *Node) Interval {
	x, y := a.number(n, 0), a.number(n, 1)
	none := x.NaN || y.NaN
	switch n.Op {
	case OpLtDouble, OpLtIntDouble, OpLtDoubleInt:
		return truth(!none && x.High < y.Low, x.Low >= y.High)
	}
	return truth(!none && x.High <= y.Low, x.Low > y.High)
}

// number is an operand as a double.
func (a *analysis) number(n *Node, k int) Interval {
	x := a.arg(n, k)
	if a.graph.Nodes[n.Args[k]].Kind == Double {
		return x
	}
	return doubles(float64(x.Min), float64(x.Max))
}

func (a *analysis) choice(n *Node) Interval {
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
	return anything(Fault)
}

// faults bounds faults: which of them cannot happen.
func (a *analysis) faults(n *Node) (Interval, bool) {
	switch n.Op {
	case OpAddIntFault, OpSubIntFault, OpMulIntFault:
		_, ok := corners(a.arg(n, 0), a.arg(n, 1), intOpOf(n.Op))
		return never(ok), true
	case OpNegIntFault, OpAbsIntFault:
		return never(a.arg(n, 0).Min > math.MinInt64), true
	case OpDivFault, OpModFault:
		x, y := a.arg(n, 0), a.arg(n, 1)
		return never(!y.Holds(0) && !(x.Min == math.MinInt64 && y.Holds(-1))), true
	case OpPowIntFault:
		x, y := a.arg(n, 0), a.arg(n, 1)
		_, over := powers(x.Max, min(y.Max, 64))
		return never(x.Min >= 0 && y.Min >= 0 && !over && (y.Max <= 64 || x.Max < 2)), true
	case OpToIntFault:
		return never(whole(Op(n.Imm), a.arg(n, 0))), true
	case OpFail:
		return never(a.arg(n, 0).Min == 1), true
	case OpFirstFault:
		return never(a.arg(n, 0).Max == 0 && a.arg(n, 1).Max == 0), true
	case OpAndFault, OpOrFault:
		return never(a.arg(n, 1).Max == 0 && a.arg(n, 3).Max == 0), true
	case OpElemFault:
		list, i := a.arg(n, 0), a.arg(n, 1)
		return never(i.Min >= 0 && i.Max < list.Min), true
	case OpEmptyFault:
		return never(a.arg(n, 0).Min > 0), true
	case OpSliceFault:
		list, from, to := a.arg(n, 0), a.arg(n, 1), a.arg(n, 2)
		return never(from.Min >= 0 && from.Max <= to.Min && to.Max <= list.Min), true
	case OpRangeFault:
		span, over := subInt(a.arg(n, 1).Max, a.arg(n, 0).Min)
		return never(!over && span <= MaxRange), true
	case OpSumIntFault:
		_, ok := sums(a.arg(n, 0))
		return never(ok), true
	case OpRowFault:
		return never(a.arg(n, 0).Min >= 0), true
	}
	return Interval{}, false
}
