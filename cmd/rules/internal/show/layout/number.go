package layout

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// FormatPercent writes a probability as a percentage with four decimals. One that would read as 0 is written with its
// exponent instead: only what cannot be is 0.0000%.
func FormatPercent(p float64) string {
	if p > 0 && p < leastPercent {
		return strconv.FormatFloat(100*p, 'g', 3, 64) + "%"
	}
	return strconv.FormatFloat(100*p, 'f', 4, 64) + "%"
}

// FormatShortPercent is FormatPercent without the zeros at its end.
func FormatShortPercent(p float64) string {
	text := strings.TrimSuffix(FormatPercent(p), "%")
	if strings.Contains(text, ".") && !strings.Contains(text, "e") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text + "%"
}

// leastPercent is the least probability that four decimals of a percentage show.
const leastPercent = 0.000_000_5

// FormatShort writes a number with six significant digits: enough to compare two answers by eye.
func FormatShort(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// FormatNear writes the shortest decimal within a billionth of a number, relative to it: what a sum of tenths comes to, and
// not the digits that binary fractions add to it. A number without a fraction keeps one digit after the point.
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

// FormatDecimals writes a number with so many digits after the point. A half is rounded away from zero, as people do it.
// As a half counts what FormatNear writes as one: 1.005 is 1.01, although its double lies below.
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

// FormatScientific writes a probability that may be tiny with three significant digits, where a percentage would show 0.
func FormatScientific(p float64) string { return strconv.FormatFloat(p, 'g', 3, 64) }

// FormatFull writes the shortest digits that read back as the same number.
func FormatFull(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
