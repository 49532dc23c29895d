package eliminate

// # Inspection
//
// Comparisons of one form of a rule with another need a form that would not be chosen, and what a question has taken. They
// are made outside of this package, because they compile rulesets, and so need these functions of it. In a file of tests
// they would make Go compile the engine a second time, with everything that imports it.

import (
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// forcedLimits make pools of the smallest lists too.
func forcedLimits() rewrite.Limits {
	limits := rewrite.UsualLimits()
	limits.Listed = 1
	return limits
}

// NewExpandedRule prepares a rule whose smallest lists of dice are pools too, which makes them comparable with all ways.
func NewExpandedRule(p *vm.Image, id string, c plan.Choice) (*Rule, error) {
	return newRule(p, id, c, nil, forcedLimits())
}

// NewRuleByPool prepares a rule likewise, whose pools are met one by one.
func NewRuleByPool(p *vm.Image, id string, c plan.Choice) (*Rule, error) {
	r, err := newRule(p, id, c, nil, forcedLimits())
	if err == nil {
		r.normal, err = r.prepareNetwork(r.normal.Network, form{byPool: true})
	}
	return r, err
}

// NewRuleOfCompared prepares a rule whose dice are met together; it is nil when they are not only compared.
func NewRuleOfCompared(p *vm.Image, id string, c plan.Choice) (*Rule, error) {
	r, err := newRule(p, id, c, nil, rewrite.UsualLimits())
	if err != nil {
		return nil, err
	}
	values := r.normal.comparedValues()
	if values == nil {
		return nil, nil
	}
	r.normal, err = r.prepareNetwork(r.normal.Network, form{joined: values})
	return r, err
}

// Pools returns how many lists of dice were replaced by counts.
func (r *Rule) Pools() int { return len(r.normal.Pools) }

// Spent returns the work of the last question in floats, one that was refused too. It is not inlined, as it would name an
// instance of the engine where it is called, and Go would compile all of that there.
//
//go:noinline
func (r *Rule) Spent() int64 { return r.normal.floats.(*engine[pmf.Float]).budget.spent }

// FormulaWork returns the work of long formulas that all questions in floats took, forecasts too. It is not inlined, as Spent
// is not.
//
//go:noinline
func (r *Rule) FormulaWork() int64 {
	return r.normal.floats.(*engine[pmf.Float]).executor.LongWork() / wordsOfUnit
}

// CountedLists returns how many lists that are asked for are told by counts.
func (r *Rule) CountedLists() int { return len(r.normal.Counted) }

// RuleUnder returns the rule prepared for the numbers that records give; nil when nothing that dice decide reads them.
func (r *Rule) RuleUnder(records odds.Records) (*Rule, error) { return r.ruleUnder(records) }
