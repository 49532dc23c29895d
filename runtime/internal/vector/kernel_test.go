package vector

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

func double(bits int64) float64 { return math.Float64frombits(uint64(bits)) }

func bits(v float64) int64 { return int64(math.Float64bits(v)) }

func truth(v bool) int64 {
	if v {
		return 1
	}
	return 0
}

func choice(yes bool, a, b int64) int64 {
	if yes {
		return a
	}
	return b
}

// A scalar computes what a kernel computes, for one record.
type scalar func(a, b, c, e int64) int64

func ofInts(f func(a, b int64) int64) scalar {
	return func(a, b, _, _ int64) int64 { return f(a, b) }
}

func ofDoubles(f func(a, b float64) float64) scalar {
	return func(a, b, _, _ int64) int64 { return bits(f(double(a), double(b))) }
}

func ofIntDouble(f func(a int64, b float64) bool) scalar {
	return func(a, b, _, _ int64) int64 { return truth(f(a, double(b))) }
}

func ofDoubleInt(f func(a float64, b int64) bool) scalar {
	return func(a, b, _, _ int64) int64 { return truth(f(double(a), b)) }
}

func rounded(f func(float64) float64, of func(a, b, c int64) float64) scalar {
	return func(a, b, c, _ int64) int64 { return builtin.ToInt(f(of(a, b, c))) }
}

func itself(a, _, _ int64) float64 { return double(a) }

func product(a, b, _ int64) float64 { return double(a) * double(b) }

func products(a, b, c int64) float64 { return float64(double(a)*double(b)) * double(c) }

