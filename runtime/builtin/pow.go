package builtin

import "math"

// PowDouble is a to the power of b.
func PowDouble(a, b float64) float64 { return math.Pow(a, b) }
