package oddsquery

import "github.com/tabletop-rules/rules/runtime"

// A Question is what is asked about the odds of a rule, or of a procedure under a policy. Its texts are not compiled yet;
// an empty one asks for nothing.
type Question struct {
	Request  runtime.Request // of the rule, or of the start of the procedure
	From     *runtime.Play   // from whose state a procedure goes on, in place of its start; nil for none
	Options  map[string]string
	Outputs  []string // asked for by name; all when there are neither names nor formulas
	Formulas []string // over the outputs; each has a distribution of its own
	Given    string   // a condition over the outputs
	Vary     []string // fields of the input that are left open: NAME=1..20 or NAME=0,10,30
	Exact    bool     // answer in fractions
	Joint    bool     // the joint distribution of all outputs is wanted, and not only that of each
	Budget   int64    // states that may be met
	// Decide says how fields are decided: FIELD, FIELD: FORMULA, or FIELD: LIST of what it may be, for those of a rule that a
	// player decides when dice have fallen; EVENT.FIELD for those of events.
	Decide []string
	Best   string   // a formula that moves and decisions are chosen for
	Policy []string // EVENT: GUARD or EVENT INPUT: GUARD; none for all events, where something is best
	After  int      // events after which the situation is asked for; 0 for how a procedure ends
	Most   int      // events that are followed; 0 for all

	Sets        []string // of --set for the input, for messages
	FormulaFlag string   // that gave the formulas, for messages; "" for --ask
	// Locate adds the file and the line to the error of a value of the character or the input; nil for neither.
	Locate func(error) error
}
