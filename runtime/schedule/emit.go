package schedule

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxSlots is how many slots the operands of a word can name.
const maxSlots = math.MaxUint16

// An emitter writes the words of a graph, giving each node its slot when it is first named.
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

// emit writes the code for frames whose records have so many slots.
//
// Slots are given in one walk, in the order of execution, as linear scan does it. Its usual second half is missing: there
// is nothing to spill, because a frame may have 65,535 slots. What remains is to use few of them. A frame's slots are a
// column each in a block of records, so that a rule of thirty slots stays in a second-level cache and one of three hundred
// does not.
//
// spans numbers the nodes as they will be executed and notes the last reader of each. block then writes a node's
// instruction, choosing its slot, and only afterwards gives away the slots of operands that it was the last to read. The
// order matters: no instruction writes a slot that it reads, so that kernels may compute a column in any order and a step
// that computes record by record may still ask for its operands. The last freed slot is used first, for its column is the
// one that was touched last.
//
// In a graph with loops nothing is given away: a value from before a loop is read again in each iteration, so that its last
// reader in the text is not the last in time.
func (w *work) emit(roots [plan.NumRoots]int) (*Code, error) {
	e := &emitter{work: w, code: &Code{graph: w.graph, Dense: w.dense}}
	e.layout(roots)
	e.loops()
	e.spans()
	e.block(0)
	e.dice()
	e.finish()
	if e.err != nil {
		return nil, e.err
	}
	return e.code, nil
}

// layout places the records that are given and the constants.
func (e *emitter) layout(roots [plan.NumRoots]int) {
	e.code.Base, e.code.FirstConst = records(roots)
	e.next = int(e.code.FirstConst)
	e.code.slots = make([]int32, len(e.nodes))
	at := map[int64]int32{}
	for id := range e.nodes {
		e.code.slots[id] = -1
		if n := &e.nodes[id]; n.Op == plan.OpConst && e.needed(plan.ID(id)) {
			e.code.slots[id] = e.constantSlot(at, n.Imm)
		}
	}
}

func (e *emitter) constantSlot(at map[int64]int32, bits int64) int32 {
	slot, ok := at[bits]
	if !ok {
		slot = e.free()
		at[bits] = slot
		e.code.Consts = append(e.code.Consts, bits)
	}
	return slot
}

// needed reports whether a node is computed.
func (e *emitter) needed(id plan.ID) bool {
	return e.home[id] >= 0 && e.same[id] == id && (e.live == nil || e.live[id])
}

// loops gives slots to the iterations of loops, and to what they carry that is read.
func (e *emitter) loops() {
	e.iter, e.carry = make([]int32, len(e.loop)), make([][]int32, len(e.loop))
	for b, loop := range e.loop {
		if loop != plan.None && e.needed(loop) {
			e.iter[b] = e.free()
			e.carry[b] = slices.Repeat([]int32{-1}, len(e.results(loop)))
		}
	}
	for id := range e.nodes {
		switch n := &e.nodes[id]; {
		case !e.needed(plan.ID(id)):
		case n.Op == plan.OpParam && n.Imm > 0:
			e.carries(e.home[id], n.Imm-1)
		case n.Op == plan.OpResult:
			e.carries(int32(e.nodes[e.arg(n, 0)].Imm), n.Imm)
		}
	}
}

func (e *emitter) carries(block int32, k int64) {
	if e.carry[block][k] < 0 {
		e.carry[block][k] = e.free()
	}
}

// spans finds how long each node is read.
func (e *emitter) spans() {
	e.order, e.last, e.lasts = make([]int32, len(e.nodes)), make([]int32, len(e.nodes)), make([]bool, len(e.nodes))
	for _, id := range e.roots {
		e.lasts[e.same[id]] = true
	}
	e.spansOf(0, 0)
}

