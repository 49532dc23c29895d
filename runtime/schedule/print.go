package schedule

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// String returns the code for reading: the places of the records and of the constants, then the instructions.
func (c *Code) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d slots, records at %d, constants at %d\n", c.Slots, c.Base, c.FirstConst)
	for i, bits := range c.Consts {
		fmt.Fprintf(&b, "  s%d = %d\n", int(c.FirstConst)+i, bits)
	}
	for i, w := range c.Instructions {
		fmt.Fprintf(&b, "%4d  %s\n", i, c.printInstruction(i, w))
	}
	return b.String()
}

// printInstruction returns an instruction for reading: the slot that it writes, the operation, the operands.
func (c *Code) printInstruction(at int, w Instruction) string {
	switch w.Op {
	case OpMove:
		return fmt.Sprintf("s%d = s%d", w.D, w.A)
	case OpBegin:
		return fmt.Sprintf("s%d = 0; unless s%d > 0 go on after %d", w.D, w.A, w.Imm)
	case OpNext:
		return fmt.Sprintf("s%d++; while s%d > s%d go back to after %d", w.D, w.A, w.D, w.Imm)
	case OpDieFault:
		return fmt.Sprintf("die.fault s%d, s%d", w.A, w.B)
	}
	if w.Op >= own {
		return fmt.Sprintf("s%d = %s%s #%d", w.D, operationName(w.Op), c.printOperands(w), w.Imm)
	}
	n := &c.graph.Nodes[c.from[at]]
	if w.Op != n.Op { // passes have made it of another one
		return fmt.Sprintf("s%d = %s%s", w.D, w.Op, c.printOperands(w))
	}
	out := ""
	if !n.Op.Has(plan.Effect) || n.Op == plan.OpRoll {
		out = fmt.Sprintf("s%d = ", w.D)
	}
	out += n.Op.String()
	for i, a := range n.Args {
		out += fmt.Sprintf("%s s%d", comma[min(i, 1)], c.slots[a])
	}
	if n.Imm != 0 || n.Op.Has(plan.Effect) {
		out += fmt.Sprintf(" #%d", n.Imm)
	}
	return out
}

// operationName returns the name of an operation of instructions.
func operationName(op plan.Op) string {
	if op < own {
		return op.String()
	}
	return ownOperations[op-own].name
}

// printOperands returns the operands of an operation that only instructions have, or that passes have made.
func (c *Code) printOperands(w Instruction) (out string) {
	n := 0
	if w.Op < own {
		n = w.Op.OperandCount()
	} else {
		n = ownOperations[w.Op-own].operands
	}
	for i, slot := range []int{int(w.A), int(w.B), int(w.C), int(w.Imm)}[:n] {
		out += fmt.Sprintf("%s s%d", comma[min(i, 1)], slot)
	}
	return out
}

// comma separates the operands of an instruction.
var comma = [...]string{"", ","}