// scalars has every operation that has a kernel.
var scalars = map[plan.Op]scalar{
	schedule.OpMove:  func(a, _, _, _ int64) int64 { return a },
	plan.OpAddInt:    func(a, b, _, _ int64) int64 { return a + b },
	plan.OpSubInt:    func(a, b, _, _ int64) int64 { return a - b },
	plan.OpMulInt:    func(a, b, _, _ int64) int64 { return a * b },
	plan.OpNegInt:    func(a, _, _, _ int64) int64 { return -a },
	plan.OpAbsInt:    func(a, _, _, _ int64) int64 { return choice(a < 0, -a, a) },
	plan.OpMinInt:    func(a, b, _, _ int64) int64 { return choice(b < a, b, a) },
	plan.OpMaxInt:    func(a, b, _, _ int64) int64 { return choice(b > a, b, a) },
	plan.OpDivTrunc:  ofInts(builtin.DivTrunc),
	plan.OpDivFloor:  ofInts(builtin.DivFloor),
	plan.OpDivCeil:   ofInts(builtin.DivCeil),
	plan.OpDivHalfUp: ofInts(builtin.DivHalfUp),
	plan.OpDivAway:   ofInts(builtin.DivAway),
	plan.OpModInt:    ofInts(builtin.ModInt),
	plan.OpPowInt:    ofInts(builtin.PowInt),
	plan.OpEqInt:     func(a, b, _, _ int64) int64 { return truth(a == b) },
	plan.OpLtInt:     func(a, b, _, _ int64) int64 { return truth(a < b) },
	plan.OpLeInt:     func(a, b, _, _ int64) int64 { return truth(a <= b) },
	plan.OpSize:      func(a, _, _, _ int64) int64 { return a & math.MaxUint32 },

	plan.OpAddDouble: ofDoubles(func(a, b float64) float64 { return a + b }),
	plan.OpSubDouble: ofDoubles(func(a, b float64) float64 { return a - b }),
	plan.OpMulDouble: ofDoubles(func(a, b float64) float64 { return a * b }),
	plan.OpDivDouble: ofDoubles(func(a, b float64) float64 { return a / b }),
	plan.OpNegDouble: func(a, _, _, _ int64) int64 { return a ^ math.MinInt64 },
	plan.OpAbsDouble: func(a, _, _, _ int64) int64 { return a & math.MaxInt64 },
	plan.OpMinDouble: ofDoubles(builtin.MinDouble),
	plan.OpMaxDouble: ofDoubles(builtin.MaxDouble),
	plan.OpPowDouble: ofDoubles(builtin.PowDouble),
	plan.OpEqDouble:  ofDoubleTruth(func(a, b float64) bool { return a == b }),
	plan.OpLtDouble:  ofDoubleTruth(func(a, b float64) bool { return a < b }),
	plan.OpLeDouble:  ofDoubleTruth(func(a, b float64) bool { return a <= b }),
	plan.OpFloor:     rounded(math.Floor, itself),
	plan.OpCeil:      rounded(math.Ceil, itself),
	plan.OpRound:     rounded(math.Round, itself),
	plan.OpTrunc:     rounded(math.Trunc, itself),
	plan.OpToDouble:  func(a, _, _, _ int64) int64 { return bits(float64(a)) },

	plan.OpLtIntDouble: ofIntDouble(builtin.LtIntDouble),
	plan.OpLeIntDouble: ofIntDouble(builtin.LeIntDouble),
	plan.OpLtDoubleInt: ofDoubleInt(builtin.LtDoubleInt),
	plan.OpLeDoubleInt: ofDoubleInt(builtin.LeDoubleInt),

	plan.OpAnd:     func(a, b, _, _ int64) int64 { return truth(a == 1 && b == 1) },
	plan.OpOr:      func(a, b, _, _ int64) int64 { return truth(a == 1 || b == 1) },
	plan.OpNot:     func(a, _, _, _ int64) int64 { return truth(a == 0) },
	plan.OpSelect:  func(a, b, c, _ int64) int64 { return choice(a == 1, b, c) },
	plan.OpNoFault: func(a, _, _, _ int64) int64 { return truth(a == 0) },

	schedule.OpMulAdd:      func(a, b, c, _ int64) int64 { return a*b + c },
	schedule.OpAddAdd:      func(a, b, c, _ int64) int64 { return a + b + c },
	schedule.OpAddSub:      func(a, b, c, _ int64) int64 { return a + b - c },
	schedule.OpAddMax:      func(a, b, c, _ int64) int64 { return choice(a+b > c, a+b, c) },
	schedule.OpSubMax:      func(a, b, c, _ int64) int64 { return choice(a-b > c, a-b, c) },
	schedule.OpClamp:       func(a, b, c, _ int64) int64 { return choice(min(a, b) > c, min(a, b), c) },
	schedule.OpLtAnd:       func(a, b, c, _ int64) int64 { return truth(a < b && c == 1) },
	schedule.OpLeAnd:       func(a, b, c, _ int64) int64 { return truth(a <= b && c == 1) },
	schedule.OpLtOr:        func(a, b, c, _ int64) int64 { return truth(a < b || c == 1) },
	schedule.OpLeOr:        func(a, b, c, _ int64) int64 { return truth(a <= b || c == 1) },
	schedule.OpToDoubleMul: func(a, b, _, _ int64) int64 { return bits(float64(a) * double(b)) },
	schedule.OpToDoubleDiv: func(a, b, _, _ int64) int64 { return bits(float64(a) / double(b)) },
	schedule.OpDivInts:     func(a, b, _, _ int64) int64 { return bits(float64(a) / float64(b)) },
	schedule.OpFloorMul:    rounded(math.Floor, product),
	schedule.OpFloorDiv:    rounded(math.Floor, func(a, b, _ int64) float64 { return double(a) / double(b) }),
	schedule.OpCeilMul:     rounded(math.Ceil, product),
	schedule.OpFloorMulMul: rounded(math.Floor, func(a, b, c int64) float64 { return products(bits(float64(a)), b, c) }),
	schedule.OpCeilMulMul:  rounded(math.Ceil, products),
}

func ofDoubleTruth(f func(a, b float64) bool) scalar {
	return func(a, b, _, _ int64) int64 { return truth(f(double(a), double(b))) }
}

// truths are the operations whose operands are truths, by which operand is one.
var truths = map[plan.Op]string{
	plan.OpAnd: "ab", plan.OpOr: "ab", plan.OpNot: "a", plan.OpSelect: "a",
	schedule.OpLtAnd: "c", schedule.OpLeAnd: "c", schedule.OpLtOr: "c", schedule.OpLeOr: "c",
}

