package runtime

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/kernel"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// newBreaks prepares a table of bands or steps. Between two of the numbers at which it says something its row is the
// same.
func newBreaks(t *plan.Table) *kernel.Breaks {
	limits := []float64{math.Inf(-1), t.OverMin, after(t.OverMax)}
	for i, low := range t.Lo {
		limits = append(limits, low, after(low))
		if t.Kind == plan.BandsTable {
			limits = append(limits, after(t.Hi[i]))
		}
	}
	slices.Sort(limits)
	rows := []int64{t.Find(math.NaN())}
	var kept []float64
	for _, limit := range limits {
		if row := t.Find(limit); row != rows[len(rows)-1] {
			kept, rows = append(kept, limit), append(rows, row)
		}
	}
	return kernel.NewBreaks(kept, rows)
}

// after is the least number beyond a limit.
func after(limit float64) float64 { return math.Nextafter(limit, math.Inf(1)) }
