package plan

import (
	"fmt"
	"strings"
)

// Op is what a node computes: its opcode. Value operations never fail: where their operands are senseless they give 0, or
// wrap, and a fault operation beside them (its name ends in Fault) tells whether they are. So nothing that may fail stands
// in the way of computing a column of values without a branch, and the fault is read only where it decides.
type Op uint16

// The operations. What each takes and gives stands in its row of the table of operations. Their numbers are part of the
// format of plan files.
const (
	OpInvalid Op = iota

	// Sources of values.
	OpConst
	OpLeaf
	OpOption
	OpParam
	OpResult

	// Integers.
	OpAddInt
	OpSubInt
	OpMulInt
	OpNegInt
	OpAbsInt
	OpMinInt
	OpMaxInt
	OpDivTrunc
	OpDivFloor
	OpDivCeil
	OpDivHalfUp
	OpModInt
	OpPowInt
	OpAddIntFault
	OpSubIntFault
	OpMulIntFault
	OpNegIntFault
	OpAbsIntFault
	OpDivFault
	OpModFault
	OpPowIntFault
	OpEqInt
	OpLtInt
	OpLeInt

	// Doubles.
	OpAddDouble
	OpSubDouble
	OpMulDouble
	OpDivDouble
	OpNegDouble
	OpAbsDouble
	OpMinDouble
	OpMaxDouble
	OpPowDouble
	OpEqDouble
	OpLtDouble
	OpLeDouble
	OpFloor
	OpCeil
	OpRound
	OpTrunc
	OpToIntFault
	OpToDouble
	OpLtIntDouble
	OpLeIntDouble
	OpLtDoubleInt
	OpLeDoubleInt

	// Truth, choice and faults.
	OpAnd
	OpOr
	OpNot
	OpSelect
	OpAndFault
	OpOrFault
	OpFirstFault
	OpNoFault
	OpFail

	// Strings.
	OpConcatString
	OpLtString
	OpLeString
	OpSizeString
	OpContains
	OpStartsWith
	OpEndsWith
	OpIntToString
	OpDoubleToString
	OpBoolToString
	OpStringToInt
	OpStringToIntFault
	OpStringToDouble
	OpStringToDoubleFault
	OpIndexOf
	OpLower
	OpUpper

	// Lists and maps.
	OpNewSpan
	OpPush
	OpSize
	OpElem
	OpElemFault
	OpConcat
	OpSlice
	OpSliceFault
	OpRange
	OpRangeFault
	OpSort
	OpSortBy
	OpSumInt
	OpSumIntFault
	OpSumDouble
	OpLeast
	OpGreatest
	OpEmptyFault
	OpHas
	OpEqual
	OpFind
	OpFindFault
	OpWith
	OpKeys
	OpPour
	OpPourFault

	// Tables.
	OpRow
	OpRowDouble
	OpRowFault
	OpCell

	// Repetition.
	OpLoop

	// Effects, carried out in the order in which they stand.
	OpRoll
	OpRequire
	OpCover

	// Later ones, so that those before keep their numbers.
	OpDivAway
	OpCounts
	OpCountsFault

	opEnd
)

// NumOps is one more than the last operation.
const NumOps = int(opEnd)

// An Operation is the row of an operation in the table: all that the packages above need to know of it, except what they
// execute it with. Those have tables of their own that are keyed by the opcode: builtin of values, interval of bounds,
// schedule of instructions that are unusual, vm of how each is executed, vector of columns; graphtest has a case of each.
//
// A kind is written as a letter: i int, d double, b bool, s string, f fault, l list, m map; p is a list or a map, k a
// scalar, * any kind, and r, of results, the kind that the node says.
type Operation struct {
	Name      string // as printed plans show it
	Operands  string // the kinds of the operands a, b, c, d, ...; a trailing + repeats the last one, also no time
	Result    byte   // the kind of the result
	Immediate Immediate
	Traits    Traits
	Elements  ElementRule // what a list that it gives holds
	Fails     Op          // tells of the same operands whether the operation fails; OpInvalid when it cannot
	Doc       string
}

// Traits are what the passes may rely on.
type Traits uint8

