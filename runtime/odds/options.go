package odds

import (
	"math/big"

	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// Options say how odds are answered. They hold no record and no face.
type Options struct {
	Exact bool // fractions; else decimals, rounded once from fractions while these take little
	Quick bool // decimals as they were summed, whose last digits may be off
	// Joint asks for the joint distribution of all outputs. Without it each output is answered by itself, which may take a
	// thousandth of the work.
	Joint    bool
	Outputs  []string  // that are asked for; nil for those of the rule's choice
	Budget   int64     // times that a state may meet a class; 0 for DefaultBudget
	Given    *Formula  // a condition; nil for none
	Formulas []Formula // each has a distribution of its own, behind those of the outputs
	Strategy *Strategy // by which fields are decided when dice have fallen; nil for what the input gives
}

// A Formula is computed from the outputs of each outcome: compiled by a front end, or written in Go.
type Formula struct {
	Text  string   // as messages and answers name it
	Reads []string // the outputs that it reads
	// Value returns the value for a character and for the values of Reads, in their order.
	Value func(character []byte, reads []jsonio.Value) (jsonio.Value, error)
}

// A FormulaError is a formula without a value for an outcome, or a condition that never holds.
type FormulaError struct {
	Formula *Formula
	Err     error
}

// Error names the formula.
func (e *FormulaError) Error() string { return e.Formula.Text + ": " + e.Err.Error() }

// Unwrap returns the error without the formula.
func (e *FormulaError) Unwrap() error { return e.Err }

// An Answer is the odds of a rule as numbers. The probabilities of a distribution and of the endings add up to 1. Under a
// condition they are those given the condition, and there are no endings: what has no outputs meets no condition.
type Answer struct {
	Given   string              // the text of the condition; "" for none
	Outputs []*Marginal         // of the outputs in the order asked, then of the formulas
	Joint   *Joint              // of all outputs if that is asked for, else of the first ones
	Endings []Ended             // why some of what may fall has no outputs
	Spent   int64               // how many times a state met a class
	Means   map[string]*big.Rat // in closed form, where the distributions lack what was not followed and nothing else
}

// Output returns the distribution of an output or a formula; nil where it is not in the answer.
func (a *Answer) Output(name string) *Marginal {
	for _, m := range a.Outputs {
		if m.Name == name {
			return m
		}
	}
	return nil
}
