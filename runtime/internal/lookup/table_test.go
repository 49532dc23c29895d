package lookup

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// numberRow is the type of the rows of all tables here.
var numberRow = graphtest.Bands().Row

func bounded(t plan.Table, least, most float64) plan.Table {
	t.Bounded, t.OverMin, t.OverMax = true, least, most
	return t
}

// wide has limits too far apart to be listed.
func wide(t plan.Table) plan.Table {
	t.Lo = append([]float64(nil), t.Lo...)
	t.Lo[t.Order[0]] = -1e9
	return t
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		table plan.Table
		rows  map[float64]int64
	}{
		{graphtest.Degrees(), map[float64]int64{
			-5: -1, -4: -1, -3.999: 2, 0: 2, 0.999: 2, 1: 0, 1.001: 1, 2: 1, 2.499: 1, 2.5: 3, 3: 3, 1e300: 3,
			math.Inf(1): 3, math.Inf(-1): -1, math.NaN(): -1,
		}},
		{bounded(graphtest.Degrees(), 0, 2), map[float64]int64{-1: -1, -0.001: -1, 0: 2, 2: 1, 2.001: -1, 3: -1, math.NaN(): -1}},
		{wide(graphtest.Degrees()), map[float64]int64{-2e9: -1, -1e9: -1, -5: 2, 1: 0, 1.001: 1, 2: 1, 3: 3, 4: 3}},
		{graphtest.Bands(), map[float64]int64{0: -1, 0.5: -1, 1: 1, 3: 1, 3.5: -1, 4: 2, 5: -1, 6: -1, 7: 0, 10: 0, 10.5: -1, 11: -1,
			math.NaN(): -1}},
		{bounded(graphtest.Bands(), 2, 9), map[float64]int64{1: -1, 2: 1, 9: 0, 10: -1}},
		{plan.Table{Kind: plan.StepsTable, Row: numberRow}, map[float64]int64{0: -1}},
	} {
		ready := prepared(c.table)
		for key, want := range c.rows {
			if got := ready.RowOfDouble(key); got != want {
				t.Errorf("%s: row of %g: got %d, want %d", c.table.ID, key, got, want)
			}
			if key != math.Trunc(key) || math.Abs(key) > 1e18 {
				continue
			}
			if got := ready.RowOf(int64(key)); got != want {
				t.Errorf("%s: row of %d: got %d, want %d", c.table.ID, int64(key), got, want)
			}
		}
	}
}

// Integers beyond 2^53 are not rounded to a limit.
func TestTableOfGreatLimits(t *testing.T) {
	for _, sign := range []int64{1, -1} {
		limit := float64(sign * (1 << 53))
		steps := plan.Table{Kind: plan.StepsTable, Row: numberRow, Lo: []float64{limit}, Hi: []float64{0},
			Above: []bool{sign > 0}, Order: []int32{0}}
		ready := prepared(steps)
		for _, c := range []struct{ key, want int64 }{
			{sign * (1 << 53), -(sign + 1) / 2}, {sign * ((1 << 53) + 1), (sign - 1) / 2}, {sign * math.MaxInt64, (sign - 1) / 2},
		} {
			if got := ready.RowOf(c.key); got != c.want {
				t.Errorf("limit %g: row of %d: got %d, want %d", limit, c.key, got, c.want)
			}
		}
	}
}

// Strings that a character brings may lie beyond the plan's symbols.
func TestLookUpOfAnUnknownString(t *testing.T) {
	weapons := plan.Table{Kind: plan.KeyedTable, Row: numberRow, Keys: []int64{1}, Cells: []int64{7}}
	ready := prepared(weapons)
	for _, key := range []int64{0, 2, 99, math.MaxInt64, -1} {
		if got := ready.RowOf(key); got != -1 {
			t.Errorf("row of symbol %d: got %d, want none", key, got)
		}
	}
}

func BenchmarkBands(b *testing.B) {
	t := prepared(graphtest.Bands())
	for i := int64(0); b.Loop(); i++ {
		t.RowOf(i % 11)
	}
}

func BenchmarkSteps(b *testing.B) {
	t := prepared(graphtest.Degrees())
	for i := 0; b.Loop(); i++ {
		t.RowOfDouble(float64(i%40) / 10)
	}
}

func prepared(t plan.Table) Table { return NewTable(&t) }
