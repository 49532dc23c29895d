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
const OddsBudget = 1_000_000

// compareOdds expects the probabilities and the means of want.json.
func (r *Result) compareOdds(program *runtime.Program) {
	got, err := exactOdds(program, r.Case)
	if err != nil {
		r.addProblem("", err)
		return
	}
	r.compareWith("want.json", "", r.Case.want, got)
}

// exactOdds are the odds of a case: of every output its values with their probabilities, of a number its mean, and what is
// refused and what fails.
func exactOdds(program *runtime.Program, c *Case) (*jsontree.Tree, error) {
	rule, err := odds.NewRule(program, c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	records := odds.Records{plan.CharacterRoot: c.CharacterJSON(), plan.InputRoot: c.Input}
	j, err := rule.Odds(odds.Question{Records: records, Exact: true, Budget: OddsBudget})
	if err != nil {
		return nil, err
	}
	sheet := oddsSheet{Odds: map[string]map[string]float64{}, Mean: map[string]float64{}}
	for _, name := range j.Names {
		sheet.addMarginal(j.Marginal(name))
	}
	for _, e := range j.Endings() {
		sheet.addEnding(e)
	}
	text, err := json.Marshal(sheet)
	if err != nil {
		return nil, fmt.Errorf("the odds are no JSON: %w", err)
	}
	return jsontree.ReadTree(text)
}

// oddsSheet is what want.json of a case of odds may name.
type oddsSheet struct {
	Odds    map[string]map[string]float64 `json:"odds"` // by output and value
	Mean    map[string]float64            `json:"mean"`
	Refused float64                       `json:"refused"`
	Failed  float64                       `json:"failed"`
}

func (s *oddsSheet) addMarginal(m *odds.Marginal) {
	values := map[string]float64{}
	for i, v := range m.Values {
		name := v.String()
		if v.Kind() == plan.String {
			name = v.Text()
		}
		values[name] = m.P[i]
	}
	s.Odds[m.Name] = values
	if exact := m.ExactMean(); exact != nil {
		s.Mean[m.Name], _ = exact.Float64()
	} else if m.Numeric() {
		s.Mean[m.Name] = m.Mean()
	}
}

func (s *oddsSheet) addEnding(e odds.Ended) {
	switch e.Kind {
	case odds.Refused:
		s.Refused += e.P
	case odds.Failed:
		s.Failed += e.P
	}
}
