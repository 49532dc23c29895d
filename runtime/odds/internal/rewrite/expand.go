package rewrite

import (
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Expansion rewrites a rule so that lists of dice disappear from it.
//
// The problem. "The largest set of 10d10" reads ten counts of one list. Met as a list, the dice fall in 10^10 ways; even as
// multisets they are 92,378, of which each costs the whole formula.
//
// The idea. n equal dice are a chain of conditional binomials: K₁ of the n show the first face, K₂ of the n-K₁ that
// are left show the second, and so on. Each K is a small source of chance that reads how many dice are left. Every
// reader of the list becomes a formula over the K: a sum is ΣK·f, the size of a filter is the sum of the K that pass,
// the i-th of the sorted dice is the face at which the running sum of the K passes i. Liveness then does the rest: a K
// that only its own face's term reads is dead after its step, and what remains alive is the state that others write by
// hand for such a problem (Liu, Icepool, AIIDE 2022). 10d10 become ten steps of a few hundred states.
//
// An example: 3d4. K₁ of 3 dice show the 1, with weights C(3,k)·1^k = 1, 3, 3, 1. When K₁ is 1, K₂ of the 2 others show the
// 2, with weights 1, 2, 1; then K₃ of those left the 3, and the rest show the 4. One die each of 1, 2 and 3 has the weight
// 3·2·1 = 6 of 64, which is the multinomial coefficient 3!/(1!·1!·1!·0!). Between two draws the only state is how many
// dice are left, 4 values, where the list had 64 and the multiset 20. A reader adds its own: sum(d) = K₁ + 2·K₂ + 3·K₃ +
// 4·K₄ carries the sum so far, and max(d) the greatest face whose K is not 0.
//
// The form. An expander is a partial evaluator. It copies the graph node by node, folding constants; a list whose elements
// it knows, each with a count, is a bag (bag.go) and not a node. A loop over a bag applies its body to each run of equal
// elements (bag_loop.go); a loop of constant length that reads a bag is unrolled. A list of dice becomes a pool (pool.go).
//
// A reader that no rule covers (the first die as it fell, say) needs the list itself. Then the pool is given up and the
// expansion begins again without it, so that a list either vanishes completely or stays as it was. Half of each would be
// wrong: the list and the counts would be two independent throws of the same dice.
//
// The technique is online partial evaluation with partially static data: the elements of a bag are static, their counts
// are dynamic (Jones, Gomard and Sestoft, Partial Evaluation and Automatic Program Generation, 1993).

// evaluateBlock evaluates the needed nodes of a block, in their order.
func (x *expander) evaluateBlock(block int32) {
	for _, id := range x.from.Blocks[block].Nodes {
		if x.from.Needed[id] && !x.hasFailed {
			x.evaluateNode(id)
		}
	}
}

// evaluateNode finds the operand that replaces a node, and emits the nodes that remain to be computed. Operands have been
// evaluated before: a block lists its nodes behind those that they read. OpCover only records for coverage that a
// branch was taken, so odds leave it out.
func (x *expander) evaluateNode(id plan.ID) {
	if len(x.out.Nodes) > maxExpanded {
		x.fail()
		return
	}
	x.at = id
	n := &x.from.Nodes[id]
	if n.Kind == plan.Fault && n.Op != plan.OpConst && x.from.neverFails(id) {
		x.values[id] = operand{id: x.constantNode(plan.Fault, 0)}
		return
	}
	switch n.Op {
	case plan.OpCover:
	case plan.OpRequire:
		if !x.from.alwaysHolds(n) {
			x.values[id] = operand{id: x.copyNode(n)}
		}
	case plan.OpParam:
		x.values[id] = x.params[x.from.BlockOf[id]][n.Imm]
	case plan.OpLoop:
		x.evaluateLoop(id)
	case plan.OpResult:
		loop := x.values[n.Args[0]]
		if loop.loopResults != nil {
			x.values[id] = loop.loopResults[n.Imm]
			return
		}
		x.values[id] = operand{id: x.emit(
			plan.Node{Op: n.Op, Kind: n.Kind, Imm: n.Imm, Args: []plan.ID{loop.id}, Site: n.Site})}
	case plan.OpRoll:
		x.evaluateRoll(id)
	default:
		if v, ok := x.evaluateList(id, n); ok {
			x.values[id] = v
			return
		}
		x.values[id] = operand{id: x.copyNode(n)}
	}
}
