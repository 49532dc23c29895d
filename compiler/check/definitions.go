package check

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Ruleset is a checked ruleset. Lists stand in the author's order; everything they refer to is checked too.
type Ruleset struct {
	Book       *book.Ruleset
	Character  *plan.Type // marked as Character
	Options    []*Option
	Tables     []*Table
	Traits     []*Trait
	Functions  []*Function
	Rules      []*Rule
	Procedures []*Procedure
	Trees      []*Tree // every expression without a problem, in the order in which they were typed
	// Whole says that all trees are there: no error had been found when the last formula was
	// judged. Only then can it be told what nobody reads.
	Whole bool
}

// Bodies are those of all rules, starts and events.
func (r *Ruleset) Bodies() (out []*Body) {
	for _, x := range r.Rules {
		out = append(out, x.Body)
	}
	for _, p := range r.Procedures {
		if p.Start != nil {
			out = append(out, p.Start.Body)
		}
		for _, e := range p.Events {
			out = append(out, e.Body)
		}
	}
	return out
}

// A Procedure is a rule with memory.
type Procedure struct {
	Book      *book.Procedure
	Character *Given
	Input     *Given
	State     *Given
	Lets      []*Let
	Start     *Step // nil when there is none
	Events    []*Event
	Ends      []*Require
	Outputs   []*Let
	// Changes says that some next names the character.
	Changes bool
}

// A Step is one change of the state.
type Step struct {
	Book *book.Step
	Body *Body
	Next []*Next
}

// A Next is the new value of a path. Root is the state or the character; Path the names below it.
type Next struct {
	Let  *Let
	Root plan.Root
	Path []string
}

// An Event is a step that is offered when its guard holds.
type Event struct {
	Step
	Book  *book.Event
	Event *Given
	When  *Expr // nil: always
}
