package schedule

import "github.com/tabletop-rules/rules/runtime/plan"

// A Word is one instruction. Its operation says what the operands are: mostly slots, A, B and C of what it reads and D
// of what it writes. A word that can fail has its site in Imm.
type Word struct {
	Op         plan.Op
	D, A, B, C uint16
	Imm        int32
}

// Operations of words are those of nodes, in which
//
//	AndFault, OrFault    have their fourth operand in Imm,
//	ToIntFault           has the rounding operation in B,
//	Fail                 has the symbol of its message in B and, the upper half, in C,
//	Elem                 has the stride in C and the offset in Imm,
//	ElemFault ...        have what they know statically, an index of a type or a table, in C,
//	Push, With           have in Imm where in the pool the slots of the element begin; Push has their number in C,
//	SortBy               has the list's type in C and the keys' in Imm,
//	Cell                 has the table in C and the slot of the row in Imm,
//	Dense                has the table in Imm,
//	Roll                 is preceded by a DieFault when its operands may fail,
//
// and those that only words have:
const (
	OpMove           = plan.Op(plan.NumOps) + iota // D = A
	OpBegin                                        // D = 0; when A, how often, is not positive, go on after word Imm
	OpNext                                         // D++; when D < A go back to word Imm
	OpRowFaultDouble                               // as RowFault, the key B being a double
	OpRowFaultInt                                  // ... an int
	OpDense                                        // D = the cell of A in a dense table; nodes have it too, once they are tabulated
	OpDieFault                                     // when the guard A holds and B is a fault, it ends the evaluation
	opEnd
)

// NumOps is one more than the last operation of words.
const NumOps = int(opEnd)
