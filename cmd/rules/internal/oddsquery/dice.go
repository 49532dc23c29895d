package oddsquery

import (
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// AskDice answers formulas over the total of dice and over their labelled groups, and the distribution of the total when
// there are none; given is a condition over the same, "" for none.
func AskDice(text string, n *dice.Notation, given string, formulas []string, exact bool) (*oddspage.Distributions, error) {
	names, err := planOfDice(n)
	if err != nil {
		return nil, err
	}
	var condition *formula
	var asked, all []*formula
	if given != "" {
		if condition, err = compileFormula(names, diceRule, "--given", given); err != nil {
			return nil, err
		}
		if condition.kind != plan.Bool {
			return nil, fmt.Errorf("--given %s: it is no condition", given)
		}
		all = append(all, condition)
	}
	for _, f := range formulas {
		x, err := compileFormula(names, diceRule, "--ask", f)
		if err != nil {
			return nil, err
		}
		asked, all = append(asked, x), append(all, x)
	}
	joint, err := odds.JointOfNotation(n, readLabels(n, all), exact)
	if err != nil {
		return nil, err
	}
	out := &oddspage.Distributions{Subject: oddspage.Subject{Dice: text}, Exact: exact, All: joint}
	out.AddEndings(joint)
	if condition != nil {
		if joint, err = joint.Given(func(o *odds.Outcome) (bool, error) {
			v, err := condition.valueOf(joint.Names, o)
			return v.Bool(), err
		}); err != nil {
			return nil, fmt.Errorf("--given %s: %w", given, err)
		}
		out.All = joint
		out.SetCondition(given)
	}
	if len(asked) == 0 {
		out.Marginals = append(out.Marginals, joint.Marginal("total"))
	}
	for _, f := range asked {
		m, err := joint.Of(f.text, func(o *odds.Outcome) (runtime.Value, error) { return f.valueOf(joint.Names, o) })
		if err != nil {
			return nil, fmt.Errorf("--ask %s: %w", f.text, err)
		}
		out.Marginals = append(out.Marginals, m)
	}
	return out, nil
}

// diceRule is the rule that formulas over dice are compiled for.
const diceRule = "dice"

// planOfDice is a plan of one rule without a graph, whose outputs are what formulas over dice read.
func planOfDice(n *dice.Notation) (*plan.Plan, error) {
	roll, err := odds.OfNotation(n)
	if err != nil {
		return nil, err
	}
	total := plan.IntType
	switch values := roll.Results[0].Values; {
	case n.IsTruth():
		total = plan.BoolType
	case len(values) > 0 && values[0].Kind() == plan.Double:
		total = plan.DoubleType
	}
	outputs := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "total", Type: total}}}
	for _, label := range odds.Labels(n) {
		outputs.Fields = append(outputs.Fields, plan.Field{Name: label, Type: plan.IntType})
	}
	return &plan.Plan{Rules: []plan.Rule{{ID: diceRule, Graph: plan.Graph{Outputs: plan.Value{Type: outputs}}}}}, nil
}

// readLabels are the labelled groups that formulas read: the fewer, the smaller is what is known together.
func readLabels(n *dice.Notation, formulas []*formula) (out []string) {
	for _, label := range odds.Labels(n) {
		for _, f := range formulas {
			if f.doesRead(label) {
				out = append(out, label)
				break
			}
		}
	}
	return out
}
