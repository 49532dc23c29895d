package present

import (
	"cmp"
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

// PrintPlay prints a procedure as it is now, after its events, with the changes since was, and so many levels of each
// trace. The plan is that of the procedure.
func PrintPlay(p *layout.Page, of *plan.Plan, x *runtime.Play, was Before, depth int) {
	ruleset, revision, procedure := x.Subject()
	notes := view.NotesOfPlay(of, x)
	p.AddLine(0, "%s", p.Style(layout.Bold,
		SubjectTitle(cmp.Or(notes.Told.Title, "procedure "+procedure), ruleset, revision)))
	printOverlays(p, x.Overlays())
	printSettings(p, x.Settings(), x.Seed, notes.Faces(x.Dice, x.Given))
	printTrace(p, "trace of the start", x.Begun, depth)
	for i := range x.Events {
		p.AddBlank()
		printEvent(p, of, x, i)
		printTrace(p, fmt.Sprintf("trace of event %d, %s", i+1, x.Events[i].Name), x.Events[i].Trace, depth)
	}
	p.AddBlank()
	if status := notes.StatusText(x.Status); status != "" {
		p.AddRows(2, [][]string{{"status", status}}, layout.Column{Style: layout.Bold})
	}
	PrintTold(p, 2, &notes.Told)
	printParts(p, &notes, "state", x.State, was.State)
	printParts(p, &notes, "character", x.Character, was.Character)
	printOutputs(p, x.Output, &notes)
	printTrace(p, "trace", x.Trace, depth)
}

// printEvent prints an accepted event: its sentences, faces, input and output.
func printEvent(p *layout.Page, of *plan.Plan, x *runtime.Play, number int) {
	e := &x.Events[number]
	notes := view.NotesOfEvent(of, x, number)
	p.AddLine(0, "%s", p.Style(layout.Bold, fmt.Sprintf("event %d, %s", number+1, cmp.Or(notes.Told.Title, e.Name))))
	PrintTold(p, 2, &notes.Told)
	rows := diceRows(notes.Faces(e.Dice, e.Given))
	for _, line := range view.Parts(e.Input, &notes) {
		rows = append(rows, []string{"input", line.Name, line.Text})
	}
	for _, line := range view.Parts(e.Output, &notes) {
		rows = append(rows, []string{"output", line.Name, line.Text})
	}
	p.AddRows(2, rows)
}

// printParts prints the parts of a record in JSON below a heading, each with its earlier value, if it has changed.
//
// The comparison goes from now to before, so that the path of a part is the one that is printed, and a part without a
// value before is new.
func printParts(p *layout.Page, notes *view.Notes, heading string, now, was []byte) {
	before := map[string]string{}
	if len(was) > 0 {
		for _, c := range changes.Compare("", now, was) {
			before[c.Path] = "was " + notes.Part(c.Path, c.After).Text
			if c.After == nil {
				before[c.Path] = "new"
			}
		}
	}
	var rows [][]string
	for _, c := range changes.Compare("", nil, now) {
		if c.Path == "" {
			continue // a record without parts
		}
		part := notes.Part(strings.TrimPrefix(c.Path, "."), c.After)
		row := []string{"", part.Name, part.Text}
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
