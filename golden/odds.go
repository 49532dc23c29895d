package golden

import (
	"encoding/json"
	"fmt"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// OddsBudget is how many states may be met for the odds of one question.
//
// A question beyond it fails with odds.BudgetError and never with an estimate: a case states exact
// odds.
const OddsBudget = 1_000_000

// compareOdds expects the probabilities and the means of want.json.
func (r *Result) compareOdds(program *runtime.Program) {
	got, err := ExactOdds(program, r.Case, OddsBudget)
	if err != nil {
		r.addProblem("", err)
		return
	}
	r.compareExpected(program.Plan(), "want.json", "", r.Case.want, got)
}

// ExactOdds are the odds of a case: of every output its values with their probabilities, of a number its mean, and what is
// refused and what fails. Budget is how many states may be met.
//
// Fractions are summed and written as decimals at the very end, so that a case can state 0.57 and
// mean it.
func ExactOdds(program *runtime.Program, c *Case, budget int64) (*jsontree.Tree, error) {
	rule, err := odds.NewRule(program, c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	records := odds.Records{plan.CharacterRoot: c.CharacterJSON(), plan.InputRoot: c.Input}
	j, err := rule.Odds(odds.Question{Records: records, Exact: true, Budget: budget})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(j.Probabilities())
	if err != nil {
		return nil, fmt.Errorf("the odds are no JSON: %w", err)
	}
	return jsontree.ReadTree(text)
}
