package interval

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxKeys bounds the keys that are looked up one by one.
// It is a bound for the key of a chart, a percentage or a sum of dice; beyond it every row is taken
// for possible.
const maxKeys = 4096

func boundRow(v *valuation, n *plan.Node) Interval {
	return findRows(&v.plan.Tables[n.Imm], v.bits(n, 0))
}

func boundRowDouble(v *valuation, n *plan.Node) Interval {
	return findRowsDouble(&v.plan.Tables[n.Imm], v.arg(n, 0))
}

// findRows bounds the rows of integers or symbols.
func findRows(t *plan.Table, key Interval) Interval {
	if key.Words != nil {
		return findRowsOf(t, slices.Values(key.Words))
	}
	if n := key.Max - key.Min; !builtin.SubOverflows(key.Max, key.Min) && n < maxKeys {
		return findRowsOf(t, func(yield func(int64) bool) {
			for i := range n + 1 { // the greatest may be the greatest that there is
				if !yield(key.Min + i) {
					return
				}
			}
		})
	}
	return intInterval(-1, lastRowOf(t))
}

// findRowsOf bounds the rows of keys that are looked up one by one.
func findRowsOf(t *plan.Table, keys func(func(int64) bool)) Interval {
	out := intInterval(math.MaxInt64, -1)
	for k := range keys {
		row := t.FindInt(k)
		out.Min, out.Max = min(out.Min, row), max(out.Max, row)
	}
	return out
}

func lastRowOf(t *plan.Table) int64 { return int64(t.Rows()) - 1 }

// findRowsDouble returns the interval of the rows of doubles: every limit, and its neighbours on either side, are looked
// up. Between two limits all keys find the same row, so one key of each stretch is enough: the neighbours of the limits by
// math.Nextafter are in the stretches beside them.
func findRowsDouble(t *plan.Table, key Interval) Interval {
	if key.NaN || !t.Kind.HasNumbers() || key.Low > key.High {
		return intInterval(-1, lastRowOf(t))
	}
	out := intInterval(math.MaxInt64, -1)
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

// boundCell bounds a column in the rows that can be found.
func boundCell(v *valuation, n *plan.Node) Interval {
	t, row := &v.plan.Tables[n.Imm>>32], v.arg(n, 0)
	from, to := max(0, row.Min), min(row.Max, lastRowOf(t))
	if n.Kind == plan.List || n.Kind == plan.Map || from > to {
		return anyOfKind(n.Kind)
	}
	out := constantInterval(n.Kind, t.Cell(from, int64(uint32(n.Imm))))
	for r := from + 1; r <= to; r++ {
		out = out.join(constantInterval(n.Kind, t.Cell(r, int64(uint32(n.Imm)))))
	}
	if row.Min < 0 {
		out = out.or0(n.Kind)
	}
	return out
}
