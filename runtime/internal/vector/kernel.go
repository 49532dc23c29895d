package vector

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Func computes column d from the columns of an instruction's operands, all of the same length, and reads and writes
// nothing else. A column that the instruction does not have may be any.
type Func func(d, a, b, c []int64)

// KernelOf returns the kernel of an operation; nil if it needs more than its operands. An operation without a loop of its
// own is computed value by value, as everywhere else.
func KernelOf(op plan.Op) Func { return kernels[op] }

// kernels are made once: a block looks up one for each of its instructions.
var kernels = completeKernels(frequent)

// completeKernels returns the kernels with one that calls a function value by value for every operation of scalars without
// a loop of its own. Faults have none, because they need a frame to note their place.
func completeKernels(kernels [schedule.NumOps]Func) [schedule.NumOps]Func {
	for op := range plan.Op(plan.NumOps) {
		compute := builtin.ScalarOf(op)
		if kernels[op] == nil && compute != nil && op.Operation().Result != 'f' {
			kernels[op] = binary(compute)
		}
	}
	return kernels
}

// frequent has a loop of its own for what is frequent, so that nothing is called for a value.
var frequent = [schedule.NumOps]Func{
	schedule.OpMove: func(d, a, _, _ []int64) { copy(d, a) },

	plan.OpAddInt:   addInt,
	plan.OpSubInt:   subInt,
	plan.OpMulInt:   mulInt,
	plan.OpMinInt:   minInt,
	plan.OpMaxInt:   maxInt,
	plan.OpDivFloor: divFloor,
	plan.OpEqInt:    eqInt,
	plan.OpLtInt:    ltInt,
	plan.OpLeInt:    leInt,

	plan.OpAddDouble: addDouble,
	plan.OpSubDouble: subDouble,
	plan.OpMulDouble: mulDouble,
	plan.OpDivDouble: divDouble,
	plan.OpEqDouble:  eqDouble,
	plan.OpLtDouble:  ltDouble,
	plan.OpLeDouble:  leDouble,
	plan.OpFloor:     floor,
	plan.OpCeil:      ceil,
	plan.OpToDouble:  toDouble,

	plan.OpAnd:     and,
	plan.OpOr:      or,
	plan.OpNot:     not,
	plan.OpSelect:  choose,
	plan.OpNoFault: noFault,

	schedule.OpMulAdd:      mulAdd,
	schedule.OpAddAdd:      addAdd,
	schedule.OpAddSub:      addSub,
	schedule.OpAddMax:      addMax,
	schedule.OpSubMax:      subMax,
	schedule.OpClamp:       clamp,
	schedule.OpLtAnd:       ltAnd,
	schedule.OpLeAnd:       leAnd,
	schedule.OpLtOr:        ltOr,
	schedule.OpLeOr:        leOr,
	schedule.OpToDoubleMul: toDoubleMul,
	schedule.OpToDoubleDiv: toDoubleDiv,
	schedule.OpDivInts:     divInts,
	schedule.OpFloorMul:    floorMul,
	schedule.OpFloorDiv:    floorDiv,
	schedule.OpCeilMul:     ceilMul,
	schedule.OpFloorMulMul: floorMulMul,
	schedule.OpCeilMulMul:  ceilMulMul,

	plan.OpSize: unary(func(span int64) int64 { return int64(uint32(span)) }),
}

// unary makes a kernel of a function of one slot.
func unary(f func(a int64) int64) Func {
	return func(d, a, _, _ []int64) {
		a = a[:len(d)]
		for i := range d {
			d[i] = f(a[i])
		}
	}
}

// binary makes a kernel of a function of two slots.
func binary(f func(a, b int64) int64) Func {
	return func(d, a, b, _ []int64) {
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = f(a[i], b[i])
		}
	}
}

func addInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func subInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func mulInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] * b[i]
	}
}

func minInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = min(a[i], b[i])
	}
}

func maxInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = max(a[i], b[i])
	}
}

func divFloor(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.DivFloor(a[i], b[i])
	}
}

func eqInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] == b[i])
	}
}

func ltInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] < b[i])
	}
}

func leInt(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] <= b[i])
	}
}

func addDouble(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(builtin.Double(a[i]) + builtin.Double(b[i]))
	}
}

func subDouble(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(builtin.Double(a[i]) - builtin.Double(b[i]))
	}
}

func mulDouble(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(builtin.Double(a[i]) * builtin.Double(b[i]))
	}
}

func divDouble(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(builtin.Double(a[i]) / builtin.Double(b[i]))
	}
}

func eqDouble(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(builtin.Double(a[i]) == builtin.Double(b[i]))
	}
}

func ltDouble(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(builtin.Double(a[i]) < builtin.Double(b[i]))
	}
}

func leDouble(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(builtin.Double(a[i]) <= builtin.Double(b[i]))
	}
}

func floor(d, a, _, _ []int64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = builtin.ToInt(math.Floor(builtin.Double(a[i])))
	}
}

func ceil(d, a, _, _ []int64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = builtin.ToInt(math.Ceil(builtin.Double(a[i])))
	}
}

func toDouble(d, a, _, _ []int64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = builtin.Bits(float64(a[i]))
	}
}

func and(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

func or(d, a, b, _ []int64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

func not(d, a, _, _ []int64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] ^ 1
	}
}

func choose(d, a, b, c []int64) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		yes := -a[i]
		d[i] = b[i]&yes | c[i]&^yes
	}
}

func noFault(d, a, _, _ []int64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = builtin.Bool(a[i] == 0)
	}
}

// AddOverflows reports whether any sum overflows.
// A sum overflows when both operands have the sign that the sum has not. The signs of all records
// are or-ed into one word, so that the loop has no branch.
func AddOverflows(a, b []int64) bool {
	b = b[:len(a)]
	signs := int64(0)
	for i := range a {
		sum := a[i] + b[i]
		signs |= (a[i] ^ sum) & (b[i] ^ sum)
	}
	return signs < 0
}

// SubOverflows reports whether any difference overflows.
func SubOverflows(a, b []int64) bool {
	b = b[:len(a)]
	signs := int64(0)
	for i := range a {
		signs |= (a[i] ^ b[i]) & (a[i] ^ (a[i] - b[i]))
	}
	return signs < 0
}

// MulOverflows reports whether any product overflows.
func MulOverflows(a, b []int64) bool {
	b = b[:len(a)]
	for i := range a {
		if builtin.MulOverflows(a[i], b[i]) {
			return true
		}
	}
	return false
}

// AnySet reports whether any slot of a column of faults or booleans is not 0.
func AnySet(a []int64) bool {
	all := int64(0)
	for _, bits := range a {
		all |= bits
	}
	return all != 0
}

// AnyNotFinite reports whether any double of a column is infinite or no number, and so has no form in JSON.
//
// Exactly these have an exponent of eleven ones (IEEE 754-2019, 3.4), to which one more carries into the bit of the sign
// when that was cleared before. Added up as integers the loop has no branch, and four records at a time do not wait for
// each other.
func AnyNotFinite(a []int64) bool {
	const exponentOne = 1 << 52
	even, odd := int64(0), int64(0)
	for ; len(a) >= 4; a = a[4:] {
		even |= (a[0]&math.MaxInt64 + exponentOne) | (a[2]&math.MaxInt64 + exponentOne)
		odd |= (a[1]&math.MaxInt64 + exponentOne) | (a[3]&math.MaxInt64 + exponentOne)
	}
	for _, bits := range a {
		even |= bits&math.MaxInt64 + exponentOne
	}
	return even|odd < 0
}
