package montecarlo

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// counts says how often plays ended in which way. Its numbers are whole, so those of several goroutines add up to the same
// in any order.
type counts struct {
	ends         map[endKey]*end
	openPlays    int
	values       odds.Collector
	outcomePlays []int64 // of each outcome of values
	// isOverfull says that there are more outcomes than maxOutcomes. It is an error only of the whole run, so that it
	// does not depend on how goroutines share the plays.
	isOverfull bool
}

// maxOutcomes is how many different values of the outputs a run may have.
const maxOutcomes = markov.MaxStates

// An endKey tells ends apart.
type endKey struct{ status, why string }

type end struct {
	because []markov.Hindrance // of the first play, as cites may differ between them
	first   uint64             // the number of that play
	byEvent []int              // byEvent[n] plays ended so with the n-th event
}

func newCounts() *counts { return &counts{ends: map[endKey]*end{}} }

// addEnd counts a play that has ended with an event.
func (c *counts) addEnd(play uint64, status string, because []markov.Hindrance, event int) {
	x := markov.End{Status: status, Because: because}
	c.addTo(endKey{status, x.Why()}, play, because, event, 1)
}

func (c *counts) addTo(key endKey, play uint64, because []markov.Hindrance, event, plays int) {
	e := c.ends[key]
	if e == nil {
		e = &end{because: because, first: play}
		c.ends[key] = e
	}
	if play < e.first {
		e.because, e.first = because, play
	}
	for len(e.byEvent) <= event {
		e.byEvent = append(e.byEvent, 0)
	}
	e.byEvent[event] += plays
}

// addOutputs counts the outputs of a play.
func (c *counts) addOutputs(values []jsonio.Value) { c.addValues(values, 1) }

func (c *counts) addValues(values []jsonio.Value, plays int64) {
	if c.isOverfull {
		return
	}
	k := c.values.IndexOf(values)
	if k == maxOutcomes {
		c.isOverfull = true
		return
	}
	if k == len(c.outcomePlays) {
		c.outcomePlays = append(c.outcomePlays, 0)
	}
	c.outcomePlays[k] += plays
}

// merge adds other counts to c.
func (c *counts) merge(from *counts) {
	for key, e := range from.ends {
		for n, plays := range e.byEvent {
			if plays > 0 {
				c.addTo(key, e.first, e.because, n, plays)
			}
		}
	}
	c.openPlays += from.openPlays
	c.isOverfull = c.isOverfull || from.isOverfull
	for k, n := range from.outcomePlays {
		c.addValues(from.values.Outcomes[k].Values, n)
	}
}

// newCourse returns the counts as a course: the ends of the procedure in the author's order and then the others.
func (p *Process) newCourse(c *counts, r *Run) *markov.Course {
	out := &markov.Course{Sample: &markov.Sample{Plays: r.Plays, Seed: r.Seed}, Events: r.Most,
		Open: float64(c.openPlays) / float64(r.Plays)}
	place := func(e endKey) int {
		if i := slices.Index(p.Plan.Ends, e.status); i >= 0 {
			return i
		}
		return len(p.Plan.Ends)
	}
	keys := make([]endKey, 0, len(c.ends))
	for key := range c.ends {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b endKey) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.status, b.status), cmp.Compare(a.why, b.why))
	})
	events := int64(0)
	for _, key := range keys {
		e := c.ends[key]
		x := markov.End{Status: key.status, Because: e.because}
		for n, plays := range e.byEvent {
			x.Count += plays
			events += int64(n) * int64(plays)
			x.By = append(x.By, float64(plays)/float64(r.Plays))
		}
		x.P = float64(x.Count) / float64(r.Plays)
		out.Ends = append(out.Ends, x)
	}
	if ended := r.Plays - c.openPlays; ended > 0 {
		out.Mean = float64(events) / float64(ended)
	}
	if len(r.Question.Outputs) > 0 {
		out.Outputs = p.newJoint(c, r, out)
	}
	return out
}

// newJoint returns the shares of the outputs, with the plays that have none as endings.
func (p *Process) newJoint(c *counts, r *Run, course *markov.Course) *odds.Joint {
	j := &odds.Joint{Names: r.Question.Outputs, Den: big.NewInt(int64(r.Plays))}
	for _, name := range j.Names {
		var order []string
		if i, f := p.Plan.Close.Outputs.Type.Field(name); i >= 0 && f >= 0 {
			order = p.Plan.Close.Outputs.Type.Fields[i].Type.Order()
		} else if name == markov.StatusName {
			order = slices.Concat([]string{plan.Open}, p.Plan.Ends, []string{markov.Stuck})
		}
		j.Orders = append(j.Orders, order)
	}
	var all odds.Collector
	for k, o := range c.values.Outcomes {
		all.AddOutcome(o.Values, 0, big.NewInt(c.outcomePlays[k]), j.Den)
	}
	for i := range course.Ends {
		if ending := course.Ends[i].Ending(); ending != nil {
			all.AddEnding(*ending, 0, big.NewInt(int64(course.Ends[i].Count)), j.Den)
		}
	}
	if c.openPlays > 0 {
		all.AddEnding(markov.StillOpen(course.Events), 0, big.NewInt(int64(c.openPlays)), j.Den)
	}
	j.FillLater(func() ([]odds.Outcome, []odds.Ended) { return all.Outcomes, all.Endings })
	return j
}
