package rewrite

import (
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A rule that is used "for each" of a list, with the same input every time, gives equal and independent results: they
// are dice too, whose faces are what the rule answers. Six ability scores are six dice of sixteen faces. The body of
// the loop is met once, and its distribution gives the weights of the draws: the six scores are 16,777,216 lists and
// 54,264 multisets, but a chain of 15 draws.
//
// The problem scores_third of the benchmark takes 1,295 units of work, and more than a million without.
//
// What makes the results equal dice is that no iteration knows which one it is or what another one gave: the body reads
// neither the number of the iteration nor the list that it pushes to, and carries nothing else. What it reads from outside
// is the same for all, and may be random itself: then the dice are independent given that, which is how they are weighed.

// evaluateResults makes a pool of a loop that rolls, when its results are equal dice. It reports false when they are not:
// when more than one list is carried, an element is pushed only sometimes, an iteration may end the evaluation, or more
// than one slot of an element varies.
func (x *expander) evaluateResults(loop plan.ID) bool {
	n := &x.from.Nodes[loop]
	s := x.settings[loop]
	results := x.from.Results(loop)
	if s != nil && s.isRefused || len(results) != 1 || x.from.iterationNode(loop) != plan.None ||
		x.from.mayEndWithin(loop) {
		return false
	}
	push := &x.from.Nodes[results[0]]
	begin := x.values[n.Args[1]].bag
	most := x.from.bounds[n.Args[0]].Max
	if push.Op != plan.OpPush || begin == nil || len(begin.runs) > 0 || most < 2 || !x.fitsLimit(most, x.limits.Unrolled,
		WideLimits().Unrolled) {
		return false
	}
	always, known := x.from.Constant(push.Args[1])
	list := &x.from.Nodes[push.Args[0]]
	if !known || always != 1 || list.Op != plan.OpParam || list.Imm != 1 || len(x.from.Users[push.Args[0]]) != 1 {
		return false
	}
	slot, ok := x.onlySlot(loop, push)
	if !ok {
		return false
	}
	value := x.from.bounds[push.Args[2+slot]]
	count := x.nodeOf(n.Args[0])
	p := &Pool{roll: loop, results: true, last: plan.None, slot: slot, maxDice: most, Die: x.from.firstDie(loop)}
	p.stride = len(push.Args) - 2
	p.Head = x.copyBody(loop, count, push.Args[2+slot])
	x.values[loop] = operand{id: plan.None, loopResults: []operand{x.addPool(p, count, value.Min, value.Max)}}
	return true
}

// isConstant reports whether an interval leaves one value: the value 0, which the slots of a pool have that are not read.
func isConstant(k plan.Kind, b interval.Interval) bool {
	return k != plan.Double && k != plan.List && k != plan.Map && b.Min == 0 && b.Max == 0
}

// copyBody copies the body of a loop as one that gives nothing but a value.
func (x *expander) copyBody(loop, count, value plan.ID) plan.ID {
	n := &x.from.Nodes[loop]
	around, body := x.block, int32(len(x.out.Blocks))
	begin := x.constantNode(plan.Int, 0)
	x.out.Blocks = append(x.out.Blocks, plan.Block{})
	x.block = body
	x.scopes = append(x.scopes, map[nodeKey]plan.ID{})
	for _, id := range x.from.Blocks[n.Imm].Nodes {
		if m := &x.from.Nodes[id]; x.from.Needed[id] && !x.hasFailed && m.Op != plan.OpParam &&
			id != x.from.Results(loop)[0] {
			x.evaluateNode(id)
		}
	}
	result := x.nodeOf(value)
	x.out.Blocks[body].Results = []plan.ID{result}
	x.scopes, x.block = x.scopes[:len(x.scopes)-1], around
	id := x.emit(plan.Node{Op: plan.OpLoop, Kind: n.Kind, Args: []plan.ID{count, begin}, Imm: int64(body), Site: -1})
	x.random[id] = true
	x.loops[loop] = id
	return id
}

// onlySlot returns the one slot of the results that is read and that may have several values, few enough to be faces.
func (x *expander) onlySlot(loop plan.ID, push *plan.Node) (slot int, ok bool) {
	slot = -1
	for i, a := range push.Args[2:] {
		if b := x.from.bounds[a]; isConstant(x.from.Nodes[a].Kind, b) || !x.from.readsSlot(loop, i) {
			continue
		}
		if slot >= 0 {
			return 0, false
		}
		slot = i
	}
	if slot < 0 {
		return 0, false
	}
	id := push.Args[2+slot]
	b, kind := x.from.bounds[id], x.from.Nodes[id].Kind
	return slot, (kind == plan.Int || kind == plan.Bool) && b.Max-b.Min >= 0 &&
		x.fitsLimit(b.Max-b.Min+1, x.limits.Faces, WideLimits().Faces)
}
