package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// evaluateLoop evaluates a loop: over a bag run by run, or unrolled when it reads one, or else as a loop. A loop with
// effects is neither folded nor unrolled: its dice fall anew for each element, so equal elements give different results.
// But these may be dice themselves (pool_results.go).
func (x *expander) evaluateLoop(id plan.ID) {
	n := &x.from.Nodes[id]
	effects := x.from.hasEffects(id)
	if list, index := x.from.walkedList(id); list != plan.None && !effects {
		if b := x.values[list].bag; b != nil && !x.isSingle(b) {
			if !x.from.readsOnlyElements(id, list, index) {
				x.refusePools(b.pools)
				return
			}
			x.foldBag(id, list, index, b)
			return
		}
	}
	if effects && x.evaluateResults(id) {
		return
	}
	count, known := x.constantValue(x.nodeOf(n.Args[0]))
	switch {
	case !known || !x.fitsLimit(count, x.limits.Unrolled, WideLimits().Unrolled):
	case !effects && x.readsRandomBag(id):
		x.openedReaders++
		x.unrollLoop(id, count)
		return
	case effects && x.from.rollsLoneDice(id):
		x.unrollLoop(id, count)
		if carried := x.values[id].loopResults; !x.hasFailed && len(carried) == 1 && carried[0].bag != nil {
			carried[0] = x.poolOfDice(id, carried[0].bag)
		}
		return
	}
	x.copyLoop(id)
}

// readsRandomBag reports whether a loop's body reads a bag that dice decide, or carries one.
func (x *expander) readsRandomBag(loop plan.ID) bool {
	random := func(id plan.ID) bool {
		v, ok := x.values[id]
		return ok && v.bag != nil && (len(v.bag.pools) > 0 || x.isRandom(v.bag))
	}
	n := &x.from.Nodes[loop]
	if slices.ContainsFunc(n.Args[1:], random) {
		return true
	}
	var reads func(block int64) bool
	reads = func(block int64) bool {
		return slices.ContainsFunc(x.from.Blocks[block].Nodes, func(id plan.ID) bool {
			b := &x.from.Nodes[id]
			return x.from.Needed[id] && (slices.ContainsFunc(b.Args, func(a plan.ID) bool {
				return a != plan.None && x.from.BlockOf[a] != x.from.BlockOf[id] && random(a)
			}) || b.Op == plan.OpLoop && reads(b.Imm))
		})
	}
	return reads(n.Imm)
}

// unrollLoop evaluates the body of a loop once for each iteration.
func (x *expander) unrollLoop(loop plan.ID, count int64) {
	n := &x.from.Nodes[loop]
	body := int32(n.Imm)
	carried := x.operandsOf(n.Args[1:])
	for i := range count {
		x.params[body] = append([]operand{{id: x.constantNode(plan.Int, i)}}, carried...)
		x.evaluateBlock(body)
		if x.hasFailed {
			return
		}
		carried = x.operandsOf(x.from.Results(loop))
	}
	x.values[loop] = operand{id: plan.None, loopResults: carried}
}

func (x *expander) operandsOf(ids []plan.ID) []operand {
	out := make([]operand, len(ids))
	for i, id := range ids {
		out[i] = x.values[id]
	}
	return out
}

// copyLoop copies a loop as it is. Its body is a block of the new graph with a scope of its own, since the values of
// one iteration do not exist outside. Each carried value is a node from the first iteration on: a bag that enters is
// materialised.
func (x *expander) copyLoop(loop plan.ID) {
	n := &x.from.Nodes[loop]
	c := plan.Node{Op: plan.OpLoop, Kind: n.Kind, Site: n.Site}
	for _, a := range n.Args {
		c.Args = append(c.Args, x.nodeOf(a))
	}
	around, body := x.block, int32(len(x.out.Blocks))
	x.out.Blocks = append(x.out.Blocks, plan.Block{})
	x.block, c.Imm = body, int64(body)
	x.scopes = append(x.scopes, map[nodeKey]plan.ID{})
	params := []operand{{id: x.emit(plan.Node{Op: plan.OpParam, Kind: plan.Int, Site: -1})}}
	for k, a := range c.Args[1:] {
		id := x.emit(plan.Node{Op: plan.OpParam, Kind: x.out.Nodes[a].Kind, Imm: int64(k) + 1, Site: -1})
		x.random[id] = true // what it is in the next iteration is not known yet
		params = append(params, operand{id: id})
	}
	x.params[int32(n.Imm)] = params
	x.evaluateBlock(int32(n.Imm))
	var results []plan.ID
	for _, r := range x.from.Results(loop) {
		if x.hasFailed {
			return
		}
		results = append(results, x.nodeOf(r))
	}
	x.out.Blocks[body].Results = results
	x.scopes, x.block = x.scopes[:len(x.scopes)-1], around
	id := x.emit(c)
	x.random[id] = x.random[id] ||
		slices.ContainsFunc(x.out.Blocks[body].Nodes, func(id plan.ID) bool { return x.random[id] })
	x.loops[loop] = id
	x.values[loop] = operand{id: id}
}

