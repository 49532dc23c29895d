// Package judge carries rules out a second time, as the reference says it and not as the program does it: a definitional
// interpreter to which the program is compared. It is written from "rules help language", "rules help dice", "rules help
// functions" and schema.cue alone, the sentences of which it quotes; a test holds the quotations to them.
//
// A ruleset is the value that CUE makes of its files, read into plain structs (ruleset.go, field.go). CUE itself says
// whether an input is within its bounds and what its defaults are. Formulas are parsed and their macros expanded by cel-go,
// whose numbers compute; a walk over the tree does the rest (formula.go, function.go). Where a value does not tell its
// type, as an empty list, the formula does (sample.go). A table is looked up by reading all of its rows (table.go). Dice
// take their faces from a list (dice.go, notation.go); a rule is a body whose requirements, dice, uses and outputs come in
// turn (body.go), a procedure a list of events (procedure.go), and odds what every fall comes to (odds.go). Homebrews
// rewrite its text (homebrew.go).
//
// Invariants: it is slow and obvious, nothing of ours but package schema is imported, and nothing of the product imports
// it. Of what it cannot judge it says so, with an *[Unjudged]; it never guesses.
package judge

import "fmt"

// An Unjudged is a question outside of what is judged.
type Unjudged struct{ Why string }

func (e *Unjudged) Error() string { return "not judged: " + e.Why }

// A Failure is a formula that has no value.
type Failure struct {
	Msg, In string // In is the formula, where there is one
}

func (e *Failure) Error() string { return e.Msg }

func newFailure(format string, args ...any) error { return &Failure{Msg: fmt.Sprintf(format, args...)} }

// A Refusal is a requirement that does not hold.
type Refusal struct{ Message string }

func (e *Refusal) Error() string { return e.Message }

// A Misfit is a character or an input that is not as its fields say: Paths are all places at which it is not.
type Misfit struct {
	Paths []string // "input.spend.ep"
	Msg   string
}

func (e *Misfit) Error() string { return fmt.Sprintf("%v: %s", e.Paths, e.Msg) }

// A Misthrow is faces that are too many, too few, or that no die has.
type Misthrow struct {
	ID, Msg string
	Missing bool // the face is needed and was not given
}

func (e *Misthrow) Error() string { return e.ID + ": " + e.Msg }

// A NotOffered is an event whose guard does not hold, or that comes after the end.
type NotOffered struct{ Event string }

func (e *NotOffered) Error() string { return "event " + e.Event + " is not offered" }
