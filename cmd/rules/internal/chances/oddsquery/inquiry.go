package oddsquery

// # Formulas over outcomes
//
// The odds of a rule are a joint distribution: rows of output values, each with a probability.
// --ask and --given are not compiled into the rule; they are evaluated for each row afterwards. So
// a formula costs one evaluation per row and none per way in which the dice fall, and many formulas
// share one count of the dice.
//
// The fewer outputs a joint distribution has, the fewer rows. Therefore each output and each
// formula gets the smallest set that it needs (setsOf): itself and what the condition reads.
//
//	--given 'success' --ask 'harm > 2' --output offenciancy
//	sets: {offenciancy, success}, {harm, success}

import (
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
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
		// The compiler has checked the types within the formula; what the whole of it must be, only
		// its use knows.
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

// setCharacter sets the character that formulas may read. It comes after compiling, because only
// then it is known whether a formula reads it at all.
func (q *inquiry) setCharacter(text []byte) {
	for _, f := range q.formulas {
		f.character = text
	}
	if q.given != nil {
		q.given.character = text
	}
}

// listNames returns the outputs that are named or that a formula reads, each once, in this order.
// The character is no output: it is the same in all rows.
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

// setsOf returns the names that are needed together: for each output and then for each formula,
// itself and what the condition reads.
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

// conditionJoints adds what ends without outputs to a page, and returns the joint distributions
// under the condition, or as they are without one. All of them end alike, so the first tells it for
// all. The same joint may stand several times, and is conditioned once.
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
	// Endings were added before the condition and SetCondition takes them away: what is refused has
	// no outputs and meets no condition.
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

// planOfOutcomes returns a plan of one rule without a graph, whose outputs are the names that
// formulas may read. It is good for compiling formulas and for nothing else.
func planOfOutcomes(id string, outputs *plan.Type) *plan.Plan {
	return &plan.Plan{Rules: []plan.Rule{{ID: id, Graph: plan.Graph{Outputs: plan.Value{Type: outputs}}}}}
}