// A fold over a bag applies the body of a loop to every run: as often as its count says. Most bodies say at once what
// several applications come to, each carried value on its own: it grows by count times what the element alone decides,
// or it is compared with it, or an element is pushed. The others are applied one by one, which needs the order of the list.
//
// Let K dice show the face 5, in a body with three carried values. "total + it" becomes total + K·5, "max(best, it)"
// becomes K > 0 ? max(best, 5) : best, and "it > 3 ? hits + 1 : hits" becomes hits + K, as the condition folds to true. The
// body "odd * 2 + it" is none of these: it is applied at most as often as there are dice, the i-th time under i < K.
//
// The fields: body is the loop's block of from; carries says of from's nodes in it whether they change from one application
// to the next; run is where the fold stands; isOrdered is the bag's, and forbids or permits to apply one by one.
type bagFold struct {
	*expander
	loop      plan.ID
	body      int32
	carries   map[plan.ID]bool // of the body: depends on what is carried
	run       *run
	isOrdered bool
}

func (x *expander) foldBag(loop, list, index plan.ID, b *bag) {
	n := &x.from.Nodes[loop]
	f := &bagFold{expander: x, loop: loop, body: int32(n.Imm), carries: map[plan.ID]bool{}, isOrdered: b.isOrdered}
	f.markCarried(f.body)
	x.at = loop
	x.judgeReader(b, !x.knowsDraws(loop, b))
	carried := x.operandsOf(n.Args[1:])
	x.beginReader(b)
	runs := b.runs
	if !b.isOrdered || f.commutes() {
		runs = b.rankedRuns()
	} else {
		x.demandOrder(b)
	}
	for i := range runs {
		if index != plan.None {
			x.walks[index] = bagWalk{list, &runs[i]}
		}
		f.run = &runs[i]
		carried = f.advanceAll(carried)
		if carried == nil {
			x.refusePools(b.pools)
		}
		if x.hasFailed {
			return
		}
	}
	delete(x.walks, index)
	for k := range carried {
		if c := carried[k].bag; c != nil && len(b.pools) > 0 {
			joined := *c
			joined.pools, joined.isOrdered = joinPools(c, b), c.isOrdered && b.isOrdered
			carried[k].bag = &joined
		}
	}
	x.values[loop] = operand{id: plan.None, loopResults: carried}
}

// knowsDraws reports whether a loop over a bag reads what is decided by the dice of the bag, or later: how many dice show
// the most of them. A stream would have to meet the dice twice.
func (x *expander) knowsDraws(loop plan.ID, b *bag) bool {
	return slices.ContainsFunc(b.pools, func(p *Pool) bool {
		decided := meeting{x.meetings[p.Head].round + 1, 0}
		return slices.ContainsFunc(x.from.Externals([]plan.ID{loop}), func(a plan.ID) bool {
			v, ok := x.values[a]
			return ok && v.id != plan.None && decided.compare(x.meetings[v.id]) <= 0
		})
	})
}

// markCarried marks the nodes of a block, and of the blocks within, that depend on values carried by the loop.
func (f *bagFold) markCarried(block int32) {
	for _, id := range f.from.Blocks[block].Nodes {
		n := &f.from.Nodes[id]
		depends := n.Op == plan.OpParam && block == f.body && n.Imm > 0 ||
			slices.ContainsFunc(n.Args, func(a plan.ID) bool { return a != plan.None && f.carries[a] })
		if n.Op == plan.OpLoop {
			f.markCarried(int32(n.Imm))
			depends = depends || slices.ContainsFunc(f.from.Blocks[n.Imm].Nodes,
				func(id plan.ID) bool { return f.carries[id] })
		}
		if depends {
			f.carries[id] = true
		}
	}
}

// commutes reports whether it does not matter in which order the runs are met: nothing is carried but sums, extremes and
// truths, each on its own. Then the runs are met as they are drawn, whatever the order of the list. Pushes do not commute:
// the list that they make has an order.
func (f *bagFold) commutes() bool {
	for k, r := range f.from.Results(f.loop) {
		if f.from.Nodes[r].Op == plan.OpPush || f.modeOf(k, r) == otherMode {
			return false
		}
	}
	return true
}

