package present

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Before is what a procedure was like when a command began, in JSON; empty for one that began with it.
type Before struct{ State, Character []byte }

// PrintPlay shows a procedure as it is now, after the events that led to it, and what has changed since; of traces so many
// levels. The plan is that of the procedure.
func PrintPlay(p *layout.Page, of *plan.Plan, x *runtime.Play, was Before, depth int) {
	ruleset, revision, procedure := x.Subject()
	p.AddLine(0, "%s", p.Style(layout.Bold, SubjectTitle("procedure "+procedure, ruleset, revision)))
	printOverlays(p, x.Overlays())
	printSettings(p, x.Settings(), x.Seed, x.Dice, x.Given)
	printTrace(p, "trace of the start", x.Begun, depth)
	for i := range x.Events {
		p.AddBlank()
		printEvent(p, of, procedure, i+1, &x.Events[i])
		printTrace(p, fmt.Sprintf("trace of event %d, %s", i+1, x.Events[i].Name), x.Events[i].Trace, depth)
	}
	p.AddBlank()
	p.AddRows(2, [][]string{{"status", x.Status}}, layout.Column{Style: layout.Bold})
	printParts(p, "state", x.State, was.State)
	printParts(p, "character", x.Character, was.Character)
	notes := view.NotesOf(of, procedure, x.Output)
	printOutputs(p, x.Output, &notes)
	printTrace(p, "trace", x.Trace, depth)
}

// printEvent prints an event as it was accepted: its faces, what it was given, what it gave. Notes
// on its outputs are found under "procedure.event".
func printEvent(p *layout.Page, of *plan.Plan, procedure string, number int, e *runtime.Event) {
	p.AddLine(0, "%s", p.Style(layout.Bold, fmt.Sprintf("event %d, %s", number, e.Name)))
	rows := diceRows(e.Dice, e.Given)
	for _, x := range view.Parts(e.Input, nil) {
		rows = append(rows, []string{"input", x.Name, x.Text})
	}
	notes := view.NotesOfJSON(of, procedure+"."+e.Name, e.Output)
	for _, x := range view.Parts(e.Output, &notes) {
		rows = append(rows, []string{"output", x.Name, x.Text})
	}
	p.AddRows(2, rows)
}

// printParts shows the parts of a record in JSON below a heading: each with what it was before, if it has changed.
// Compared is from now to before, so that the path of a part is the one that is printed, and a part
// without a value before is new.
func printParts(p *layout.Page, heading string, now, was []byte) {
	before := map[string]string{}
	if len(was) > 0 {
		for _, c := range changes.Compare("", now, was) {
			before[c.Path] = "was " + view.TextOfJSON(c.After)
			if c.After == nil {
				before[c.Path] = "new"
			}
		}
	}
	var rows [][]string
	for _, c := range changes.Compare("", nil, now) {
		row := []string{"", strings.TrimPrefix(c.Path, "."), view.TextOfJSON(c.After)}
		if row[1] == "" {
			continue // a record without parts
		}
		if text, changed := before[c.Path]; changed {
			row[0] = "*"
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return
	}
	p.AddLine(2, "%s", p.Style(layout.Bold, heading))
	p.AddRows(2, rows)
}
