package schedule

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxSlots is how many slots the operands of an instruction can name.
const maxSlots = math.MaxUint16

// An emitter writes the instructions of a graph, giving each node its slot when it is first named.
type emitter struct {
	*work
	code  *Code
	order []int32   // of each node, its place in the order of execution, to tell how long a slot is needed
	last  []int32   // of each node, the place of the last node that reads it
	iter  []int32   // of each block, the slot of its loop's iteration
	carry [][]int32 // of each block, the slots of what its loop carries; -1 where nothing reads it
	next  int       // first slot that is free
	idle  []int32   // slots whose values nothing reads any more
	lasts []bool    // of each node, whether it must be in the frame in the end
	err   error     // the first of what does not fit
}

// emitCode returns the code for frames whose records have so many slots.
//
// Slots are given in one walk, in the order of execution, as linear scan does it. Its usual second half is missing:
// there is nothing to spill, because a frame may have 65,535 slots. The remaining aim is to use few of them. A frame's
// slots are a column each in a block of records, so that a rule of thirty slots stays in a second-level cache and one
// of three hundred does not.
//
// findSpans numbers the nodes as they will be executed and notes the last reader of each. emitBlock then writes a
// node's instruction, choosing its slot, and only afterwards gives away the slots of operands that it was the last to
// read. The order matters: no instruction writes a slot that it reads, so that kernels may compute a column in any
// order and a step that computes record by record may still ask for its operands. The last freed slot is used first,
// for its column is the one that was touched last.
//
// In a graph with loops nothing is given away: a value from before a loop is read again in each iteration, so that its
// last reader in the text is not the last in time.
func (w *work) emitCode(roots [plan.NumRoots]int) (*Code, error) {
	e := &emitter{work: w, code: &Code{graph: w.graph, Dense: w.dense}}
	e.layOutRoots(roots)
	e.placeLoops()
	e.findSpans()
	e.emitBlock(0)
	e.placeDice()
	e.finishCode()
	if e.err != nil {
		return nil, e.err
	}
	return e.code, nil
}

// layOutRoots places the records that are given and the constants.
func (e *emitter) layOutRoots(roots [plan.NumRoots]int) {
	e.code.Base, e.code.FirstConst = layOutRecords(roots)
	e.next = int(e.code.FirstConst)
	e.code.slots = make([]int32, len(e.nodes))
	at := map[int64]int32{}
	for id := range e.nodes {
		e.code.slots[id] = -1
		if n := &e.nodes[id]; n.Op == plan.OpConst && e.isNeeded(plan.ID(id)) {
			e.code.slots[id] = e.constantSlot(at, n.Imm)
		}
	}
}

func (e *emitter) constantSlot(at map[int64]int32, bits int64) int32 {
	slot, ok := at[bits]
	if !ok {
		slot = e.takeFreeSlot()
		at[bits] = slot
		e.code.Consts = append(e.code.Consts, bits)
	}
	return slot
}

// isNeeded reports whether a node is computed.
func (e *emitter) isNeeded(id plan.ID) bool {
	return e.home[id] >= 0 && e.same[id] == id && (e.live == nil || e.live[id])
}

// placeLoops assigns slots to the iteration counts of loops, and to the carried values that are read.
func (e *emitter) placeLoops() {
	e.iter, e.carry = make([]int32, len(e.loop)), make([][]int32, len(e.loop))
	for b, loop := range e.loop {
		if loop != plan.None && e.isNeeded(loop) {
			e.iter[b] = e.takeFreeSlot()
			e.carry[b] = slices.Repeat([]int32{-1}, len(e.nextCarried(loop)))
		}
	}
	for id := range e.nodes {
		switch n := &e.nodes[id]; {
		case !e.isNeeded(plan.ID(id)):
		case n.Op == plan.OpParam && n.Imm > 0:
			e.placeCarried(e.home[id], n.Imm-1)
		case n.Op == plan.OpResult:
			e.placeCarried(int32(e.nodes[e.operandOf(n, 0)].Imm), n.Imm)
		}
	}
}

func (e *emitter) placeCarried(block int32, k int64) {
	if e.carry[block][k] < 0 {
		e.carry[block][k] = e.takeFreeSlot()
	}
}

