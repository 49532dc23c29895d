package oddsquery

// Dice without a ruleset have no rule, and formulas are compiled over rules. So a plan is made up
// that has one rule with nothing but types of outputs: the total, and each labelled group. The
// compiler needs no more of it to check --given and --ask, and tells the same errors as for a rule.

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// AskDice answers formulas over the total of dice and over their labelled groups, and the distribution of the total when
// there are none; given is a condition over the same, "" for none.
func AskDice(n *dice.Notation, given string, formulas []string, exact bool) (*Answer, error) {
	names, err := planOfDice(n)
	if err != nil {
		return nil, err
	}
	o, err := newOptions(names, diceRule, given, "--ask", formulas)
	if err != nil {
		return nil, err
	}
	joint, err := notation.ComputeJoint(n, readLabels(n, o), exact)
	if err != nil {
		return nil, err
	}
	var outputs []string
	if len(formulas) == 0 {
		outputs = []string{"total"}
	}
	answer, err := odds.NewAnswer([]*odds.Joint{joint}, outputs, o, nil)
	if err != nil {
		return nil, nameFlag(err, o)
	}
	return &Answer{Answer: answer, Exact: exact, AsksExact: exact}, nil
}

// diceRule is the rule that formulas over dice are compiled for.
const diceRule = "dice"

// planOfDice returns a plan of one rule without a graph, whose outputs are the names that formulas over dice read.
func planOfDice(n *dice.Notation) (*plan.Plan, error) {
	roll, err := notation.Compute(n)
	if err != nil {
		return nil, err
	}
	// The type of the total follows from what it may come to, and not from the text: a division
	// makes it a double in some notations, a comparison a bool.
	total := plan.IntType
	switch values := roll.Results[0].Values; {
	case n.IsTruth():
		total = plan.BoolType
	case len(values) > 0 && values[0].Kind() == plan.Double:
		total = plan.DoubleType
	}
	outputs := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "total", Type: total}}}
	for _, label := range notation.Labels(n) {
		outputs.Fields = append(outputs.Fields, plan.Field{Name: label, Type: plan.IntType})
	}
	return planOfOutcomes(diceRule, outputs), nil
}

// readLabels returns the labelled groups that the formulas read. Only these are kept apart in the
// joint distribution, which grows with every group.
func readLabels(n *dice.Notation, o *odds.Options) (out []string) {
	reads := readsOf(nil, o)
	for _, label := range notation.Labels(n) {
		if slices.Contains(reads, label) {
			out = append(out, label)
		}
	}
	return out
}
