package jsonio

import (
	"math"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A slot of a column is a misfit where a decoder would refuse it: beyond a bound, one of the numbers that are left out, a word
// that is no choice, no number.
func TestNoteMisfits(t *testing.T) {
	symbols := []string{"", "elf", "dwarf", "orc"}
	symbol := func(word string) int64 { return int64(slices.Index(symbols, word)) }
	at := func(v float64, isOpen bool) *plan.Bound { return &plan.Bound{Value: v, Open: isOpen} }
	doubles := func(list ...float64) (out []int64) {
		for _, v := range list {
			out = append(out, builtin.Bits(v))
		}
		return out
	}
	for name, c := range map[string]struct {
		shape   plan.Shape
		column  []int64
		misfits []bool
	}{
		"ints":       {plan.Shape{Kind: plan.Int, Min: at(1, false), Max: at(3, false)}, []int64{0, 1, 3, 4, -1}, []bool{true, false, false, true, true}},
		"open ints":  {plan.Shape{Kind: plan.Int, Min: at(1, true), Max: at(3, true)}, []int64{1, 2, 3}, []bool{true, false, true}},
		"great ints": {plan.Shape{Kind: plan.Int, Min: at(0, false)}, []int64{1<<53 + 1, math.MaxInt64, math.MinInt64}, []bool{false, false, true}},
		"doubles": {plan.Shape{Kind: plan.Double, Min: at(0, true), Max: at(2.5, false)},
			doubles(0, 5e-324, 2.5, 2.75, math.NaN(), math.Inf(1)), []bool{true, false, false, true, true, true}},
		"doubles below": {plan.Shape{Kind: plan.Double, Min: at(1, false), Max: at(3, true)}, doubles(0.5, 1, 2.5, 3),
			[]bool{true, false, false, true}},
		"without bounds": {plan.Shape{Kind: plan.Double}, doubles(-1e300, math.Inf(-1), math.NaN()), []bool{false, true, true}},
		"words": {plan.Shape{Kind: plan.String, Enum: []string{"elf", "dwarf"}}, []int64{1, 2, 3, 0, 17},
			[]bool{false, false, true, true, true}},
		"texts":  {plan.Shape{Kind: plan.String}, []int64{0, 3, 17}, []bool{false, false, false}},
		"truths": {plan.Shape{Kind: plan.Bool}, []int64{0, 1}, []bool{false, false}},
	} {
		got := make([]bool, len(c.column))
		if NewSchema("state", &c.shape, symbol).NoteMisfits(c.column, got); !slices.Equal(got, c.misfits) {
			t.Errorf("%s %v: misfits are %v, not %v", name, c.column, got, c.misfits)
		}
	}
}