// findSpans finds how long each node is read.
func (e *emitter) findSpans() {
	e.order, e.last, e.lasts = make([]int32, len(e.nodes)), make([]int32, len(e.nodes)), make([]bool, len(e.nodes))
	for _, id := range e.roots {
		e.lasts[e.same[id]] = true
	}
	e.spansOf(0, 0)
}

func (e *emitter) spansOf(block int64, at int32) int32 {
	for _, id := range e.graph.Blocks[block].Nodes {
		if !e.isNeeded(id) {
			continue
		}
		at++
		e.order[id] = at
		n := &e.nodes[id]
		for k := range n.Args {
			if n.Op != plan.OpConst { // whose operands are only what it came from
				e.last[e.operandOf(n, k)] = at
			}
		}
		if n.Op == plan.OpLoop {
			at = e.spansOf(n.Imm, at)
		}
	}
	at++
	for _, id := range e.graph.Blocks[block].Results {
		e.last[e.same[id]] = at
	}
	return at
}

// takeFreeSlot returns a slot that holds nothing.
func (e *emitter) takeFreeSlot() int32 {
	if n := len(e.idle); n > 0 {
		slot := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return slot
	}
	e.next++
	return int32(e.next - 1)
}

// slotOf returns the slot of a node's value.
func (e *emitter) slotOf(id plan.ID) uint16 {
	id = e.same[id]
	slots := e.code.slots
	if slots[id] >= 0 {
		return uint16(slots[id])
	}
	switch n := &e.nodes[id]; n.Op {
	case plan.OpLeaf:
		leaf := e.graph.Leaves[n.Imm]
		slots[id] = e.code.Base[leaf.Root] + leaf.Offset
	case plan.OpParam:
		slots[id] = e.paramSlot(e.home[id], n.Imm)
	case plan.OpResult: // the parameter still holds what was carried last
		slots[id] = e.paramSlot(int32(e.nodes[e.operandOf(n, 0)].Imm), n.Imm+1)
	default:
		slots[id] = e.takeFreeSlot()
	}
	return uint16(slots[id])
}

// paramSlot returns the slot of a parameter of a block.
func (e *emitter) paramSlot(block int32, k int64) int32 {
	if k == 0 {
		return e.iter[block]
	}
	return e.carry[block][k-1]
}

// appendInstruction appends an instruction of a node.
func (e *emitter) appendInstruction(id plan.ID, w Instruction) {
	e.code.Instructions = append(e.code.Instructions, w)
	e.code.from = append(e.code.from, id)
}

// fitOperand returns a number that must fit an operand.
func (e *emitter) fitOperand(what string, n int64) uint16 {
	if n < 0 || n > math.MaxUint16 {
		e.tooMany(what, int(n), math.MaxUint16)
	}
	return uint16(n)
}

func (e *emitter) tooMany(what string, has, most int) {
	if e.err == nil {
		e.err = &SizeError{what, has, most}
	}
}

// emitBlock writes the nodes of a block.
func (e *emitter) emitBlock(b int64) {
	for _, id := range e.graph.Blocks[b].Nodes {
		if e.isNeeded(id) {
			e.emitNode(id)
			e.releaseOperands(id)
		}
	}
}

// releaseOperands gives away the slots of the operands that a node was the last to read. Its own slot was chosen
// before: an instruction never writes where it reads.
func (e *emitter) releaseOperands(id plan.ID) {
	n := &e.nodes[id]
	if !e.reuse || n.Op == plan.OpConst {
		return
	}
	for k := range n.Args {
		a := e.operandOf(n, k)
		if e.last[a] == e.order[id] && !e.lasts[a] && e.hasOwnSlot(a) {
			e.idle = append(e.idle, e.code.slots[a])
			e.lasts[a] = true // it is given away once
		}
	}
}

// emitNode writes the instructions of one node.
func (e *emitter) emitNode(id plan.ID) {
	switch n := &e.nodes[id]; n.Op {
	case plan.OpConst, plan.OpLeaf, plan.OpParam, plan.OpResult:
		e.slotOf(id)
	case plan.OpLoop:
		e.emitLoop(id)
	case plan.OpRoll:
		e.emitRoll(id)
	default:
		w := e.newInstruction(n)
		w.D = e.resultSlot(id)
		e.appendInstruction(id, w)
	}
}