const (
	Commutes  Traits = 1 << iota // its two operands may be exchanged
	Divides                      // a quotient of ints, rounded; by 1 it is its first operand
	Slow                         // takes as long as several others
	Effect                       // does something besides giving a value, so it stays where it stands
	Symmetric                    // the order of the elements of the list a does not matter
	ReadsSize                    // depends on the list a by its size alone; a symmetric operation
)

// An ElementRule says what the elements of a list are that an operation gives, so that ListTypes needs to know no operation
// by its name that only takes lists apart or makes them anew.
type ElementRule uint8

const (
	NoElements   ElementRule = iota // it gives no list, or one that ListTypes follows to where it comes from
	IntElements                     // ints, whatever its operands hold
	TypeElements                    // those of the type that Imm names or, of two, the first
	KeyElements                     // the keys of the map that Imm names
)

// An Immediate says what Imm is in nodes of an operation.
type Immediate uint8

const (
	NoImmediate      Immediate = iota
	BitsImmediate              // the bits of a slot
	LeafImmediate              // an index into Graph.Leaves
	OptionImmediate            // an index into Plan.Options
	ParamImmediate             // a parameter of the block: the iteration, then the carried values
	ResultImmediate            // a carried value of the loop
	OpImmediate                // an operation that rounds
	SymbolImmediate            // a symbol
	StrideImmediate            // the slots of an element
	ElementImmediate           // the slots of an element in the upper half, the slot of the element in the lower one
	TypeImmediate              // an index into Plan.Types: the list's or the map's
	TypesImmediate             // two types: the first in the upper half
	TableImmediate             // an index into Plan.Tables
	CellImmediate              // a table in the upper half, a slot of its rows in the lower one
	BlockImmediate             // an index into Graph.Blocks: the body of the loop
	DieImmediate               // an index into Graph.Dice
	RequireImmediate           // an index into Graph.Requires
	BranchImmediate            // an index into Graph.Branches
)

