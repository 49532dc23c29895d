package builtin

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Table lists the functions by name.
func Table() []Function {
	all := slices.Concat(numbers, divisions, roundings, lists, maps)
	slices.SortFunc(all, func(f, g Function) int { return strings.Compare(f.Name, g.Name) })
	return all
}

// RoundingWords says how each of the functions that round does so, by its name.
func RoundingWords() map[string]string {
	words := map[string]string{}
	for _, group := range [...][]Function{divisions, roundings} {
		for i := range group {
			words[group[i].Name] = group[i].Rounds
		}
	}
	return words
}

// OverloadOp returns the operation of an overload by its id; OpInvalid when it has none of its own.
func OverloadOp(id string) plan.Op {
	if o := findOverload(id); o != nil {
		return o.Op
	}
	return plan.OpInvalid
}

// OverloadExtent returns the function of the extent of an overload's result, by its id; nil if it has no such row.
func OverloadExtent(id string) func(operands []*Extent) *Extent {
	if o := findOverload(id); o != nil {
		return o.Extent
	}
	return nil
}

// TakesOnlyNumbers reports whether an overload, by its id, fails where one of its doubles is NaN.
func TakesOnlyNumbers(id string) bool {
	o := findOverload(id)
	return o != nil && o.OnlyNumbers
}

func findOverload(id string) *Overload {
	for _, group := range [...][]Function{numbers, divisions, roundings, lists, maps} {
		for i := range group {
			for k := range group[i].Overloads {
				if o := &group[i].Overloads[k]; o.ID == id {
					return o
				}
			}
		}
	}
	return nil
}

// DivisionNames lists the functions that divide integers, for messages that ask how to round.
func DivisionNames() []string {
	var names []string
	for i := range divisions {
		names = append(names, divisions[i].Name)
	}
	return names
}

// scalars holds the rows of all files by their opcodes.
var scalars = indexScalars(integers, divide, doubles, truths)

func indexScalars(groups ...[]scalar) (out [plan.NumOps]Scalar) {
	for _, group := range groups {
		for _, row := range group {
			out[row.op] = row.compute
		}
	}
	return out
}

// ScalarOf computes an operation; nil when it takes more than two slots, or more than their bits decides: an immediate, the
// elements of a list, the text of a symbol.
func ScalarOf(op plan.Op) Scalar {
	if int(op) >= plan.NumOps {
		return nil
	}
	return scalars[op]
}
