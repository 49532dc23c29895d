package dice_test

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestBandAtTheEnds holds that a comparison with the first or the last number makes no band of all numbers.
func TestBandAtTheEnds(t *testing.T) {
	for op, n := range map[string]int64{"<": math.MinInt64, ">": math.MaxInt64} {
		if b := dice.BandOf(op, n); b != (plan.Band{Lo: n, Hi: n}) {
			t.Errorf("%s %d: %v", op, n, b)
		}
	}
}
