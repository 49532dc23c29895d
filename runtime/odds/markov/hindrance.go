package markov

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Hindrance is a condition that keeps an event from happening.
type Hindrance struct {
	Kind      HindranceKind
	Event     string // "" of the start
	Condition string // the formula that does not hold, or the message of the requirement
	Cite      string // of a requirement: its place in the book
}

// HindranceKind says who sets a condition.
type HindranceKind uint8

// The kinds of hindrances.
const (
	Guard       HindranceKind = iota // of the policy's move
	When                             // of the event: it is not offered
	Requirement                      // of the event: it is refused
)

// String names the event and the condition: "roll: too late" of a requirement.
func (h Hindrance) String() string {
	event := h.EventName()
	switch h.Kind {
	case Guard:
		return fmt.Sprintf("%s: its guard %s does not hold", event, h.Condition)
	case When:
		return fmt.Sprintf("%s needs %s", event, h.Condition)
	}
	return event + ": " + h.Condition
}

// EventName returns the name of the event, "start" for the start.
func (h Hindrance) EventName() string {
	if h.Event == "" {
		return "start"
	}
	return h.Event
}

func joinHindrances(list []Hindrance) string {
	var texts []string
	for _, h := range list {
		texts = append(texts, h.String())
	}
	return strings.Join(texts, "; ")
}

// A reason is why a course cannot go on. A chain has each set of hindrances once, so that reasons are equal when their
// addresses are.
type reason struct {
	hindrances []Hindrance
	message    string // of all of them
}

// reasonOf returns the reason of some hindrances.
func (c *chain) reasonOf(list []Hindrance) *reason {
	message := joinHindrances(list)
	for _, r := range c.reasons {
		if r.message == message {
			return r
		}
	}
	c.reasons = append(c.reasons, &reason{list, message})
	return c.reasons[len(c.reasons)-1]
}

// hindranceOf returns the hindrance of an event whose step ends without a state.
func (c *chain) hindranceOf(event string, e odds.Ending) *Hindrance {
	if e.Kind == odds.NotOffered {
		return c.guards.NotOffered(event, e.Cite)
	}
	return &Hindrance{Kind: Requirement, Event: event, Condition: e.Message, Cite: e.Cite}
}

// Unallowed returns the hindrance of a move whose own guard does not hold.
func (m *Move) Unallowed() *Hindrance {
	return &Hindrance{Kind: Guard, Event: m.Event, Condition: m.Condition}
}
