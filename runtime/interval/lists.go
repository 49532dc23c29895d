package interval

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func boundNewSpan(*valuation, *plan.Node) Interval { return intInterval(0, 0) }

func boundSize(v *valuation, n *plan.Node) Interval {
	x := v.arg(n, 0)
	return intInterval(x.Min, x.Max)
}

func boundConcat(v *valuation, n *plan.Node) Interval {
	x, y := v.arg(n, 0), v.arg(n, 1)
	return Interval{Min: x.Min + y.Min, Max: min(x.Max+y.Max, math.MaxUint32), Elem: joinElems(x, y)}
}

// boundSorted returns the list itself, in another order.
func boundSorted(v *valuation, n *plan.Node) Interval { return v.arg(n, 0) }

func boundSum(v *valuation, n *plan.Node) Interval {
	out, _ := v.sumInterval(v.arg(n, 0))
	return out
}

func boundFind(v *valuation, n *plan.Node) Interval { return intInterval(-1, v.arg(n, 0).Max-1) }

func boundKeys(v *valuation, n *plan.Node) Interval {
	x := v.arg(n, 0)
	return Interval{Min: x.Min, Max: x.Max, Elem: x.Elem[:min(1, len(x.Elem))]}
}

// boundPour returns the interval of the shares of capacities: as many numbers as there are capacities, none above its
// capacity; none at all beside a fault.
func boundPour(v *valuation, n *plan.Node) Interval {
	capacities := v.arg(n, 1)
	most := int64(math.MaxInt64)
	if len(capacities.Elem) == 1 {
		most = max(0, capacities.Elem[0].Max)
	}
	return Interval{Max: capacities.Max, Elem: []Interval{intInterval(0, most)}}
}

// boundCounts bounds how often integers of a range stand in a list: each at most as often as the list has elements.
func boundCounts(v *valuation, n *plan.Node) Interval {
	list, lo, hi := v.arg(n, 0), v.arg(n, 1), v.arg(n, 2)
	out := Interval{Max: plan.MaxRange, Elem: []Interval{intInterval(0, list.Max)}}
	if !builtin.SubOverflows(hi.Max, lo.Min) {
		out.Max = max(0, min(hi.Max-lo.Min, plan.MaxRange-1)+1)
	}
	if boundCountsFault(v, n).Max == 0 && !builtin.SubOverflows(hi.Min, lo.Max) {
		out.Min = max(0, hi.Min-lo.Max+1)
	}
	return out
}

func boundCountsFault(v *valuation, n *plan.Node) Interval {
	first, last := v.arg(n, 1).Min, v.arg(n, 2).Max
	return faultUnless(!builtin.SubOverflows(last, first) && last-first < plan.MaxRange)
}

func boundPush(v *valuation, n *plan.Node) Interval {
	list, when := v.arg(n, 0), v.arg(n, 1)
	out := intInterval(list.Min+when.Min, min(list.Max, math.MaxUint32-1)+when.Max)
	out.Elem = joinElems(list, Interval{Max: 1, Elem: v.intervalsOf(n.Args[2:])})
	return out
}

// boundElem returns a slot of an element, 0 outside.
func boundElem(v *valuation, n *plan.Node) Interval {
	list, i, offset := v.arg(n, 0), v.arg(n, 1), int(uint32(n.Imm))
	if offset >= len(list.Elem) {
		return anyOfKind(n.Kind)
	}
	out := list.Elem[offset]
	if i.Min < 0 || i.Max >= list.Min {
		out = out.or0(n.Kind)
	}
	return out
}

// boundSlice bounds a part of a list, which is empty where there is no such part.
func boundSlice(v *valuation, n *plan.Node) Interval {
	list, from, to := v.arg(n, 0), v.arg(n, 1), v.arg(n, 2)
	out := Interval{Max: max(0, max(0, min(list.Max, to.Max))-max(0, from.Min)), Elem: list.Elem}
	if from.Min >= 0 && from.Max <= to.Min && to.Max <= list.Min {
		out.Min = to.Min - from.Max
	}
	return out
}

// boundRange bounds the integers from one number to another; too many of them are a fault, and none.
func boundRange(v *valuation, n *plan.Node) Interval {
	from, to := v.arg(n, 0), v.arg(n, 1)
	size, last := int64(plan.MaxRange), to.Max
	if !builtin.SubOverflows(to.Max, from.Min) {
		size = min(to.Max-from.Min, plan.MaxRange)
	}
	if last > math.MinInt64 {
		last--
	}
	return Interval{Max: max(0, size), Elem: []Interval{intInterval(from.Min, max(from.Min, last))}}
}

// sumInterval bounds the sum of a list of ints; ok is false when it, or one on the way to it, may be too large.
// The sums on the way are those of 0 to Max elements; the element is joined with 0 so that both
// signs are covered. The result itself is of Min to Max elements.
func (v *valuation) sumInterval(list Interval) (out Interval, ok bool) {
	if len(list.Elem) != 1 {
		if list.Max == 0 {
			return intInterval(0, 0), true
		}
		return v.ints, false
	}
	part, ok := corners(plan.OpMulInt, intInterval(0, list.Max), list.Elem[0].or0(plan.Int))
	if !ok || !v.hasInts(part) {
		return v.ints, false
	}
	return corners(plan.OpMulInt, intInterval(list.Min, list.Max), list.Elem[0])
}

func boundExtreme(v *valuation, n *plan.Node) Interval {
	list := v.arg(n, 0)
	if len(list.Elem) != 1 {
		return anyOfKind(n.Kind)
	}
	if list.Min > 0 {
		return list.Elem[0]
	}
	return list.Elem[0].or0(n.Kind)
}

func boundWith(v *valuation, n *plan.Node) Interval {
	m := v.arg(n, 0)
	entry := append([]Interval{v.arg(n, 1)}, v.intervalsOf(n.Args[2:])...)
	return Interval{
		Min: max(1, m.Min), Max: min(m.Max, math.MaxUint32-1) + 1,
		Elem: joinElems(m, Interval{Max: 1, Elem: entry}),
	}
}