// resultSlot returns the slot that a node writes. Of the effects only a roll has one.
func (e *emitter) resultSlot(id plan.ID) uint16 {
	switch e.nodes[id].Op {
	case plan.OpRequire, plan.OpCover:
		return 0
	}
	return e.slotOf(id)
}

// newInstruction returns the instruction of a node, as Instruction describes it.
func (e *emitter) newInstruction(n *plan.Node) Instruction {
	w := Instruction{Op: n.Op, Imm: e.immediateOf(n)}
	for k, to := range []*uint16{&w.A, &w.B, &w.C}[:min(len(n.Args), 3)] {
		*to = e.slotOf(n.Args[k])
	}
	switch n.Op {
	case plan.OpAndFault, plan.OpOrFault, OpEqSelect, OpLtSelect, OpLeSelect, OpFirstOfFour, OpMulMulAdd, OpSelectMul:
		w.Imm = int32(e.slotOf(n.Args[3]))
	case plan.OpToIntFault:
		w.B = uint16(n.Imm)
	case plan.OpFail:
		w.B, w.C = uint16(n.Imm), uint16(n.Imm>>16)
	case plan.OpElem:
		w.C, w.Imm = e.fitOperand("slots of an element", n.Imm>>32), int32(n.Imm)
	case plan.OpFindFault:
		w.C = e.fitOperand("types", n.Imm)
	case plan.OpRowFault:
		w.Op, w.C = e.rowFault(n), e.fitOperand("tables", n.Imm)
	case plan.OpPush:
		w.Imm, w.C = e.poolOperands(n.Args[2:]), e.fitOperand("slots of an element", int64(len(n.Args)-2))
	case plan.OpWith:
		w.Imm, w.C = e.poolOperands(n.Args[2:]), e.fitOperand("types", n.Imm)
	case plan.OpSortBy:
		w.C, w.Imm = e.fitOperand("types", n.Imm>>32), int32(n.Imm)
	case plan.OpCell, OpRowCell, OpRowDoubleCell:
		w.C, w.Imm = e.fitOperand("tables", n.Imm>>32), int32(n.Imm)
	}
	return w
}

// immediateOf returns a node's site or, of one that cannot fail, its own immediate.
func (e *emitter) immediateOf(n *plan.Node) int32 {
	if n.Site >= 0 {
		return n.Site
	}
	return int32(n.Imm)
}

// rowFault returns the fault, by the kind of the key, of a key that no row has.
func (e *emitter) rowFault(n *plan.Node) plan.Op {
	switch e.work.nodeOf(n.Args[1]).Kind {
	case plan.Int:
		return OpRowFaultInt
	case plan.Double:
		return OpRowFaultDouble
	}
	return plan.OpRowFault
}

// poolOperands keeps the slots of operands and returns the place of the first.
func (e *emitter) poolOperands(args []plan.ID) int32 {
	at := int32(len(e.code.Pool))
	for _, a := range args {
		e.code.Pool = append(e.code.Pool, e.slotOf(a))
	}
	return at
}

// emitRoll writes a roll behind the instruction that ends the evaluation if an operand of the roll has failed.
func (e *emitter) emitRoll(id plan.ID) {
	n := &e.nodes[id]
	if !e.isConstant(n.Args[3], 0) {
		e.appendInstruction(id, Instruction{Op: OpDieFault, A: e.slotOf(n.Args[0]), B: e.slotOf(n.Args[3])})
	}
	e.appendInstruction(id, Instruction{
		Op: n.Op, D: e.slotOf(id), Imm: int32(n.Imm),
		A: e.slotOf(n.Args[0]), B: e.slotOf(n.Args[1]), C: e.slotOf(n.Args[2]),
	})
}

// A move copies a slot to another.
type move struct{ to, from uint16 }

// emitLoop writes a loop.
func (e *emitter) emitLoop(id plan.ID) {
	body := e.nodes[id].Imm
	e.emitInitial(id)
	w := Instruction{D: uint16(e.iter[body]), A: e.slotOf(e.nodes[id].Args[0])}
	begin := len(e.code.Instructions)
	e.appendInstruction(id, w)
	if e.overwrite {
		e.carryInPlace(id)
	}
	e.emitBlock(body)
	e.emitMoves(id, e.carriedMoves(id))
	w.Op, w.Imm = OpNext, int32(begin)
	e.appendInstruction(id, w)
	w.Op, w.Imm = OpBegin, int32(len(e.code.Instructions)-1)
	e.code.Instructions[begin] = w
}

