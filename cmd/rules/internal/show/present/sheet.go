// Package present shows answers to people and tools: sheets, definitions, comparisons of revisions, reports on cases and
// diagnostics, each as a page and as the JSON of --format json.
//
// # From a sheet to lines
//
// "rules eval tempestas test" with the face 28 gives a runtime.Sheet. PrintSheet writes on a
// layout.Page: the title "rule test, tempestas 0.1.0"; the homebrews that have a part in it;
// options that differ from the release's, the seed, and the faces as --dice takes them, roll=28;
// then each output as a row of name and value. An output that is a list of records becomes a table
// of its own, with the names of its fields above. How a value reads, package view says, with the
// author's notes. With --trace the trees of trace.go follow.
//
// Each file has one kind of answer and, where tools get it in another form than people, its JSON
// beside it: definition.go, item.go and needs.go for definitions, play.go for procedures, why.go,
// diff.go for comparisons of revisions, report.go and mutants.go for cases, problem.go and
// excerpt.go for diagnostics.
//
// Invariant: nothing is computed here that an answer does not have.
package present

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// PrintSheet prints the result of a rule: first options, seed and dice, then the outputs, and so many levels of the
// trace.
func PrintSheet(p *layout.Page, s *runtime.Sheet, notes *view.Notes, depth int) {
	p.AddLine(0, "%s", p.Style(layout.Bold, SubjectTitle(cmp.Or(notes.Told.Title, "rule "+s.Rule), s.Ruleset, s.Revision)))
	PrintTold(p, 2, &notes.Told)
	printOverlays(p, s.Overlays)
	printSettings(p, s.Options, s.Seed, notes.Faces(s.Dice, s.Given))
	if len(s.NotRolled) > 0 {
		p.AddText(2, layout.Faint, "not rolled, for nothing here reads it: "+strings.Join(s.NotRolled, ", "))
	}
	printOutputs(p, s.Output, notes)
	printTrace(p, "trace", s.Trace, depth)
}

// toneStyles are the styles of headlines. The words say the same without colour.
var toneStyles = [plan.NumTones]layout.Style{
	plan.OtherTone: layout.Bold, plan.WinTone: layout.Green, plan.RareTone: layout.Green, plan.FailTone: layout.Bold,
	plan.DoomTone: layout.Red,
}

// PrintTold shows an answer in words: the headline and the sentence, each where there is one.
func PrintTold(p *layout.Page, indent int, told *say.Told) {
	if told.Headline != "" {
		p.AddText(indent, toneStyles[told.Tone], told.Headline)
	}
	if told.Say != "" {
		p.AddText(indent, layout.Plain, told.Say)
	}
}

// printOutputs shows outputs below each other, if there are any; a list of records as a table.
func printOutputs(p *layout.Page, v runtime.Value, notes *view.Notes) {
	if v.Len() == 0 {
		return
	}
	p.AddBlank()
	var rows [][]string
	flush := func() {
		p.AddRows(2, rows, layout.Column{Style: layout.Bold})
		rows = nil
	}
	for _, line := range view.Outputs(v, notes) {
		if line.Table == nil {
			rows = append(rows, []string{line.Name, line.Text})
			continue
		}
		flush()
		p.AddLine(2, "%s", p.Style(layout.Bold, line.Name))
		p.AddRows(4, line.Table)
	}
	flush()
}

// SubjectTitle is the first line of a sheet: "rule test, tempestas 0.1.0".
func SubjectTitle(subject, ruleset, revision string) string {
	return strings.TrimSpace(subject + ", " + ruleset + " " + revision)
}

// printOwners shows the homebrews that have a part in a definition or a value, when there are any.
func printOwners(p *layout.Page, indent int, homebrews []string) {
	if len(homebrews) > 0 {
		p.AddText(indent, layout.Plain, "by homebrew "+strings.Join(homebrews, ", "))
	}
}

// printOverlays shows the homebrews that are played, and the outputs in which each has a part.
func printOverlays(p *layout.Page, list []runtime.Homebrew) {
	for _, t := range list {
		text := "homebrew " + t.ID
		if len(t.Outputs) > 0 {
			text += ": " + strings.Join(t.Outputs, ", ")
		}
		p.AddLine(2, "%s", text)
	}
}

// printSettings shows the rulings that are not those of the release, the seed and the faces.
func printSettings(p *layout.Page, options []runtime.Setting, seed *uint64, faces []string) {
	var rows [][]string
	for _, o := range options {
		rows = append(rows, []string{"option", o.Option + "=" + o.Value})
	}
	if seed != nil {
		rows = append(rows, []string{"seed", strconv.FormatUint(*seed, 10)})
	}
	p.AddRows(2, append(rows, diceRows(faces)...))
}

// diceRows returns a row for each die.
func diceRows(faces []string) [][]string {
	var rows [][]string
	for _, f := range faces {
		rows = append(rows, []string{"dice", f})
	}
	return rows
}
