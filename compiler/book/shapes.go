package book

import (
	"iter"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Specification is the shape of something that comes with a request.
type Specification struct {
	Root plan.Root
	// "#Character"; "rule test"; "procedure climb", of its input and its state; "procedure climb, event fall"
	Subject string
	ID      string // of the rule, the procedure or, as "climb.fall", the event; "" of characters
	Shape   *plan.Shape
	OfBody  bool // a body is given it: that of a rule, a start or an event
}

// Shapes yields the shape of characters, then those of the inputs of rules, then those of each procedure: its state, its
// input, and the inputs of its events. It is the one walk over them. A shape may be nil in a book that was not read whole.
func (b *Ruleset) Shapes() iter.Seq[Specification] {
	return func(yield func(Specification) bool) {
		if !yield(Specification{plan.CharacterRoot, "#Character", "", b.Character, false}) {
			return
		}
		for _, x := range b.Rules {
			if !yield(Specification{plan.InputRoot, "rule " + x.ID, x.ID, x.Input, true}) {
				return
			}
		}
		for _, p := range b.Procedures {
			for _, s := range p.shapes() {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// shapes returns those of one procedure. Its input is given to its start alone.
func (p *Procedure) shapes() []Specification {
	subject := "procedure " + p.ID
	out := []Specification{
		{plan.StateRoot, subject, p.ID, p.State, false},
		{plan.InputRoot, subject, p.ID, p.Input, p.Start != nil},
	}
	for _, e := range p.Events {
		out = append(out, Specification{plan.EventRoot, subject + ", event " + e.ID, p.ID + "." + e.ID, e.Input, true})
	}
	return out
}
