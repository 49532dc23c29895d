package lookup

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func TestBreakpointsFindTheRowsOfTheTable(t *testing.T) {
	for name, table := range map[string]plan.Table{
		"bands": {Kind: plan.BandsTable, Lo: []float64{5, 1, 9}, Hi: []float64{7, 2, 9}, Above: make([]bool, 3),
			Order: []int32{1, 0, 2}},
		"over": {Kind: plan.BandsTable, Lo: []float64{1, 4}, Hi: []float64{3, 9}, Above: make([]bool, 2),
			Order: []int32{0, 1}, Bounded: true, OverMin: 2, OverMax: 8},
		"steps": {Kind: plan.StepsTable, Lo: []float64{0, 0.5, 0.5, 2}, Above: []bool{false, false, true, true},
			Order: []int32{0, 1, 2, 3}},
		"one":       {Kind: plan.StepsTable, Lo: []float64{3}, Above: []bool{true}, Order: []int32{0}},
		"none":      {Kind: plan.StepsTable},
		"unlimited": {Kind: plan.StepsTable, Lo: []float64{math.Inf(-1), 0}, Above: []bool{false, true}, Order: []int32{0, 1}},
	} {
		b := breakpointsOf(&table)
		keys := []float64{math.NaN(), math.Inf(-1), math.Inf(1), math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64}
		for _, x := range []float64{0, 0.5, 1, 2, 3, 4, 5, 7, 8, 9, 10} {
			keys = append(keys, x, math.Nextafter(x, 100), math.Nextafter(x, -100), x+0.25)
		}
		in, out := make([]int64, len(keys)), make([]int64, len(keys))
		for i, x := range keys {
			in[i] = builtin.Bits(x)
		}
		b.FindRows(out, in)
		for i, x := range keys {
			if want := table.Find(x); out[i] != want {
				t.Errorf("%s: row %d of %v, want %d", name, out[i], x, want)
			}
		}
	}
}

// A number is in the row after the limits that it has reached, however limits lie.
func TestBreakpoints(t *testing.T) {
	for name, limits := range map[string][]float64{
		"none": {}, "one": {1}, "few": {-2, 0, 0.5, 3}, "infinite": {math.Inf(-1), 0, math.Inf(1)},
		"close": {1, math.Nextafter(1, 2), 1e300},
		"many":  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
		"wide":  {-math.MaxFloat64, 0, math.MaxFloat64}, "uneven": {0, 1e-9, 2e-9, 3e-9, 1},
	} {
		rows := make([]int64, len(limits)+1)
		for i := range rows {
			rows[i] = int64(100 - i)
		}
		b := newBreakpoints(limits, rows)
		twice := b.ValuesByLimits(func(row int64) int64 { return 2 * row })
		var numbers []int64
		for _, l := range append(limits, 0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64) {
			numbers = append(numbers, builtin.Bits(l), builtin.Bits(math.Nextafter(l, math.Inf(1))),
				builtin.Bits(math.Nextafter(l, math.Inf(-1))))
		}
		byRow, byValue := make([]int64, len(numbers)), make([]int64, len(numbers))
		b.FindRows(byRow, numbers)
		b.FindValues(byValue, numbers, twice)
		for i, x := range numbers {
			reached := 0
			for _, l := range limits {
				if builtin.Double(x) >= l {
					reached++
				}
			}
			if want := rows[reached]; byRow[i] != want || byValue[i] != 2*want || b.findRow(builtin.Double(x)) != want {
				t.Errorf("%s: %v is in row %d, by columns %d, want %d; of what its row gives %d", name, builtin.Double(x),
					b.findRow(builtin.Double(x)), byRow[i], want, byValue[i])
			}
		}
	}
}

// What has no breaks has no rows.
func TestNoBreakpoints(t *testing.T) {
	var b *Breakpoints
	d := []int64{7, 7}
	if b.FindRows(d, []int64{0, 1}); d[0] != -1 || d[1] != -1 || b.findRow(0) != -1 {
		t.Errorf("rows %v, %d", d, b.findRow(0))
	}
	if b.FindValues(d, []int64{0, 1}, b.ValuesByLimits(nil)); d[0] != 0 || d[1] != 0 {
		t.Errorf("values %v", d)
	}
}
