package site

import (
	"context"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

// askerOfOdds returns the question for the odds of a rule, with the input of a form, within a budget. Each output is
// answered by itself: the joint distribution of a dozen outputs, which nobody looks at, takes a hundred times the work. Fractions are not asked for: a page shows six digits.
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
