package tuning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Contender is a rule or a procedure of a comparison, with the formulas about it.
type Contender struct {
	ID       string
	Formulas []ComparedFormula
	Of       oddsquery.Opening // that asks for them, in their order
}

// A ComparedFormula is a formula over the outputs of a rule, with what is set for it alone.
type ComparedFormula struct {
	Text string   // as it was given, without the rule
	With []string // NAME=VALUE
	bare string   // the formula, behind blanks that keep its place in the text
}

// The words for what tells options apart that are not the values of a name.
const (
	byRule     = "rule"
	byFormula  = "formula"
	byQuestion = "question" // a rule and a formula
)

// ParseContenders reads formulas about rules: "damage", "damage with weapon=axe" about each of them, "RULE: damage" about
// one.
func ParseContenders(ids, formulas []string) ([]Contender, error) {
	var out []Contender
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return nil, fmt.Errorf("%s is compared twice", id)
		}
		out = append(out, Contender{ID: id})
	}
	for _, text := range formulas {
		only, rest, isOfOne := strings.Cut(text, ":")
		if isOfOne = isOfOne && slices.Contains(ids, strings.TrimSpace(only)); !isOfOne {
			rest = text
		}
		f := ComparedFormula{Text: strings.TrimSpace(rest)}
		f.bare, f.With = oddsquery.CutSettings(rest)
		if strings.TrimSpace(f.bare) == "" {
			return nil, fmt.Errorf("%q: there is no formula in it", text)
		}
		f.bare = strings.Repeat(" ", len(text)-len(rest)) + f.bare
		for i := range out {
			if !isOfOne || out[i].ID == strings.TrimSpace(only) {
				if slices.ContainsFunc(out[i].Formulas, func(other ComparedFormula) bool { return other.Text == f.Text }) {
					return nil, fmt.Errorf("%s of %s is compared twice", f.Text, out[i].ID)
				}
				out[i].Formulas = append(out[i].Formulas, f)
			}
		}
	}
	for i := range out {
		if len(out[i].Formulas) == 0 {
			return nil, fmt.Errorf("there is no formula about %s", out[i].ID)
		}
	}
	return out, nil
}

// Texts returns the formulas as a question asks for them.
func (c *Contender) Texts() (out []string) {
	for i := range c.Formulas {
		out = append(out, c.Formulas[i].bare)
	}
	return out
}

// tellApart returns the word for what tells the formulas of contenders apart.
func tellApart(contenders []Contender) string {
	switch {
	case len(contenders) == 1:
		return byFormula
	case slices.ContainsFunc(contenders, func(c Contender) bool { return len(c.Formulas) > 1 }):
		return byQuestion
	}
	return byRule
}

// label returns the words for a formula of a contender.
func (c *Contender) label(f *ComparedFormula, compared string) string {
	switch compared {
	case byRule:
		return c.ID
	case byFormula:
		return f.Text
	}
	return c.ID + ": " + f.Text
}

// OwnDecisions returns what is decided of one of the rules and procedures that are compared: all but what belongs to others
// alone. So what belongs to none is refused by each.
func OwnDecisions(p *plan.Plan, id string, compared, decide []string) []string {
	return slices.DeleteFunc(slices.Clone(decide), func(text string) bool {
		isOf := func(id string) bool { return canDecide(p, id, text) }
		return !isOf(id) && slices.ContainsFunc(compared, isOf)
	})
}

// canDecide reports whether a text FIELD: FORMULA is about a field that a rule decides, or EVENT.FIELD: FORMULA about an
// event of a procedure.
func canDecide(p *plan.Plan, id, text string) bool {
	name, _, _ := strings.Cut(text, ":")
	name = strings.TrimSpace(name)
	if x := p.Procedure(id); x != nil {
		event, _, _ := strings.Cut(name, ".")
		return x.Event(event) != nil
	}
	x := p.Rule(id)
	return x != nil && slices.ContainsFunc(x.Graph.Decisions, func(d plan.Decision) bool {
		return oddsquery.Overlaps(name, d.Path)
	})
}

// openNames reads what is left open. A name belongs to the first contender that has it; only that can tell its words.
func openNames(contenders []Contender, vary []string) (out []oddsquery.Variation, err error) {
	for _, text := range vary {
		name, _, _ := plan.CutAssignment(text)
		of := 0
		if len(contenders) > 1 {
			of = slices.IndexFunc(contenders, func(c Contender) bool { return c.Of.CanSet(name) })
		}
		if of < 0 {
			return nil, fmt.Errorf("--vary %s: no rule that is compared has an input of that name", text)
		}
		v, err := contenders[of].Of.ParseVariation(text)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, oddsquery.RefuseTwice(out)
}
