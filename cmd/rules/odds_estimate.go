package main

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

type jsonStep struct {
	Dice    string  `json:"dice"`
	Within  int     `json:"within"`
	Times   float64 `json:"times"`
	Classes float64 `json:"classes"`
	States  float64 `json:"states"`
}

type jsonEstimate struct {
	about
	Most   float64    `json:"most"`
	Budget int64      `json:"budget"`
	Steps  []jsonStep `json:"steps"`
}

// printEstimate tells what an answer takes at most.
func (a *asker) printEstimate(subject about) error {
	if a.form == "csv" || a.form == "svg" {
		return fmt.Errorf("--estimate: it is told as text or json, not as %s", a.form)
	}
	e, err := a.rule.Estimate(odds.Records{plan.CharacterRoot: a.request.Character, plan.InputRoot: a.request.Input})
	if err != nil {
		return a.placeError(err)
	}
	out := jsonEstimate{about: subject, Most: e.Most, Budget: a.budget, Steps: []jsonStep{}}
	for _, s := range e.Steps {
		out.Steps = append(out.Steps, jsonStep{s.Source, s.Depth, s.Times, s.Classes, s.States})
	}
	if a.form == "json" {
		return a.writeJSON(out)
	}
	p := a.s.newPage(a.c.OutOrStdout())
	p.AddLine(0, "%s", p.Style(layout.Bold, subject.pageTitle()))
	p.AddBlank()
	p.AddRows(2, stepRows(e.Steps), layout.Column{Style: layout.Bold}, layout.Column{Right: true}, layout.Column{Right: true},
		layout.Column{Right: true})
	p.AddBlank()
	p.AddLine(0, "at most %s states are met; the budget is %d", roundCount(e.Most), a.budget)
	return a.writeAnswer([]byte(p.B.String()))
}

func stepRows(steps []odds.EstimatedStep) [][]string {
	rows := [][]string{{"source", "times", "shows", "leaves states"}}
	for _, s := range steps {
		rows = append(rows, []string{strings.Repeat("  ", s.Depth) + s.Source, roundCount(s.Times), roundCount(s.Classes),
			roundCount(s.States)})
	}
	return rows
}

// roundCount is a count that may be as large as it likes.
func roundCount(n float64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.2g", n)
}