// A mode is what several applications of a body do to a carried value. An additive body is x+a, applied n times x+n·a; a
// repeated one is idempotent, as max(x, a). Both may stand behind a choice that the element alone decides. They do not mix:
// of min(x+1, 5) nothing simple is n applications.
type mode uint8

const (
	otherMode    mode = iota
	sameMode          // nothing
	additiveMode      // each adds the same
	repeatedMode      // the second changes nothing: an extreme, a truth
	pushingMode
)

// modeOf returns the mode of an expression that is the next value of the k-th carried value.
func (f *bagFold) modeOf(k int, r plan.ID) mode {
	n := &f.from.Nodes[r]
	switch {
	case f.isParam(k, r):
		return sameMode
	case n.Kind == plan.Fault && f.from.neverFails(r):
		return sameMode
	case !f.carries[r]:
		return otherMode
	}
	switch n.Op {
	case plan.OpAddInt:
		return f.oneSide(k, n, additiveMode)
	case plan.OpSubInt:
		if f.carries[n.Args[1]] {
			return otherMode
		}
		return f.oneSide(k, n, additiveMode)
	case plan.OpMinInt, plan.OpMaxInt, plan.OpAnd, plan.OpOr:
		if !f.sameOperation(k, r, n.Op) {
			return otherMode
		}
		return f.oneSide(k, n, repeatedMode)
	case plan.OpPush:
		if f.isParam(k, n.Args[0]) && !slices.ContainsFunc(n.Args[1:], func(a plan.ID) bool { return f.carries[a] }) {
			return pushingMode
		}
	case plan.OpSelect:
		if !f.carries[n.Args[0]] && n.Kind != plan.List && n.Kind != plan.Map {
			return joinModes(f.modeOf(k, n.Args[1]), f.modeOf(k, n.Args[2]))
		}
	}
	return otherMode
}

// oneSide returns the mode of an operation one operand of which comes from the carried value, and the other one from
// elsewhere.
func (f *bagFold) oneSide(k int, n *plan.Node, m mode) mode {
	a, b := n.Args[0], n.Args[1]
	if f.carries[b] {
		a, b = b, a
	}
	if f.carries[b] {
		return otherMode
	}
	return joinModes(m, f.modeOf(k, a))
}

// sameOperation reports whether an expression applies nothing but one operation to the carried value. A body that takes the
// max for some elements and the min for others is idempotent for each run and still depends on the order of the runs:
// from 3, max with 5 and then min with 4 is 4, and the other way round 5.
func (f *bagFold) sameOperation(k int, r plan.ID, op plan.Op) bool {
	n := &f.from.Nodes[r]
	switch {
	case !f.carries[r] || f.isParam(k, r):
		return true
	case n.Op == op:
		return f.sameOperation(k, n.Args[0], op) && f.sameOperation(k, n.Args[1], op)
	case n.Op == plan.OpSelect:
		return f.sameOperation(k, n.Args[1], op) && f.sameOperation(k, n.Args[2], op)
	}
	return false
}

func joinModes(a, b mode) mode {
	switch {
	case a == b || b == sameMode:
		return a
	case a == sameMode:
		return b
	}
	return otherMode
}

func (f *bagFold) isParam(k int, id plan.ID) bool {
	n := &f.from.Nodes[id]
	return n.Op == plan.OpParam && f.from.BlockOf[id] == f.body && n.Imm == int64(k)+1
}

// advanceAll returns the carried values after the body was applied to a run, or nil when that needs a value that is not
// known. First it evaluates the nodes that the element alone decides, once for all applications; then each carried
// value by its mode. Values of the other mode are advanced together, because they may read each other.
func (f *bagFold) advanceAll(carried []operand) []operand {
	f.params[f.body] = append([]operand{{id: plan.None}}, carried...)
	f.evaluateParts(f.body, false)
	results := f.from.Results(f.loop)
	next := make([]operand, len(carried))
	stepwise := false
	for k, r := range results {
		switch m := f.modeOf(k, r); {
		case m == otherMode && !f.isOrdered && !f.isConstant(f.run.count, 0):
			return nil
		case m == otherMode:
			stepwise = true
		case m == pushingMode:
			next[k] = f.appendPushes(r, carried[k])
		default:
			next[k] = operand{id: f.applyRepeatedly(k, r, f.run.count, carried[k].id)}
		}
		if f.hasFailed {
			return next
		}
	}
	if stepwise {
		return f.advanceStepwise(carried, next)
	}
	return next
}

