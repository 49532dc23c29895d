package layout_test

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
)

// TestFormatNear holds that a double is written without the digits that binary fractions add, and with no other number.
func TestFormatNear(t *testing.T) {
	for _, c := range []struct {
		of   float64
		want string
	}{
		{2.9000000000000004, "2.9"}, {0.1 + 0.2, "0.3"}, {2.0 / 7, "0.285714286"}, {57, "57.0"}, {-0.5, "-0.5"}, {0, "0.0"},
		{1234567.25, "1234567.25"}, {2e-12, "0.000000000002"}, {6.02e40, "6.02e+40"}, {math.Inf(1), "+Inf"},
	} {
		if got := layout.FormatNear(c.of); got != c.want {
			t.Errorf("%v is written %s, not %s", c.of, got, c.want)
		}
	}
}
