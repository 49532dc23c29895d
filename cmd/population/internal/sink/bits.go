package sink

import "math"

// bitsOf is a double as a slot holds it.
func bitsOf(v float64) int64 { return int64(math.Float64bits(v)) }

// bitOf is a truth as a slot holds it.
func bitOf(v bool) int64 {
	if v {
		return 1
	}
	return 0
}
