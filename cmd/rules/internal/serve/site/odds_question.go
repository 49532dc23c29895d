package site

import (
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A page shows the distribution of each output by itself, and asks for it by itself: the joint distribution of a dozen
// outputs, which nobody looks at, takes a hundred times the work. Only where a formula may fail all outputs are asked for
// at once, because a sheet with a failed output is no sheet: then the other outputs have no value either.

// An oddsQuestion is a question for the odds of a rule, for what a form gives.
type oddsQuestion struct {
	edition *library.Edition
	id      string
	asked   *formQuestion
	left    int64           // of the budget
	stop    <-chan struct{} // closed when the reader goes away
}

// newOddsQuestion asks with a budget of states, which all questions of a page share, until stop is
// closed.
func newOddsQuestion(e *library.Edition, id string, q *formQuestion, budget int64, stop <-chan struct{}) *oddsQuestion {
	return &oddsQuestion{e, id, q, budget, stop}
}

// outputOdds are the odds of all outputs, and why some evaluations have none.
type outputOdds struct {
	*oddspage.Distributions
	lacks []string
}

// ask answers for the input of the form, or for a setting of it.
func (c *oddsQuestion) ask(at *oddsquery.Setting) (*outputOdds, error) {
	outputs := outputNames(c.edition.Plan, c.id)
	if len(outputs) < 2 {
		return c.askFor(nil, at)
	}
	var out *outputOdds
	for _, name := range outputs {
		d, err := c.askFor([]string{name}, at)
		switch {
		case err != nil:
			return nil, err
		// The answers so far are thrown away: the chance that an output has a value depends on all
		// others.
		case d.HasFailures():
			return c.askFor(nil, at)
		case out == nil:
			out = d
		default:
			out.add(d)
		}
	}
	return out, nil
}

// askFor asks for outputs together, nil for all.
func (c *oddsQuestion) askFor(outputs []string, at *oddsquery.Setting) (*outputOdds, error) {
	query := oddsquery.Query{Options: c.asked.options, Outputs: outputs, FormulaFlag: "formulas", Budget: max(1, c.left),
		Stop: c.stop}
	var d *oddspage.Distributions
	err := c.edition.Ask(c.id, query, func(a *oddsquery.Asker) (err error) {
		a.Character, a.Input = c.asked.character, c.asked.input
		if at == nil {
			d, err = a.Odds()
		} else {
			d, err = a.OddsAt(*at)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	// max(1, left) above keeps the next question a question: a budget of 0 would mean the default.
	c.left -= d.All.Spent
	return &outputOdds{d, d.Lacks()}, nil
}

// add adds the odds of another output.
func (a *outputOdds) add(b *outputOdds) {
	a.Marginals = append(a.Marginals, b.Marginals...)
	if a.Means == nil {
		a.Means = b.Means
	} else {
		for name, mean := range b.Means {
			a.Means[name] = mean
		}
	}
	for _, text := range b.lacks {
		if !slices.Contains(a.lacks, text) {
			a.lacks = append(a.lacks, text)
		}
	}
}

// outputNames returns the outputs of a rule, nil for what is no rule.
func outputNames(p *plan.Plan, id string) []string {
	r := p.Rule(id)
	if r == nil {
		return nil
	}
	return r.Graph.Outputs.Type.FieldNames()
}
