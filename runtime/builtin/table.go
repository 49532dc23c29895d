// Package builtin is the functions that formulas may call beside CEL's own: one entry each with its types, what it does
// and examples, and beside it the implementation that the runtime executes. It also computes every operation of plans that
// takes one or two slots, for whoever folds constants, fills tables or bounds what operations give. It imports of ours only
// the operations.
//
// Invariant: every example holds. An operation has the same value wherever it is computed, on every machine.
package builtin

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

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

// Table lists the functions by name.
func Table() []Function {
	all := slices.Concat(numbers, divisions, roundings, lists, maps)
	slices.SortFunc(all, func(f, g Function) int { return strings.Compare(f.Name, g.Name) })
	return all
}

// OverloadOp is the operation of an overload by its id; OpInvalid when it has none of its own.
func OverloadOp(id string) plan.Op {
	for _, group := range [...][]Function{numbers, divisions, roundings, lists, maps} {
		for i := range group {
			for k := range group[i].Overloads {
				if o := &group[i].Overloads[k]; o.ID == id {
					return o.Op
				}
			}
		}
	}
	return plan.OpInvalid
}

// DivisionNames lists the functions that divide integers, for messages that ask how to round.
func DivisionNames() []string {
	var names []string
	for i := range divisions {
		names = append(names, divisions[i].Name)
	}
	return names
}
