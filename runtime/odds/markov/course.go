package markov

import (
	"math/big"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A Course is what becomes of a procedure under a policy.
type Course struct {
	Ends  []End
	After []Situation // after so many events as were asked for
	// Outputs is the joint distribution of the outputs where the procedure has ended, or of the situation after so many
	// events when that is asked for; nil unless outputs are asked for.
	Outputs *odds.Joint
	Taken   []Taken // under an aim, what happens in each open state that may be reached
	Exact   bool    // the probabilities are fractions
	// Solved says that all states that may be reached were met and the chances of the ends are whole. Otherwise each is
	// the least that it may be, and what is open may add to any of them.
	Solved bool
	Open   float64  // the probability that it goes on after the events that were followed; 0 when Solved
	OpenN  *big.Rat // nil unless Exact
	Events int      // that were followed
	States int      // different states that were met
	// Mean is the mean number of events until an end: infinite where there may be none, and unless Solved the least that
	// it may be. What is open has no bound.
	Mean  float64
	MeanN *big.Rat // nil unless Exact and Solved
	// Sample says that plays were drawn and counted. The chances are then shares of them, and the mean is that of the plays
	// that ended; nil of a course that was followed.
	Sample *Sample
}

// A Sample is the plays that were drawn of a course.
type Sample struct {
	Plays   int
	Seed    uint64 // of their dice
	Because string // why the course was not followed; "" where plays were asked for
}

// An End is a way in which a procedure ends.
type End struct {
	Status string
	// Because has the requirement of an event that was refused, and of being stuck what hinders each move; nil otherwise.
	Because []Hindrance
	P       float64
	N       *big.Rat  // nil unless Exact
	Count   int       // of a Sample: the plays that ended so
	By      []float64 // By[n] is the probability that it ends so with the n-th event, of those that were followed
}

// Why returns the hindrances of the course where it ends, "" of an end of the procedure: "roll: too late".
func (e *End) Why() string { return joinHindrances(e.Because) }

// Ending returns why there are no outputs at an end; nil where there are.
func (e *End) Ending() *odds.Ending {
	switch e.Status {
	case plan.Unfollowed:
		return &odds.Ending{Kind: odds.Unfollowed}
	case Refused:
		return &odds.Ending{Kind: odds.Refused, Message: e.Why(), Cite: e.Because[0].Cite}
	case Outgrown:
		return &odds.Ending{Kind: odds.Failed, Message: "the state has outgrown what the procedure declares of it"}
	case Endless:
		return &odds.Ending{Kind: odds.Unended, Message: "goes on without end"}
	}
	return nil
}

// StillOpen returns the ending of what goes on after the events that were followed.
func StillOpen(events int) odds.Ending {
	return odds.Ending{Kind: odds.Unended, Message: "still open after " + plural.Of(events, "event")}
}

// A Situation is a state that may have been reached.
type Situation struct {
	Status    string
	Because   []Hindrance // as of an End
	State     string      // "" of an end that was reached by an earlier event
	Character string      // "" likewise, and when the procedure does not change it
	P         float64
	N         *big.Rat
}

// Why returns the hindrances of the course, as of an End.
func (s *Situation) Why() string { return joinHindrances(s.Because) }

// A Taken move is what is best in a state.
type Taken struct {
	State, Character string // JSON; the character is "" when the procedure does not change it
	Event            string
	Input            string // JSON, "" for none; what is decided when dice have fallen stands in it as it was given
}

// boundMean sets the mean to its lower bound: an open course takes at least one event more.
func (c *Course) boundMean() {
	c.Mean = c.Open * float64(c.Events+1)
	for k := range c.Ends {
		for n, p := range c.Ends[k].By {
			c.Mean += float64(n) * p
		}
	}
}
