package interval

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// spans bounds the sizes and the elements of lists and maps.
func (a *analysis) spans(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpNewSpan:
		return ints(0, 0), true
	case plan.OpPush:
		return a.push(n), true
	case plan.OpSize:
		x := a.arg(n, 0)
		return ints(x.Min, x.Max), true
	case plan.OpElem:
		return a.element(n), true
	case plan.OpConcat:
		return concatenated(a.arg(n, 0), a.arg(n, 1)), true
	case plan.OpSlice:
		return sliced(a.arg(n, 0), a.arg(n, 1), a.arg(n, 2)), true
	case plan.OpRange:
		return ranges(a.arg(n, 0), a.arg(n, 1)), true
	case plan.OpSort, plan.OpSortBy:
		return a.arg(n, 0), true
	case plan.OpSumInt:
		out, _ := sums(a.arg(n, 0))
		return out, true
	case plan.OpLeast, plan.OpGreatest:
		return a.extreme(n), true
	case plan.OpFind:
		return ints(-1, a.arg(n, 0).Max-1), true
	case plan.OpWith:
		return a.with(n), true
	case plan.OpKeys:
		x := a.arg(n, 0)
		return Interval{Min: x.Min, Max: x.Max, Elem: x.Elem[:min(1, len(x.Elem))]}, true
	case plan.OpPour:
		x := a.arg(n, 1)
		return Interval{Max: x.Max, Elem: poured(x)}, true
	}
	return Interval{}, false
}

// slots are the intervals of operands.
func (a *analysis) slots(args []plan.ID) []Interval {
	out := make([]Interval, len(args))
	for i, id := range args {
		out[i] = a.at[id]
	}
	return out
}

func (a *analysis) push(n *plan.Node) Interval {
	list, when := a.arg(n, 0), a.arg(n, 1)
	out := ints(list.Min+when.Min, min(list.Max, math.MaxUint32-1)+when.Max)
	out.Elem = joinElems(list, Interval{Max: 1, Elem: a.slots(n.Args[2:])})
	return out
}

// element is a slot of an element, 0 outside.
func (a *analysis) element(n *plan.Node) Interval {
	list, i, offset := a.arg(n, 0), a.arg(n, 1), int(uint32(n.Imm))
	if offset >= len(list.Elem) {
		return anything(n.Kind)
	}
	out := list.Elem[offset]
	if i.Min < 0 || i.Max >= list.Min {
		out = out.or0(n.Kind)
	}
	return out
}

func concatenated(x, y Interval) Interval {
	return Interval{Min: x.Min + y.Min, Max: min(x.Max+y.Max, math.MaxUint32), Elem: joinElems(x, y)}
}

// sliced bounds a part of a list, which is empty where there is no such part.
func sliced(list, from, to Interval) Interval {
	out := Interval{Max: max(0, max(0, min(list.Max, to.Max))-max(0, from.Min)), Elem: list.Elem}
	if from.Min >= 0 && from.Max <= to.Min && to.Max <= list.Min {
		out.Min = to.Min - from.Max
	}
	return out
}

// ranges bounds the integers from one number to another; too many of them are a fault, and none.
func ranges(from, to Interval) Interval {
	most, over := subInt(to.Max, from.Min)
	if over {
		most = plan.MaxRange
	}
	last, over := subInt(to.Max, 1)
	if over {
		last = to.Max
	}
	return Interval{Max: max(0, min(most, plan.MaxRange)), Elem: []Interval{ints(from.Min, max(from.Min, last))}}
}

// sums bounds the sum of a list of ints; ok is false when it, or one on the way to it, may be too large.
func sums(list Interval) (out Interval, ok bool) {
	if len(list.Elem) != 1 {
		if list.Max == 0 {
			return ints(0, 0), true
		}
		return anything(plan.Int), false
	}
	part, ok := corners(ints(0, list.Max), list.Elem[0].or0(plan.Int), mulInt)
	if !ok {
		return part, false
	}
	return corners(ints(list.Min, list.Max), list.Elem[0], mulInt)
}

