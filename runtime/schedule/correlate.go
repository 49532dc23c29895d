package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// # What checks make certain
//
// A lowered graph asks for a fault wherever it could show: of an output, and of each requirement, die and output that reads
// it. In a rule that uses others, most of these questions are already answered. Behind
//
//	require _ %5 %f    ends the evaluation when %f is a fault
//
// %f is none, and so is each fault whose first part %f is; %g = first.fault %f %x is %x for whoever reads it there.
// Likewise a condition that was required holds, in the second side of a && b the first one does, and in an arm of a
// choice its condition is known. Interpreters gain little by knowing it, because a frame keeps the named values; in
// source text each of these questions is a line, and in a program a branch.
//
// This is correlated value propagation, as compilers know it, on a graph without basic blocks. A value has no place there:
// it is computed somewhere before its readers, and it may be another one wherever nobody reads it. So what counts is what
// is certain wherever it is read, and that is found against the order of execution, readers before operands. A reader
// hands on to each operand what it knows itself and what its own operation adds for that operand; what all readers of a
// node hand on is certain of it. Only effects stand somewhere: followChecks walks them in their order beforehand, and
// notes for each what has been checked on every way to it. A check under a guard makes certain what it checks wherever the
// guard is known to hold.
//
// An iteration knows what was checked before its loop and earlier in itself. What it hands on to the next one is read
// there and behind the loop, and knows only what holds at the end of every iteration.
//
// The cost is a bit set of two bits for each fault and truth, per node.

// A correlation finds what is certain of faults and truths where they are read.
type correlation struct {
	*work
	idle    []bool  // of each die, whether it may be left out, so that nobody asks for the fault of its operands
	index   []int32 // of each fault and truth, its number in the bit sets; -1 of other nodes
	checks  []guardedCheck
	links   map[plan.ID][]plan.ID // faults and truths of which one is none where the other one holds
	carried map[[2]int64]bool     // the values that a block carries and something reads
	effects map[int64]bool        // blocks with effects
	before  map[plan.ID]*certainty
	ends    map[int64]*certainty // before the end of an iteration of a block with effects
	read    []*certainty         // what is certain wherever a node is read; nil: nobody has read it yet
	none    plan.ID              // the fault that is none
	truths  [2]plan.ID           // false and true
}

// A guardedCheck is what a requirement or a die makes certain where its guard holds.
type guardedCheck struct {
	guard, fault, holds plan.ID // holds is None of a die
	block               int32
}

// A certainty is what is known at a reader: two bits for each fault or truth, the first one when it is none or false, the
// second one when it is true; and how many of the guarded checks have come before. It is never changed once others have it.
type certainty struct {
	bits   []uint64
	checks int
}

func (k *certainty) clone() *certainty { return &certainty{slices.Clone(k.bits), k.checks} }

// maxNested is how deep parts of a fault are looked into.
const maxNested = 6

// propagateChecks takes out of the graph what an earlier check, or a condition around it, has decided. It returns which
// nodes are faults that have been found to be none before the outputs.
func (w *work) propagateChecks(idle []bool) (checked []bool) {
	c := &correlation{work: w, idle: idle, links: map[plan.ID][]plan.ID{}, carried: map[[2]int64]bool{},
		effects: map[int64]bool{}, before: map[plan.ID]*certainty{}, ends: map[int64]*certainty{}}
	c.none = w.newLiteral(plan.Fault, 0)
	c.truths = [2]plan.ID{w.newLiteral(plan.Bool, 0), w.newLiteral(plan.Bool, 1)}
	c.read, c.index = make([]*certainty, len(w.nodes)), make([]int32, len(w.nodes))
	size := c.noteNodes()
	end := c.followChecks(0, &certainty{bits: make([]uint64, (2*size+63)/64)})
	c.readRoots(end)
	c.decideBlock(0)
	w.walkNodes(0, c.dropCarried)
	checked = make([]bool, len(w.nodes))
	for id := range checked {
		checked[id] = w.nodes[id].Kind == plan.Fault && c.index[id] >= 0 && end.has(c.index[id], false)
	}
	return checked
}

