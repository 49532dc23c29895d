package odds

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func TestBoundsOfScopes(t *testing.T) {
	const beyond = 1<<53 + 1 // the first int that is no double
	for about, x := range map[string]struct {
		least, most jsonio.Value
		from, to    int64
	}{
		"ints that are no doubles": {jsonio.IntValue(beyond), jsonio.IntValue(beyond), beyond, beyond},
		"the greatest int":         {jsonio.IntValue(0), jsonio.IntValue(math.MaxInt64), 0, math.MaxInt64},
		"the least int":            {jsonio.IntValue(math.MinInt64), jsonio.IntValue(0), math.MinInt64, 0},
		"fractions":                {jsonio.DoubleValue(0.5), jsonio.DoubleValue(2.5), 1, 2},
		"beyond the ints":          {jsonio.DoubleValue(-1e19), jsonio.DoubleValue(1e19), math.MinInt64, math.MaxInt64},
		"infinite":                 {jsonio.DoubleValue(math.Inf(-1)), jsonio.DoubleValue(math.Inf(1)), math.MinInt64, math.MaxInt64},
		"no numbers":               {jsonio.DoubleValue(math.NaN()), jsonio.DoubleValue(math.NaN()), math.MaxInt64, math.MinInt64},
	} {
		s := NewScope(&plan.Shape{Kind: plan.Int})
		s.RaiseLeast(x.least)
		s.LowerMost(x.most)
		if s.Least != x.from || s.Most != x.to {
			t.Errorf("%s: from %d to %d, not from %d to %d", about, s.Least, s.Most, x.from, x.to)
		}
	}
}
