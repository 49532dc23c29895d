package book

import "github.com/tabletop-rules/rules/runtime/plan"

// A Homebrew is what a table of players changes in a ruleset.
type Homebrew struct {
	ID       string
	Title    string
	Doc      string // the comment of the package
	Place    plan.Place
	Ruleset  Text     // the id of the ruleset that it changes
	Adds     *Ruleset // definitions that the ruleset does not have; its Character has the fields that it adds to characters
	Extends  []*Table // rows that come after those of the table of that id
	Bodies   []*Rule  // sources, lets, requirements and outputs that come after those of the rule of that id
	Replaces []Replacement
	Disables []Disabling
	Allows   []Allowance
}

// A Replacement puts one thing in the place of another that is expected there.
type Replacement struct {
	Path   []string // "tables", "weapon", "rows", "dagger", "damage"
	Place  plan.Place
	Expect Stated
	With   Stated
}

// Stated is one side of a replacement, in the form of what stands at its path: one of the members is set.
type Stated struct {
	Place   plan.Place
	JSON    string   // a cell, or the default of an option
	Formula *Formula // also of a requirement, an end or a guard, which have no choice
	Die     *Die
	Rows    *Table // the rows of a whole table
}

// A Disabling takes a definition, or the row of a table, out of the game.
type Disabling struct {
	Path    []string // "rules", "lift"; "tables", "weapon", "rows", "dagger"
	Place   plan.Place
	Why     string
	Overlay string // the homebrew that says so
}
