package eliminate

import (
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A decidedField is a field that a strategy decides.
//
// An operand index is a column of the source's ins, and so of what listOptions reads. given is the slot of the record,
// which is the value of the field wherever when is false: then nothing is to be decided.
type decidedField struct {
	*odds.Choice
	leaf  plan.Leaf
	shape *plan.Shape
	node  plan.ID // the leaf in the plan's graph
	// Where the values lie among the operands of the leaf: what was given beforehand, when there is anything to decide, the
	// bounds of a number (nil when they are not declared), and what the strategy reads.
	given             int
	when, least, most *vm.Location
	reads             []vm.Location
	operands          []plan.ID // of the plan's graph
}

// A strategyRun is a strategy while a question is answered.
//
// A state of a decision is the key of its operands (stateKey). options is filled when a state is met first, and best by
// chooseBest. Decisions up to open show all options with full weight, those behind it the best one.
type strategyRun struct {
	records  odds.Records
	compares bool                 // choices are compared by their worth
	options  []map[string][]int64 // of each decision, the choices in each state that was met
	best     []map[string]int64   // of each decision, the best of them
	// the decision whose choices are compared, and so are those before it; -1 when all are made
	open int
}
