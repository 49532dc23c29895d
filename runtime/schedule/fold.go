package schedule

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// fold computes what is constant, and cuts off what a constant decides.
func (w *work) fold() {
	w.walk(0, func(id plan.ID) {
		n := &w.nodes[id]
		switch n.Op {
		case plan.OpSelect:
			w.foldSelect(id)
		case plan.OpAnd:
			w.foldSides(id, 0)
		case plan.OpOr:
			w.foldSides(id, 1)
		case plan.OpFirstFault:
			w.foldFirst(id)
		case plan.OpAndFault:
			w.foldSideFaults(id, 0)
		case plan.OpOrFault:
			w.foldSideFaults(id, 1)
		case plan.OpResult:
			w.foldResult(id)
		case plan.OpDivFault, plan.OpModFault:
			w.foldDivisor(id)
		}
		w.foldScalar(id)
	})
}

func (w *work) foldSelect(id plan.ID) {
	n := &w.nodes[id]
	c, known := w.constant(n.Args[0])
	switch {
	case known && c != 0, w.arg(n, 1) == w.arg(n, 2):
		w.replace(id, n.Args[1])
	case known:
		w.replace(id, n.Args[2])
	}
}

// foldSides folds && and ||, which a side decides that is the deciding constant.
func (w *work) foldSides(id plan.ID, deciding int64) {
	n := &w.nodes[id]
	for k, side := range n.Args[:2] {
		switch {
		case w.is(side, deciding):
			w.settle(id, deciding)
			n.Args = []plan.ID{side}
			return
		case w.is(side, 1-deciding):
			w.replace(id, n.Args[1-k])
			return
		}
	}
}

func (w *work) foldFirst(id plan.ID) {
	n := &w.nodes[id]
	first, second := w.arg(n, 0), w.node(n.Args[1])
	switch {
	case w.is(n.Args[0], 0), second.Op == plan.OpFirstFault && w.arg(second, 0) == first:
		w.replace(id, n.Args[1])
	case w.is(n.Args[1], 0), w.arg(n, 1) == first:
		w.replace(id, n.Args[0])
	}
}

// foldDivisor folds the fault of a division by a constant for which there is none.
func (w *work) foldDivisor(id plan.ID) {
	if by, known := w.constant(w.nodes[id].Args[1]); known && by != 0 && by != -1 {
		w.settle(id, 0)
	}
}

// foldSideFaults folds the fault of && or ||: a side that cannot fail and decides absorbs the other's; one that cannot
// fail and never decides leaves it.
func (w *work) foldSideFaults(id plan.ID, deciding int64) {
	n := &w.nodes[id]
	if w.is(n.Args[1], 0) && w.is(n.Args[3], 0) {
		w.settle(id, 0)
		return
	}
	for k := range 2 {
		side, fault, other := n.Args[2*k], n.Args[2*k+1], n.Args[3-2*k]
		switch {
		case !w.is(fault, 0):
		case w.is(side, deciding):
			w.settle(id, 0)
			n.Args = []plan.ID{side}
			return
		case w.is(side, 1-deciding):
			w.replace(id, other)
			return
		}
	}
}

// foldResult folds what a loop carries that never runs.
func (w *work) foldResult(id plan.ID) {
	n := &w.nodes[id]
	loop := w.arg(n, 0)
	if times, known := w.constant(w.nodes[loop].Args[0]); known && times <= 0 {
		w.replace(id, w.initial(loop, n.Imm))
	}
}

// foldScalar computes a node whose operands are all constant.
func (w *work) foldScalar(id plan.ID) {
	n := &w.nodes[id]
	if w.same[id] != id || len(n.Args) == 0 || len(n.Args) > 2 {
		return
	}
	var v [2]int64
	for k, a := range n.Args {
		c, known := w.constant(a)
		if !known {
			return
		}
		v[k] = c
	}
	if result, ok := compute(n.Op, n.Imm, v[0], v[1]); ok {
		w.settle(id, result)
	}
}

// compute is what the execution computes of constants; ok is false for an operation that is left to it, among them
// every fault that does happen, because its place is told only there.
func compute(op plan.Op, imm, a, b int64) (result int64, ok bool) {
	for _, group := range [...]func(plan.Op, int64, int64) (int64, bool){ints, doubles, comparisons, conversions} {
		if result, ok = group(op, a, b); ok {
			return result, true
		}
	}
	failed, ok := fails(op, imm, a, b)
	return 0, ok && !failed
}

