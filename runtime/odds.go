package runtime

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// # How does a request become odds?
//
// A solver (package eliminate) answers with a joint distribution. The fewer outputs one has, the fewer rows; so each output
// and each formula has the smallest set of outputs that it needs, itself and those that the condition reads:
//
//	outputs {effort}, formula harm > 2, condition success
//	sets    {effort, success}, {harm, success}
//
// Sums of doubles show their rounding in the last digits. What took little work is therefore answered a second time in
// fractions, which are rounded once.

// An Estimate says what an answer takes at most, and an EstimatedStep what it takes for one of its dice.
type (
	Estimate      = eliminate.Estimate
	EstimatedStep = eliminate.EstimatedStep
)

// Chances are a rule, or an event of a procedure, prepared for many questions under the same options. They may be used by
// several goroutines at once.
type Chances struct {
	options odds.Options
	asked   []string   // outputs, in the order of an answer
	names   []string   // of the values of an outcome
	sets    [][]string // of outputs, for each asked one and then for each formula
	prepare func() (*eliminate.Rule, error)
	// evaluate carries out a request with the faces of a source, for odds when some of them have fallen.
	evaluate func(Request) (jsonio.Value, error)
	// withCharacter returns the request with a character that fits, where it has none and nothing reads one; nil of events,
	// which have the character of their play.
	withCharacter func(Request) (Request, error)
	solvers       *sync.Pool // of *eliminate.Rule, each of which serves one goroutine at a time
}

// Odds returns the exact odds of the outputs that are asked for, over every way in which the dice can fall. Faces in
// the Throw, by the ids of their dice, have fallen; a Seed has no part. Nil options mean each output by itself, in
// decimals, within the default budget. Its errors are those of Eval that no die decides, *odds.BudgetError,
// *odds.FormulaError, and the cause of a context that ends.
func (r *Rule) Odds(ctx context.Context, q Request, o *odds.Options) (*odds.Answer, error) {
	c, err := r.PrepareOdds(o)
	if err != nil {
		return nil, err
	}
	return c.Odds(ctx, q)
}

// PrepareOdds returns the rule prepared for many questions under the same options.
func (r *Rule) PrepareOdds(o *odds.Options) (*Chances, error) {
	c, err := newChances(r.choice, o, &r.solvers, func(c Choice, s odds.Strategy) (*eliminate.Rule, error) {
		return eliminate.NewDecidedRule(r.program.image, r.rule.ID, c, s)
	})
	if err != nil {
		return nil, err
	}
	c.evaluate, c.withCharacter = r.evalOutputs, r.withCharacter
	return c, nil
}

// KnownAt returns the record of the named values that are known when the field at a path is decided.
func (r *Rule) KnownAt(path string) (*plan.Type, error) {
	return eliminate.KnownWhenDecided(r.program.image, r.rule.ID, r.choice, path)
}

// newChances returns the chances of a subject, with a solver prepared. All questions for its own outputs alone share
// the subject's pool of solvers, whatever their other options.
func newChances(choice Choice, o *odds.Options, solvers *sync.Pool,
	prepare func(Choice, odds.Strategy) (*eliminate.Rule, error)) (*Chances, error) {
	c := &Chances{solvers: solvers, asked: choice.Outputs}
	strategy := odds.Strategy{}
	if o != nil {
		c.options = *o
		if o.Outputs != nil {
			c.asked = o.Outputs
		}
		if o.Strategy != nil {
			strategy = *o.Strategy
		}
		if o.Outputs != nil || o.Given != nil || o.Formulas != nil || o.Strategy != nil {
			c.solvers = &sync.Pool{}
		}
	}
	choice.Outputs = c.findNeeded(c.asked)
	c.prepare = func() (*eliminate.Rule, error) { return prepare(choice, strategy) }
	first, err := c.solver()
	if err != nil {
		return nil, err
	}
	c.solvers.Put(first)
	c.names = first.Names()
	if c.asked == nil {
		c.asked = c.names
	}
	var given []string
	if c.options.Given != nil {
		given = c.options.Given.Reads
	}
	for _, name := range c.asked {
		c.sets = append(c.sets, union([]string{name}, given))
	}
	for i := range c.options.Formulas {
		c.sets = append(c.sets, union(c.options.Formulas[i].Reads, given))
	}
	return c, nil
}

// findNeeded returns the outputs that are asked for or read; nil for all.
func (c *Chances) findNeeded(asked []string) []string {
	if asked == nil {
		return nil
	}
	needed := union(asked)
	for i := range c.options.Formulas {
		needed = union(needed, c.options.Formulas[i].Reads)
	}
	if c.options.Given != nil {
		needed = union(needed, c.options.Given.Reads)
	}
	if c.options.Strategy != nil {
		needed = union(needed, c.options.Strategy.Reads)
	}
	return needed
}