// slots are values at the bounds of ints, of doubles, and of what ints and doubles have in common.
func slots() (out []int64) {
	for _, v := range []float64{
		0, 0.5, 1, 1.5, 2.5, 1e300, 5e-324, 1 << 53, 1<<53 - 1, 1 << 62, 1 << 63, 1<<63 - 1024, math.MaxFloat64, math.Inf(1),
	} {
		out = append(out, bits(v), bits(-v))
	}
	for _, v := range []int64{0, 1, 2, 3, 7, 63, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1,
		math.MaxInt64} {
		out = append(out, v, -v)
	}
	return append(out, bits(math.NaN()), math.MinInt64)
}

// columns are operands in which each slot meets each other one, and all of them further ones.
func columns() (a, b, c, e []int64) {
	all := slots()
	for i, x := range all {
		for k, y := range all {
			a, b = append(a, x), append(b, y)
			c, e = append(c, all[(i*7+k*3)%len(all)]), append(e, all[(i+k*5+1)%len(all)])
		}
	}
	return a, b, c, e
}

// asTruths makes truths of a column, if an operation takes it for one.
func asTruths(op plan.Op, operand string, column []int64) []int64 {
	for _, name := range truths[op] {
		if operand == string(name) {
			out := make([]int64, len(column))
			for i := range out {
				out[i] = truth(i*i%7 < 3)
			}
			return out
		}
	}
	return column
}

// hold wants a kernel to give for each record what its scalar gives, and to write no further.
func hold(t *testing.T, name string, a, b, c, e []int64, want scalar, run func(d, a, b, c, e []int64)) {
	t.Helper()
	const untouched = 0x5e7d
	for n := 0; n <= len(a); n += 1 + n*n/64 { // all small lengths, and a few large ones
		n := min(n, len(a))
		d := make([]int64, n+1)
		d[n] = untouched
		from := len(a) - n
		run(d[:n], a[from:], b[from:], c[from:], e[from:])
		if d[n] != untouched {
			t.Errorf("%s of %d records writes beyond them", name, n)
		}
		for i, got := range d[:n] {
			k := from + i
			w := want(a[k], b[k], c[k], e[k])
			if got != w && !(isNaN(got) && isNaN(w)) {
				t.Fatalf("%s of %#x, %#x, %#x, %#x: %#x, want %#x", name, a[k], b[k], c[k], e[k], got, w)
			}
		}
	}
	d := make([]int64, len(a))
	run(d, a, b, c, e)
	for i := range d {
		if w := want(a[i], b[i], c[i], e[i]); d[i] != w && !(isNaN(d[i]) && isNaN(w)) {
			t.Fatalf("%s of %#x, %#x, %#x, %#x: %#x, want %#x", name, a[i], b[i], c[i], e[i], d[i], w)
		}
	}
}

func isNaN(bits int64) bool { return math.IsNaN(double(bits)) }

func TestKernels(t *testing.T) {
	a, b, c, e := columns()
	for op := range plan.Op(schedule.NumOps) {
		kernel, want := KernelOf(op), scalars[op]
		switch {
		case (kernel == nil) != (want == nil):
			t.Errorf("operation %d has a kernel: %v, and is held: %v", op, kernel != nil, want != nil)
		case kernel != nil:
			hold(t, op.String(), asTruths(op, "a", a), asTruths(op, "b", b), asTruths(op, "c", c), e, want,
				func(d, a, b, c, _ []int64) { kernel(d, a, b, c) })
		}
	}
}

func TestKernelsOfFourColumns(t *testing.T) {
	a, b, c, e := columns()
	for name, x := range map[string]struct {
		kernel func(d, a, b, c, e []int64)
		want   scalar
		op     plan.Op
	}{
		"eq.select":   {EqSelect, func(a, b, c, e int64) int64 { return choice(a == b, c, e) }, 0},
		"lt.select":   {LtSelect, func(a, b, c, e int64) int64 { return choice(a < b, c, e) }, 0},
		"le.select":   {LeSelect, func(a, b, c, e int64) int64 { return choice(a <= b, c, e) }, 0},
		"mul.mul.add": {MulMulAdd, func(a, b, c, e int64) int64 { return a*b + c*e }, 0},
		"select.mul": {SelectMul, func(a, b, c, e int64) int64 { return bits(double(choice(a == 1, b, c)) * double(e)) },
			plan.OpSelect},
	} {
		hold(t, name, asTruths(x.op, "a", a), b, c, e, x.want, x.kernel)
	}
}

