package schedule

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// multiplyReciprocals makes products of quotients by a power of two: both round the same number.
func (w *work) multiplyReciprocals() {
	w.walkNodes(0, func(id plan.ID) {
		n := &w.nodes[id]
		if n.Op != plan.OpDivDouble || w.same[id] != id {
			return
		}
		if bits, ok := w.constantOf(n.Args[1]); ok && isPowerOfTwo(builtin.Double(bits)) {
			by := w.newLiteral(plan.Double, builtin.Bits(1/builtin.Double(bits)))
			n = &w.nodes[id]
			n.Op, n.Args = plan.OpMulDouble, []plan.ID{n.Args[0], by}
		}
	})
}

// isPowerOfTwo reports whether a double and its reciprocal are powers of two that have all their digits.
func isPowerOfTwo(v float64) bool {
	fraction, exponent := math.Frexp(v)
	return fraction == 0.5 && -1000 < exponent && exponent < 1000
}

// newLiteral returns a new constant.
func (w *work) newLiteral(kind plan.Kind, bits int64) plan.ID {
	id := plan.ID(len(w.nodes))
	w.nodes = append(w.nodes, plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits, Site: -1})
	w.same, w.home = append(w.same, id), append(w.home, 0)
	if w.live != nil {
		w.live = append(w.live, true)
	}
	return id
}