// noteNodes numbers the faults and truths, and notes what loops carry and do. It returns how many faults and truths there
// are.
func (c *correlation) noteNodes() (size int) {
	c.index = slices.Repeat([]int32{-1}, len(c.nodes))
	first := map[value]plan.ID{} // of faults that ask the same at several places
	c.walkNodes(0, func(id plan.ID) {
		n := &c.nodes[id]
		if c.same[id] != id || !c.live[id] || n.Op == plan.OpConst {
			return
		}
		if n.Kind == plan.Fault || n.Kind == plan.Bool {
			c.index[id] = int32(size)
			size++
		}
		block := int64(c.home[id])
		switch {
		case n.Op.Has(plan.Effect):
			for c.effects[block] = true; c.loop[block] != plan.None; c.effects[block] = true {
				block = int64(c.home[c.loop[block]])
			}
		case n.Op == plan.OpParam && n.Imm > 0:
			c.carried[[2]int64{block, n.Imm - 1}] = true
		case n.Op == plan.OpResult:
			c.carried[[2]int64{c.nodes[c.operandOf(n, 0)].Imm, n.Imm}] = true
		case n.Kind == plan.Fault && isShareable(n):
			v := c.valueOf(n)
			v.site = 0
			if _, ok := first[v]; !ok {
				first[v] = id
			}
			c.link(first[v], id)
		}
	})
	c.walkNodes(0, func(id plan.ID) {
		n := &c.nodes[id]
		if c.index[id] < 0 || n.Op != plan.OpLeInt || !c.isConstant(n.Args[0], 0) {
			return
		}
		if find := c.nodeOf(n.Args[1]); find.Op == plan.OpFind {
			v := c.valueOf(find)
			v.op, v.kind, v.site = plan.OpFindFault, plan.Fault, 0
			if fault, ok := first[v]; ok {
				c.link(fault, id)
			}
		}
	})
	return size
}

// link notes that a fault is none where another fault is none, or a truth holds, and the reverse.
func (c *correlation) link(fault, other plan.ID) {
	if fault != other {
		c.links[fault], c.links[other] = append(c.links[fault], other), append(c.links[other], fault)
	}
}

// followChecks notes what has been checked before each effect of a block, and returns what is certain at its end.
func (c *correlation) followChecks(block int64, k *certainty) *certainty {
	for _, id := range c.graph.Blocks[block].Nodes {
		n := &c.nodes[id]
		switch {
		case c.same[id] != id:
		case n.Op == plan.OpLoop && c.effects[n.Imm]:
			c.before[id] = k
			c.ends[n.Imm] = c.followChecks(n.Imm, k)
			k = &certainty{k.bits, len(c.checks)}
		case n.Op.Has(plan.Effect):
			c.before[id] = k
			check := guardedCheck{n.Args[0], plan.None, plan.None, int32(block)}
			switch {
			case n.Op == plan.OpRequire:
				check.holds, check.fault = n.Args[1], n.Args[2]
			case n.Op == plan.OpRoll && (c.idle == nil || !c.idle[n.Imm]):
				check.fault = n.Args[3]
			}
			if guard, known := c.truthOf(k, check.guard); known && guard {
				k = k.clone()
				c.assumeCheck(k, check)
			} else {
				c.checks = append(c.checks, check)
				k = &certainty{k.bits, len(c.checks)}
			}
		}
	}
	return k
}

func (c *correlation) assumeCheck(k *certainty, check guardedCheck) {
	c.assume(k, check.fault, false, check.block)
	c.assume(k, check.holds, true, check.block)
}

func (k *certainty) has(index int32, holds bool) bool {
	bit := bitOf(index, holds)
	return k.bits[bit/64]>>(bit%64)&1 != 0
}

func bitOf(index int32, holds bool) uint32 {
	if holds {
		return 2*uint32(index) + 1
	}
	return 2 * uint32(index)
}