// The cells of a dense table are looked up, within it and beyond either end.
func TestKernelsOfDenseTables(t *testing.T) {
	a, b, c, e := columns()
	for i := range a {
		if i%3 > 0 {
			a[i] = int64(i%11) - 5
		}
	}
	const first = -2
	cells := []int64{bits(0.5), 40, math.MaxInt64, bits(-3), 7}
	cell := func(i int64) int64 {
		if i < first || i >= first+int64(len(cells)) {
			return 0
		}
		return cells[i-first]
	}
	for name, x := range map[string]struct {
		kernel func(d, a, b, c []int64)
		want   scalar
	}{
		"dense": {
			func(d, a, b, _ []int64) { Dense(d, a, b, cells, first) },
			func(a, _, _, _ int64) int64 { return cell(a) },
		},
		"dense.add": {
			func(d, a, b, _ []int64) { DenseAdd(d, a, b, cells, first) },
			func(a, b, _, _ int64) int64 { return cell(a) + b },
		},
		"dense.sub": {
			func(d, a, b, _ []int64) { DenseSub(d, a, b, cells, first) },
			func(a, b, _, _ int64) int64 { return b - cell(a) },
		},
		"dense.mul": {
			func(d, a, b, _ []int64) { DenseMul(d, a, b, cells, first) },
			func(a, b, _, _ int64) int64 { return bits(double(cell(a)) * double(b)) },
		},
		"dense.add.add": {
			func(d, a, b, c []int64) { DenseAddAdd(d, a, b, c, cells, first) },
			func(a, b, c, _ int64) int64 { return cell(a) + b + c },
		},
		"dense.sub.max": {
			func(d, a, b, c []int64) { DenseSubMax(d, a, b, c, cells, first) },
			func(a, b, c, _ int64) int64 { return choice(b-cell(a) > c, b-cell(a), c) },
		},
	} {
		hold(t, name, a, b, c, e, x.want, func(d, a, b, c, _ []int64) { x.kernel(d, a, b, c) })
	}
}

// Whether any record overflows is what is found out record by record.
func TestKernelsOfOverflow(t *testing.T) {
	a, b, _, _ := columns()
	for name, x := range map[string]struct {
		any func(a, b []int64) bool
		one func(a, b int64) bool
	}{
		"add": {AddOverflows, builtin.AddOverflows}, "sub": {SubOverflows, builtin.SubOverflows},
		"mul": {MulOverflows, builtin.MulOverflows},
	} {
		if x.any(nil, nil) {
			t.Errorf("%s: no records overflow", name)
		}
		var fine, fineToo, over, overToo []int64
		for i := range a {
			if overflows := x.one(a[i], b[i]); x.any(a[i:i+1], b[i:i+1]) != overflows {
				t.Errorf("%s of %d and %d: overflows: %v", name, a[i], b[i], overflows)
			} else if overflows {
				over, overToo = a[i:i+1], b[i:i+1]
			} else {
				fine, fineToo = append(fine, a[i]), append(fineToo, b[i])
			}
		}
		if x.any(fine, fineToo) || !x.any(append(fine, over...), append(fineToo, overToo...)) {
			t.Errorf("%s: the one that overflows is not found among many", name)
		}
	}
}

// TestAnyNotFinite finds one double that JSON has no form for at each place of a column, and none among the largest and the
// smallest.
func TestAnyNotFinite(t *testing.T) {
	finite := []float64{0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}
	for size := range 10 {
		column := make([]int64, size)
		for i := range column {
			column[i] = bits(finite[i%len(finite)])
		}
		if AnyNotFinite(column) {
			t.Errorf("of %d doubles one is not finite", size)
		}
		for i := range column {
			for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), -math.NaN()} {
				was := column[i]
				column[i] = bits(v)
				if !AnyNotFinite(column) {
					t.Errorf("%g at %d of %d is not found", v, i, size)
				}
				column[i] = was
			}
		}
	}
}
