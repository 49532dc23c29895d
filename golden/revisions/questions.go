package revisions

import (
	"bytes"
	"maps"
	"reflect"
	"slices"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// seeds is from how many seeds faces are drawn for a character whose input is given.
// Enough that an effect on one answer in five is missed once in a hundred questions (0.8^20 is
// about 1 %); what is rarer, the comparison of exact odds shows.
const seeds = 20

// askableCases returns the rules and procedures, as cases without a question.
func (r *revisions) askableCases() []*golden.Case {
	var out []*golden.Case
	for _, id := range r.new.RuleNames() {
		out = append(out, &golden.Case{Kind: golden.RuleCase, Subject: id})
	}
	for _, id := range r.new.ProcedureNames() {
		out = append(out, &golden.Case{Kind: golden.ProcedureCase, Subject: id})
	}
	return out
}

// ownCases returns the questions of a character's own files: for one seed, or when dice can fall for many.
func (m *Member) ownCases(of *golden.Case, chancy bool) []*golden.Case {
	input, ok := m.Inputs[of.Subject]
	if !ok {
		return nil
	}
	n := uint64(1)
	if chancy {
		n = seeds
	}
	var out []*golden.Case
	for seed := range n {
		c := *of
		c.Name, c.Character, c.Input, c.Events = m.Name+"_"+of.Subject, m.JSON, input, m.Events[of.Subject]
		c.Seed = &seed
		out = append(out, &c)
	}
	return out
}

// casesOfOthers returns the questions of the cases, asked of another character: each once, for many cases differ in nothing
// but their character.
func (m *Member) casesOfOthers(cases []*golden.Case, of *golden.Case) []*golden.Case {
	var out []*golden.Case
	for _, c := range cases {
		if c.Kind == of.Kind && c.Subject == of.Subject {
			q := *c
			q.Character = m.JSON
			if !slices.ContainsFunc(out, func(x *golden.Case) bool { return asksSame(x, &q) }) {
				out = append(out, &q)
			}
		}
	}
	return out
}

// asksSame reports whether two cases of one rule or procedure, for one character, ask the same.
func asksSame(a, b *golden.Case) bool {
	return bytes.Equal(a.Input, b.Input) && maps.Equal(a.Options, b.Options) && reflect.DeepEqual(a.Dice, b.Dice) &&
		reflect.DeepEqual(a.Events, b.Events)
}

// hasDice reports whether dice can fall.
func (r *revisions) hasDice(of *golden.Case) bool {
	return planHasDice(r.old.Plan(), of) || planHasDice(r.new.Plan(), of)
}

func planHasDice(p *plan.Plan, of *golden.Case) bool {
	for _, x := range p.Rules {
		if of.Kind == golden.RuleCase && x.ID == of.Subject {
			return len(x.Graph.Dice) > 0
		}
	}
	for _, x := range p.Procedures {
		if of.Kind == golden.ProcedureCase && x.ID == of.Subject {
			return len(x.Start.Dice) > 0 ||
				slices.ContainsFunc(x.Events, func(e plan.Event) bool { return len(e.Graph.Dice) > 0 })
		}
	}
	return false
}
