package builtin

import "math"

// Bits is a double as a slot holds it.
func Bits(f float64) int64 { return int64(math.Float64bits(f)) }

// Double is what Bits has made a slot of.
func Double(bits int64) float64 { return math.Float64frombits(uint64(bits)) }

// MinDouble is b if b < a, else a.
func MinDouble(a, b float64) float64 {
	if b < a {
		return b
	}
	return a
}

// MaxDouble is b if b > a, else a.
func MaxDouble(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// IsInt reports whether a rounded double is an int: as CEL has it, greater than -2^63 and less than 2^63.
func IsInt(f float64) bool { return -1<<63 < f && f < 1<<63 }

// ToInt is a rounded double as an int; 0 when it is none.
func ToInt(f float64) int64 {
	if !IsInt(f) {
		return 0
	}
	return int64(f)
}

// LtIntDouble reports a < b as CEL does: for the double that is nearest to a, so beyond 2^53 unequal numbers may compare
// as equal ones.
func LtIntDouble(a int64, b float64) bool { return float64(a) < b }

// LeIntDouble reports a <= b likewise.
func LeIntDouble(a int64, b float64) bool { return float64(a) <= b }

// LtDoubleInt reports a < b likewise.
func LtDoubleInt(a float64, b int64) bool { return a < float64(b) }

// LeDoubleInt reports a <= b likewise.
func LeDoubleInt(a float64, b int64) bool { return a <= float64(b) }
