package runtime

import (
	"context"
	"errors"
	"sync"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/odds/montecarlo"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The words of courses.
type (
	Policy          = markov.Policy          // which event comes next
	Move            = markov.Move            // of a policy
	EventInputError = markov.EventInputError // an input of a move that its event does not take
	Aim             = markov.Aim             // of the best moves
	Course          = markov.Course          // what becomes of a procedure
	CourseEnd       = markov.End             // a way in which it ends
	Sample          = markov.Sample          // the plays that were drawn of it
	Situation       = markov.Situation       // a state that it may have reached
	Hindrance       = markov.Hindrance       // a condition that keeps an event from happening
)

// Statuses of a course that are no end of its procedure.
const (
	StatusOpen     = markov.Open     // it goes on after the events that were followed
	StatusStuck    = markov.Stuck    // no event of the policy can happen
	StatusRefused  = markov.Refused  // a requirement refuses an event, or the start
	StatusEndless  = markov.Endless  // states that lead only to one another
	StatusOutgrown = markov.Outgrown // a state that does not fit its own declaration any more
)

// StatusOutput is the name of the status among the outputs of a course.
const StatusOutput = markov.StatusName

// MaxExactStates is how many states a course may meet whose chances are fractions unasked.
const MaxExactStates = markov.MaxExactStates

// Who sets the condition of a Hindrance.
const (
	OfGuard       = markov.Guard       // the policy's move
	OfWhen        = markov.When        // the event: it is not offered
	OfRequirement = markov.Requirement // the event: it is refused
)

// CourseOptions say how a procedure is followed. They hold no record and no policy.
type CourseOptions struct {
	Outputs []string // whose joint distribution is asked for, where it ends or after the events of After
	Aim     *Aim     // what moves and decisions are chosen for; nil for the first move that can happen
	After   int      // events after which the situations are asked for; 0 for none
	Most    int      // events that are followed; 0 for all, and of plays that are drawn for 1,000
	Exact   bool     // fractions, as long as the budget lasts; else as long as they are short
	Budget  int64    // times that a state may meet a class; 0 for odds.DefaultBudget
}

// PlaysWithin returns how many plays leave each chance within a distance on either side, in 95 of 100 runs.
func PlaysWithin(distance float64) int { return montecarlo.PlaysWithin(distance) }

// Interval returns the bounds of a chance of which count of so many plays came, which hold in 95 of 100 runs.
func Interval(count, plays int) (low, high float64) { return montecarlo.Interval(count, plays) }

// MaxPlays is how many plays may be drawn at once.
const MaxPlays = montecarlo.MaxPlays

// Sampling says how plays of a procedure are drawn.
type Sampling struct {
	Seed   uint64
	Plays  int
	Policy func() (Policy, error) // a policy for one goroutine, called once for each that draws
	// Choices decide fields of events when dice have fallen, by event, as those of PrepareOdds do; each comes to one value.
	// It is called as Policy is; nil decides nothing.
	Choices  func() (map[string][]odds.Choice, error)
	Progress func(plays int) // called now and then by any of them; nil for nobody
}

// Courses are a procedure prepared for many questions. They may be used by one goroutine at a time.
type Courses struct {
	process   *markov.Process
	procedure *Procedure
	decides   bool // fields are decided when dice have fallen
}

// PrepareOdds returns the procedure prepared for its odds. Fields of an event are decided when dice have fallen as the
// choices of the event say; an aim is possible only if choices are compared.
func (d *Procedure) PrepareOdds(choices map[string][]odds.Choice, compares bool) (*Courses, error) {
	p, err := markov.NewDecidedProcess(d.program.image, d.procedure.ID, d.choice, choices, compares)
	if err != nil {
		return nil, err
	}
	return &Courses{p, d, len(choices) > 0}, nil
}

// Odds returns the course of the procedure under a policy, from its start. The Throw of the request has no part. Nil
// options follow it to its end. Its errors are those of Start that no die decides, *odds.BudgetError, and the cause of a
// context that ends.
func (d *Procedure) Odds(ctx context.Context, q Request, policy Policy, o *CourseOptions) (*Course, error) {
	c, err := d.PrepareOdds(nil, o != nil && o.Aim != nil)
	if err != nil {
		return nil, err
	}
	return c.Odds(ctx, q, policy, o)
}

// Odds returns the course from the start of the procedure.
func (c *Courses) Odds(ctx context.Context, q Request, policy Policy, o *CourseOptions) (*Course, error) {
	return c.follow(ctx, q.records(), policy, o)
}

// OddsFrom returns the course from the state of a play of the procedure.
func (c *Courses) OddsFrom(ctx context.Context, p *Play, policy Policy, o *CourseOptions) (*Course, error) {
	return c.follow(ctx, p.records(), policy, o)
}

// OutputType returns the record of the values that can be asked for: the outputs of the procedure and its status.
func (c *Courses) OutputType() *plan.Type { return c.process.OutcomeType() }

// ReadableType returns the record of the values that formulas can read: the outputs, the status and the state.
func (c *Courses) ReadableType() *plan.Type { return c.process.ReadableType() }

func (c *Courses) follow(ctx context.Context, records odds.Records, policy Policy, o *CourseOptions) (*Course, error) {
	if o == nil {
		o = &CourseOptions{}
	}
	q := odds.Question{Records: records, Exact: o.Exact, Budget: o.Budget, Outputs: o.Outputs, Stop: ctx.Done()}
	out, err := c.process.BestCourse(q, policy, o.Aim, o.After, o.Most)
	if errors.Is(err, odds.ErrStopped) {
		return nil, context.Cause(ctx)
	}
	return out, err
}

// Sample draws plays of the procedure from its start and returns the course that they make together. Its chances are shares
// of the plays, which are the same for any number of processors. The options take no aim, no After, and no fractions; nil
// options are those of zero. What is decided when dice have fallen is what the sampling says. Its errors are those of Odds,
// of the first play that has one.
func (c *Courses) Sample(ctx context.Context, q Request, s Sampling, o *CourseOptions) (*Course, error) {
	return c.draw(ctx, montecarlo.Run{Begun: -1, Question: odds.Question{Records: q.records()}}, s, o)
}

// SampleFrom draws plays as Sample does, which go on from the state of a play: with the numbers of the events that
// follow, so that a play that is drawn is the one that goes on with the same seed and record.
func (c *Courses) SampleFrom(ctx context.Context, p *Play, s Sampling, o *CourseOptions) (*Course, error) {
	return c.draw(ctx, montecarlo.Run{Begun: len(p.Events), Question: odds.Question{Records: p.records()}}, s, o)
}

func (c *Courses) draw(ctx context.Context, r montecarlo.Run, s Sampling, o *CourseOptions) (*Course, error) {
	if o == nil {
		o = &CourseOptions{}
	}
	switch {
	case c.decides && s.Choices == nil:
		return nil, errors.New("the sampling does not say what is decided when dice have fallen")
	case o.Aim != nil || o.After > 0 || o.Exact:
		return nil, errors.New("plays are drawn to their ends: only exact odds take an aim, events and fractions")
	}
	d := c.procedure
	p := &montecarlo.Process{Image: d.program.image, Plan: d.procedure, Closing: d.closing, Start: d.start,
		Options: d.values}
	steps := withoutNames(d.choice) // nobody reads what an event says of itself
	steps.Outputs = []string{}
	for _, b := range d.program.plan.Steps(d.procedure)[1:][:len(d.events)] {
		code, err := d.program.codeOf(b, d.values, steps)
		if err != nil {
			return nil, err
		}
		p.Events = append(p.Events, code)
	}
	r.Seed, r.Plays, r.Policy, r.Choices, r.Progress, r.Most = s.Seed, s.Plays, s.Policy, s.Choices, s.Progress, o.Most
	r.Question.Outputs = o.Outputs
	return p.Draw(ctx, r)
}

// records returns the records of a play that odds read: character, input and state.
func (p *Play) records() (out odds.Records) {
	out[plan.CharacterRoot], out[plan.InputRoot], out[plan.StateRoot] = p.Character, p.Input, p.State
	return out
}

// Odds returns the course of the procedure under a policy, from the state of the play.
func (p *Play) Odds(ctx context.Context, policy Policy, o *CourseOptions) (*Course, error) {
	c, err := p.procedure.PrepareOdds(nil, o != nil && o.Aim != nil)
	if err != nil {
		return nil, err
	}
	return c.OddsFrom(ctx, p, policy, o)
}

// EventOdds returns the odds of the outputs of one event in the state of the play. Faces in the Throw of the step, by the
// ids of their dice, have fallen; the options take no strategy.
func (p *Play) EventOdds(ctx context.Context, s Step, o *odds.Options) (*odds.Answer, error) {
	if o != nil && o.Strategy != nil {
		return nil, errors.New("the odds of an event take no strategy: the input decides its fields")
	}
	d := p.procedure
	c, err := newChances(Choice{Options: d.choice.Options}, o, &sync.Pool{},
		func(c Choice, _ odds.Strategy) (*eliminate.Rule, error) {
			return eliminate.NewEvent(d.program.image, d.procedure.ID, s.Event, c)
		})
	if err != nil {
		return nil, err
	}
	if !s.Dice.IsZero() {
		return fallenOdds(ctx, &s.Throw, &c.options, c.asked, p.Character,
			func(faces dice.Source) (out jsonio.Value, err error) {
				play := *p // an event replaces what it changes
				s.Source = faces
				if err := play.Do(s, false); err != nil {
					return out, err
				}
				return play.Events[len(play.Events)-1].outputs, nil
			})
	}
	records := p.records()
	records[plan.EventRoot] = s.Input
	return c.oddsOf(ctx, records)
}

// StartOdds returns the odds of the outputs of the procedure when it begins. It is for starts whose dice fall in few ways:
// each of them is carried out.
func (d *Procedure) StartOdds(ctx context.Context, q Request, o *odds.Options) (*odds.Answer, error) {
	if o == nil {
		o = &odds.Options{}
	}
	asked := o.Outputs
	if asked == nil {
		asked = d.Outputs().FieldNames()
	}
	if err := checkNames("output", asked, d.Outputs()); err != nil {
		return nil, err
	}
	return fallenOdds(ctx, &q.Throw, o, asked, orEmpty(q.Character), func(faces dice.Source) (jsonio.Value, error) {
		q.Source = faces
		play, err := d.Start(q)
		if err != nil {
			return jsonio.Value{}, err
		}
		return play.Output, nil
	})
}

// KnownAt returns the record of the named values that are known when a field of an event is decided.
func (d *Procedure) KnownAt(event, path string) (*plan.Type, error) {
	return eliminate.KnownWhenEventDecides(d.program.image, d.procedure.ID, event, d.choice, path)
}
