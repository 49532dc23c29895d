package say_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/say"
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
		if got := say.FormatNear(c.of); got != c.want {
			t.Errorf("%v is written %s, not %s", c.of, got, c.want)
		}
	}
}

// TestFormatDecimals holds that a declared number of digits is kept, that halves are rounded as people round them, and that
// nothing is shown as less than nothing that rounds to 0.
func TestFormatDecimals(t *testing.T) {
	for _, c := range []struct {
		of     float64
		digits int
		want   string
	}{
		{1.25, 1, "1.3"}, {0.625, 1, "0.6"}, {2.5, 1, "2.5"}, {10, 1, "10.0"}, {1.005, 2, "1.01"}, {-1.25, 1, "-1.3"},
		{2.5, 0, "3"}, {-0.04, 1, "0.0"}, {2.9000000000000004, 2, "2.90"}, {math.Inf(-1), 1, "-Inf"},
		{6.02e40, 0, "6020" + strings.Repeat("0", 37)},
	} {
		if got := say.FormatDecimals(c.of, c.digits); got != c.want {
			t.Errorf("%v is written %s with %d digits after the point, not %s", c.of, got, c.digits, c.want)
		}
	}
}
