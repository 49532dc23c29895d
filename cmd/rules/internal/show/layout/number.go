package layout

import (
	"strconv"
	"strings"
)

// FormatPercent returns a probability as a percentage with four decimals. One that would read as 0 is written with its
// exponent instead: only the impossible is 0.0000%.
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

// FormatRoundPercent returns a chance as a percentage with one decimal. The possible is told from the impossible, and the
// sure from the unsure, but for the noise of floats.
//
// "0.0 %" would say impossible and "100.0 %" sure, of chances that are neither; a player would bet on it.
func FormatRoundPercent(p float64) string {
	const near = 0.000_5 // half of the last decimal that is shown
	const noise = 1e-12  // what summing floats leaves of a certainty
	switch {
	case 1-noise < p:
		p = 1
	case 0 < p && p < near:
		return "under 0.1 %"
	case 1-near <= p && p < 1:
		return "over 99.9 %"
	}
	return strconv.FormatFloat(100*p, 'f', 1, 64) + " %"
}

// leastPercent is the least probability that four decimals of a percentage show.
const leastPercent = 0.000_000_5

// FormatShort writes a number with six significant digits: enough to compare two answers by eye.
func FormatShort(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// FormatScientific writes a probability that may be tiny with three significant digits, where a percentage would show 0.
func FormatScientific(p float64) string { return strconv.FormatFloat(p, 'g', 3, 64) }

// FormatFull writes the shortest digits that read back as the same number.
func FormatFull(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