// assume adds to a certainty that a truth holds or not, or that a fault is none, and all that follows. The reader stands in
// a block.
func (c *correlation) assume(k *certainty, id plan.ID, holds bool, block int32) {
	if id == plan.None || c.index[c.same[id]] < 0 {
		return
	}
	id = c.same[id]
	if k.has(c.index[id], holds) {
		return
	}
	bit := bitOf(c.index[id], holds)
	k.bits[bit/64] |= 1 << (bit % 64)
	n := &c.nodes[id]
	switch {
	case n.Op == plan.OpFirstFault, n.Op == plan.OpAnd && holds, n.Op == plan.OpOr && !holds:
		c.assume(k, n.Args[0], holds, block)
		c.assume(k, n.Args[1], holds, block)
	case n.Op == plan.OpNot, n.Op == plan.OpFail, n.Op == plan.OpNoFault && holds:
		c.assume(k, n.Args[0], !holds, block)
	}
	if holds == (n.Kind == plan.Bool) {
		for _, other := range c.links[id] {
			c.assume(k, other, c.nodes[other].Kind == plan.Bool, block)
		}
	}
	if !holds {
		return
	}
	for _, check := range c.checks[:k.checks] {
		if c.same[check.guard] == id && c.isWithin(block, check.block) {
			c.assumeCheck(k, check)
		}
	}
}

// isWithin reports whether a block is another one or stands in it.
func (c *correlation) isWithin(block, outer int32) bool {
	for block != outer {
		loop := c.loop[block]
		if loop == plan.None {
			return false
		}
		block = c.home[loop]
	}
	return true
}

// assuming returns a certainty with a truth, or a fault that is none, on top.
func (c *correlation) assuming(k *certainty, id plan.ID, holds bool, block int32) *certainty {
	if id == plan.None || c.index[c.same[id]] < 0 || k.has(c.index[c.same[id]], holds) {
		return k
	}
	out := k.clone()
	c.assume(out, id, holds, block)
	return out
}

// truthOf returns whether a truth holds, where that is known.
func (c *correlation) truthOf(k *certainty, id plan.ID) (holds, known bool) {
	if bits, isConstant := c.constantOf(id); isConstant {
		return bits != 0, true
	}
	i := c.index[c.same[id]]
	if i < 0 {
		return false, false
	}
	return k.has(i, true), k.has(i, true) || k.has(i, false)
}

// isNone reports whether a fault is known to be none.
func (c *correlation) isNone(k *certainty, id plan.ID, nested int) bool {
	if c.isConstant(id, 0) {
		return true
	}
	id = c.same[id]
	if c.index[id] < 0 || nested == maxNested {
		return false
	}
	if k.has(c.index[id], false) {
		return true
	}
	nested++
	switch n := &c.nodes[id]; n.Op {
	case plan.OpFail:
		holds, known := c.truthOf(k, n.Args[0])
		return known && holds
	case plan.OpFirstFault:
		return c.isNone(k, n.Args[0], nested) && c.isNone(k, n.Args[1], nested)
	case plan.OpSelect:
		holds, known := c.truthOf(k, n.Args[0])
		return (known && !holds || c.isNone(k, n.Args[1], nested)) && (known && holds || c.isNone(k, n.Args[2], nested))
	case plan.OpAndFault, plan.OpOrFault:
		first, second := c.isNone(k, n.Args[1], nested), c.isNone(k, n.Args[3], nested)
		return first && second || first && c.decides(k, n, 0) || second && c.decides(k, n, 2)
	}
	return false
}

// decides reports whether a side of the fault of && or || is known to be the one that decides.
func (c *correlation) decides(k *certainty, n *plan.Node, side int) bool {
	holds, known := c.truthOf(k, n.Args[side])
	return known && holds == (n.Op == plan.OpOrFault)
}

// reduce returns the node that a fault or a truth comes to.
func (c *correlation) reduce(k *certainty, id plan.ID) plan.ID {
	id = c.same[id]
	n := &c.nodes[id]
	if c.index[id] < 0 {
		return id
	}
	block := c.home[id]
	if n.Kind == plan.Bool {
		if holds, known := c.truthOf(k, id); known && holds {
			return c.truths[1]
		} else if known {
			return c.truths[0]
		}
	} else if c.isNone(k, id, 0) {
		return c.none
	}
	switch n.Op {
	case plan.OpFirstFault:
		if c.isNone(k, n.Args[0], 0) {
			return c.reduce(k, n.Args[1])
		}
		if c.isNone(c.assuming(k, n.Args[0], false, block), n.Args[1], 0) {
			return c.reduce(k, n.Args[0])
		}
	case plan.OpSelect:
		if holds, known := c.truthOf(k, n.Args[0]); known && holds {
			return c.reduce(k, n.Args[1])
		} else if known {
			return c.reduce(k, n.Args[2])
		}
	case plan.OpAnd, plan.OpOr:
		for side := range 2 {
			if holds, known := c.truthOf(k, n.Args[side]); known && holds == (n.Op == plan.OpAnd) {
				return c.reduce(k, n.Args[1-side])
			}
		}
	case plan.OpAndFault, plan.OpOrFault:
		for side := 0; side < 4; side += 2 {
			if _, known := c.truthOf(k, n.Args[side]); known && c.isNone(k, n.Args[side+1], 0) { // else it would be none
				return c.reduce(k, n.Args[3-side])
			}
		}
	}
	return id
}

