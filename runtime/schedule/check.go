package schedule

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A use says what a field of a word is.
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
	jumpUse                // a word
)

// uses are the fields of words that are not used as usual.
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
	first int   // the first slot that words write
	open  []int // the loops around a word: where they begin
	at    int   // the word that is looked at
	err   error
}

// check holds that code stays within its frame, its tables and its graph, and that the frame has in the end what leaves
// the graph. Slots may hold anything: that is judged where they are read.
func check(p *plan.Plan, code *Code) error {
	c := &checker{plan: p, code: code, first: int(code.FirstConst) + len(code.Consts)}
	c.sizes()
	c.nodes()
	for at := range code.Words {
		if c.err != nil {
			break
		}
		c.at = at
		c.word(&code.Words[at])
	}
	if c.err == nil && len(c.open) > 0 {
		c.wrong("a loop does not end")
	}
	c.roots()
	return c.err
}

func (c *checker) wrong(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("word %d: "+format, append([]any{c.at}, args...)...)
	}
}

// within holds that a number is one of so many.
func (c *checker) within(what string, i, n int) {
	if i < 0 || i >= n {
		c.wrong("%s %d is not one of %d", what, i, n)
	}
}

// sizes holds that lists are as long as they must be.
func (c *checker) sizes() {
	code, g := c.code, c.code.graph
	if code.Slots > maxSlots || c.first > code.Slots {
		c.wrong("%d slots are too many or too few", code.Slots)
	}
	if len(code.from) != len(code.Words) || len(code.slots) != len(g.Nodes) || len(code.kept) != len(g.Nodes) ||
		len(code.Loops) != len(g.Dice) {
		c.wrong("they are of another graph")
	}
}

// nodes holds that nodes are where the frame has slots, and that dice count as many loops as stand around them.
func (c *checker) nodes() {
	if c.err != nil {
		return
	}
	for id, slot := range c.code.slots {
		if c.within("slot", int(slot)+1, c.code.Slots+1); slot < 0 && c.code.kept[id] {
			c.wrong("node %d is nowhere", id)
		}
	}
	for i, slots := range c.code.Loops {
		if len(slots) != len(c.code.graph.Dice[i].Loops) {
			c.wrong("die %d counts %d loops", i, len(slots))
		}
		for _, slot := range slots {
			c.within("slot", int(slot), c.code.Slots)
		}
	}
	for _, slot := range c.code.Pool {
		c.within("slot", int(slot), c.code.Slots)
	}
}

// word checks one word.
func (c *checker) word(w *Word) {
	if !IsInstruction(w.Op) {
		c.wrong("operation %d is none of words", w.Op)
		return
	}
	c.within("node", int(c.code.from[c.at]), len(c.code.graph.Nodes))
	if c.within("slot", int(w.D), c.code.Slots); writes(w.Op) && int(w.D) < c.first {
		c.wrong("slot %d is not written", w.D)
	}
	u := &uses[w.Op]
	c.field(slotUse, int(w.A), w)
	c.field(cmp.Or(u.b, slotUse), int(w.B), w)
	c.field(cmp.Or(u.c, slotUse), int(w.C), w)
	c.field(cmp.Or(u.imm, freeUse), int(w.Imm), w)
	if w.Op == plan.OpCell || w.Op == OpRowCell || w.Op == OpRowDoubleCell {
		c.cell(w)
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

// writes reports whether a word writes its D.
func writes(op plan.Op) bool {
	switch op {
	case plan.OpRequire, plan.OpCover, OpDieFault:
		return false
	}
	return true
}

// field checks a field of a word.
func (c *checker) field(is use, n int, w *Word) {
	g := c.code.graph
	switch is {
	case slotUse:
		c.within("slot", n, c.code.Slots)
	case roundUse:
		if !slices.Contains([]plan.Op{plan.OpFloor, plan.OpCeil, plan.OpRound, plan.OpTrunc}, plan.Op(n)) {
			c.wrong("operation %d does not round", n)
		}
	case spanUse, mapUse:
		if !c.plan.Spans(int64(n), is == mapUse) {
			c.wrong("type %d is no span of the operation's", n)
		}
	case tableUse, numbersUse:
		c.table(n, is == numbersUse)
	case denseUse:
		c.within("dense table", n, len(c.code.Dense))
	case dieUse:
		c.within("die", n, len(g.Dice))
	case requireUse:
		c.within("requirement", n, len(g.Requires))
	case branchUse:
		c.within("branch", n, len(g.Branches))
	case operandsUse:
		c.operands(n, w)
	case jumpUse:
		c.jump(n, w)
	}
}

func (c *checker) table(n int, numbers bool) {
	c.within("table", n, len(c.plan.Tables))
	if c.err == nil && numbers && !c.plan.Tables[n].Kind.HasNumbers() {
		c.wrong("table %d has no numbers", n)
	}
}

// cell checks which slot of a row is read.
func (c *checker) cell(w *Word) {
	if c.err == nil {
		c.within("cell", int(w.Imm), c.plan.Tables[w.C].Row.Slots())
	}
}

// operands checks that the pool has those of a word.
func (c *checker) operands(from int, w *Word) {
	n := int(w.C)
	if w.Op == plan.OpWith && c.err == nil {
		n = c.plan.Types[w.C].Stride() - 1
	}
	if from < 0 || from > len(c.code.Pool)-n {
		c.wrong("%d operands from %d on are not in the pool", n, from)
	}
}

// jump holds that loops end, one within the other, each going back to where it began.
func (c *checker) jump(to int, w *Word) {
	if w.Op == OpBegin {
		c.within("word", to, len(c.code.Words))
		c.open = append(c.open, c.at)
		return
	}
	last := len(c.open) - 1
	if last < 0 || c.open[last] != to || int(c.code.Words[to].Imm) != c.at {
		c.wrong("no loop begins at word %d", to)
		return
	}
	c.open = c.open[:last]
}

// roots holds that the frame has what is read of the graph from outside.
func (c *checker) roots() {
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

// Tables are the tables in which the words look up.
func (c *Code) Tables() []int {
	seen := map[int]bool{}
	var out []int
	add := func(is use, n int) {
		if (is == tableUse || is == numbersUse) && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	for i := range c.Words {
		w := &c.Words[i]
		add(uses[w.Op].c, int(w.C))
		add(uses[w.Op].imm, int(w.Imm))
	}
	return out
}
