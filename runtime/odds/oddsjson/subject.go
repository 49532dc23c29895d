package oddsjson

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Subject says what odds are of, as every sheet does. Odds of an expression have Dice and nothing else.
type Subject struct {
	Ruleset   string `json:"ruleset,omitempty"`
	Revision  string `json:"revision,omitempty"`
	Rule      string `json:"rule,omitempty"`
	Procedure string `json:"procedure,omitempty"`
	Dice      string `json:"dice,omitempty"`
	// Decided are the fields of the input that a player decides when dice have fallen. Odds take the choice that is
	// given, or the default, whatever falls.
	Decided []string `json:"decided,omitempty"`
	// Strategy says how the others are decided: "spend.speed: roll.quality", of a procedure "roll.spend.speed: 2".
	Strategy []string `json:"strategy,omitempty"`
	// Best is what they are decided for, "" where each has one choice.
	Best string `json:"best,omitempty"`
}

// RuleSubject returns the heading of a rule of a plan, with the fields that a player decides when
// dice have fallen: odds that pass over such a decision must say so.
func RuleSubject(p *plan.Plan, id string) Subject {
	s := Subject{Ruleset: p.Ruleset, Revision: p.Revision, Rule: id}
	if r := p.Rule(id); r != nil {
		for _, d := range r.Graph.Decisions {
			s.Decided = append(s.Decided, d.Path)
		}
	}
	return s
}

// ProcedureSubject returns the heading of a procedure of a plan.
func ProcedureSubject(p *plan.Plan, id string) Subject {
	return Subject{Ruleset: p.Ruleset, Revision: p.Revision, Procedure: id}
}

// SetStrategy sets the decisions of fields that the page names. For any other field the choice in the input counts.
func (s *Subject) SetStrategy(decide []string, best string) {
	s.Strategy, s.Best = decide, best
	s.Decided = slices.DeleteFunc(s.Decided, func(path string) bool {
		// A decision may be a record; one of its fields decided by --decide takes the whole from
		// the list, since the flag then says how the rest is meant.
		return slices.ContainsFunc(decide, func(text string) bool {
			return text == path || strings.HasPrefix(text, path+".") || strings.HasPrefix(text, path+":")
		})
	})
}