func (a *analysis) extreme(n *plan.Node) Interval {
	list := a.arg(n, 0)
	if len(list.Elem) != 1 {
		return anything(n.Kind)
	}
	if list.Min > 0 {
		return list.Elem[0]
	}
	return list.Elem[0].or0(n.Kind)
}

func (a *analysis) with(n *plan.Node) Interval {
	m := a.arg(n, 0)
	entry := append([]Interval{a.arg(n, 1)}, a.slots(n.Args[2:])...)
	return Interval{
		Min: max(1, m.Min), Max: min(m.Max, math.MaxUint32-1) + 1,
		Elem: joinElems(m, Interval{Max: 1, Elem: entry}),
	}
}

func poured(capacities Interval) []Interval {
	if len(capacities.Elem) != 1 {
		return []Interval{ints(0, math.MaxInt64)}
	}
	return []Interval{ints(0, max(0, capacities.Elem[0].Max))}
}

// maxKeys bounds the keys that are looked up one by one.
const maxKeys = 4096

// rows bounds look-ups in tables.
func (a *analysis) rows(n *plan.Node) (Interval, bool) {
	switch n.Op {
	case plan.OpRow:
		return found(&a.plan.Tables[n.Imm], a.bits(n, 0)), true
	case plan.OpRowDouble:
		return foundDouble(&a.plan.Tables[n.Imm], a.arg(n, 0)), true
	case plan.OpCell:
		return a.cells(n), true
	}
	return Interval{}, false
}

// found bounds the rows of integers or symbols.
func found(t *plan.Table, key Interval) Interval {
	if key.Words != nil {
		return foundOf(t, slices.Values(key.Words))
	}
	if n, over := subInt(key.Max, key.Min); !over && n < maxKeys {
		return foundOf(t, func(yield func(int64) bool) {
			for i := range n + 1 { // the greatest may be the greatest that there is
				if !yield(key.Min + i) {
					return
				}
			}
		})
	}
	return ints(-1, lastRow(t))
}

func foundOf(t *plan.Table, keys func(func(int64) bool)) Interval {
	out := ints(math.MaxInt64, -1)
	for k := range keys {
		row := t.FindInt(k)
		out.Min, out.Max = min(out.Min, row), max(out.Max, row)
	}
	return out
}

func lastRow(t *plan.Table) int64 {
	if t.Kind == plan.KeyedTable {
		return int64(len(t.Keys)) - 1
	}
	return int64(len(t.Lo)) - 1
}

// foundDouble bounds the rows of doubles: every limit, and what lies on either side of it, is looked up.
func foundDouble(t *plan.Table, key Interval) Interval {
	if key.NaN || t.Kind == plan.KeyedTable || key.Low > key.High {
		return ints(-1, lastRow(t))
	}
	out := ints(math.MaxInt64, -1)
	look := func(k float64) {
		if key.Low <= k && k <= key.High {
			row := t.Find(k)
			out.Min, out.Max = min(out.Min, row), max(out.Max, row)
		}
	}
	look(key.Low)
	look(key.High)
	for _, limits := range [][]float64{t.Lo, t.Hi, {t.OverMin, t.OverMax}} {
		for _, limit := range limits {
			look(math.Nextafter(limit, math.Inf(-1)))
			look(limit)
			look(math.Nextafter(limit, math.Inf(1)))
		}
	}
	return out
}

// cells bounds a column in the rows that can be found.
func (a *analysis) cells(n *plan.Node) Interval {
	t, row := &a.plan.Tables[n.Imm>>32], a.arg(n, 0)
	from, to := max(0, row.Min), min(row.Max, lastRow(t))
	if n.Kind == plan.List || n.Kind == plan.Map || from > to {
		return anything(n.Kind)
	}
	out := exactly(n.Kind, t.Cell(from, int64(uint32(n.Imm))))
	for r := from + 1; r <= to; r++ {
		out = out.join(exactly(n.Kind, t.Cell(r, int64(uint32(n.Imm)))))
	}
	if row.Min < 0 {
		out = out.or0(n.Kind)
	}
	return out
}
