package builtin

import "math"

// The standard library's Exp and Log are assembly on some machines, and elsewhere the compiler may fuse a product with
// the sum it stands in; either way the last bit depends on the machine. So a power that needs them is computed here,
// each product rounded on its own. What math.Pow does without them is the same everywhere.

// PowDouble returns a to the power of b, to the bit the same on every machine; special cases are those of math.Pow.
func PowDouble(a, b float64) float64 {
	whole, part := math.Modf(b)
	if part == 0 || math.IsNaN(part) || math.Abs(b) == 0.5 || !(a > 0) || math.IsInf(a, 0) {
		return math.Pow(a, b)
	}
	if math.Abs(part) > 0.5 {
		away := math.Copysign(1, b)
		whole, part = whole+away, part-away
	}
	product, exponent := powWhole(a, math.Abs(whole))
	if whole < 0 {
		product, exponent = 1/product, -exponent
	}
	return math.Ldexp(float64(product*exp(float64(part*log(a)))), exponent)
}

// powWhole returns a to the power of a whole number that is not negative, as product * 2^exponent.
func powWhole(a, whole float64) (product float64, exponent int) {
	const beyond = 1 << 12 // an exponent that no double has
	fraction, e := math.Frexp(a)
	product = 1
	for n := int64(whole); n > 0; n >>= 1 {
		if e < -beyond || e > beyond {
			return product, exponent + e // overflows, or vanishes, whatever else is multiplied
		}
		if n&1 == 1 {
			product = float64(product * fraction)
			exponent += e
		}
		fraction, e = float64(fraction*fraction), 2*e
		if fraction < 0.5 {
			fraction, e = 2*fraction, e-1
		}
	}
	return product, exponent
}

// ln2 in two parts: multiples of the first by exponents are exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// log returns the natural logarithm of a positive number 2^k * m with m near 1: k ln 2 + 2 atanh((m-1)/(m+1)). m lies
// between sqrt(1/2) and sqrt 2, so that |s| is below 0.172 and s^24 below 1e-18: the series to s^23 is exact to the last
// bit of a double.
func log(x float64) float64 {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := (m - 1) / (m + 1)
	square := float64(s * s)
	series := 0.0
	for n := 23; n >= 3; n -= 2 {
		series = float64((series + 1/float64(n)) * square)
	}
	near := 2*s + float64(2*s*series)
	return float64(float64(k)*ln2High) + (near + float64(float64(k)*ln2Low))
}

// exp returns e to the power of x, computed as 2^k times e to the power of r = x - k ln 2. |r| is at most ln 2 / 2, 0.347,
// and r^17 / 17! below 1e-22: sixteen terms are enough.
func exp(x float64) float64 {
	k := math.Round(x / math.Ln2)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	series := 1.0
	for n := 16; n >= 1; n-- {
		series = 1 + float64(series*r)/float64(n)
	}
	return math.Ldexp(series, int(k))
}
