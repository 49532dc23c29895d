package builtin

import (
	"math"
	"testing"
)

// The values were computed with sixty digits. The error grows with the exponents of what is given and of the result, as
// it does in math.Pow.
func TestPowDoubleIsNear(t *testing.T) {
	for _, c := range []struct{ a, b, want float64 }{
		{2, 0.1, 0x1.125fbee250664p+0}, {2, 1.5, 0x1.6a09e667f3bcdp+1}, {10, -2.3, 0x1.487543c6a9257p-8},
		{0.5, 0.3, 0x1.9fdf8bcce533ep-1}, {1.0000001, 123456.7, 0x1.032e19cb4e0d9p+0}, {3, 10.9, 0x1.35fe2d3874d47p+17},
		{7.25, -0.7, 0x1.ffcab54a858f3p-3}, {1e300, 0.01, 0x1.f400000000001p+9}, {1e-300, 1.02, 0x1.6789e3750f743p-1017},
		{1.1, 7000.25, 0x1.792994754706bp+962}, {99, 150.75, 0x1.4c1bc137af8fbp+999}, {0.9, 0.25, 0x1.f2b09e7a28003p-1},
		{math.MaxFloat64, 0.9999, 0x1.dceb39d9e4e63p+1023}, {2, 1023.7, 0x1.9fdf8bcce5424p+1023},
		{5e-324, 0.3, 0x1.bdb8cdadbe161p-323}, {2, -1073.6, 5e-324}, {3, 1e5 + .5, math.Inf(1)}, {3, -1e5 - .5, 0},
	} {
		got := PowDouble(c.a, c.b)
		near := 2.3e-16 * max(2, math.Abs(c.b), math.Abs(c.b*math.Log(c.a)))
		if got != c.want && !(math.Abs(got-c.want) <= c.want*near) {
			t.Errorf("%g to the %g: got %x, want %x", c.a, c.b, got, c.want)
		}
	}
}

// These bits, which a second implementation of the method gave too, must come out on every machine.
func TestPowDoubleToTheBit(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want uint64
	}{
		{2, 0.1, 0x3ff125fbee250664}, {10, -2.3, 0x3f7487543c6a9257}, {1.1, 7000.25, 0x7c17929947546e02},
		{0.3, 2.718281828, 0x3fa367f5e3ca2056},
	} {
		if got := math.Float64bits(PowDouble(c.a, c.b)); got != c.want {
			t.Errorf("%g to the %g: got %#x, want %#x", c.a, c.b, got, c.want)
		}
	}
}

// Where no logarithm is needed, the result is exact, or the special case of math.Pow.
func TestPowDoubleSpecialCases(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ a, b, want float64 }{
		{2, 10, 1024}, {-2, 3, -8}, {2, -2, 0.25}, {9, 0.5, 3}, {4, -0.5, 0.5}, {nan, 0, 1}, {1, nan, 1}, {1, 0.3, 1},
		{0, 0, 1}, {0, -1, inf}, {zero, -3, -inf}, {zero, 0.3, 0}, {inf, 0.3, inf}, {inf, -0.3, 0}, {-inf, 3, -inf},
		{2, inf, inf}, {2, -inf, 0}, {0.5, inf, 0}, {-8, 1.0 / 3, nan}, {nan, 0.3, nan},
	} {
		got := PowDouble(c.a, c.b)
		if Bits(got) != Bits(c.want) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%g to the %g: got %g, want %g", c.a, c.b, got, c.want)
		}
	}
}
