package book

import "github.com/tabletop-rules/rules/runtime/plan"

// A Homebrew is what a table of players changes in a ruleset.
type Homebrew struct {
	ID       string
	Title    string
	Doc      string // the comment of the package
	Place    plan.Place
	Ruleset  Text // the id of the ruleset that it changes
	Revision Text // of the ruleset, for which it was written; empty when it does not say
	// Adds are definitions that the ruleset does not have. Its Character has the fields that it adds to characters.
	Adds     *Ruleset
	Extends  *Extension // nil for none
	Replaces []Replacement
	Disables []Disabling
	Words    []*Word // what names are called from now on
	Allows   []Allowance
}

// An Extension is what comes after what the definitions of the same ids have.
type Extension struct {
	Tables     []*Table // rows
	Rules      []*Rule  // fields of the input, sources, lets, requirements and outputs
	Procedures []*Procedure
}

// A Replacement puts one thing in the place of another that is expected there.
//
// Expect is what makes a homebrew safe against a new revision: it states what the homebrew's author
// has seen, and a ruleset that says something else by now is a diagnostic instead of a silent
// change.
type Replacement struct {
	Path   []string // "tables", "weapon", "rows", "dagger", "damage"
	Place  plan.Place
	Expect Stated // without a place if the author does not say it
	With   Stated
	Says   Text // of a requirement: its message from now on; empty for the one that it has
}

// Stated is one side of a replacement, in the form of what stands at its path: one of the members is set.
type Stated struct {
	Place   plan.Place
	JSON    string   // a cell, a citation, or the default of an option
	Formula *Formula // also of a requirement, an end or a guard, which have no choice
	Die     *Die
	Use     *Use
	Rows    *Table // the rows of a whole table
}

// A Widening gives a column another type: a fraction among whole numbers makes all of them doubles.
type Widening struct {
	Table, Column string
	Was, Is       string     // the types
	Place         plan.Place // of the cell, or of the column in further rows
	Overlay       string     // the homebrew that has it
}

// A Disabling takes a definition, or the row of a table, out of the game.
type Disabling struct {
	Path    []string // "rules", "lift"; "tables", "weapon", "rows", "dagger"
	Place   plan.Place
	Why     string
	Overlay string // the homebrew that says so
}
