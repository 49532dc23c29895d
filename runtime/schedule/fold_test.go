package schedule_test

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// What is known of the operands says what comes of them; a fault that happens is left to the execution.
func TestFoldOperands(t *testing.T) {
	double := func(v float64) int64 { return int64(math.Float64bits(v)) }
	const most, least = math.MaxInt64, math.MinInt64
	for _, c := range []struct {
		op      plan.Op
		imm     int64
		v       [3]int64
		want    int64
		isKnown bool
	}{
		{plan.OpSelect, 0, [3]int64{1, 20, 30}, 20, true},
		{plan.OpSelect, 0, [3]int64{0, 20, 30}, 30, true},
		{plan.OpAnd, 0, [3]int64{1, 1}, 1, true},
		{plan.OpAnd, 0, [3]int64{0, 1}, 0, true},
		{plan.OpAnd, 0, [3]int64{1, 0}, 0, true},
		{plan.OpOr, 0, [3]int64{0, 0}, 0, true},
		{plan.OpOr, 0, [3]int64{0, 1}, 1, true},
		{plan.OpOr, 0, [3]int64{1, 0}, 1, true},
		{plan.OpSubInt, 0, [3]int64{7, 3, 99}, 4, true},
		{plan.OpLtInt, 0, [3]int64{3, 7}, 1, true},
		{plan.OpAddIntFault, 0, [3]int64{most - 1, 1}, 0, true},
		{plan.OpAddIntFault, 0, [3]int64{most, 1}, 0, false},
		{plan.OpAddIntFault, 0, [3]int64{least, -1}, 0, false},
		{plan.OpToIntFault, int64(plan.OpFloor), [3]int64{double(2.5)}, 0, true},
		{plan.OpToIntFault, int64(plan.OpFloor), [3]int64{double(1e19)}, 0, false},
		{plan.OpToIntFault, int64(plan.OpFloor), [3]int64{double(math.NaN())}, 0, false},
		{plan.OpRoll, 0, [3]int64{1, 6}, 0, false},
	} {
		got, known := schedule.FoldOperands(nil, c.op, c.imm, c.v)
		if known != c.isKnown || known && got != c.want {
			t.Errorf("%v of %v: %d, %t; want %d, %t", c.op, c.v, got, known, c.want, c.isKnown)
		}
	}
}
