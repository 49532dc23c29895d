package say

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// FormatNear returns the shortest decimal within a billionth of a number, relative to it. So a sum of tenths is written
// without the digits that binary fractions add to it. A number without a fraction keeps one digit after the point.
func FormatNear(f float64) string {
	const near = 1e-9
	// 17 significant digits tell every double from every other, so the loop always finds one.
	for digits := range 17 {
		text := strconv.FormatFloat(f, 'g', 1+digits, 64)
		if v, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(v-f) <= near*math.Abs(f) {
			f = v
			break
		}
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	switch {
	case len(text) > 20:
		return strconv.FormatFloat(f, 'g', -1, 64)
	case !strings.ContainsAny(text, ".IN"):
		return text + ".0"
	}
	return text
}

// FormatDecimals returns a number with so many digits after the point. A half is rounded away from zero, as people do
// it. Halves are those of FormatNear: 1.005 is 1.01, although its double lies below.
func FormatDecimals(f float64, digits int) string {
	near, ok := new(big.Rat).SetString(FormatNear(f))
	if !ok {
		return FormatNear(f) // infinite, or no number
	}
	text := near.FloatString(digits)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}
