package builtin

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// edges are integers at which arithmetic goes wrong, and their neighbours.
func edges() []int64 {
	var out []int64
	for _, v := range []int64{0, math.MinInt64, math.MaxInt64, math.MinInt64 / 2, math.MaxInt64 / 2, 1 << 31, 1 << 32,
		3037000499, 10} {
		for d := int64(-2); d <= 2; d++ {
			out = append(out, v+d, -(v + d))
		}
	}
	return out
}

// pairs calls with all edges and with random integers of all lengths.
func pairs(visit func(a, b int64)) {
	for _, a := range edges() {
		for _, b := range edges() {
			visit(a, b)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		visit(random.Int64()>>random.IntN(64)-random.Int64N(3), random.Int64()>>random.IntN(64)*(1-2*random.Int64N(2)))
	}
}

// Against exact arithmetic: the predicate says when a result is no int64, and when it is one, it is the right one.
func TestArithmeticIsExact(t *testing.T) {
	for name, c := range map[string]struct {
		exact     func(z, a, b *big.Int) *big.Int
		value     func(a, b int64) int64
		overflows func(a, b int64) bool
	}{
		"add": {(*big.Int).Add, func(a, b int64) int64 { return a + b }, AddOverflows},
		"sub": {(*big.Int).Sub, func(a, b int64) int64 { return a - b }, SubOverflows},
		"mul": {(*big.Int).Mul, func(a, b int64) int64 { return a * b }, MulOverflows},
		"neg": {func(z, a, _ *big.Int) *big.Int { return z.Neg(a) }, func(a, _ int64) int64 { return -a },
			func(a, _ int64) bool { return NegOverflows(a) }},
		"abs": {func(z, a, _ *big.Int) *big.Int { return z.Abs(a) }, func(a, _ int64) int64 { return AbsInt(a) },
			func(a, _ int64) bool { return NegOverflows(a) }},
	} {
		pairs(func(a, b int64) {
			exact := c.exact(new(big.Int), big.NewInt(a), big.NewInt(b))
			if got := c.overflows(a, b); got == exact.IsInt64() {
				t.Fatalf("%s of %d and %d is %v, overflows: %v", name, a, b, exact, got)
			}
			if exact.IsInt64() && c.value(a, b) != exact.Int64() {
				t.Fatalf("%s of %d and %d: got %d, want %v", name, a, b, c.value(a, b), exact)
			}
		})
	}
}

// Every division is the exact quotient plus a shift, rounded down: 0, 1/2, or just below 1.
func TestDivisionsAreExact(t *testing.T) {
	pairs(func(a, b int64) {
		if b == 0 {
			for name, div := range roundingDivisions {
				if got := div(a, b); got != 0 {
					t.Fatalf("%s of %d and 0: got %d", name, a, got)
				}
			}
			return
		}
		quotient := big.NewRat(1, 1).SetFrac(big.NewInt(a), big.NewInt(b))
		down := floor(quotient)
		halfUp := floor(new(big.Rat).Add(quotient, big.NewRat(1, 2)))
		up := new(big.Int).Neg(floor(new(big.Rat).Neg(quotient)))
		trunc, away := down, up
		if quotient.Sign() < 0 {
			trunc, away = up, down
		}
		for name, want := range map[string]*big.Int{"floor": down, "half up": halfUp, "ceil": up, "trunc": trunc, "away": away} {
			if overflows := DivOverflows(a, b); overflows == want.IsInt64() {
				t.Fatalf("%s of %d and %d is %v, overflows: %v", name, a, b, want, overflows)
			}
			if got := roundingDivisions[name](a, b); want.IsInt64() && got != want.Int64() {
				t.Fatalf("%s of %d and %d: got %d, want %v", name, a, b, got, want)
			}
		}
		rest := new(big.Int).Sub(big.NewInt(a), new(big.Int).Mul(trunc, big.NewInt(b)))
		if got := ModInt(a, b); got != rest.Int64() {
			t.Fatalf("%d %% %d: got %d, want %v", a, b, got, rest)
		}
	})
}

var roundingDivisions = map[string]func(a, b int64) int64{
	"floor": DivFloor, "ceil": DivCeil, "half up": DivHalfUp, "trunc": DivTrunc, "away": DivAway,
}

// floor is a quotient rounded down: Euclid's division by a denominator, which is positive.
func floor(q *big.Rat) *big.Int { return new(big.Int).Div(q.Num(), q.Denom()) }

func TestPowInt(t *testing.T) {
	for _, a := range append(edges(), 3, 5, 7, 2097151, 2097152, -2097152) {
		for b := int64(0); b <= 70; b++ {
			exact := new(big.Int).Exp(big.NewInt(a), big.NewInt(b), nil)
			if got := PowOverflows(a, b); got == exact.IsInt64() {
				t.Fatalf("%d to the %d is %v, overflows: %v", a, b, exact, got)
			}
			if got := PowInt(a, b); exact.IsInt64() && got != exact.Int64() {
				t.Fatalf("%d to the %d: got %d, want %v", a, b, got, exact)
			}
		}
	}
	for _, a := range []int64{-1, 0, 1} {
		if PowOverflows(a, math.MaxInt64) || PowInt(a, math.MaxInt64) != a {
			t.Errorf("%d to a great odd power: got %d", a, PowInt(a, math.MaxInt64))
		}
	}
	if got := PowInt(2, -1); got != 0 {
		t.Errorf("2 to the -1: got %d", got)
	}
}

// Against numbers of any precision, for integers and doubles that are next to each other.
func TestMixedComparisons(t *testing.T) {
	doubles := []float64{0, 0.5, -0.5, math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, 1 << 53, -(1 << 53), 1 << 63,
		-(1 << 63), 1e300}
	for _, d := range doubles {
		doubles = append(doubles, math.Nextafter(d, math.Inf(1)), math.Nextafter(d, math.Inf(-1)))
	}
	for _, a := range append(edges(), 1<<53, 1<<53+1, 1<<53+2, -(1<<53)-1) {
		for _, b := range doubles {
			order := compare(a, b)
			for name, c := range map[string]struct{ got, want bool }{
				"int < double":  {LtIntDouble(a, b), order < 0},
				"int <= double": {LeIntDouble(a, b), order <= 0},
				"double < int":  {LtDoubleInt(b, a), order > 0},
				"double <= int": {LeDoubleInt(b, a), order >= 0},
			} {
				if c.got != c.want {
					t.Errorf("%s of %d and %g: got %v", name, a, b, c.got)
				}
			}
		}
		nan := math.NaN()
		if LtIntDouble(a, nan) || LeIntDouble(a, nan) || LtDoubleInt(nan, a) || LeDoubleInt(nan, a) {
			t.Errorf("%d compares with NaN", a)
		}
	}
}

// compare compares the double that is nearest to a.
func compare(a int64, b float64) int {
	return new(big.Float).SetPrec(53).SetInt64(a).Cmp(big.NewFloat(b))
}

// The conformance suite of CEL says what comes of numbers that no double tells apart.
func TestMixedComparisonsRoundTheInt(t *testing.T) {
	if LtIntDouble(math.MaxInt64, 1<<63) || !LeDoubleInt(1<<63, math.MaxInt64) {
		t.Error("2^63-1 is less than 2^63")
	}
	if !LtIntDouble(math.MaxInt64, 1<<63+2048) || LeDoubleInt(1<<63+2048, math.MaxInt64) {
		t.Error("2^63-1 is not less than 2^63+2048")
	}
}

func TestToInt(t *testing.T) {
	for _, c := range []struct {
		f    float64
		ok   bool
		want int64
	}{
		{0, true, 0}, {math.Copysign(0, -1), true, 0}, {-7, true, -7}, {math.NaN(), false, 0}, {math.Inf(1), false, 0},
		{math.Inf(-1), false, 0},
		{9223372036854774784, true, 9223372036854774784}, {9223372036854775808, false, 0},
		{-9223372036854774784, true, -9223372036854774784}, {-9223372036854775808, false, 0}, {1e300, false, 0},
	} {
		if got, ok := ToInt(c.f), IsInt(c.f); ok != c.ok || got != c.want {
			t.Errorf("%g: got %d, %v, want %d, %v", c.f, got, ok, c.want, c.ok)
		}
	}
}

func TestMinMaxDouble(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ a, b, least, greatest float64 }{
		{1, 2, 1, 2}, {2, 1, 1, 2}, {nan, 1, nan, nan}, {1, nan, 1, 1}, {0, zero, 0, 0}, {zero, 0, zero, zero},
		{math.Inf(-1), 1, math.Inf(-1), 1},
	} {
		if got := MinDouble(c.a, c.b); Bits(got) != Bits(c.least) {
			t.Errorf("min of %g and %g: got %g", c.a, c.b, got)
		}
		if got := MaxDouble(c.a, c.b); Bits(got) != Bits(c.greatest) {
			t.Errorf("max of %g and %g: got %g", c.a, c.b, got)
		}
	}
}

