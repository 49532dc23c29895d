package builtin

import (
	"math"
	"math/bits"
)

// Scalar functions are total: where their operands are senseless they give 0 or wrap, and the predicate beside them
// says so. They are small, so that the execution's switch can take them in.

// Bool is a truth as a slot holds it.
func Bool(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// AddOverflows reports whether a + b is no int64.
func AddOverflows(a, b int64) bool {
	sum := a + b
	return (a^sum)&(b^sum) < 0
}

// SubOverflows reports whether a - b is no int64.
func SubOverflows(a, b int64) bool { return (a^b)&(a^(a-b)) < 0 }

// MulOverflows reports whether a * b is no int64.
func MulOverflows(a, b int64) bool {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a&(b>>63) - b&(a>>63) // of the signed product
	return high != int64(lo)>>63
}

// NegOverflows reports whether -a is no int64, nor then |a|.
func NegOverflows(a int64) bool { return a == math.MinInt64 }

// AbsInt is |a|.
func AbsInt(a int64) int64 { return max(a, -a) }

// DivOverflows reports whether a / b is no int64 for b other than 0, however it is rounded.
func DivOverflows(a, b int64) bool { return a == math.MinInt64 && b == -1 }

// DivTrunc is a / b rounded towards 0.
func DivTrunc(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// DivFloor is a / b rounded down.
func DivFloor(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q := a / b
	if a%b != 0 && a^b < 0 {
		q--
	}
	return q
}

// DivCeil is a / b rounded up.
func DivCeil(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q := a / b
	if a%b != 0 && a^b >= 0 {
		q++
	}
	return q
}

// DivHalfUp is a / b rounded to the nearest integer, a half up.
func DivHalfUp(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	q := DivFloor(a, b)
	rest, whole := magnitude(a-q*b), magnitude(b)
	if rest >= whole-rest {
		q++
	}
	return q
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// ModInt is the rest of DivTrunc: it has the sign of a.
func ModInt(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a % b
}

// PowInt is a to the power of b; 0 for a negative b.
func PowInt(a, b int64) int64 {
	if b < 0 {
		return 0
	}
	p := int64(1)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			p *= a
		}
		a *= a
	}
	return p
}

// PowOverflows reports whether a to the power of b is no int64, for a b that is not negative.
func PowOverflows(a, b int64) bool {
	if -1 <= a && a <= 1 {
		return false
	}
	p := int64(1)
	for ; b > 0; b-- {
		if MulOverflows(p, a) {
			return true
		}
		p *= a
	}
	return false
}
