package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A fusion finds operations that a single instruction can do together: each costs no more than one of them, because
// most of a instruction's time is spent on finding out what it does. These are the superinstructions of interpreters
// (Ertl and Gregg, 2003), found by tiling the graph of operands greedily from its roots (maximal munch).
//
// a*b + c*d is two products and a sum. The sum swallows its first operand and is OpMulAdd of a, b and the other
// product; then, among chains, it swallows that one and is OpMulMulAdd: one instruction for three. An operand is only
// swallowed where nothing else reads it, else it would be computed twice, and only within its block, else it would be
// computed in each iteration of a loop.
type fusion struct {
	*work
	table map[plan.Op][]fused
	reads []int // of each node, how often it is read; a root is read once more
}

// fusePairs fuses pairs of nodes, and the triples that grow out of them.
func (w *work) fusePairs() { w.fuseOperands(pairs) }

// fuseChains makes longer chains.
func (w *work) fuseChains() { w.fuseOperands(chains) }

// fuseOperands lets nodes swallow operands that nothing else reads. It goes from the last node to the first, so that the
// longest chains are found from their end.
func (w *work) fuseOperands(table map[plan.Op][]fused) {
	f := &fusion{work: w, table: table}
	for _, id := range slices.Backward(f.countReads()) {
		f.fuseNode(id)
	}
	if w.live != nil {
		w.dropDead()
	}
}

// countReads counts the readers of each node, and returns the nodes that are computed in the order of execution.
func (f *fusion) countReads() (order []plan.ID) {
	f.reads = make([]int, len(f.nodes))
	f.walkNodes(0, func(id plan.ID) {
		if f.same[id] == id && (f.live == nil || f.live[id]) {
			order = append(order, id)
			f.countRead(id)
		}
	})
	for _, id := range f.roots {
		f.reads[f.same[id]]++
	}
	return order
}

func (f *fusion) countRead(id plan.ID) {
	n := &f.nodes[id]
	for k := range n.Args {
		f.reads[f.operandOf(n, k)]++
	}
	if n.Op == plan.OpLoop {
		for _, id := range f.nextCarried(id) {
			f.reads[f.same[id]]++
		}
	}
}

// fuseNode tries the fusions that end with an operation.
func (f *fusion) fuseNode(id plan.ID) {
	n := &f.nodes[id]
	for _, x := range f.table[n.Op] {
		if f.tryFusion(id, x) {
			return
		}
	}
}

// A fused operation: what its last operation becomes when one of its operands is a certain other operation.
type fused struct {
	with  plan.Op // that the operand is
	at    int     // which operand it is
	op    plan.Op // of the instruction
	order string  // its operands: a, b, c those of the one swallowed, x, y, z the others of the last, in their order
	inner bool    // its immediate is that of the one swallowed
}

