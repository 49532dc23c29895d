package check

import (
	"iter"

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

// A StatedBody is the body of a rule, of a start or of an event.
type StatedBody struct {
	*Body
	Subject string  // "rule test"; "procedure climb, start"; "procedure climb, event fall"
	Next    []*Next // of a start or an event
}

// Bodies returns the bodies of all rules, then those of each procedure: its start and its events. It is the one walk over
// them.
func (r *Ruleset) Bodies() iter.Seq[StatedBody] {
	return func(yield func(StatedBody) bool) {
		for _, x := range r.Rules {
			if !yield(StatedBody{x.Body, "rule " + x.name, nil}) {
				return
			}
		}
		for _, p := range r.Procedures {
			for _, s := range p.steps() {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// steps returns the bodies of a procedure.
func (p *Procedure) steps() (out []StatedBody) {
	subject := "procedure " + p.Book.ID
	if p.Start != nil {
		out = append(out, StatedBody{p.Start.Body, subject + ", start", p.Start.Next})
	}
	for _, e := range p.Events {
		out = append(out, StatedBody{e.Body, subject + ", event " + e.Book.ID, e.Next})
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