// operations has a row for every operation.
var operations = [NumOps]Operation{
	OpConst: {Name: "const", Result: 'r', Immediate: BitsImmediate, Doc: "the constant whose slot's bits are imm"},
	OpLeaf: {Name: "leaf", Result: 'r', Immediate: LeafImmediate,
		Doc: "a slot of the character, input, state or event: Graph.Leaves[imm]"},
	OpOption: {Name: "option", Result: 's', Immediate: OptionImmediate,
		Doc: "the symbol of the value of option imm that is played"},
	OpParam: {Name: "param", Result: 'r', Immediate: ParamImmediate,
		Doc: "a parameter of the block that holds the node: 0 is the iteration, then come the carried values"},
	OpResult: {Name: "result", Operands: "i", Result: 'r', Immediate: ResultImmediate,
		Doc: "what the loop a carries as value imm, counted from 0, after its last iteration"},
	OpAddInt: {Name: "add.int", Operands: "ii", Result: 'i', Traits: Commutes, Fails: OpAddIntFault,
		Doc: "a + b, wrapped to 64 bits"},
	OpSubInt: {Name: "sub.int", Operands: "ii", Result: 'i', Fails: OpSubIntFault, Doc: "a - b, wrapped"},
	OpMulInt: {Name: "mul.int", Operands: "ii", Result: 'i', Traits: Commutes, Fails: OpMulIntFault,
		Doc: "a * b, wrapped"},
	OpNegInt: {Name: "neg.int", Operands: "i", Result: 'i', Fails: OpNegIntFault, Doc: "-a, wrapped"},
	OpAbsInt: {Name: "abs.int", Operands: "i", Result: 'i', Fails: OpAbsIntFault, Doc: "|a|, wrapped"},
	OpMinInt: {Name: "min.int", Operands: "ii", Result: 'i', Traits: Commutes, Doc: "the lesser of a and b"},
	OpMaxInt: {Name: "max.int", Operands: "ii", Result: 'i', Traits: Commutes, Doc: "the greater of a and b"},
	OpDivTrunc: {Name: "div.trunc", Operands: "ii", Result: 'i', Traits: Divides | Slow, Fails: OpDivFault,
		Doc: "a / b rounded towards zero, as CEL's division of integers; 0 when b is 0"},
	OpDivFloor: {Name: "div.floor", Operands: "ii", Result: 'i', Traits: Divides | Slow, Fails: OpDivFault,
		Doc: "a / b rounded down; 0 when b is 0"},
	OpDivCeil: {Name: "div.ceil", Operands: "ii", Result: 'i', Traits: Divides | Slow, Fails: OpDivFault,
		Doc: "a / b rounded up; 0 when b is 0"},
	OpDivHalfUp: {Name: "div.half.up", Operands: "ii", Result: 'i', Traits: Divides | Slow, Fails: OpDivFault,
		Doc: "a / b to the nearest integer, a half towards positive infinity; 0 when b is 0"},
	OpDivAway: {Name: "div.away", Operands: "ii", Result: 'i', Traits: Divides | Slow, Fails: OpDivFault,
		Doc: "a / b rounded away from zero; 0 when b is 0"},
	OpModInt: {Name: "mod.int", Operands: "ii", Result: 'i', Traits: Slow, Fails: OpModFault,
		Doc: "the rest of DivTrunc, with the sign of a; 0 when b is 0"},
	OpPowInt: {Name: "pow.int", Operands: "ii", Result: 'i', Traits: Slow, Fails: OpPowIntFault,
		Doc: "a to the power of b, wrapped; 0 when b is negative"},
	OpAddIntFault: {Name: "add.int.fault", Operands: "ii", Result: 'f', Traits: Commutes, Doc: "a + b overflows"},
	OpSubIntFault: {Name: "sub.int.fault", Operands: "ii", Result: 'f', Doc: "a - b overflows"},
	OpMulIntFault: {Name: "mul.int.fault", Operands: "ii", Result: 'f', Traits: Commutes, Doc: "a * b overflows"},
	OpNegIntFault: {Name: "neg.int.fault", Operands: "i", Result: 'f', Doc: "-a overflows"},
	OpAbsIntFault: {Name: "abs.int.fault", Operands: "i", Result: 'f', Doc: "|a| overflows"},
	OpDivFault:    {Name: "div.fault", Operands: "ii", Result: 'f', Doc: "b is 0, or a / b overflows"},
	OpModFault:    {Name: "mod.fault", Operands: "ii", Result: 'f', Doc: "b is 0, or a / b overflows"},
	OpPowIntFault: {Name: "pow.int.fault", Operands: "ii", Result: 'f',
		Doc: "b is negative, or a to the power of b overflows"},
	OpEqInt: {Name: "eq.int", Operands: "**", Result: 'b', Traits: Commutes,
		Doc: "whether two slots of ints, truths, symbols or rows are the same"},
	OpLtInt:     {Name: "lt.int", Operands: "kk", Result: 'b', Doc: "a < b"},
	OpLeInt:     {Name: "le.int", Operands: "kk", Result: 'b', Doc: "a <= b"},
	OpAddDouble: {Name: "add.double", Operands: "dd", Result: 'd', Traits: Commutes, Doc: "a + b"},
	OpSubDouble: {Name: "sub.double", Operands: "dd", Result: 'd', Doc: "a - b"},
	OpMulDouble: {Name: "mul.double", Operands: "dd", Result: 'd', Traits: Commutes,
		Doc: "a * b, rounded before it is added to anything"},
	OpDivDouble: {Name: "div.double", Operands: "dd", Result: 'd', Doc: "a / b"},
	OpNegDouble: {Name: "neg.double", Operands: "d", Result: 'd', Doc: "-a"},
	OpAbsDouble: {Name: "abs.double", Operands: "d", Result: 'd', Doc: "|a|"},
	OpMinDouble: {Name: "min.double", Operands: "dd", Result: 'd', Doc: "b if b < a, else a"},
	OpMaxDouble: {Name: "max.double", Operands: "dd", Result: 'd', Doc: "b if b > a, else a"},
	OpPowDouble: {Name: "pow.double", Operands: "dd", Result: 'd', Traits: Slow, Doc: "a to the power of b"},
	OpEqDouble:  {Name: "eq.double", Operands: "dd", Result: 'b', Traits: Commutes, Doc: "a == b"},
	OpLtDouble:  {Name: "lt.double", Operands: "dd", Result: 'b', Doc: "a < b"},
	OpLeDouble:  {Name: "le.double", Operands: "dd", Result: 'b', Doc: "a <= b"},
	OpFloor: {Name: "floor", Operands: "d", Result: 'i', Fails: OpToIntFault,
		Doc: "a rounded down, as an int; 0 when there is no such int"},
	OpCeil: {Name: "ceil", Operands: "d", Result: 'i', Fails: OpToIntFault, Doc: "a rounded up, as an int"},
	OpRound: {Name: "round", Operands: "d", Result: 'i', Fails: OpToIntFault,
		Doc: "a to the nearest int, a half away from zero"},
	OpTrunc: {Name: "trunc", Operands: "d", Result: 'i', Fails: OpToIntFault,
		Doc: "a rounded towards zero, as an int"},
	OpToIntFault: {Name: "to.int.fault", Operands: "d", Result: 'f', Immediate: OpImmediate,
		Doc: "a is no number, or operation imm rounds it to no int64"},
	OpToDouble: {Name: "to.double", Operands: "i", Result: 'd', Doc: "the double nearest to a"},
	OpLtIntDouble: {Name: "lt.int.double", Operands: "id", Result: 'b',
		Doc: "a < b, of the double nearest to a; false when b is no number"},
	OpLeIntDouble: {Name: "le.int.double", Operands: "id", Result: 'b', Doc: "a <= b likewise"},
	OpLtDoubleInt: {Name: "lt.double.int", Operands: "di", Result: 'b', Doc: "a < b, of the double nearest to b"},
	OpLeDoubleInt: {Name: "le.double.int", Operands: "di", Result: 'b', Doc: "a <= b likewise"},
	OpAnd:         {Name: "and", Operands: "bb", Result: 'b', Traits: Commutes, Doc: "a && b"},
	OpOr:          {Name: "or", Operands: "bb", Result: 'b', Traits: Commutes, Doc: "a || b"},
	OpNot:         {Name: "not", Operands: "b", Result: 'b', Doc: "!a"},
	OpSelect:      {Name: "select", Operands: "b**", Result: 'r', Doc: "a ? b : c, of any kind of slot, faults too"},
	OpAndFault: {Name: "and.fault", Operands: "bfbf", Result: 'f',
		Doc: "the fault of a && c, b and d being theirs: none when a side without fault is false, else the first"},
	OpOrFault: {Name: "or.fault", Operands: "bfbf", Result: 'f',
		Doc: "the fault of a || c, b and d being theirs: none when a side without fault is true, else the first"},
	OpFirstFault: {Name: "first.fault", Operands: "ff", Result: 'f', Doc: "a when it is a fault, else b"},
	OpNoFault:    {Name: "no.fault", Operands: "f", Result: 'b', Doc: "whether a is no fault"},
	OpFail: {Name: "fail", Operands: "b", Result: 'f', Immediate: SymbolImmediate,
		Doc: "a is false: the author's own failure, whose message is symbol imm"},
	OpConcatString:   {Name: "concat.string", Operands: "ss", Result: 's', Doc: "a followed by b"},
	OpLtString:       {Name: "lt.string", Operands: "ss", Result: 'b', Doc: "whether a sorts before b, by code points"},
	OpLeString:       {Name: "le.string", Operands: "ss", Result: 'b', Doc: "whether a sorts before b or equals it"},
	OpSizeString:     {Name: "size.string", Operands: "s", Result: 'i', Doc: "how many code points a has"},
	OpContains:       {Name: "contains", Operands: "ss", Result: 'b', Doc: "whether b stands in a"},
	OpStartsWith:     {Name: "starts.with", Operands: "ss", Result: 'b', Doc: "whether a starts with b"},
	OpEndsWith:       {Name: "ends.with", Operands: "ss", Result: 'b', Doc: "whether a ends with b"},
	OpIntToString:    {Name: "int.to.string", Operands: "i", Result: 's', Doc: "a in decimal"},
	OpDoubleToString: {Name: "double.to.string", Operands: "d", Result: 's', Doc: "a as CEL prints it"},
	OpBoolToString:   {Name: "bool.to.string", Operands: "b", Result: 's', Doc: "\"true\" or \"false\""},
	OpStringToInt: {Name: "string.to.int", Operands: "s", Result: 'i', Fails: OpStringToIntFault,
		Doc: "the int that a spells; 0 when it spells none"},
	OpStringToIntFault: {Name: "string.to.int.fault", Operands: "s", Result: 'f', Doc: "a spells no int"},
	OpStringToDouble: {Name: "string.to.double", Operands: "s", Result: 'd', Fails: OpStringToDoubleFault,
		Doc: "the double that a spells; 0 when it spells none"},
	OpStringToDoubleFault: {Name: "string.to.double.fault", Operands: "s", Result: 'f', Doc: "a spells no double"},
	OpIndexOf: {Name: "index.of", Operands: "ss", Result: 'i',
		Doc: "the first index of b in a, in code points; -1 when there is none"},
	OpLower: {Name: "lower", Operands: "s", Result: 's', Doc: "a with lower-case ASCII letters"},
	OpUpper: {Name: "upper", Operands: "s", Result: 's', Doc: "a with upper-case ASCII letters"},
	OpNewSpan: {Name: "new.span", Operands: "i", Result: 'l', Immediate: StrideImmediate,
		Doc: "an empty list or map with room for a elements of imm slots each"},
	OpPush: {Name: "push", Operands: "pb*+", Result: 'l',
		Doc: "the list a, the newest value of its NewSpan, with an element of the slots c, d, ... " +
			"behind it when b holds"},
	OpSize: {Name: "size", Operands: "p", Result: 'i', Traits: Symmetric | ReadsSize, Doc: "how many elements a has"},
	OpElem: {Name: "elem", Operands: "pi", Result: 'r', Immediate: ElementImmediate, Fails: OpElemFault,
		Doc: "slot imm&0xffffffff of element b of a, whose elements have imm>>32 slots; 0 outside"},
	OpElemFault: {Name: "elem.fault", Operands: "pi", Result: 'f', Traits: Symmetric | ReadsSize,
		Doc: "b is no index of an element of a"},
	OpConcat: {Name: "concat", Operands: "ll", Result: 'l', Immediate: TypeImmediate, Elements: TypeElements,
		Doc: "the elements of a, then those of b"},
	OpSlice: {Name: "slice", Operands: "lii", Result: 'l', Immediate: TypeImmediate, Elements: TypeElements,
		Fails: OpSliceFault,
		Doc:   "the elements of a from index b up to but without c"},
	OpSliceFault: {Name: "slice.fault", Operands: "lii", Result: 'f', Immediate: TypeImmediate,
		Traits: Symmetric | ReadsSize, Doc: "b to c is no range of indices of a"},
	OpRange: {Name: "range", Operands: "ii", Result: 'l', Elements: IntElements, Fails: OpRangeFault,
		Doc: "the ints from a up to but without b"},
	OpRangeFault: {Name: "range.fault", Operands: "ii", Result: 'f', Doc: "they are more than MaxRange"},
	OpSort: {Name: "sort", Operands: "l", Result: 'l', Immediate: TypeImmediate, Traits: Symmetric, Elements: TypeElements,
		Doc: "the scalars of a, ascending"},
	OpSortBy: {Name: "sort.by", Operands: "ll", Result: 'l', Immediate: TypesImmediate, Elements: TypeElements,
		Doc: "the elements of a in ascending order of the scalars of b, of which there are as many; " +
			"equal ones keep their order"},
	OpSumInt: {Name: "sum.int", Operands: "l", Result: 'i', Traits: Symmetric, Fails: OpSumIntFault,
		Doc: "the sum of a, wrapped; 0 when it is empty"},
	OpSumIntFault: {Name: "sum.int.fault", Operands: "l", Result: 'f', Doc: "the sum of a overflows"},
	OpSumDouble:   {Name: "sum.double", Operands: "l", Result: 'd', Doc: "the sum of a, from its first element on"},
	OpLeast: {Name: "least", Operands: "l", Result: 'r', Immediate: TypeImmediate, Traits: Symmetric, Fails: OpEmptyFault,
		Doc: "the least number of a; 0 when it is empty"},
	OpGreatest: {Name: "greatest", Operands: "l", Result: 'r', Immediate: TypeImmediate, Traits: Symmetric,
		Fails: OpEmptyFault, Doc: "the greatest number of a; 0 when it is empty"},
	OpEmptyFault: {Name: "empty.fault", Operands: "p", Result: 'f', Immediate: TypeImmediate,
		Traits: Symmetric | ReadsSize, Doc: "a is empty"},
	OpHas: {Name: "has", Operands: "lk", Result: 'b', Immediate: TypeImmediate, Traits: Symmetric,
		Doc: "whether the scalar b is in a"},
	OpEqual: {Name: "equal", Operands: "pp", Result: 'b', Immediate: TypeImmediate,
		Doc: "whether a equals b, deeply, as CEL compares"},
	OpFind: {Name: "find", Operands: "mk", Result: 'i', Immediate: TypeImmediate, Fails: OpFindFault,
		Doc: "the index of the entry of a whose key is b; -1 when there is none"},
	OpFindFault: {Name: "find.fault", Operands: "mk", Result: 'f', Immediate: TypeImmediate, Doc: "a has no key b"},
	OpWith: {Name: "with", Operands: "mk*+", Result: 'm', Immediate: TypeImmediate, Elements: TypeElements,
		Doc: "the map a with the key b set to the slots c, d, ..."},
	OpKeys: {Name: "keys", Operands: "m", Result: 'l', Immediate: TypeImmediate, Elements: KeyElements,
		Doc: "the keys of a, ascending"},
	OpPour: {Name: "pour", Operands: "il", Result: 'l', Elements: IntElements, Fails: OpPourFault,
		Doc: "what each of the capacities b gets of the amount a, which fills them in order"},
	OpPourFault: {Name: "pour.fault", Operands: "il", Result: 'f', Doc: "the amount or a capacity is negative"},
	OpCounts: {Name: "counts", Operands: "lii", Result: 'l', Traits: Symmetric, Elements: IntElements, Fails: OpCountsFault,
		Doc: "how often each int from b to c stands in the list of ints a; empty when b is above c"},
	OpCountsFault: {Name: "counts.fault", Operands: "lii", Result: 'f', Traits: Symmetric | ReadsSize,
		Doc: "b to c are more than MaxRange ints"},
	OpRow: {Name: "row", Operands: "k", Result: 'i', Immediate: TableImmediate,
		Doc: "the number of the row of key a, a symbol or an int; -1 when there is none"},
	OpRowDouble: {Name: "row.double", Operands: "d", Result: 'i', Immediate: TableImmediate, Traits: Slow,
		Doc: "the number of the row of key a; -1 when there is none"},
	OpRowFault: {Name: "row.fault", Operands: "ik", Result: 'f', Immediate: TableImmediate,
		Doc: "no row was found for key b: the number a is -1"},
	OpCell: {Name: "cell", Operands: "i", Result: 'r', Immediate: CellImmediate,
		Doc: "slot imm&0xffffffff of row a of table imm>>32; 0 outside"},
	OpLoop: {Name: "loop", Operands: "i*+", Result: 'i', Immediate: BlockImmediate,
		Doc: "repeats block imm a times; the other operands are the values that it carries at first, " +
			"the block's Results the next ones. Only Result reads it"},
	OpRoll: {Name: "roll", Operands: "biif", Result: 'r', Immediate: DieImmediate, Traits: Effect, Elements: IntElements,
		Doc: "rolls die imm with b faces when the guard a holds: what it shows, with all that it is " +
			"rolled on, or a list of c of that. 0 or empty when the guard is false; d is the fault of the operands"},
	OpRequire: {Name: "require", Operands: "bbf", Result: 'b', Immediate: RequireImmediate, Traits: Effect,
		Doc: "ends the evaluation when the guard a holds and the condition b does not; c is the fault of b"},
	OpCover: {Name: "cover", Operands: "b", Result: 'b', Immediate: BranchImmediate, Traits: Effect,
		Doc: "counts branch imm as taken when a holds; only in graphs that are lowered for coverage"},
}

// Operation returns the row of an operation.
func (op Op) Operation() *Operation { return &operations[op] }

// String returns the operation's name in the printed form.
func (op Op) String() string {
	if int(op) < NumOps && operations[op].Name != "" {
		return operations[op].Name
	}
	return fmt.Sprintf("op %d", op)
}

// Has reports whether the operation has a trait. Operations of instructions alone have none.
func (op Op) Has(t Traits) bool { return int(op) < NumOps && operations[op].Traits&t != 0 }

// OperandCount returns how many operands a node of the operation has or, of one that may have any number, has at least.
func (op Op) OperandCount() int { return len(strings.TrimSuffix(operations[op].Operands, "+")) }