func (e *emitter) spansOf(block int64, at int32) int32 {
	for _, id := range e.graph.Blocks[block].Nodes {
		if !e.needed(id) {
			continue
		}
		at++
		e.order[id] = at
		n := &e.nodes[id]
		for k := range n.Args {
			if n.Op != plan.OpConst { // whose operands are only what it came from
				e.last[e.arg(n, k)] = at
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

// free is a slot that holds nothing.
func (e *emitter) free() int32 {
	if n := len(e.idle); n > 0 {
		slot := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return slot
	}
	e.next++
	return int32(e.next - 1)
}

// slot is where a node's value stands.
func (e *emitter) slot(id plan.ID) uint16 {
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
		slots[id] = e.params(e.home[id], n.Imm)
	case plan.OpResult: // the parameter still holds what was carried last
		slots[id] = e.params(int32(e.nodes[e.arg(n, 0)].Imm), n.Imm+1)
	default:
		slots[id] = e.free()
	}
	return uint16(slots[id])
}

// params is the slot of a parameter of a block.
func (e *emitter) params(block int32, k int64) int32 {
	if k == 0 {
		return e.iter[block]
	}
	return e.carry[block][k-1]
}

// word appends a word of a node.
func (e *emitter) word(id plan.ID, w Word) {
	e.code.Words = append(e.code.Words, w)
	e.code.from = append(e.code.from, id)
}

// fit is a number that must fit an operand.
func (e *emitter) fit(what string, n int64) uint16 {
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

// block writes the nodes of a block.
func (e *emitter) block(b int64) {
	for _, id := range e.graph.Blocks[b].Nodes {
		if e.needed(id) {
			e.node(id)
			e.release(id)
		}
	}
}

// release gives away the slots of the operands that a node was the last to read. Its own slot was chosen before: a word
// never writes where it reads.
func (e *emitter) release(id plan.ID) {
	n := &e.nodes[id]
	if !e.reuse || n.Op == plan.OpConst {
		return
	}
	for k := range n.Args {
		a := e.arg(n, k)
		if e.last[a] == e.order[id] && !e.lasts[a] && e.writes(a) {
			e.idle = append(e.idle, e.code.slots[a])
			e.lasts[a] = true // it is given away once
		}
	}
}

// node writes the words of one node.
func (e *emitter) node(id plan.ID) {
	switch n := &e.nodes[id]; n.Op {
	case plan.OpConst, plan.OpLeaf, plan.OpParam, plan.OpResult:
		e.slot(id)
	case plan.OpLoop:
		e.repeat(id)
	case plan.OpRoll:
		e.roll(id)
	default:
		w := e.operands(n)
		w.D = e.result(id)
		e.word(id, w)
	}
}

// result is the slot that a node writes; effects have none, but for a roll.
func (e *emitter) result(id plan.ID) uint16 {
	switch e.nodes[id].Op {
	case plan.OpRequire, plan.OpCover:
		return 0
	}
	return e.slot(id)
}

// operands makes the word of a node, as Word describes it.
func (e *emitter) operands(n *plan.Node) Word {
	w := Word{Op: n.Op, Imm: e.immediate(n)}
	for k, to := range []*uint16{&w.A, &w.B, &w.C}[:min(len(n.Args), 3)] {
		*to = e.slot(n.Args[k])
	}
	switch n.Op {
	case plan.OpAndFault, plan.OpOrFault, OpEqSelect, OpLtSelect, OpLeSelect, OpFirstOfFour, OpMulMulAdd, OpSelectMul:
		w.Imm = int32(e.slot(n.Args[3]))
	case plan.OpToIntFault:
		w.B = uint16(n.Imm)
	case plan.OpFail:
		w.B, w.C = uint16(n.Imm), uint16(n.Imm>>16)
	case plan.OpElem:
		w.C, w.Imm = e.fit("slots of an element", n.Imm>>32), int32(n.Imm)
	case plan.OpFindFault:
		w.C = e.fit("types", n.Imm)
	case plan.OpRowFault:
		w.Op, w.C = e.rowFault(n), e.fit("tables", n.Imm)
	case plan.OpPush:
		w.Imm, w.C = e.pool(n.Args[2:]), e.fit("slots of an element", int64(len(n.Args)-2))
	case plan.OpWith:
		w.Imm, w.C = e.pool(n.Args[2:]), e.fit("types", n.Imm)
	case plan.OpSortBy:
		w.C, w.Imm = e.fit("types", n.Imm>>32), int32(n.Imm)
	case plan.OpCell, OpRowCell, OpRowDoubleCell:
		w.C, w.Imm = e.fit("tables", n.Imm>>32), int32(n.Imm)
	}
	return w
}

// immediate is a node's site or, of one that cannot fail, its own immediate.
func (e *emitter) immediate(n *plan.Node) int32 {
	if n.Site >= 0 {
		return n.Site
	}
	return int32(n.Imm)
}

// rowFault tells by its kind what a key is that no row has.
func (e *emitter) rowFault(n *plan.Node) plan.Op {
	switch e.work.node(n.Args[1]).Kind {
	case plan.Int:
		return OpRowFaultInt
	case plan.Double:
		return OpRowFaultDouble
	}
	return plan.OpRowFault
}

// pool keeps the slots of operands.
func (e *emitter) pool(args []plan.ID) int32 {
	at := int32(len(e.code.Pool))
	for _, a := range args {
		e.code.Pool = append(e.code.Pool, e.slot(a))
	}
	return at
}

// roll writes a roll, after the word that ends the evaluation when what it needs has failed.
func (e *emitter) roll(id plan.ID) {
	n := &e.nodes[id]
	if !e.is(n.Args[3], 0) {
		e.word(id, Word{Op: OpDieFault, A: e.slot(n.Args[0]), B: e.slot(n.Args[3])})
	}
	e.word(id, Word{
		Op: n.Op, D: e.slot(id), Imm: int32(n.Imm),
		A: e.slot(n.Args[0]), B: e.slot(n.Args[1]), C: e.slot(n.Args[2]),
	})
}

// A move copies a slot to another.
type move struct{ to, from uint16 }

// repeat writes a loop.
func (e *emitter) repeat(id plan.ID) {
	body := e.nodes[id].Imm
	e.begin(id)
	w := Word{D: uint16(e.iter[body]), A: e.slot(e.nodes[id].Args[0])}
	begin := len(e.code.Words)
	e.word(id, w)
	if e.overwrite {
		e.inPlace(id)
	}
	e.block(body)
	e.moves(id, e.carried(id))
	w.Op, w.Imm = OpNext, int32(begin)
	e.word(id, w)
	w.Op, w.Imm = OpBegin, int32(len(e.code.Words)-1)
	e.code.Words[begin] = w
}

// begin writes the first carried values.
func (e *emitter) begin(loop plan.ID) {
	for k, to := range e.carry[e.nodes[loop].Imm] {
		if to >= 0 {
			e.word(loop, Word{Op: OpMove, D: uint16(to), A: e.slot(e.initial(loop, int64(k)))})
		}
	}
}

// inPlace lets nodes of a body write the next carried value where the last one stands, when nothing reads that one any
// more.
func (e *emitter) inPlace(loop plan.ID) {
	body := int32(e.nodes[loop].Imm)
	for k, slot := range e.carry[body] {
		id := e.same[e.results(loop)[k]]
		fresh := slot >= 0 && e.code.slots[id] < 0 && e.writes(id)
		if fresh && e.lastRead(body, int64(k)) <= e.order[id] {
			e.code.slots[id] = slot
		}
	}
}

// writes reports whether a node has a slot of its own, which one word writes.
func (e *emitter) writes(id plan.ID) bool {
	switch e.nodes[id].Op {
	case plan.OpConst, plan.OpLeaf, plan.OpParam, plan.OpResult, plan.OpLoop:
		return false
	}
	return true
}

// lastRead is when the k-th carried value is read for the last time.
func (e *emitter) lastRead(body int32, k int64) (last int32) {
	for _, id := range e.graph.Blocks[body].Nodes {
		if n := &e.nodes[id]; n.Op == plan.OpParam && n.Imm == k+1 {
			last = max(last, e.last[id])
		}
	}
	return last
}

// carried are the moves that make a body's results the next carried values.
func (e *emitter) carried(loop plan.ID) (out []move) {
	for k, to := range e.carry[e.nodes[loop].Imm] {
		if to < 0 {
			continue
		}
		if from := e.slot(e.results(loop)[k]); from != uint16(to) {
			out = append(out, move{uint16(to), from})
		}
	}
	return out
}

// moves writes moves that happen at once: what an earlier one overwrites is saved for a later one.
func (e *emitter) moves(loop plan.ID, list []move) {
	for i := range list {
		overwritten := func(m move) bool { return m.to == list[i].from }
		if slices.ContainsFunc(list[:i], overwritten) {
			save := uint16(e.free())
			e.word(loop, Word{Op: OpMove, D: save, A: list[i].from})
			list[i].from = save
		}
	}
	for _, m := range list {
		e.word(loop, Word{Op: OpMove, D: m.to, A: m.from})
	}
}

// dice tells of each die which slots hold the iterations in its id.
func (e *emitter) dice() {
	for i := range e.graph.Dice {
		var slots []uint16
		for _, loop := range e.graph.Dice[i].Loops {
			slots = append(slots, uint16(e.iter[e.nodes[e.same[loop]].Imm]))
		}
		e.code.Loops = append(e.code.Loops, slots)
	}
}

// finish lets a node that another one stands for be found where that one is, and judges the size.
func (e *emitter) finish() {
	e.code.kept = make([]bool, len(e.nodes))
	for id := range e.nodes {
		e.code.slots[id] = e.code.slots[e.same[id]]
		e.code.kept[id] = e.live == nil && e.code.slots[id] >= 0
	}
	for _, id := range e.roots {
		e.code.kept[id] = e.code.slots[id] >= 0
	}
	lowered := len(e.graph.Nodes) // nobody asks for those that passes have added
	e.code.slots, e.code.kept = e.code.slots[:lowered:lowered], e.code.kept[:lowered:lowered]
	if e.code.Slots = e.next; e.next > maxSlots {
		e.tooMany("slots", e.next, maxSlots)
	}
}
