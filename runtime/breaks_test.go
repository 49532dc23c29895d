package runtime

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func TestBreaksFindTheRowsOfTheTable(t *testing.T) {
	for name, table := range map[string]plan.Table{
		"bands":     {Kind: plan.BandsTable, Lo: []float64{5, 1, 9}, Hi: []float64{7, 2, 9}, Order: []int32{1, 0, 2}},
		"over":      {Kind: plan.BandsTable, Lo: []float64{1, 4}, Hi: []float64{3, 9}, Order: []int32{0, 1}, Bounded: true, OverMin: 2, OverMax: 8},
		"steps":     {Kind: plan.StepsTable, Lo: []float64{0, 0.5, 0.5, 2}, Above: []bool{false, false, true, true}, Order: []int32{0, 1, 2, 3}},
		"one":       {Kind: plan.StepsTable, Lo: []float64{3}, Above: []bool{true}, Order: []int32{0}},
		"none":      {Kind: plan.StepsTable},
		"unlimited": {Kind: plan.StepsTable, Lo: []float64{math.Inf(-1), 0}, Above: []bool{false, true}, Order: []int32{0, 1}},
	} {
		b := newBreaks(&table)
		keys := []float64{math.NaN(), math.Inf(-1), math.Inf(1), math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64}
		for _, x := range []float64{0, 0.5, 1, 2, 3, 4, 5, 7, 8, 9, 10} {
			keys = append(keys, x, math.Nextafter(x, 100), math.Nextafter(x, -100), x+0.25)
		}
		in, out := make([]int64, len(keys)), make([]int64, len(keys))
		for i, x := range keys {
			in[i] = builtin.Bits(x)
		}
		b.Rows(out, in)
		for i, x := range keys {
			if want := table.Find(x); out[i] != want {
				t.Errorf("%s: row %d of %v, want %d", name, out[i], x, want)
			}
		}
	}
}
