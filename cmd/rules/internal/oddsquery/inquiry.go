package oddsquery

import (
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/oddspage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An inquiry is a condition and formulas over the names of a joint distribution.
type inquiry struct {
	given    *formula // nil for none
	formulas []*formula
}

// newInquiry compiles a condition and formulas, which a flag gave, over the outputs of a rule.
func newInquiry(p *plan.Plan, id, given, formulaFlag string, formulas []string) (inquiry, error) {
	var out inquiry
	var err error
	if given != "" {
		if out.given, err = compileFormula(p, id, "--given", given); err != nil {
			return out, err
		}
		if out.given.kind != plan.Bool {
			return out, fmt.Errorf("--given %s: it is no condition", given)
		}
	}
	for _, text := range formulas {
		f, err := compileFormula(p, id, formulaFlag, text)
		if err != nil {
			return out, err
		}
		out.formulas = append(out.formulas, f)
	}
	return out, nil
}

// setCharacter sets the character that formulas may read.
func (q *inquiry) setCharacter(text []byte) {
	for _, f := range q.formulas {
		f.character = text
	}
	if q.given != nil {
		q.given.character = text
	}
}

// listNames are the outputs that are named or that a formula reads, each once.
func (q *inquiry) listNames(outputs []string) []string {
	var out []string
	known := map[string]bool{}
	add := func(names []string) {
		for _, name := range names {
			if !known[name] && name != compiler.CharacterName {
				known[name] = true
				out = append(out, name)
			}
		}
	}
	add(outputs)
	for _, f := range q.formulas {
		add(f.reads)
	}
	if q.given != nil {
		add(q.given.reads)
	}
	return out
}

// setsOf are the names that are needed together: for each output and then for each formula, itself and the condition.
func (q *inquiry) setsOf(outputs []string) (out [][]string) {
	for _, name := range outputs {
		one := inquiry{given: q.given}
		out = append(out, one.listNames([]string{name}))
	}
	for _, f := range q.formulas {
		one := inquiry{given: q.given, formulas: []*formula{f}}
		out = append(out, one.listNames(nil))
	}
	return out
}

// conditionJoints takes the endings of joint distributions, which end alike, into a page, and gives the joints under the
// condition. The same joint may stand several times.
func (q *inquiry) conditionJoints(joints []*odds.Joint, page *oddspage.Distributions) ([]*odds.Joint, error) {
	page.All = joints[0]
	page.AddEndings(joints[0])
	if q.given == nil {
		return joints, nil
	}
	given := map[*odds.Joint]*odds.Joint{}
	var out []*odds.Joint
	for _, joint := range joints {
		if given[joint] == nil {
			var err error
			if given[joint], err = joint.Given(func(o *odds.Outcome) (bool, error) {
				v, err := q.given.valueOf(joint.Names, o)
				return v.Bool(), err
			}); err != nil {
				return nil, fmt.Errorf("--given %s: %w", q.given.text, err)
			}
		}
		out = append(out, given[joint])
	}
	page.All = out[0]
	page.SetCondition(q.given.text)
	return out, nil
}

// addFormulas adds the distribution of each formula, which is over the joint in its place, to a page.
func (q *inquiry) addFormulas(joints []*odds.Joint, page *oddspage.Distributions) error {
	for i, f := range q.formulas {
		joint := joints[i]
		m, err := joint.Of(f.text, func(o *odds.Outcome) (runtime.Value, error) { return f.valueOf(joint.Names, o) })
		if err != nil {
			return fmt.Errorf("--ask %s: %w", f.text, err)
		}
		page.Marginals = append(page.Marginals, m)
	}
	return nil
}

// planOfOutcomes is a plan of one rule without a graph, whose outputs are what formulas read.
func planOfOutcomes(id string, outputs *plan.Type) *plan.Plan {
	return &plan.Plan{Rules: []plan.Rule{{ID: id, Graph: plan.Graph{Outputs: plan.Value{Type: outputs}}}}}
}
