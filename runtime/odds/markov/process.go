package markov

import (
	"github.com/tabletop-rules/rules/runtime/internal/closing"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Move is what a policy may do: an event with its input, when the guard holds.
type Move struct {
	Event     string
	Condition string                                             // the text of the guard
	Input     []byte                                             // JSON; empty for {}
	Guard     func(character, input, state []byte) (bool, error) // nil: always
	// StateReads are the fields of the state that Guard and Inputs read; nil where that is not known.
	StateReads []string
	// Inputs are what the event may be given in a state, as JSON; nil for Input alone. A course that aims at nothing needs
	// one.
	Inputs func(character, input, state []byte) ([][]byte, error)
}

// An EventInputError is an input of a move that its event does not take.
type EventInputError struct {
	Event string
	Err   error // an *InputError of package runtime
}

// Error names the event.
func (e *EventInputError) Error() string { return "event " + e.Event + ": " + e.Err.Error() }

// Unwrap is the error without the event.
func (e *EventInputError) Unwrap() error { return e.Err }

// A Policy says which event comes next: the first whose guard holds and that is offered. When a requirement refuses it, the
// course ends there.
type Policy []Move

// DefaultMostEvents is how many events of a course are followed one by one where nobody says how many.
const DefaultMostEvents = 1_000

// tooManyStates is the advice where a procedure has more states than MaxStates, whatever the budget is.
const tooManyStates = "no --budget raises that: --most follows fewer events, and \"rules fight\" draws plays"

// Limits of the chain of states of a procedure.
const (
	MaxExactStates = 50_000  // beyond them probabilities are floats, unless fractions are asked for
	MaxStates      = 200_000 // beyond them there is no answer

	// Fractions grow with every event. Unless they are asked for, a chain goes on in floats beyond so many words of them.
	maxFractionWords = 1 << 24
	// Unless fractions are asked for, a chain is solved in floats where they take more than so many multiplications.
	maxFractionWork = 50_000_000
	// How many multiplications one unit of the budget pays for.
	workOfBudget = 100
	// So little is nothing beside the rounding of a sum near 1.
	negligible = 1e-15
	// Unless somebody says for how many events, states are followed until they are so many, those of all events together.
	maxFollowed = 20_000_000
	// Of a chain of which no more than that is open, so many more states are met to find that these are all: one that
	// counts its events would have states without end.
	moreStates = 1_000
)

// Statuses that are no end of the procedure.
const (
	Open     = plan.Open
	Stuck    = plan.Stuck
	Refused  = plan.Refused
	Endless  = plan.Endless
	Outgrown = plan.Outgrown
)

// A Process is a procedure of which odds may be asked under a policy. It may be used by one goroutine at a time.
type Process struct {
	image    *vm.Image
	closing  *closing.Closing
	plan     *plan.Procedure
	start    *eliminate.Rule
	events   map[string]*eliminate.Rule
	options  []int // of each of the plan's options, the index of the value that is played
	guards   *Guards
	choices  map[string][]odds.Choice // of each event, the fields that are decided when its dice have fallen
	compares bool                     // what they are decided to be is chosen among several values
}

// NewProcess prepares a procedure.
func NewProcess(p *vm.Image, id string, c plan.Choice) (*Process, error) {
	return NewDecidedProcess(p, id, c, nil, false)
}

// NewDecidedProcess prepares a procedure of whose events fields are decided when dice have fallen, as the choices of each
// event say. Courses of it may aim at something only if it compares choices.
func NewDecidedProcess(
	p *vm.Image, id string, c plan.Choice, choices map[string][]odds.Choice, compares bool,
) (*Process, error) {
	d := p.Plan().Procedure(id)
	if d == nil {
		return nil, &plan.UnknownError{What: "procedure", Name: id, Known: p.Plan().ProcedureNames()}
	}
	options, err := p.Plan().OptionValues(c)
	if err != nil {
		return nil, err
	}
	out := &Process{image: p, plan: d, events: map[string]*eliminate.Rule{}, options: options,
		guards: NewGuards(p, d, options), choices: choices, compares: compares}
	if out.closing, err = closing.Schedule(p, d, options); err != nil {
		return nil, err
	}
	if out.start, err = eliminate.NewStep(p, out.plan, nil, c, nil, compares); err != nil {
		return nil, err
	}
	for k := range out.plan.Events {
		e := &out.plan.Events[k]
		if out.events[e.ID], err = eliminate.NewStep(p, out.plan, e, c, choices[e.ID], compares); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// shapeOf returns the declared shape of a record of the procedure.
func (p *Process) shapeOf(root plan.Root) *plan.Shape {
	switch root {
	case plan.CharacterRoot:
		return p.image.Plan().Character
	case plan.StateRoot:
		return p.plan.State
	}
	return p.plan.Input
}

// shapeOfInput returns the declared shape of the input of one of the procedure's events.
func (p *Process) shapeOfInput(event string) *plan.Shape {
	return p.plan.Event(event).Input
}
