package oddsquery

import (
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/runtime"
)

// FightBudget bounds the work of exact odds before plays are drawn instead: about as long as these take, some tenths of a
// second.
const FightBudget = 50_000

// FightWithin is how close to the shares of drawn plays the bounds of a chance are where nobody says it.
const FightWithin = 0.01

// NewFightAsker compiles a question about a fight. Without a policy all events are tried, in the author's order.
func NewFightAsker(program *runtime.Program, q query.Question) (*PlayAsker, error) {
	if p := program.Plan().Procedure(q.Subject); p != nil && len(q.Policy) == 0 && q.Best == "" {
		q.Policy = p.EventNames()
	}
	return NewPlayAsker(program, q)
}

// BoundedSampling returns how a server draws so many plays of each of some settings, or so many that each chance lies
// within a distance, within a budget of events that strangers share. Neither stands for as many as FightWithin takes,
// or as many as the budget allows.
func BoundedSampling(plays int, within float64, seed uint64, budget int64, settings int) (*query.Sampling, error) {
	budget /= int64(max(settings, 1))
	out := &query.Sampling{Plays: plays, Seed: seed, Always: plays > 0}
	most := budget / leastEvents
	switch {
	case within != 0 && (plays != 0 || !(within > 0 && within < 0.5)):
		return nil, fmt.Errorf("within %v: it is more than 0 and less than 0.5, and stands in place of plays", within)
	case within != 0:
		out.Plays = runtime.PlaysWithin(within)
	case plays == 0:
		out.Plays = int(min(int64(runtime.PlaysWithin(FightWithin)), most))
	}
	switch {
	case plays < 0:
		return nil, errors.New("plays are 1 or more")
	case int64(out.Plays) > most || out.Plays == 0:
		each := ""
		if settings > 1 {
			each = fmt.Sprintf(" for each of %d settings", settings)
		}
		return nil, fmt.Errorf("%d plays are more than the %d that are drawn here%s", out.Plays, most, each)
	}
	out.Most = int(min(budget/int64(out.Plays), mostEvents))
	return out, nil
}

// The events of a play that are drawn within the budget of a server, at least and at most.
const (
	leastEvents = 50
	mostEvents  = 1_000
)
