// Package builtin is the functions that formulas may call beside CEL's own: one entry each with its types, what it does
// and examples, and beside it the implementation that the runtime executes. It also computes every operation of plans that
// takes one or two slots, for whoever folds constants, fills tables or bounds what operations give. It imports of ours only
// the operations.
//
// Invariant: every example holds. An operation has the same value wherever it is computed, on every machine.
package builtin

import "github.com/tabletop-rules/rules/runtime/plan"

// A Function is one name that formulas may call.
type Function struct {
	Name      string
	Doc       string
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
}

// An Example is an expression and one that has the same value.
type Example struct {
	Expr, Want string
}
