package schedule

import "github.com/tabletop-rules/rules/runtime/plan"

// An Instruction has an operation, which decides the meaning of its operands. Mostly they are slots: it reads A, B and C
// and writes D. An instruction that can fail has its site in Imm.
type Instruction struct {
	Op         plan.Op
	D, A, B, C uint16
	Imm        int32
}

// Operations of instructions are those of nodes, in which
//
//	AndFault, OrFault and other operations of four operands have the fourth in Imm,
//	ToIntFault           has the rounding operation in B,
//	Fail                 has the symbol of its message in B and, the upper half, in C,
//	Elem                 has the stride in C and the offset in Imm,
//	ElemFault ...        have what they know statically, an index of a type or a table, in C,
//	Push, With           have in Imm where in the pool the slots of the element begin; Push has their number in C,
//	SortBy               has the list's type in C and the keys' in Imm,
//	Cell, RowCell ...    have the table in C and the slot of the row in Imm,
//	Dense ...            have the table in Imm,
//	Roll                 is preceded by a DieFault when its operands may fail,
//
// and those that only instructions have:
const (
	OpMove           = plan.Op(plan.NumOps) + iota // D = A
	OpBegin                                        // D = 0; when A, how often, is not positive, go on after instruction Imm
	OpNext                                         // D++; when D < A go back to instruction Imm
	OpRowFaultDouble                               // as RowFault, the key B being a double
	OpRowFaultInt                                  // ... an int
	// D = the cell of A in a dense table; nodes have it too, once they are tabulated
	OpDense
	OpDieFault // when the guard A holds and B is a fault, it ends the evaluation

	// Several operations in one instruction.
	OpMulAdd        // a * b + c, of ints
	OpAddAdd        // a + b + c
	OpAddSub        // a + b - c
	OpAddMax        // max(a + b, c)
	OpSubMax        // max(a - b, c)
	OpClamp         // max(min(a, b), c)
	OpLtAnd         // a < b && c, of ints
	OpLeAnd         // a <= b && c
	OpLtOr          // a < b || c
	OpLeOr          // a <= b || c
	OpEqSelect      // a == b ? c : imm
	OpLtSelect      // a < b ? c : imm
	OpLeSelect      // a <= b ? c : imm
	OpDenseAdd      // the cell of A in a dense table + b, of ints
	OpDenseSub      // b - the cell
	OpDenseMul      // the cell * b, of doubles
	OpToDoubleMul   // double(a) * b
	OpToDoubleDiv   // double(a) / b
	OpDivInts       // double(a) / double(b)
	OpFloorMul      // floor(a * b)
	OpFloorDiv      // floor(a / b)
	OpCeilMul       // ceil(a * b)
	OpRowCell       // the cell of the row of the key A
	OpRowDoubleCell // likewise, the key being a double
	OpFirstOf       // the first fault of three
	OpFirstOfFour   // of four, the last in imm

	// Chains.
	OpMulMulAdd   // a * b + c * imm, of ints
	OpDenseAddAdd // the cell + b + c
	OpDenseSubMax // max(b - the cell, c)
	OpSelectMul   // (a ? b : c) * imm, of doubles
	OpFloorMulMul // floor(double(a) * b * c)
	OpCeilMulMul  // ceil(a * b * c)
	opEnd
)

// ownOperations describes the operations that only instructions have: how they are printed, and how many operands they
// have.
var ownOperations = [...]struct {
	name     string
	operands int
}{
	OpMove - own: {"move", 1}, OpBegin - own: {"begin", 1}, OpNext - own: {"next", 1},
	OpRowFaultDouble - own: {"row.fault.double", 2}, OpRowFaultInt - own: {"row.fault.int", 2},
	OpDense - own: {"dense", 1}, OpDieFault - own: {"die.fault", 2},
	OpMulAdd - own: {"mul.add", 3}, OpAddAdd - own: {"add.add", 3}, OpAddSub - own: {"add.sub", 3},
	OpAddMax - own: {"add.max", 3}, OpSubMax - own: {"sub.max", 3}, OpClamp - own: {"clamp", 3},
	OpLtAnd - own: {"lt.and", 3}, OpLeAnd - own: {"le.and", 3}, OpLtOr - own: {"lt.or", 3}, OpLeOr - own: {"le.or", 3},
	OpEqSelect - own: {"eq.select", 4}, OpLtSelect - own: {"lt.select", 4}, OpLeSelect - own: {"le.select", 4},
	OpDenseAdd - own: {"dense.add", 2}, OpDenseSub - own: {"dense.sub", 2}, OpDenseMul - own: {"dense.mul", 2},
	OpToDoubleMul - own: {"to.double.mul", 2}, OpToDoubleDiv - own: {"to.double.div", 2}, OpDivInts - own: {"div.ints", 2},
	OpFloorMul - own: {"floor.mul", 2}, OpFloorDiv - own: {"floor.div", 2}, OpCeilMul - own: {"ceil.mul", 2},
	OpRowCell - own: {"row.cell", 1}, OpRowDoubleCell - own: {"row.double.cell", 1},
	OpFirstOf - own: {"first.of", 3}, OpFirstOfFour - own: {"first.of.four", 4},
	OpMulMulAdd - own: {"mul.mul.add", 4}, OpDenseAddAdd - own: {"dense.add.add", 3},
	OpDenseSubMax - own: {"dense.sub.max", 3},
	OpSelectMul - own:   {"select.mul", 4}, OpFloorMulMul - own: {"floor.mul.mul", 3},
	OpCeilMulMul - own: {"ceil.mul.mul", 3},
}

// own is the first of the operations that only instructions have.
const own = plan.Op(plan.NumOps)

// NumOps is one more than the last operation of instructions.
const NumOps = int(opEnd)
