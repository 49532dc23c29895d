// Package oddspage writes answers of odds: distributions, tables over inputs that are left open, courses of procedures and
// estimates, each as text for a terminal, as JSON, as CSV or as a picture. It computes no probability: what it writes was
// found by the packages under runtime/odds, and what is a fraction there is written as a fraction.
//
// # One answer, four forms
//
// "rules odds 3d6" gives a notation.Distribution; OfRoll makes Distributions of it, with one marginal of 16
// values. As text it is a line with mean, deviation, mode and quantiles, and a row for each value:
// 10, 12.5000%, "≥ 62.5000%", a bar. As JSON it is a member for each of these, as CSV a row for
// each value, as SVG bars. All four walk the same marginal, so that they cannot disagree.
//
// distributions.go (with distributions_json.go) is the plain answer, comparison.go several dice
// side by side, table.go inputs that are left open, course.go procedures, estimate.go what an
// answer would cost. A form that an answer has not, such as a picture of an estimate, is an error
// and no empty file.
package oddspage

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Form is a way to write an answer.
type Form string

const (
	Text Form = "text"
	JSON Form = "json"
	CSV  Form = "csv"
	SVG  Form = "svg"
)

// Forms are all ways to write an answer.
//
// Text comes first because it is the default of --format, and the list is its help.
func Forms() []Form { return []Form{Text, JSON, CSV, SVG} }

// An Answer can be written as text and as JSON and, when it is a drawing too, in the other forms.
//
// The methods are unexported: what can be asked is listed in this package, and a new answer is
// written here.
type Answer interface {
	printText(p *layout.Page)
	toJSON() any // what encoding/json writes
}

// A drawing is an answer with numbers that a spreadsheet or a picture shows.
type drawing interface {
	csvRows() [][]string
	toSVG() []byte
}

// Write writes an answer. Text is laid out on the page.
func Write(a Answer, form Form, page *layout.Page) ([]byte, error) {
	var b bytes.Buffer
	switch d, ok := a.(drawing); {
	case form == JSON:
		err := jsontext.PrintJSON(&b, a.toJSON())
		return b.Bytes(), err
	case form == Text:
		a.printText(page)
		err := page.Flush(&b)
		return b.Bytes(), err
	// An answer that is no drawing has no numbers to draw. An empty file would look like an answer.
	case !ok:
		return nil, fmt.Errorf("it is told as text or json, not as %s", form)
	case form == CSV:
		err := csv.NewWriter(&b).WriteAll(d.csvRows())
		return b.Bytes(), err
	default:
		return d.toSVG(), nil
	}
}

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

// ProcedureSubject is a procedure of a plan.
func ProcedureSubject(p *plan.Plan, id string) Subject {
	return Subject{Ruleset: p.Ruleset, Revision: p.Revision, Procedure: id}
}

func (s Subject) title() string {
	switch {
	case s.Dice != "":
		return s.Dice
	case s.Rule != "":
		return present.SubjectTitle("rule "+s.Rule, s.Ruleset, s.Revision)
	}
	return present.SubjectTitle("procedure "+s.Procedure, s.Ruleset, s.Revision)
}

// printTitle prints the subject of the odds and its strategy. The last line warns: without --decide the answer is for
// one fixed choice, and a player who decides after the roll does better.
func (s Subject) printTitle(p *layout.Page) {
	p.AddLine(0, "%s", p.Style(layout.Bold, s.title()))
	for _, text := range s.Strategy {
		if s.Procedure != "" {
			text = "decided: " + text
		} else {
			text = "decided after the roll: " + text
		}
		p.AddText(2, layout.Faint, text)
	}
	if s.Best != "" {
		p.AddText(2, layout.Faint, "each time what is best for "+s.Best)
	}
	if len(s.Decided) > 0 {
		p.AddText(2, layout.Faint, "decided after the roll: "+strings.Join(s.Decided, ", ")+
			"; these odds are those of the choice that is given, or of the default, whatever falls (--decide decides it)")
	}
}