// CEL's string(double) is C's %g with the shortest digits.
func TestAppendDouble(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 0.1, 1e20, 1e21, 1e-5, 123456789, 1.5e300, math.Inf(1),
		math.Inf(-1), math.NaN()} {
		if got, want := string(AppendDouble(nil, f)), fmt.Sprintf("%g", f); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for s, want := range map[string]int64{"0": 0, "-9223372036854775808": math.MinInt64, "+7": 7, "007": 7} {
		if got, ok := ParseInt(s); !ok || got != want {
			t.Errorf("%q: got %d, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "9223372036854775808", "1.0", " 1", "0x10", "1_000"} {
		if got, ok := ParseInt(s); ok || got != 0 {
			t.Errorf("%q: got %d, %v", s, got, ok)
		}
	}
	for s, want := range map[string]float64{"1": 1, "1e3": 1000, "-0.5": -0.5, "inf": math.Inf(1)} {
		if got, ok := ParseDouble(s); !ok || got != want {
			t.Errorf("%q: got %g, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "x", "1e999"} {
		if got, ok := ParseDouble(s); ok || got != 0 {
			t.Errorf("%q: got %g, %v", s, got, ok)
		}
	}
}

func TestIndexOf(t *testing.T) {
	for _, c := range []struct {
		s, part string
		want    int64
	}{{"añb", "b", 2}, {"añb", "", 0}, {"", "", 0}, {"", "a", -1}, {"aaa", "aa", 0}, {"日本語", "語", 2}} {
		if got := IndexOf(c.s, c.part); got != c.want {
			t.Errorf("%q in %q: got %d, want %d", c.part, c.s, got, c.want)
		}
	}
}

// Only the letters of ASCII change, all of them, and there and back they are the same.
func TestCase(t *testing.T) {
	var ascii strings.Builder
	for c := byte(0); c < 128; c++ {
		ascii.WriteByte(c)
	}
	s := ascii.String()
	if got := string(AppendLower(nil, s)); got != strings.ToLower(s) {
		t.Errorf("lower: got %q", got)
	}
	if got := string(AppendUpper(nil, s)); got != strings.ToUpper(s) {
		t.Errorf("upper: got %q", got)
	}
	if got := string(AppendUpper(AppendLower(nil, "É"), "é")); got != "Éé" {
		t.Errorf("beyond ASCII: got %q", got)
	}
}