func ints(op plan.Op, a, b int64) (int64, bool) {
	switch op {
	case plan.OpAddInt:
		return a + b, true
	case plan.OpSubInt:
		return a - b, true
	case plan.OpMulInt:
		return a * b, true
	case plan.OpNegInt:
		return -a, true
	case plan.OpAbsInt:
		return builtin.AbsInt(a), true
	case plan.OpMinInt:
		return min(a, b), true
	case plan.OpMaxInt:
		return max(a, b), true
	case plan.OpDivTrunc:
		return builtin.DivTrunc(a, b), true
	case plan.OpDivFloor:
		return builtin.DivFloor(a, b), true
	case plan.OpDivCeil:
		return builtin.DivCeil(a, b), true
	case plan.OpDivHalfUp:
		return builtin.DivHalfUp(a, b), true
	case plan.OpModInt:
		return builtin.ModInt(a, b), true
	case plan.OpPowInt:
		return builtin.PowInt(a, b), true
	}
	return 0, false
}

func doubles(op plan.Op, a, b int64) (int64, bool) {
	x, y := builtin.Double(a), builtin.Double(b)
	switch op {
	case plan.OpAddDouble:
		return builtin.Bits(x + y), true
	case plan.OpSubDouble:
		return builtin.Bits(x - y), true
	case plan.OpMulDouble:
		return builtin.Bits(x * y), true
	case plan.OpDivDouble:
		return builtin.Bits(x / y), true
	case plan.OpNegDouble:
		return builtin.Bits(-x), true
	case plan.OpAbsDouble:
		return builtin.Bits(math.Abs(x)), true
	case plan.OpMinDouble:
		return builtin.Bits(builtin.MinDouble(x, y)), true
	case plan.OpMaxDouble:
		return builtin.Bits(builtin.MaxDouble(x, y)), true
	case plan.OpPowDouble:
		return builtin.Bits(builtin.PowDouble(x, y)), true
	}
	return 0, false
}

func comparisons(op plan.Op, a, b int64) (int64, bool) {
	x, y := builtin.Double(a), builtin.Double(b)
	switch op {
	case plan.OpEqInt:
		return builtin.Bool(a == b), true
	case plan.OpLtInt:
		return builtin.Bool(a < b), true
	case plan.OpLeInt:
		return builtin.Bool(a <= b), true
	case plan.OpEqDouble:
		return builtin.Bool(x == y), true
	case plan.OpLtDouble:
		return builtin.Bool(x < y), true
	case plan.OpLeDouble:
		return builtin.Bool(x <= y), true
	case plan.OpLtIntDouble:
		return builtin.Bool(builtin.LtIntDouble(a, y)), true
	case plan.OpLeIntDouble:
		return builtin.Bool(builtin.LeIntDouble(a, y)), true
	case plan.OpLtDoubleInt:
		return builtin.Bool(builtin.LtDoubleInt(x, b)), true
	case plan.OpLeDoubleInt:
		return builtin.Bool(builtin.LeDoubleInt(x, b)), true
	}
	return 0, false
}

func conversions(op plan.Op, a, _ int64) (int64, bool) {
	switch op {
	case plan.OpFloor, plan.OpCeil, plan.OpRound, plan.OpTrunc:
		return builtin.ToInt(Rounded(op, builtin.Double(a))), true
	case plan.OpToDouble:
		return builtin.Bits(float64(a)), true
	case plan.OpNot:
		return a ^ 1, true
	case plan.OpNoFault:
		return builtin.Bool(a == 0), true
	}
	return 0, false
}

// Rounded is a double rounded as an operation does.
func Rounded(op plan.Op, f float64) float64 {
	switch op {
	case plan.OpFloor:
		return math.Floor(f)
	case plan.OpCeil:
		return math.Ceil(f)
	case plan.OpRound:
		return math.Round(f)
	}
	return math.Trunc(f)
}

// fails tells whether a fault of constants happens.
func fails(op plan.Op, imm, a, b int64) (failed, ok bool) {
	switch op {
	case plan.OpAddIntFault:
		return builtin.AddOverflows(a, b), true
	case plan.OpSubIntFault:
		return builtin.SubOverflows(a, b), true
	case plan.OpMulIntFault:
		return builtin.MulOverflows(a, b), true
	case plan.OpNegIntFault, plan.OpAbsIntFault:
		return builtin.NegOverflows(a), true
	case plan.OpDivFault, plan.OpModFault:
		return b == 0 || builtin.DivOverflows(a, b), true
	case plan.OpPowIntFault:
		return b < 0 || builtin.PowOverflows(a, b), true
	case plan.OpToIntFault:
		return !builtin.IsInt(Rounded(plan.Op(imm), builtin.Double(a))), true
	case plan.OpFail:
		return a == 0, true
	}
	return false, false
}
