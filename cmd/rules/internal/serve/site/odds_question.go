package site

import (
	"context"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

// askerOfOdds returns the question for the odds of a rule, with the input of a form, within a budget. Each output is
// answered by itself: the joint distribution of a dozen outputs, which nobody looks at, takes a hundred times the work.
// Fractions are not asked for: a page shows six digits.
func askerOfOdds(e *library.Edition, q *formQuestion, budget int64) (*oddsquery.Asker, error) {
	asked := q.Question
	asked.Budget, asked.FormulaFlag, asked.Quick = budget, "formulas", true
	return e.Asker(asked)
}

// oddsOfForm returns the odds of a rule for the input of a form.
func oddsOfForm(ctx context.Context, e *library.Edition, q *formQuestion, budget int64) (*oddspage.Distributions, error) {
	a, err := askerOfOdds(e, q, budget)
	if err != nil {
		return nil, err
	}
	answer, err := a.Odds(ctx)
	if err != nil {
		return nil, err
	}
	return oddspage.OfAnswer(oddsjson.RuleSubject(e.Plan, q.Subject), answer), nil
}

// An oddsKey is a question for odds: equal ones have the same answer.
type oddsKey struct {
	edition *library.Edition
	asked   string // all that a form says: the rule, its options, the character and the input
	budget  int64
}

// A foundOdds are odds, or why there are none.
type foundOdds struct {
	odds *oddspage.Distributions
	err  error
}

// oddsOf returns the odds of a rule for the input of a form, and keeps them: who looks at a page again, or moves a slider
// back, asks the same.
func (s *server) oddsOf(ctx context.Context, e *library.Edition, q *formQuestion, budget int64) (
	*oddspage.Distributions, error) {
	asked := fmt.Sprintf("%q %q %q %q", q.Subject, q.Options, q.Request.Character, q.Request.Input)
	found, err := s.odds.find(s.library.Shelf(), oddsKey{e, asked, budget}, func() (foundOdds, error) {
		d, err := oddsOfForm(ctx, e, q, budget)
		return foundOdds{d, err}, ctx.Err() // whoever left has not seen the answer
	})
	if err != nil {
		return nil, err
	}
	return found.odds, found.err
}
