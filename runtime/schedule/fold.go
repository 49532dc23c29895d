package schedule

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// foldNodes computes the nodes whose operands are constant, and cuts off the sides that a constant decides against. One
// walk is enough, since operands are folded before their readers. Where a constant decides alone, the node keeps that
// operand in its Args: needs are told by the operands of which constants were made (addNames in reach.go), and the sides
// that were cut off must not count among them.
func (w *work) foldNodes() {
	w.walkNodes(0, func(id plan.ID) {
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
	c, known := w.constantOf(n.Args[0])
	switch {
	case known && c != 0, w.operandOf(n, 1) == w.operandOf(n, 2):
		w.replaceNode(id, n.Args[1])
	case known:
		w.replaceNode(id, n.Args[2])
	}
}

// foldSides folds && and ||, which a side decides that is the deciding constant.
func (w *work) foldSides(id plan.ID, deciding int64) {
	n := &w.nodes[id]
	for k, side := range n.Args[:2] {
		switch {
		case w.isConstant(side, deciding):
			w.makeConstant(id, deciding)
			n.Args = []plan.ID{side}
			return
		case w.isConstant(side, 1-deciding):
			w.replaceNode(id, n.Args[1-k])
			return
		}
	}
}

// foldFirst folds the first of two faults: one that is none leaves the other, and a fault that is named twice, in this node
// or as the first of its second operand, is asked once.
func (w *work) foldFirst(id plan.ID) {
	n := &w.nodes[id]
	first, second := w.operandOf(n, 0), w.nodeOf(n.Args[1])
	switch {
	case w.isConstant(n.Args[0], 0), second.Op == plan.OpFirstFault && w.operandOf(second, 0) == first:
		w.replaceNode(id, n.Args[1])
	case w.isConstant(n.Args[1], 0), w.operandOf(n, 1) == first:
		w.replaceNode(id, n.Args[0])
	}
}

// foldDivisor folds the fault of a division by a constant for which there is none.
func (w *work) foldDivisor(id plan.ID) {
	if by, known := w.constantOf(w.nodes[id].Args[1]); known && by != 0 && by != -1 {
		w.makeConstant(id, 0)
	}
}

// foldSideFaults folds the fault of && or ||: a side that cannot fail and decides absorbs the other's; one that cannot
// fail and never decides leaves it.
func (w *work) foldSideFaults(id plan.ID, deciding int64) {
	n := &w.nodes[id]
	if w.isConstant(n.Args[1], 0) && w.isConstant(n.Args[3], 0) {
		w.makeConstant(id, 0)
		return
	}
	for k := range 2 {
		side, fault, other := n.Args[2*k], n.Args[2*k+1], n.Args[3-2*k]
		switch {
		case !w.isConstant(fault, 0):
		case w.isConstant(side, deciding):
			w.makeConstant(id, 0)
			n.Args = []plan.ID{side}
			return
		case w.isConstant(side, 1-deciding):
			w.replaceNode(id, other)
			return
		}
	}
}

// foldResult folds the carried values of a loop that never runs.
func (w *work) foldResult(id plan.ID) {
	n := &w.nodes[id]
	loop := w.operandOf(n, 0)
	if times, known := w.constantOf(w.nodes[loop].Args[0]); known && times <= 0 {
		w.replaceNode(id, w.initialCarried(loop, n.Imm))
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
		c, known := w.constantOf(a)
		if !known {
			return
		}
		v[k] = c
	}
	if result, ok := FoldConstants(n.Op, n.Imm, v[0], v[1]); ok && w.hasResult(n.Kind, result) {
		w.makeConstant(id, result)
	}
}

// hasResult reports whether an operation has a result where it is carried out, as in 64 bits: an int that is one, or a
// fault that the bounds have not decided.
func (w *work) hasResult(k plan.Kind, bits int64) bool {
	switch k {
	case plan.Int:
		return w.ints.Holds(bits)
	case plan.Fault:
		return w.ints.Holds(math.MaxInt64)
	}
	return true
}

// FoldConstants computes an operation of one or two constant operands, b being ignored by those of one. It reports false
// for an operation that must be left to the execution, among them every fault that does happen, because its place is told
// only there.
func FoldConstants(op plan.Op, imm, a, b int64) (result int64, ok bool) {
	if op == plan.OpToIntFault {
		return 0, builtin.IsInt(builtin.RoundBy(plan.Op(imm), builtin.Double(a)))
	}
	compute := builtin.ScalarOf(op)
	if compute == nil {
		return 0, false
	}
	result = compute(a, b)
	if op.Operation().Result == 'f' {
		return 0, result == 0
	}
	return result, true
}

// FoldOperands returns the result of an operation of at most three known operands, choices and look-ups in tables of
// the plan among them. It reports false for a fault and for an operation that needs more than the slots of its
// operands.
func FoldOperands(p *plan.Plan, op plan.Op, imm int64, v [3]int64) (result int64, ok bool) {
	switch op {
	case plan.OpSelect:
		if v[0] != 0 {
			return v[1], true
		}
		return v[2], true
	case plan.OpAnd:
		return v[0] & v[1], true
	case plan.OpOr:
		return v[0] | v[1], true
	case plan.OpRow:
		return p.Tables[imm].FindInt(v[0]), true
	case plan.OpRowDouble:
		return p.Tables[imm].Find(builtin.Double(v[0])), true
	case plan.OpCell:
		return p.Tables[imm>>32].Cell(v[0], int64(uint32(imm))), true
	}
	return FoldConstants(op, imm, v[0], v[1])
}
