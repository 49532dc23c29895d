package schedule

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A use says what a field of an instruction is.
type use uint8

const (
	usual       use = iota // of B and C a slot, as A and D always are; of Imm what need not be checked
	freeUse                // what need not be checked
	slotUse                // a slot
	roundUse               // a rounding operation
	spanUse                // a type of spans
	mapUse                 // a type of maps
	tableUse               // a table
	numbersUse             // a table that is looked up by numbers
	denseUse               // a dense table
	dieUse                 // a die
	requireUse             // a requirement
	branchUse              // a branch
	operandsUse            // where operands begin in the pool
	jumpUse                // an instruction
)

// uses are the fields of instructions that are not used as usual.
var uses = [NumOps]struct{ b, c, imm use }{
	plan.OpAndFault: {imm: slotUse}, plan.OpOrFault: {imm: slotUse}, OpFirstOfFour: {imm: slotUse},
	OpEqSelect: {imm: slotUse}, OpLtSelect: {imm: slotUse}, OpLeSelect: {imm: slotUse},
	OpMulMulAdd: {imm: slotUse}, OpSelectMul: {imm: slotUse},

	plan.OpToIntFault: {b: roundUse}, plan.OpFail: {b: freeUse, c: freeUse}, plan.OpElem: {c: freeUse},
	plan.OpRowFault: {c: freeUse}, OpRowFaultInt: {c: freeUse}, OpRowFaultDouble: {c: freeUse},

	plan.OpConcat: {imm: spanUse}, plan.OpSlice: {imm: spanUse}, plan.OpSort: {imm: spanUse}, plan.OpLeast: {imm: spanUse},
	plan.OpGreatest: {imm: spanUse}, plan.OpHas: {imm: spanUse}, plan.OpEqual: {imm: spanUse},
	plan.OpSortBy: {c: spanUse, imm: spanUse},
	plan.OpFind:   {imm: mapUse}, plan.OpFindFault: {c: mapUse}, plan.OpKeys: {imm: mapUse},
	plan.OpPush: {c: freeUse, imm: operandsUse}, plan.OpWith: {c: mapUse, imm: operandsUse},

	plan.OpRow: {imm: tableUse}, plan.OpRowDouble: {imm: numbersUse},
	plan.OpCell: {c: tableUse}, OpRowCell: {c: tableUse}, OpRowDoubleCell: {c: numbersUse},
	OpDense: {imm: denseUse}, OpDenseAdd: {imm: denseUse}, OpDenseSub: {imm: denseUse}, OpDenseMul: {imm: denseUse},
	OpDenseAddAdd: {imm: denseUse}, OpDenseSubMax: {imm: denseUse},

	plan.OpRoll: {imm: dieUse}, plan.OpRequire: {imm: requireUse}, plan.OpCover: {imm: branchUse},
	OpBegin: {imm: jumpUse}, OpNext: {imm: jumpUse},
}

// A checker finds what is wrong with code that was read.
type checker struct {
	plan  *plan.Plan
	code  *Code
	first int   // the first slot that instructions write
	open  []int // the loops around an instruction: where they begin
	at    int   // the instruction that is looked at
	err   error
}

// checkCode returns an error unless code stays within its frame, its tables and its graph, and the frame holds in the end
// whatever leaves the graph. Slots may hold anything: that is judged where they are read.
func checkCode(p *plan.Plan, code *Code) error {
	c := &checker{plan: p, code: code, first: int(code.FirstConst) + len(code.Consts)}
	c.checkSizes()
	c.checkNodes()
	for at := range code.Instructions {
		if c.err != nil {
			break
		}
		c.at = at
		c.checkInstruction(&code.Instructions[at])
	}
	if c.err == nil && len(c.open) > 0 {
		c.addProblem("a loop does not end")
	}
	c.checkRoots()
	return c.err
}

func (c *checker) addProblem(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("instruction %d: "+format, append([]any{c.at}, args...)...)
	}
}

// checkIndex reports a number that is not one of n.
func (c *checker) checkIndex(what string, i, n int) {
	if i < 0 || i >= n {
		c.addProblem("%s %d is not one of %d", what, i, n)
	}
}

// checkSizes reports lists of another length than they must have.
func (c *checker) checkSizes() {
	code, g := c.code, c.code.graph
	if code.Slots > maxSlots || c.first > code.Slots {
		c.addProblem("%d slots are too many or too few", code.Slots)
	}
	if len(code.from) != len(code.Instructions) || len(code.slots) != len(g.Nodes) ||
		len(code.isReadable) != len(g.Nodes) ||
		len(code.Loops) != len(g.Dice) {
		c.addProblem("they are of another graph")
	}
}

// checkNodes reports nodes whose place is no slot of the frame, and dice that count other loops than those around them.
func (c *checker) checkNodes() {
	if c.err != nil {
		return
	}
	for id, slot := range c.code.slots {
		if c.checkIndex("slot", int(slot)+1, c.code.Slots+1); slot < 0 && c.code.isReadable[id] {
			c.addProblem("node %d is nowhere", id)
		}
	}
	for i, slots := range c.code.Loops {
		if len(slots) != len(c.code.graph.Dice[i].Loops) {
			c.addProblem("die %d counts %d loops", i, len(slots))
		}
		for _, slot := range slots {
			c.checkIndex("slot", int(slot), c.code.Slots)
		}
	}
	for _, slot := range c.code.Pool {
		c.checkIndex("slot", int(slot), c.code.Slots)
	}
}