// readRoots reads what leaves the graph, in the order in which it is checked.
func (c *correlation) readRoots(end *certainty) {
	k := end
	for _, list := range [][]plan.Value{c.graph.Outputs.Fields, c.graph.Next} {
		for i := range list {
			k = c.readValue(&list[i], k, true)
		}
	}
	for i := range c.graph.Ends { // each is only read while none before it holds
		c.readValue(&c.graph.Ends[i], end, false)
	}
	c.readValue(&c.graph.When, &certainty{bits: make([]uint64, len(end.bits))}, false)
}

// readValue reads a value, and returns what is certain behind it. always says that it is checked on every way.
func (c *correlation) readValue(v *plan.Value, k *certainty, always bool) *certainty {
	if v.Type == nil {
		return k
	}
	inside := k
	if v.Present != plan.None {
		c.addReader(v.Present, k)
		inside = c.assuming(k, v.Present, true, 0)
		always = always && c.isConstant(v.Present, 1)
	}
	if v.Fault != plan.None {
		c.addReader(v.Fault, inside)
		inside = c.assuming(inside, v.Fault, false, 0)
	}
	if v.ID != plan.None && v.Type.Kind != plan.Record {
		c.addReader(v.ID, inside)
	}
	for i := range v.Fields {
		inside = c.readValue(&v.Fields[i], inside, always)
	}
	if always {
		return inside
	}
	return k
}

// addReader notes what a reader of a node knows.
func (c *correlation) addReader(id plan.ID, k *certainty) {
	id = c.same[id]
	if c.nodes[id].Op == plan.OpConst {
		return
	}
	known := c.read[id]
	if known == nil || known == k {
		c.read[id] = k
		return
	}
	both := known.clone()
	for i, word := range k.bits {
		both.bits[i] &= word
	}
	both.checks = min(both.checks, k.checks)
	c.read[id] = both
}

// readOperand reads an operand, or what it comes to.
func (c *correlation) readOperand(n *plan.Node, operand int, k *certainty) {
	n.Args[operand] = c.reduce(k, n.Args[operand])
	c.addReader(n.Args[operand], k)
}

// decideBlock decides the faults and truths that the nodes of a block read, from the last to the first: all readers of each
// are visited before it.
func (c *correlation) decideBlock(block int64) {
	for _, id := range slices.Backward(c.graph.Blocks[block].Nodes) {
		n := &c.nodes[id]
		if c.same[id] != id || !c.live[id] || n.Op == plan.OpConst {
			continue
		}
		k := c.read[id]
		if before := c.before[id]; before != nil {
			k = before
		}
		switch {
		case k == nil: // what read it has been decided
		case n.Op == plan.OpLoop:
			c.decideLoop(n, k)
		case n.Op.Has(plan.Effect):
			c.decideEffect(id, k)
		case n.Op == plan.OpResult:
			c.addReader(n.Args[0], k)
		default:
			if by := c.reduce(k, id); c.nodes[by].Op == plan.OpConst {
				c.replaceNode(id, by)
				continue
			}
			c.decideOperands(id, k)
		}
	}
}

func (c *correlation) decideLoop(n *plan.Node, k *certainty) {
	end := k
	if c.effects[n.Imm] {
		end = c.ends[n.Imm]
	}
	for i, next := range c.graph.Blocks[n.Imm].Results {
		if c.carried[[2]int64{n.Imm, int64(i)}] {
			c.addReader(next, end)
		}
	}
	c.decideBlock(n.Imm)
	c.readOperand(n, 0, k)
	for i := range c.graph.Blocks[n.Imm].Results {
		if c.carried[[2]int64{n.Imm, int64(i)}] {
			c.readOperand(n, i+1, k)
		}
	}
}

