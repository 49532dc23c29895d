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
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
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

// A Subject says what odds are of.
type Subject = oddsjson.Subject

func titleOf(s Subject) string {
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
func printTitle(p *layout.Page, s Subject) {
	p.AddLine(0, "%s", p.Style(layout.Bold, titleOf(s)))
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
