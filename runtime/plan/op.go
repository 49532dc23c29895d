package plan

// Op is what a node computes. Operands are named a, b, c, d in the order of Node.Args; imm is Node.Imm. A node with a
// site may fail: it is a Fault node (its name ends in Fault), whose value is 0 or the fault it recorded. Value nodes never fail: where
// their operands are senseless they give 0, and the fault node beside them says why.
type Op uint16

// The operations.
const (
	OpInvalid Op = iota

	// Sources of values.
	OpConst  // imm: the slot's bits
	OpLeaf   // imm: an index into Graph.Leaves: a slot of the character, input, state or event
	OpOption // imm: an option's index; the symbol of the value that is played
	OpParam  // imm: a parameter of the block that holds it: 0 the iteration, then the carried values
	OpResult // a: an OpLoop, imm: which carried value, 0-based, after the last iteration

	// Integers. Results wrap; the Fault operations tell when.
	OpAddInt
	OpSubInt
	OpMulInt
	OpNegInt
	OpAbsInt
	OpMinInt
	OpMaxInt
	OpDivTrunc // also CEL's integer division
	OpDivFloor
	OpDivCeil
	OpDivHalfUp // to the nearest, a half towards positive infinity
	OpModInt    // sign of the dividend
	OpPowInt
	OpAddIntFault // a + b overflows
	OpSubIntFault // a - b overflows
	OpMulIntFault // a * b overflows
	OpNegIntFault // -a overflows
	OpAbsIntFault // abs(a) overflows
	OpDivFault    // b is 0, or a / b overflows
	OpModFault    // b is 0, or a % b overflows (MIN % -1)
	OpPowIntFault // pow(a, b): b is negative, or it overflows
	OpEqInt       // of int, bool, string (symbol) and row slots
	OpLtInt
	OpLeInt

	// Doubles.
	OpAddDouble
	OpSubDouble
	OpMulDouble
	OpDivDouble
	OpNegDouble
	OpAbsDouble
	OpMinDouble // b if b < a, else a
	OpMaxDouble // b if b > a, else a
	OpPowDouble
	OpEqDouble
	OpLtDouble
	OpLeDouble
	OpFloor // double to int, as Ceil, Round and Trunc; their fault is OpToIntFault of the rounded double
	OpCeil
	OpRound // a half away from zero
	OpTrunc
	OpToIntFault  // a, a double, is NaN or rounds (imm: the Op) to no int64
	OpToDouble    // int to double
	OpLtIntDouble // a int, b double: the double nearest to a is compared; NaN compares false
	OpLeIntDouble
	OpLtDoubleInt
	OpLeDoubleInt

	// Truth, choice and faults.
	OpAnd
	OpOr
	OpNot
	OpSelect     // a ? b : c, of any kind of slot, faults too
	OpAndFault   // a && c where b and d are their faults: 0 when a side without fault is false, else the first fault
	OpOrFault    // a || c likewise: 0 when a side without fault is true
	OpFirstFault // a when it is a fault, else b
	OpNoFault    // whether a is 0
	OpFail       // fails when a is false; imm: a symbol, the text of the message

	// Strings.
	OpConcatString
	OpLtString
	OpLeString
	OpSizeString // in code points
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
	OpIndexOf // first index of b in a in code points, or -1
	OpLower   // ASCII
	OpUpper   // ASCII

	// Spans. imm of an operation that needs it is an index into Plan.Types: the list's or map's type.
	OpNewSpan   // a: the most elements that will be pushed; imm: the stride in slots. An empty span
	OpPush      // a: the span, b: whether to push, then the slots of the element: the longer span. a must be the last value of its OpNewSpan
	OpSize      // a: a span
	OpElem      // a: a span, b: the index of an element, imm: stride<<32 | offset: a slot of the element; 0 outside
	OpElemFault // a: a span, b: an index outside it
	OpConcat    // a, b: lists of the type imm
	OpSlice     // a: a list, b, c: from and to; imm: the type
	OpSliceFault
	OpRange      // from a to b, b outside: a list of ints
	OpRangeFault // more than MaxRange elements
	OpSort       // a: a list of scalars; imm: the type
	OpSortBy     // a: a list, b: a list of scalar keys of the same size; imm: a's type<<32 | b's type. Stable
	OpSumInt     // a: a list of ints
	OpSumIntFault
	OpSumDouble
	OpLeast // a: a list of ints or doubles; imm: the type
	OpGreatest
	OpEmptyFault // a: a span, is empty
	OpHas        // a: a list of scalars, b: an element; imm: the type; whether it is in the list
	OpEqual      // a, b: spans; imm: their type; deep, as CEL compares
	OpFind       // a: a map, b: a key; imm: the type: the index of the entry, or -1
	OpFindFault  // likewise: there is no such key
	OpWith       // a: a map, b: a key, then the slots of the value; imm: the type: the map with it
	OpKeys       // a: a map; imm: the type: the list of its keys, sorted
	OpPour       // a: an amount, b: a list of capacities: what each gets
	OpPourFault  // the amount or a capacity is negative

	// Tables. imm is the table's index.
	OpRow       // a: the key, a symbol or an int: the row's number, or -1
	OpRowDouble // a: the key, a double
	OpRowFault  // a: the row's number, is -1; b: the key
	OpCell      // a: the row's number; imm: table<<32 | slot of the row: the slot; 0 outside

	// Repetition. a: how often; then the initial carried values. imm: the index of the body in Graph.Blocks, whose
	// Results are the next carried values. The loop has no value of its own: OpResult reads it.
	OpLoop

	// Effects, carried out in the order in which they stand. Their guard tells whether they happen at all.
	OpRoll    // a: guard, b: faces of the die, c: how many (for a list; else -1 const), d: fault of these; imm: index in Graph.Dice. What one die shows, with all that it is rolled on, or a list of that; 0 or empty when the guard is false
	OpRequire // a: guard, b: condition, c: its fault; imm: index in Graph.Requires. Ends the evaluation when it does not hold
	OpCover   // a: whether the branch is taken; imm: index in Graph.Branches. Counts; only in graphs that are lowered for coverage

	opEnd
)

// NumOps is one more than the last operation.
const NumOps = int(opEnd)
