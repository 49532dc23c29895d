package schedule

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// String prints the code for reading: where the records and the constants stand, then the words.
func (c *Code) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d slots, records at %d, constants at %d\n", c.Slots, c.Base, c.FirstConst)
	for i, bits := range c.Consts {
		fmt.Fprintf(&b, "  s%d = %d\n", int(c.FirstConst)+i, bits)
	}
	for i, w := range c.Words {
		fmt.Fprintf(&b, "%4d  %s\n", i, c.word(i, w))
	}
	return b.String()
}

// word prints a word: what it writes, the operation, what it reads.
func (c *Code) word(at int, w Word) string {
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
		return fmt.Sprintf("s%d = %s%s #%d", w.D, name(w.Op), c.operands(w), w.Imm)
	}
	n := &c.graph.Nodes[c.from[at]]
	if w.Op != n.Op { // passes have made it of another one
		return fmt.Sprintf("s%d = %s%s", w.D, w.Op, c.operands(w))
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

// name is the name of an operation of words.
func name(op plan.Op) string {
	if op < own {
		return op.String()
	}
	return words[op-own].name
}

// operands prints the operands of an operation that only words have, or that passes have made.
func (c *Code) operands(w Word) (out string) {
	n := 0
	if w.Op < own {
		n = w.Op.OperandCount()
	} else {
		n = words[w.Op-own].operands
	}
	for i, slot := range []int{int(w.A), int(w.B), int(w.C), int(w.Imm)}[:n] {
		out += fmt.Sprintf("%s s%d", comma[min(i, 1)], slot)
	}
	return out
}

// comma separates the operands of a word.
var comma = [...]string{"", ","}
