// Package oddsquery asks a rule for its odds: which outputs, under which condition, with which inputs left open, and by
// which policy a procedure is played. It reads what flags say, compiles the formulas in it, and answers in numbers.
//
// Formulas are over the outputs of the rule and the character, not over its inputs: they are compiled as rules of their
// own, whose input are the outputs they read, and evaluated once for each outcome of the joint distribution.
package oddsquery

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// An Asker answers a question about one rule of a program. It may be used by several goroutines at once.
type Asker struct {
	query.Question
	opening
	options *odds.Options
	chances *runtime.Chances
}

// An Answer is the odds for one input.
type Answer struct {
	*odds.Answer
	Exact     bool            // the probabilities are fractions
	AsksExact bool            // fractions are asked for
	Course    *runtime.Course // of a procedure; nil of a rule
}

// NewAsker compiles the formulas of a question and prepares the rule for the outputs that it needs.
func NewAsker(program *runtime.Program, q query.Question) (*Asker, error) {
	id := q.Subject
	if q.Locate == nil {
		q.Locate = func(err error) error { return err }
	}
	a := &Asker{Question: q, opening: opening{program, q.Vary, describe.InputOf(program.Plan(), id)}}
	o, err := newOptions(program.Plan(), id, q.Given, cmp.Or(q.FormulaFlag, "--ask"), q.Formulas)
	if err != nil {
		return nil, err
	}
	a.options = o
	rule, err := program.Rule(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	o.Exact, o.Joint, o.Quick, o.Budget = q.Exact, q.Joint, q.Quick, q.Budget
	if o.Outputs = q.Outputs; len(q.Outputs) == 0 {
		if o.Outputs = nil; len(q.Formulas) > 0 {
			o.Outputs = []string{}
		}
	}
	if o.Strategy, err = a.newStrategy(program.Plan(), rule, id); err != nil {
		return nil, err
	}
	a.chances, err = rule.PrepareOdds(o)
	return a, err
}

// For returns the asker for another request and budget; all else is as it was asked.
func (a *Asker) For(r runtime.Request, budget int64) *Asker {
	out := *a
	out.Request, out.Budget, out.chances = r, budget, a.chances.WithBudget(budget)
	return &out
}

// Estimate returns an upper bound of the work that the answer takes, without answering.
func (a *Asker) Estimate() (*runtime.Estimate, error) {
	e, err := a.chances.Estimate(a.Request)
	if err != nil {
		return nil, a.Locate(err)
	}
	return e, nil
}

// Odds answers the question.
func (a *Asker) Odds(ctx context.Context) (*Answer, error) {
	request := a.Request
	if a.options.Strategy != nil {
		var err error
		if request.Input, err = withDecided(request.Input, a.shape, a.options.Strategy.Choices); err != nil {
			return nil, a.Locate(err)
		}
	}
	answer, err := a.chances.Odds(ctx, request)
	if _, isOfFormula := errors.AsType[*odds.FormulaError](err); err != nil && !isOfFormula {
		return nil, a.Locate(err)
	}
	if err != nil {
		return nil, nameFlag(err, a.options)
	}
	return &Answer{Answer: answer, Exact: a.Exact, AsksExact: a.Exact}, nil
}

// Asked returns the question as it is when nothing is set.
func (a *Asker) Asked() *query.Question { return &a.Question }

// OddsAt answers for a setting. Errors name the setting: a text with the value in it nobody wrote.
func (a *Asker) OddsAt(ctx context.Context, s Setting) (*Answer, error) {
	program, q, err := a.at(a.Question, s)
	if err != nil {
		return nil, err
	}
	other := a.For(q.Request, a.Budget)
	if program != a.program || !maps.Equal(q.Options, a.Options) {
		if other, err = NewAsker(program, q); err != nil {
			return nil, a.describeError(s, err)
		}
	}
	d, err := other.Odds(ctx)
	if err != nil {
		return nil, a.describeError(s, err)
	}
	return d, nil
}

// Table answers for every setting.
func (a *Asker) Table(ctx context.Context) ([]Row, error) {
	return a.makeTable(ctx, a.OddsAt)
}