// checkInstruction checks one instruction.
func (c *checker) checkInstruction(w *Instruction) {
	if !IsInstruction(w.Op) {
		c.addProblem("no instruction has the operation %d", w.Op)
		return
	}
	c.checkIndex("node", int(c.code.from[c.at]), len(c.code.graph.Nodes))
	if c.checkIndex("slot", int(w.D), c.code.Slots); writesResult(w.Op) && int(w.D) < c.first {
		c.addProblem("slot %d is not written", w.D)
	}
	u := &uses[w.Op]
	c.checkField(slotUse, int(w.A), w)
	c.checkField(cmp.Or(u.b, slotUse), int(w.B), w)
	c.checkField(cmp.Or(u.c, slotUse), int(w.C), w)
	c.checkField(cmp.Or(u.imm, freeUse), int(w.Imm), w)
	if w.Op == plan.OpCell || w.Op == OpRowCell || w.Op == OpRowDoubleCell {
		c.checkCell(w)
	}
}

// IsInstruction reports whether an operation is one of instructions. The others name where a slot is, or stand for several.
func IsInstruction(op plan.Op) bool {
	switch op {
	case plan.OpInvalid, plan.OpConst, plan.OpLeaf, plan.OpOption, plan.OpParam, plan.OpResult, plan.OpLoop:
		return false
	}
	return int(op) < NumOps
}

// writesResult reports whether an instruction writes its D.
func writesResult(op plan.Op) bool {
	switch op {
	case plan.OpRequire, plan.OpCover, OpDieFault:
		return false
	}
	return true
}

// checkField checks a field of an instruction.
func (c *checker) checkField(is use, n int, w *Instruction) {
	g := c.code.graph
	switch is {
	case slotUse:
		c.checkIndex("slot", n, c.code.Slots)
	case roundUse:
		if !slices.Contains([]plan.Op{plan.OpFloor, plan.OpCeil, plan.OpRound, plan.OpTrunc}, plan.Op(n)) {
			c.addProblem("operation %d does not round", n)
		}
	case spanUse, mapUse:
		if !c.plan.Spans(int64(n), is == mapUse) {
			c.addProblem("type %d is no span of the operation's", n)
		}
	case tableUse, numbersUse:
		c.checkTable(n, is == numbersUse)
	case denseUse:
		c.checkIndex("dense table", n, len(c.code.Dense))
	case dieUse:
		c.checkIndex("die", n, len(g.Dice))
	case requireUse:
		c.checkIndex("requirement", n, len(g.Requires))
	case branchUse:
		c.checkIndex("branch", n, len(g.Branches))
	case operandsUse:
		c.checkOperands(n, w)
	case jumpUse:
		c.checkJump(n, w)
	}
}

func (c *checker) checkTable(n int, numbers bool) {
	c.checkIndex("table", n, len(c.plan.Tables))
	if c.err == nil && numbers && !c.plan.Tables[n].Kind.HasNumbers() {
		c.addProblem("table %d has no numbers", n)
	}
}

// checkCell checks which slot of a row is read.
func (c *checker) checkCell(w *Instruction) {
	if c.err == nil {
		c.checkIndex("cell", int(w.Imm), c.plan.Tables[w.C].Row.Slots())
	}
}

// checkOperands checks that the pool has those of an instruction.
func (c *checker) checkOperands(from int, w *Instruction) {
	n := int(w.C)
	if w.Op == plan.OpWith && c.err == nil {
		n = c.plan.Types[w.C].Stride() - 1
	}
	if from < 0 || from > len(c.code.Pool)-n {
		c.addProblem("%d operands from %d on are not in the pool", n, from)
	}
}

// checkJump reports loops that do not end one within the other, each going back to its beginning.
func (c *checker) checkJump(to int, w *Instruction) {
	if w.Op == OpBegin {
		c.checkIndex("instruction", to, len(c.code.Instructions))
		c.open = append(c.open, c.at)
		return
	}
	last := len(c.open) - 1
	if last < 0 || c.open[last] != to || int(c.code.Instructions[to].Imm) != c.at {
		c.addProblem("no loop begins at instruction %d", to)
		return
	}
	c.open = c.open[:last]
}

// checkRoots reports values that are read from outside of the graph and have no slot.
func (c *checker) checkRoots() {
	g := c.code.graph
	list := slices.Concat(g.Outputs.Fields, g.Next, g.Ends)
	if g.When.Type != nil {
		list = append(list, g.When)
	}
	for i := range list {
		if c.err == nil && !c.code.Kept(&list[i]) {
			c.err = fmt.Errorf("a value that leaves the graph is nowhere")
		}
	}
}

// Tables returns the numbers of the tables in which instructions look up.
func (c *Code) Tables() []int {
	seen := map[int]bool{}
	var out []int
	add := func(is use, n int) {
		if (is == tableUse || is == numbersUse) && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	for i := range c.Instructions {
		w := &c.Instructions[i]
		add(uses[w.Op].c, int(w.C))
		add(uses[w.Op].imm, int(w.Imm))
	}
	return out
}
