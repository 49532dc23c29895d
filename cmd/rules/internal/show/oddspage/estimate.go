package oddspage

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/runtime"
)

// An Estimate tells what an answer takes at most, source of dice by source of dice. It is for people and programs that
// decide whether to ask; there is nothing in it to draw.
type Estimate struct {
	Subject
	Of     *runtime.Estimate
	Budget int64
}

type jsonEstimate struct {
	Subject
	Most   float64    `json:"most"`
	Budget int64      `json:"budget"`
	Steps  []jsonStep `json:"steps"`
}

// A jsonStep is one source of dice. Within is the depth in loops of uses, Times how often the
// source rolls, Classes how many results of it are told apart, and States how many states are left
// behind it. They are floats: a count may exceed every int, and nobody needs its last digits.
type jsonStep struct {
	Dice    string  `json:"dice"`
	Within  int     `json:"within"`
	Times   float64 `json:"times"`
	Classes float64 `json:"classes"`
	States  float64 `json:"states"`
}

func (e *Estimate) toJSON() any {
	out := jsonEstimate{Subject: e.Subject, Most: e.Of.Most, Budget: e.Budget, Steps: []jsonStep{}}
	for _, s := range e.Of.Steps {
		out.Steps = append(out.Steps, jsonStep{s.Source, s.Depth, s.Times, s.Classes, s.States})
	}
	return out
}

func (e *Estimate) printText(p *layout.Page) {
	printTitle(p, e.Subject)
	p.AddBlank()
	count := layout.Column{Right: true}
	p.AddRows(2, stepRows(e.Of.Steps), layout.Column{Style: layout.Bold}, count, count, count)
	p.AddBlank()
	p.AddLine(0, "at most %s states are met; the budget is %d", roundCount(e.Of.Most), e.Budget)
	if e.Of.Most > float64(e.Budget) {
		p.AddText(0, layout.Plain, "The bound counts states apart that may turn out the same, of which an answer meets far "+
			"fewer. Without --estimate it is asked for, and refused as soon as a closer forecast exceeds the budget.")
	}
}

// stepRows indents a source by the loop that it is in, whose Times multiply its own.
func stepRows(steps []runtime.EstimatedStep) [][]string {
	rows := [][]string{{"source", "times", "shows", "leaves states"}}
	for _, s := range steps {
		rows = append(rows, []string{strings.Repeat("  ", s.Depth) + s.Source, roundCount(s.Times), roundCount(s.Classes),
			roundCount(s.States)})
	}
	return rows
}

// roundCount writes a count that may be as large as it likes.
func roundCount(n float64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.2g", n)
}