// evaluateParts evaluates the nodes of a body that depend on carried values, or the others. Nodes of inner blocks are
// evaluated with their loops.
func (f *bagFold) evaluateParts(block int32, carried bool) {
	for _, id := range f.from.Blocks[block].Nodes {
		if f.from.Needed[id] && f.carries[id] == carried && !f.hasFailed {
			if n := &f.from.Nodes[id]; n.Op != plan.OpParam || n.Imm > 0 {
				f.evaluateNode(id)
			}
		}
	}
}

// elementView returns the node of a part that the element alone decides, and notes it as a view of the run's face.
// Modes take every value of an element through here, and that makes the classes of faces sound.
func (f *bagFold) elementView(id plan.ID) plan.ID {
	out := f.nodeOf(id)
	f.noteView(*f.run, out)
	return out
}

// appendPushes appends the element that the body pushes, as often as the run's count says.
func (f *bagFold) appendPushes(r plan.ID, list operand) operand {
	n := &f.from.Nodes[r]
	if list.bag == nil {
		f.fail()
		return operand{}
	}
	count := f.emitChoice(plan.Int, f.elementView(n.Args[1]), f.run.count, f.constantNode(plan.Int, 0))
	pushed := run{count: count, maxCount: f.run.maxCount, at: f.run.at, face: f.run.face}
	for _, a := range n.Args[2:] {
		pushed.slots = append(pushed.slots, f.nodeOf(a))
	}
	return operand{id: plan.None, bag: f.pushRun(list.bag, pushed)}
}

// applyRepeatedly returns the carried value after as many applications as a count says. A choice divides the count: its
// condition is the same for all applications of a run, so one of its sides is applied count times and the other one
// never. Addition wraps modulo 2^64, and count·value with it, so the product is right even where sums overflow.
func (f *bagFold) applyRepeatedly(k int, r, count, acc plan.ID) plan.ID {
	n := &f.from.Nodes[r]
	switch {
	case f.isParam(k, r) || n.Kind == plan.Fault && f.from.neverFails(r):
		return acc
	case n.Op == plan.OpSelect:
		c, zero := f.elementView(n.Args[0]), f.constantNode(plan.Int, 0)
		acc = f.applyRepeatedly(k, n.Args[1], f.emitChoice(plan.Int, c, count, zero), acc)
		return f.applyRepeatedly(k, n.Args[2], f.emitChoice(plan.Int, c, zero, count), acc)
	}
	a, b := n.Args[0], n.Args[1]
	if f.carries[b] {
		a, b = b, a
	}
	acc = f.applyRepeatedly(k, a, count, acc)
	v := f.elementView(b)
	switch n.Op {
	case plan.OpAddInt, plan.OpSubInt:
		return f.emitOp(n.Op, n.Kind, acc, f.emitProduct(count, v))
	}
	return f.emitChoice(n.Kind, f.isThere(count), f.emitOp(n.Op, n.Kind, acc, v), acc)
}

// advanceStepwise applies the body once, and again while the count is not reached. Values that next has already are not
// touched.
//
// That makes for every run as many copies of the body as the run may have elements: 60 for 10 dice with 6 faces. The
// limit on nodes (maxExpanded) stops an expansion that grows too long.
func (f *bagFold) advanceStepwise(carried, next []operand) []operand {
	for _, s := range f.run.slots {
		f.noteView(*f.run, s)
	}
	results := f.from.Results(f.loop)
	now := slices.Clone(carried)
	for i := range f.run.maxCount {
		f.params[f.body] = append([]operand{{id: plan.None}}, now...)
		f.evaluateParts(f.body, true)
		there := f.emitOp(plan.OpLtInt, plan.Bool, f.constantNode(plan.Int, i), f.run.count)
		if i == 0 {
			there = f.isThere(f.run.count)
		}
		after := slices.Clone(now)
		for k, r := range results {
			if f.modeOf(k, r) == pushingMode {
				continue
			}
			v := f.values[r]
			if v.bag != nil || now[k].bag != nil {
				return nil
			}
			after[k] = operand{id: f.emitChoice(f.from.Nodes[r].Kind, there, v.id, now[k].id)}
		}
		if now = after; f.hasFailed {
			return now
		}
	}
	for k, r := range results {
		if f.modeOf(k, r) == otherMode {
			next[k] = now[k]
		}
	}
	return next
}