// emitInitial writes the first carried values.
func (e *emitter) emitInitial(loop plan.ID) {
	for k, to := range e.carry[e.nodes[loop].Imm] {
		if to >= 0 {
			e.appendInstruction(loop, Instruction{Op: OpMove, D: uint16(to), A: e.slotOf(e.initialCarried(loop, int64(k)))})
		}
	}
}

// carryInPlace lets nodes of a body write the next carried value where the last one stands, when nothing reads that one any
// more.
func (e *emitter) carryInPlace(loop plan.ID) {
	body := int32(e.nodes[loop].Imm)
	for k, slot := range e.carry[body] {
		id := e.same[e.nextCarried(loop)[k]]
		fresh := slot >= 0 && e.code.slots[id] < 0 && e.hasOwnSlot(id)
		if fresh && e.lastRead(body, int64(k)) <= e.order[id] {
			e.code.slots[id] = slot
		}
	}
}

// hasOwnSlot reports whether a node has a slot of its own, which one instruction writes.
func (e *emitter) hasOwnSlot(id plan.ID) bool {
	switch e.nodes[id].Op {
	case plan.OpConst, plan.OpLeaf, plan.OpParam, plan.OpResult, plan.OpLoop:
		return false
	}
	return true
}

// lastRead returns the time at which the k-th carried value is read for the last time.
func (e *emitter) lastRead(body int32, k int64) (last int32) {
	for _, id := range e.graph.Blocks[body].Nodes {
		if n := &e.nodes[id]; n.Op == plan.OpParam && n.Imm == k+1 {
			last = max(last, e.last[id])
		}
	}
	return last
}

// carriedMoves returns the moves that make a body's results the next carried values.
func (e *emitter) carriedMoves(loop plan.ID) (out []move) {
	for k, to := range e.carry[e.nodes[loop].Imm] {
		if to < 0 {
			continue
		}
		if from := e.slotOf(e.nextCarried(loop)[k]); from != uint16(to) {
			out = append(out, move{uint16(to), from})
		}
	}
	return out
}

// emitMoves writes moves that happen at once: a value that an earlier one overwrites is saved for a later one.
func (e *emitter) emitMoves(loop plan.ID, list []move) {
	for i := range list {
		overwritten := func(m move) bool { return m.to == list[i].from }
		if slices.ContainsFunc(list[:i], overwritten) {
			save := uint16(e.takeFreeSlot())
			e.appendInstruction(loop, Instruction{Op: OpMove, D: save, A: list[i].from})
			list[i].from = save
		}
	}
	for _, m := range list {
		e.appendInstruction(loop, Instruction{Op: OpMove, D: m.to, A: m.from})
	}
}

// placeDice notes of each die the slots of the iterations in its id.
func (e *emitter) placeDice() {
	for i := range e.graph.Dice {
		var slots []uint16
		for _, loop := range e.graph.Dice[i].Loops {
			slots = append(slots, uint16(e.iter[e.nodes[e.same[loop]].Imm]))
		}
		e.code.Loops = append(e.code.Loops, slots)
	}
}

// finishCode lets a node that another one replaces be found at the slot of that one, and judges the size.
func (e *emitter) finishCode() {
	e.code.isReadable = make([]bool, len(e.nodes))
	for id := range e.nodes {
		e.code.slots[id] = e.code.slots[e.same[id]]
		e.code.isReadable[id] = e.live == nil && e.code.slots[id] >= 0
	}
	for _, id := range e.roots {
		e.code.isReadable[id] = e.code.slots[id] >= 0
	}
	lowered := len(e.graph.Nodes) // nobody asks for those that passes have added
	e.code.slots, e.code.isReadable = e.code.slots[:lowered:lowered], e.code.isReadable[:lowered:lowered]
	if e.code.Slots = e.next; e.next > maxSlots {
		e.tooMany("slots", e.next, maxSlots)
	}
}
