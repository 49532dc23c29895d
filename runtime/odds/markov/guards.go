package markov

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/closing"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Guards judges whether the events of a procedure are offered. It may be used by one goroutine at a time.
type Guards struct {
	image   *vm.Image
	plan    *plan.Procedure
	options []int
	byEvent map[string]*closing.Guard // those that were judged
}

// NewGuards returns the guards of a procedure when options have these values, by index.
func NewGuards(image *vm.Image, d *plan.Procedure, options []int) *Guards {
	return &Guards{image: image, plan: d, options: options, byEvent: map[string]*closing.Guard{}}
}

// Judge returns the hindrance of an event that is not offered in a state, or the failure that counts of a move with it.
//
// failed is the failure of the move's part: of its guard, of its input, or an *EventInputError, as which an input does not
// fit the event; nil if there is none. A move is judged in the order guard of the move, its input, guard of the event, fit
// of the input, and the first failure counts. But an event that is not offered does not happen, so its hindrance takes the
// place of any failure.
func (g *Guards) Judge(event string, failed error, write func(f *vm.Frame, base func(plan.Root) int)) (*Hindrance, error) {
	why, err := g.judgeEvent(event, write)
	if why != nil {
		return why, nil
	}
	if _, isMisfit := errors.AsType[*EventInputError](failed); failed != nil && (err == nil || !isMisfit) {
		return nil, failed
	}
	return nil, err
}

// judgeEvent returns the hindrance of an event that is not offered; it fails where the event's guard does.
func (g *Guards) judgeEvent(event string, write func(f *vm.Frame, base func(plan.Root) int)) (*Hindrance, error) {
	guard, err := g.guardOf(event)
	if err != nil || guard == nil {
		return nil, err
	}
	err = guard.Judge(func(f *vm.Frame, base func(plan.Root) int) error {
		write(f, base)
		return nil
	})
	if r, is := errors.AsType[*vm.Refused](err); is {
		return g.NotOffered(event, r.Require.Cite), nil
	}
	if err != nil {
		err = fmt.Errorf("event %s: %w", event, err)
	}
	return nil, err
}

// NotOffered returns the hindrance of an event whose guard, at a place in the book, does not hold.
func (g *Guards) NotOffered(event, cite string) *Hindrance {
	_, when := g.image.Plan().DescribeEvent(g.plan.ID, event)
	return &Hindrance{Kind: When, Event: event, Condition: when, Cite: cite}
}

// guardOf returns the guard of an event; nil for an event that is always offered.
func (g *Guards) guardOf(event string) (*closing.Guard, error) {
	k := slices.Index(g.plan.EventNames(), event)
	if g.plan.Events[k].Graph.When.ID == plan.None {
		return nil, nil
	}
	if g.byEvent[event] == nil {
		guard, err := closing.NewGuard(g.image, g.plan, k, g.options)
		if err != nil {
			return nil, err
		}
		g.byEvent[event] = guard
	}
	return g.byEvent[event], nil
}
