// Package query says what any front end of the command asks: about which rule or procedure, for whom, with which faces and
// events, and what is wanted. Texts in a question are not compiled yet. Packages why and oddsquery answer; eval, odds,
// seek, the API, pages and the editor ask.
package query

import "github.com/tabletop-rules/rules/runtime"

// A Question is all that may be asked. A field that a front end has no words for keeps its zero, which asks for nothing.
type Question struct {
	Subject string          // a rule, or a procedure
	Request runtime.Request // of the rule, or of the start of the procedure
	Options map[string]string
	Outputs []string // asked for by name; all when there are neither names nor formulas

	// Of a procedure.
	From  *runtime.Play  // from whose state it goes on, in place of its start; nil for none
	Steps []runtime.Step // what happens then, in order

	Why string // the output that is asked about; of a procedure after its last step

	// Of odds.
	Formulas []string // over the outputs; each has a distribution of its own
	Given    string   // a condition over the outputs
	Vary     []string // fields of the input that are left open: NAME=1..20 or NAME=0,10,30
	Exact    bool     // answer in fractions
	Joint    bool     // the joint distribution of all outputs is wanted, and not only that of each
	Quick    bool     // of odds: decimals as they were summed, whose last digits may be off
	Budget   int64    // states that may be met
	// Decide says how fields are decided: FIELD, FIELD: FORMULA, or FIELD: LIST of what it may be, for those of a rule
	// that a player decides when dice have fallen; EVENT.FIELD for those of events.
	Decide []string
	Best   string   // a formula that moves and decisions are chosen for
	Policy []string // EVENT: GUARD or EVENT INPUT: GUARD; none for all events, where something is best
	After  int      // events after which the situation is asked for; 0 for how a procedure ends
	Most   int      // events that are followed; 0 for all

	// Sampling says how plays of a procedure are drawn; nil for none, then odds are exact or there are none.
	Sampling *Sampling

	// For messages.
	Sets        []string // of --set, which gave fields of the input
	FormulaFlag string   // that gave the formulas; "" for --ask
	// Locate adds the file and the line to the error of a value of the character or the input; nil for neither.
	Locate func(error) error
}

// A Sampling draws plays of a procedure and counts how they end, where exact odds take more than the budget.
type Sampling struct {
	Always   bool // also where the budget would suffice
	Plays    int
	Seed     uint64
	Most     int             // events of a play that are drawn, where the question says no number; 0 for the runtime's
	Progress func(plays int) // called now and then by several goroutines; nil for nobody
}
