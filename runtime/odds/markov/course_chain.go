package markov

import (
	"math/big"

	"github.com/tabletop-rules/rules/runtime/internal/closing"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A chain is the states that were met, each once.
//
// Two numberings must not be mixed. A state is a row of the stateStore, numbered by the store; a node is a state whose
// status was judged, numbered by nodes. chain.at leads from the first to the second, node.state back. Edges, cells and
// shares have numbers of nodes.
//
// exact says that fractions are computed, and q.Exact asks package eliminate for them: both are taken back together
// when there are too many states or words, and never set again. asked is what the caller wanted, and keeps long
// fractions but not too many states. spent is in the units of package eliminate and counts against q.Budget over all
// steps.
type chain struct {
	*Process
	q       odds.Question
	policy  Policy
	aim     *Aim // nil: the first event that is offered happens
	nodes   []node
	states  *stateStore
	at      []int // of each state of the store, 1 + the number of its node; 0 when it has none
	given   *given
	lost    int // 1 + the node of what was not followed; 0 while there is none
	reasons []*reason
	refused map[*reason]int // the nodes of what was refused
	ends    []endKey        // of the ends of the course, in their order
	// Roots that are the same in every state, decoded once, and the inputs of the policy's events.
	fixed  [plan.NumRoots]*jsonio.Packed
	inputs []map[string]*eventInput // of each move of the policy, by their texts
	judge  *closing.Judge
	exact  bool
	asked  bool  // fractions are, whatever they take
	words  int64 // of fractions that were multiplied
	spent  int64

	readers  map[*vm.Executor]*stateReader
	answers  map[any]outcome // what a step leads to, by StepResult.Answer
	steps    *eliminate.StepReader
	gathered gatherer
	absorbed []absorption // what has ended; only when outputs are asked for
	followed int          // events
	moves    []*offer     // under an aim, what was taken of each node; nil of those that were not explored
	explores bool         // while moves are compared: most of the states that are met then will not be reached
}

// An absorption is probability with which a procedure came into a state in which it has ended.
type absorption struct {
	at  int // the number of the state
	p   float64
	n   *big.Int // over den; nil when it is not exact
	den *big.Int // of the generation that ended so
}

// A share is the probability of a state among all in which a course may be.
type share struct {
	at    int
	p     float64
	exact *big.Rat // nil when it is not exact
}

// A given state is one with which a course begins, as it was written: it is the node of number 0.
type given struct {
	character, state string
	packed           [plan.NumRoots]*jsonio.Packed
}

// An eventInput is what a move gives its event.
type eventInput struct {
	text   string // JSON
	packed *jsonio.Packed
}

// An offer is a move that may happen in a state, and what it leads to.
//
// Either edges or branches is set. Branches become edges when the moves are chosen (takeOffers), because only then it
// is known which choices are made.
type offer struct {
	move     int    // of the policy
	input    string // JSON
	edges    []edge
	den      *big.Int  // of edges; nil of probabilities
	branches *branches // in place of edges, where something is decided when dice have fallen
}

// An outcome is what a step leads to, or what hinders it.
type outcome struct {
	offer
	why *Hindrance
}

// A stride is one step to carry out: the start, or an event with its input in a state.
type stride struct {
	event   string // "" of the start
	rule    *eliminate.Rule
	isStart bool
	records odds.Records // what a strategy reads
	// puts what the step reads into its frame; nil of the start: the records of the question are it
	fill eliminate.Filler
}

// Branches are what an event leads to under every choice that may be made when its dice have fallen. Each decision shows
// all its choices with the same weight, so the rows of one choice for each decision add up to everything, and those of
// all choices to more.
//
// What is best follows from the last decision to the first, as for a rule (package eliminate); but a choice is worth what
// the states that it leads to are worth, which changes during value iteration.
//
// In numbers: a d6 may be rolled again once. The rows are (known 2, kept) with 1/6 to the state 2, (known 2, again)
// with 1/36 to each of the states 1 to 6, and so on for each first face. All rows add up to 2. Those of one choice for
// each face, as "again" up to 3 and "kept" from 4 on, add up to 1.
type branches struct {
	rows   []branch
	levels []level // the decisions that something reads, in the order in which they are made
	den    *big.Int
	shown  *eliminate.ShownChoices
}

// A branch is a state that was reached, with what was known and what was chosen at each decision on the way.
type branch struct {
	edge
	eliminate.ChoiceRow
}

// A level is one decision.
//
// What is known is a number that StepReader gives (ChoiceRow.Known), and an index of both lists. best is changed by
// branches.chooseBest alone.
type level struct {
	options [][]int64 // of each number of what is known, what may be chosen
	best    []int64   // of each, what is: the first of the options until something is better
}

// An Aim is what the moves of a course are chosen for.
type Aim struct {
	Outputs     []string                             // that Worth reads, by the names of Process.OutcomeType
	Worth       func(*odds.Outcome) (float64, error) // of where the procedure ends
	IsCondition bool                                 // Worth is 1 or 0, and its probability is what counts
}

// A prospect is what is expected of a state or a move.
//
// worth is no mean: it is not divided by ends. Where no state is stuck, the mean at the ends is worth/ends (a stuck
// state has a worth and is no end). Both are sums over disjoint cases, so prospects of successors are added with the
// probabilities of the edges, and nothing else is needed.
type prospect struct {
	ends  float64 // the probability that the procedure ends
	worth float64 // the sum over its ends of their probability and worth
	size  float64 // the same of the worth without signs, which its rounding is measured by
}
