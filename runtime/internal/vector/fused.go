package vector

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
)

// The kernels of instructions that do what several operations do.
//
// All begin with reslicing their operands to the length of d, which lets the compiler leave out the
// check of bounds in the loop. d may be one of the operands: each element is read before it is
// written.

func mulAdd(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = a[i]*b[i] + c[i]
	}
}

func addAdd(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i] + c[i]
	}
}

func addSub(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i] - c[i]
	}
}

func addMax(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = max(a[i]+b[i], c[i])
	}
}

func subMax(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = max(a[i]-b[i], c[i])
	}
}

func clamp(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = max(min(a[i], b[i]), c[i])
	}
}

func ltAnd(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] < b[i]) & c[i]
	}
}

func leAnd(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] <= b[i]) & c[i]
	}
}

func ltOr(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] < b[i]) | c[i]
	}
}

func leOr(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] <= b[i]) | c[i]
	}
}

func toDoubleMul(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(float64(a[i]) * builtin.Double(b[i]))
	}
}

func toDoubleDiv(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(float64(a[i]) / builtin.Double(b[i]))
	}
}

func divInts(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(float64(a[i]) / float64(b[i]))
	}
}

func floorMul(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.ToInt(math.Floor(builtin.Double(a[i]) * builtin.Double(b[i])))
	}
}

func floorDiv(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.ToInt(math.Floor(builtin.Double(a[i]) / builtin.Double(b[i])))
	}
}

func ceilMul(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.ToInt(math.Ceil(builtin.Double(a[i]) * builtin.Double(b[i])))
	}
}

// Each product is rounded by its conversion to float64: without it, the compiler may fuse a product
// with a following sum on some machines, and the last bit would depend on the machine (The Go
// Programming Language Specification, "Floating-point operators").
func floorMulMul(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = builtin.ToInt(math.Floor(float64(float64(a[i])*builtin.Double(b[i])) * builtin.Double(c[i])))
	}
}

func ceilMulMul(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = builtin.ToInt(math.Ceil(float64(builtin.Double(a[i])*builtin.Double(b[i])) * builtin.Double(c[i])))
	}
}

// MulMulAdd is a * b + c * e.
func MulMulAdd(d, a, b, c, e []int64) {
	a, b, c, e = a[:len(d)], b[:len(d)], c[:len(d)], e[:len(d)]
	for i := range d {
		d[i] = a[i]*b[i] + c[i]*e[i]
	}
}

// SelectMul is (a ? b : c) * e, of doubles.
// a is 0 or 1, so -a has no bits or all: the bits of b or of c are taken by a mask and not by a
// branch.
func SelectMul(d, a, b, c, e []int64) {
	a, b, c, e = a[:len(d)], b[:len(d)], c[:len(d)], e[:len(d)]
	for i := range d {
		yes := -a[i]
		d[i] = builtin.Bits(builtin.Double(b[i]&yes|c[i]&^yes) * builtin.Double(e[i]))
	}
}

// EqSelect is c where a equals b, else e.
func EqSelect(d, a, b, c, e []int64) {
	a, b, c, e = a[:len(d)], b[:len(d)], c[:len(d)], e[:len(d)]
	for i := range d {
		yes := -builtin.Bool(a[i] == b[i])
		d[i] = c[i]&yes | e[i]&^yes
	}
}

// LtSelect is c where a is less than b, else e.
func LtSelect(d, a, b, c, e []int64) {
	a, b, c, e = a[:len(d)], b[:len(d)], c[:len(d)], e[:len(d)]
	for i := range d {
		yes := -builtin.Bool(a[i] < b[i])
		d[i] = c[i]&yes | e[i]&^yes
	}
}

// LeSelect is c where a is at most b, else e.
func LeSelect(d, a, b, c, e []int64) {
	a, b, c, e = a[:len(d)], b[:len(d)], c[:len(d)], e[:len(d)]
	for i := range d {
		yes := -builtin.Bool(a[i] <= b[i])
		d[i] = c[i]&yes | e[i]&^yes
	}
}

// at returns a cell of a dense table that begins with the cell of first; 0 outside.
func at(cells []int64, i, first int64) int64 {
	if k := uint64(i - first); k < uint64(len(cells)) {
		return cells[k]
	}
	return 0
}

// Dense looks up the cells of a. d may be a.
//
// It takes eight records at a time because so short a loop depends on where the linker puts it: one by one, 1,024 records
// take 320 ns when the loop lies within a line of the instruction cache and 505 ns when it lies across two (measured on
// an AMD EPYC), four by four 380 ns and eight by eight 285 ns wherever it lies.
func Dense(d, a, _, cells []int64, first int64) {
	for len(d) >= 8 && len(a) >= 8 {
		d[0] = at(cells, a[0], first)
		d[1] = at(cells, a[1], first)
		d[2] = at(cells, a[2], first)
		d[3] = at(cells, a[3], first)
		d[4] = at(cells, a[4], first)
		d[5] = at(cells, a[5], first)
		d[6] = at(cells, a[6], first)
		d[7] = at(cells, a[7], first)
		d, a = d[8:], a[8:]
	}
	a = a[:len(d)]
	for i := range d {
		d[i] = at(cells, a[i], first)
	}
}

// DenseAdd adds b to the cells of a.
func DenseAdd(d, a, b, cells []int64, first int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = at(cells, a[i], first) + b[i]
	}
}

// DenseSub takes the cells of a from b.
func DenseSub(d, a, b, cells []int64, first int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] - at(cells, a[i], first)
	}
}

// DenseMul multiplies the cells of a, which are doubles, by b.
func DenseMul(d, a, b, cells []int64, first int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(builtin.Double(at(cells, a[i], first)) * builtin.Double(b[i]))
	}
}

// DenseAddAdd adds b and c to the cells of a.
func DenseAddAdd(d, a, b, c, cells []int64, first int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = at(cells, a[i], first) + b[i] + c[i]
	}
}

// DenseSubMax returns b less the cells of a, but at least c.
func DenseSubMax(d, a, b, c, cells []int64, first int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = max(b[i]-at(cells, a[i], first), c[i])
	}
}
