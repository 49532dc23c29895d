package golden

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// OddsBudget is how many states may be met for the odds of one question.
//
// A question beyond it fails with odds.BudgetError and never with an estimate: a case states exact
// odds.
const OddsBudget = 1_000_000

// compareOdds expects the probabilities and the means of want.json.
func (r *Result) compareOdds(program *runtime.Program) {
	if len(r.Case.Policy) > 0 && !r.checkPolicy(program) {
		return
	}
	got, err := ExactOdds(program, r.Case, OddsBudget)
	if err != nil {
		r.addProblem("", err)
		return
	}
	r.compareExpected(program.Plan(), "want.json", "", r.Case.want, got)
}

// ExactOdds returns the odds of a case. Of a rule: of every output its values with their probabilities, of a number its
// mean, and the refusals and failures. Of a procedure under a policy: see playedOdds. Budget bounds the states that may be
// met.
//
// Fractions are summed and written as decimals at the very end, so that a case can state 0.57 and mean it.
func ExactOdds(program *runtime.Program, c *Case, budget int64) (*jsontree.Tree, error) {
	q := runtime.Request{Character: c.CharacterJSON(), Input: c.Input}
	answer, err := any(nil), error(nil)
	switch {
	case len(c.Policy) > 0:
		answer, err = playedOdds(program, c, q, budget)
	case program.Plan().Procedure(c.Subject) != nil && program.Plan().Rule(c.Subject) == nil:
		err = fmt.Errorf("%s is a procedure: say in headers what is tried next, policy: EVENT", c.Subject)
	default:
		answer, err = ruleOdds(program, c, q, budget)
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("the odds are no JSON: %w", err)
	}
	return jsontree.ReadTree(text)
}

func ruleOdds(program *runtime.Program, c *Case, q runtime.Request, budget int64) (*odds.Probabilities, error) {
	rule, err := program.Rule(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	answer, err := rule.Odds(context.Background(), q, &odds.Options{Exact: true, Joint: true, Budget: budget})
	if err != nil {
		return nil, err
	}
	return answer.Joint.Probabilities(), nil
}