// union returns the names of all lists, each once. It is never nil.
func union(lists ...[]string) []string {
	out := []string{}
	for _, list := range lists {
		for _, name := range list {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// OutcomeNames returns the names of the values of an outcome: the outputs that are needed and, under a strategy, the fields
// that it decides.
func (c *Chances) OutcomeNames() []string { return slices.Clone(c.names) }

// solver returns a solver that nobody else uses until it is put back.
func (c *Chances) solver() (*eliminate.Rule, error) {
	if s, ok := c.solvers.Get().(*eliminate.Rule); ok {
		return s, nil
	}
	return c.prepare()
}

// Estimate returns an upper bound of the work that the answer to a request takes, without answering.
func (c *Chances) Estimate(q Request) (*Estimate, error) {
	s, err := c.solver()
	if err != nil {
		return nil, err
	}
	defer c.solvers.Put(s)
	if q, err = c.completed(q); err != nil {
		return nil, err
	}
	return s.Estimate(q.records())
}

// records returns the records of a request that odds read: character and input.
func (q *Request) records() (out odds.Records) {
	out[plan.CharacterRoot], out[plan.InputRoot] = orEmpty(q.Character), q.Input
	return out
}

// completed returns a request with all that odds need of it.
func (c *Chances) completed(q Request) (Request, error) {
	if c.withCharacter == nil {
		return q, nil
	}
	return c.withCharacter(q)
}

// Odds returns the odds for a request, as those of a rule.
func (c *Chances) Odds(ctx context.Context, q Request) (*odds.Answer, error) {
	q, err := c.completed(q)
	if err != nil {
		return nil, err
	}
	if !q.Dice.IsZero() {
		return fallenOdds(ctx, &q.Throw, &c.options, c.asked, orEmpty(q.Character),
			func(s dice.Source) (jsonio.Value, error) {
				q.Source = s
				return c.evaluate(q)
			})
	}
	return c.oddsOf(ctx, q.records())
}

func (c *Chances) oddsOf(ctx context.Context, records odds.Records) (*odds.Answer, error) {
	s, err := c.solver()
	if err != nil {
		return nil, err
	}
	defer c.solvers.Put(s)
	if o := &c.options; o.Given != nil || len(o.Formulas) > 0 || o.Strategy != nil {
		records = s.WithDefaults(records)
	}
	joints, err := c.jointsOf(s, odds.Question{Records: records, Exact: c.options.Exact, Budget: c.options.Budget,
		Stop: ctx.Done()})
	if errors.Is(err, odds.ErrStopped) {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	out, err := odds.NewAnswer(joints, c.asked, &c.options, records[plan.CharacterRoot])
	if err != nil {
		return nil, err
	}
	if lackOnlyUnfollowed(out.Endings) {
		out.Means, err = closedMeans(s, out.Outputs[:len(c.asked)], records)
	}
	return out, err
}

// maxRepeated is how many states may be met a second time with fractions. At this size the second answer takes some ten
// milliseconds; a large question is not made to take twice as long for digits that nobody sees. Outputs that were met apart
// may have to be met together for their fractions: they have these when that meets no more than maxTogether states.
const maxRepeated, maxTogether = 20_000, 100_000

// jointsOf returns a joint distribution for each set. A rule without outputs has one for all of it.
func (c *Chances) jointsOf(s *eliminate.Rule, q odds.Question) ([]*odds.Joint, error) {
	// Apart answers each set by itself; the joint distribution of all outputs, which may be much larger, is made only when
	// it is asked for.
	answer := func(q odds.Question) ([]*odds.Joint, error) { return s.Apart(q, c.sets) }
	if c.options.Joint || len(c.sets) == 0 {
		answer = func(q odds.Question) ([]*odds.Joint, error) {
			j, err := s.Odds(q)
			return slices.Repeat([]*odds.Joint{j}, max(1, len(c.sets))), err
		}
	}
	joints, err := answer(q)
	if err != nil || q.Exact || c.options.Quick ||
		slices.ContainsFunc(joints, func(j *odds.Joint) bool { return j.Spent > maxRepeated }) {
		return joints, err
	}
	q.Exact = true
	if q.Budget == 0 || q.Budget > maxTogether {
		q.Budget = maxTogether
	}
	exact, err := answer(q)
	if eliminate.IsTooMuch(err) {
		return joints, nil
	}
	return exact, err
}

// lackOnlyUnfollowed reports whether distributions would be whole if all explosions were followed: then a mean in closed
// form is that of the whole distribution. Beside refusals the closed form would be the mean of something else.
func lackOnlyUnfollowed(endings []odds.Ended) bool {
	return len(endings) > 0 && !slices.ContainsFunc(endings, func(e odds.Ended) bool { return e.Kind != odds.Unfollowed })
}

// closedMeans returns the exact mean of each marginal that has a closed form, and nil for the others. The mean of a die
// that explodes without end counts all of its faces, also beyond those that were followed.
func closedMeans(s *eliminate.Rule, list []*odds.Marginal, records odds.Records) (map[string]*big.Rat, error) {
	out := map[string]*big.Rat{}
	for _, m := range list {
		mean, err := s.Mean(records, m.Name)
		if err != nil {
			return nil, err
		}
		out[m.Name] = mean
	}
	return out, nil
}

// WithBudget returns the same chances within another budget.
func (c *Chances) WithBudget(budget int64) *Chances {
	out := *c
	out.options.Budget = budget
	return &out
}
