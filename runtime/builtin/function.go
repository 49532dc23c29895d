// Package builtin is the functions that formulas may call beside CEL's own: one entry each with its types, what it does
// and examples, and beside it the implementation that the runtime executes. It also computes every operation of plans that
// takes one or two slots, for whoever folds constants, fills tables or bounds what operations give. It imports of ours only
// the operations.
//
// A function whose operation exists is one entry: its types, its examples and its extent, which bounds what a formula
// means for the checks of an author's ranges and counts of dice. Bounds of what a slot holds belong to the operation
// instead (package interval); compiler/RATIONALE.md says why these are two. A new operation of one or two slots is a
// constant and a row in runtime/plan/op.go, a row of its value here (ints.go, doubles.go), one of its bounds in
// runtime/interval/transfer.go, and a case in runtime/internal/graphtest; when it can fail, also a case in
// runtime/internal/vm/run.go and a step in runtime/internal/vector, and the number of the plan file's format rises, as with
// every new number of an operation.
//
// One function, div_floor, through the program: its entry in divisions.go says the name, the types
// (int, int) to int, the operation plan.OpDivFloor and the extent of a rounded quotient. Package
// check declares it to CEL by the types and names the overload div_floor; it asks the extent
// whether a count of dice that is computed by it has a bound. Package lower finds the operation by
// the overload (OverloadOp) and makes two nodes, div.floor and div.fault. Scheduling folds
// div_floor(7, 2) by ScalarOf, and interval bounds it by the same function at the corners of its
// operands. The machines call DivFloor directly.
//
// Invariant: every example holds (the tests of compiler/check/oracle run them). An operation has the same value wherever
// it is computed, on every machine.
package builtin

import "github.com/tabletop-rules/rules/runtime/plan"

// A Function is one name that formulas may call.
type Function struct {
	Name      string
	Doc       string
	Rounds    string // of one that makes a quotient or a number whole: how, as words behind it; "" of all others
	Overloads []Overload
	Examples  []Example
}

// An Overload is a function for operands of certain types. Types are written as CEL writes them; a single capital
// letter stands for any type, the same throughout the overload.
type Overload struct {
	ID     string
	Member bool // called as Params[0].name(Params[1:]...)
	Params []string
	Result string
	Op     plan.Op // what computes it of the operands as they stand; OpInvalid when it takes more than one operation
	// OnlyNumbers says that it fails where a double, or an element of the list, is NaN: no order holds there, so that the
	// result would depend on which operand stands first.
	OnlyNumbers bool
	// Extent bounds what it gives by the bounds of its operands; nil of what is neither a number nor a list or a map, and
	// of a record.
	Extent func(operands []*Extent) *Extent
}

// An Example is an expression and one that has the same value.
type Example struct {
	Expr, Want string
}