// pairs lists fusions by their last operation, the best first.
var pairs = map[plan.Op][]fused{
	plan.OpAddInt: {
		{plan.OpMulInt, 0, OpMulAdd, "abx", false},
		{plan.OpMulInt, 1, OpMulAdd, "abx", false},
		{OpDense, 0, OpDenseAdd, "ax", true},
		{OpDense, 1, OpDenseAdd, "ax", true},
		{plan.OpAddInt, 0, OpAddAdd, "abx", false},
		{plan.OpAddInt, 1, OpAddAdd, "abx", false},
		{plan.OpSubInt, 0, OpAddSub, "axb", false},
		{plan.OpSubInt, 1, OpAddSub, "axb", false},
	},
	plan.OpSubInt: {
		{OpDense, 1, OpDenseSub, "ax", true},
		{plan.OpAddInt, 0, OpAddSub, "abx", false},
	},
	plan.OpMaxInt: {
		{plan.OpMinInt, 0, OpClamp, "abx", false},
		{plan.OpMinInt, 1, OpClamp, "abx", false},
		{plan.OpSubInt, 0, OpSubMax, "abx", false},
		{plan.OpSubInt, 1, OpSubMax, "abx", false},
		{plan.OpAddInt, 0, OpAddMax, "abx", false},
		{plan.OpAddInt, 1, OpAddMax, "abx", false},
	},
	plan.OpAnd: {
		{plan.OpLtInt, 0, OpLtAnd, "abx", false},
		{plan.OpLtInt, 1, OpLtAnd, "abx", false},
		{plan.OpLeInt, 0, OpLeAnd, "abx", false},
		{plan.OpLeInt, 1, OpLeAnd, "abx", false},
	},
	plan.OpOr: {
		{plan.OpLtInt, 0, OpLtOr, "abx", false},
		{plan.OpLtInt, 1, OpLtOr, "abx", false},
		{plan.OpLeInt, 0, OpLeOr, "abx", false},
		{plan.OpLeInt, 1, OpLeOr, "abx", false},
	},
	plan.OpMulDouble: {
		{plan.OpToDouble, 0, OpToDoubleMul, "ax", false},
		{plan.OpToDouble, 1, OpToDoubleMul, "ax", false},
		{OpDense, 0, OpDenseMul, "ax", true},
		{OpDense, 1, OpDenseMul, "ax", true},
	},
	plan.OpFloor: {{plan.OpMulDouble, 0, OpFloorMul, "ab", false}, {plan.OpDivDouble, 0, OpFloorDiv, "ab", false}},
	plan.OpCeil:  {{plan.OpMulDouble, 0, OpCeilMul, "ab", false}},
	plan.OpCell:  {{plan.OpRow, 0, OpRowCell, "a", false}, {plan.OpRowDouble, 0, OpRowDoubleCell, "a", false}},
	plan.OpSelect: {{plan.OpEqInt, 0, OpEqSelect, "abxy", false}, {plan.OpLtInt, 0, OpLtSelect, "abxy", false},
		{plan.OpLeInt, 0, OpLeSelect, "abxy", false}},
	plan.OpFirstFault: {{plan.OpFirstFault, 0, OpFirstOf, "abx", false}, {plan.OpFirstFault, 1, OpFirstOf, "xab", false}},
	OpFirstOf: {{plan.OpFirstFault, 0, OpFirstOfFour, "abxy", false},
		{plan.OpFirstFault, 2, OpFirstOfFour, "xyab", false}},
	plan.OpDivDouble: {{plan.OpToDouble, 0, OpToDoubleDiv, "ax", false}},
	OpToDoubleDiv:    {{plan.OpToDouble, 1, OpDivInts, "xa", false}},
}

// chains lists those that continue what pairs have begun.
var chains = map[plan.Op][]fused{
	OpMulAdd: {{plan.OpMulInt, 2, OpMulMulAdd, "xyab", false}},
	OpAddAdd: {
		{OpDense, 0, OpDenseAddAdd, "axy", true},
		{OpDense, 1, OpDenseAddAdd, "axy", true},
		{OpDense, 2, OpDenseAddAdd, "axy", true},
	},
	OpSubMax:         {{OpDense, 1, OpDenseSubMax, "axy", true}},
	plan.OpMulDouble: {{plan.OpSelect, 0, OpSelectMul, "abcx", false}, {plan.OpSelect, 1, OpSelectMul, "abcx", false}},
	OpFloorMul:       {{OpToDoubleMul, 0, OpFloorMulMul, "abx", false}},
	OpCeilMul:        {{plan.OpMulDouble, 0, OpCeilMulMul, "abx", false}},
}

// tryFusion fuses a node with an operand, if that is the right one and only read here. The node may then fuse once more
// by its new operation; each time one node less is read, so that it ends.
func (f *fusion) tryFusion(id plan.ID, x fused) bool {
	n := &f.nodes[id]
	in := f.operandOf(n, x.at)
	m := &f.nodes[in]
	if m.Op != x.with || f.reads[in] != 1 || f.home[in] != f.home[id] || in == id {
		return false
	}
	if n.Op == plan.OpCell && n.Imm>>32 != m.Imm { // a row of another table
		return false
	}
	n.Args, n.Op = f.fusedOperands(n, m, x), x.op
	if x.inner {
		n.Imm = m.Imm
	}
	f.reads[in] = 0
	f.fuseNode(id)
	return true
}

// fusedOperands returns the operands of a fused instruction.
func (f *fusion) fusedOperands(n, m *plan.Node, x fused) (out []plan.ID) {
	rest := slices.Delete(slices.Clone(n.Args), x.at, x.at+1)
	for _, c := range x.order {
		if c < 'x' {
			out = append(out, f.operandOf(m, int(c-'a')))
		} else {
			out = append(out, rest[c-'x'])
		}
	}
	return out
}