// decideEffect decides what an effect reads. A requirement that certainly holds is one no more.
func (c *correlation) decideEffect(id plan.ID, k *certainty) {
	n, block := &c.nodes[id], c.home[id]
	c.readOperand(n, 0, k)
	k = c.assuming(k, n.Args[0], true, block)
	switch n.Op {
	case plan.OpRequire:
		c.readOperand(n, 2, k)
		c.readOperand(n, 1, c.assuming(k, n.Args[2], false, block))
		if c.isConstant(n.Args[1], 1) && c.isConstant(n.Args[2], 0) || c.isConstant(n.Args[0], 0) {
			c.makeConstant(id, 1)
		}
	case plan.OpRoll:
		c.readOperand(n, 3, k)
		c.readOperand(n, 1, k)
		c.readOperand(n, 2, k)
	}
}

// decideOperands decides the operands of a value, each where its operation reads it.
func (c *correlation) decideOperands(id plan.ID, k *certainty) {
	n, block := &c.nodes[id], c.home[id]
	switch n.Op {
	case plan.OpFirstFault:
		c.readOperand(n, 0, k)
		c.readOperand(n, 1, c.assuming(k, n.Args[0], false, block))
	case plan.OpAnd, plan.OpOr:
		c.readOperand(n, 0, k)
		c.readOperand(n, 1, c.assuming(k, n.Args[0], n.Op == plan.OpAnd, block))
	case plan.OpSelect:
		c.readOperand(n, 0, k)
		c.readOperand(n, 1, c.assuming(k, n.Args[0], true, block))
		c.readOperand(n, 2, c.assuming(k, n.Args[0], false, block))
	case plan.OpAndFault, plan.OpOrFault:
		c.decideSideFaults(n, k, block)
	default:
		for operand := range n.Args {
			c.readOperand(n, operand, k)
		}
	}
}

// decideSideFaults decides the sides of the fault of && or ||. Where one side cannot fail, it says whether the fault of the
// other one counts.
func (c *correlation) decideSideFaults(n *plan.Node, k *certainty, block int32) {
	for side := 0; side < 4; side += 2 {
		if c.isNone(k, n.Args[side+1], 0) {
			arms := []plan.ID{n.Args[side], n.Args[3-side], c.none}
			if n.Op == plan.OpOrFault {
				arms[1], arms[2] = arms[2], arms[1]
			}
			n.Op, n.Args, n.Imm, n.Site = plan.OpSelect, arms, 0, -1
			for operand, holds := range []bool{true, true, false} {
				of := k
				if operand > 0 {
					of = c.assuming(k, n.Args[0], holds, block)
				}
				c.readOperand(n, operand, of)
			}
			return
		}
	}
	for side := 0; side < 4; side += 2 {
		c.readOperand(n, side+1, k)
		c.readOperand(n, side, c.assuming(k, n.Args[side+1], false, block)) // a failed side's truth counts for nothing
	}
}

// dropCarried takes out a value that a loop carries and never changes.
func (c *correlation) dropCarried(id plan.ID) {
	n := &c.nodes[id]
	loop, k := plan.None, n.Imm
	switch {
	case c.same[id] != id || n.Kind == plan.List || n.Kind == plan.Map:
		return
	case n.Op == plan.OpResult:
		loop = c.operandOf(n, 0)
	case n.Op == plan.OpParam && n.Imm > 0:
		loop, k = c.loop[c.home[id]], n.Imm-1
	default:
		return
	}
	first, next := c.same[c.initialCarried(loop, k)], c.same[c.nextCarried(loop)[k]]
	of := &c.nodes[next]
	isSelf := of.Op == plan.OpParam && int64(c.home[next]) == c.nodes[loop].Imm && of.Imm == k+1
	bits, isConstant := c.constantOf(first)
	if isSelf || isConstant && c.isConstant(next, bits) {
		c.replaceNode(id, first)
	}
}
