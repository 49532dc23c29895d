// Package present shows answers to people and tools: sheets, definitions, comparisons of revisions, reports on cases and
// diagnostics, each as a page and as the JSON of --format json.
package present

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// PrintSheet shows what came of a rule: its outputs, after all that they depend on besides the character and the input;
// of a trace so many levels.
func PrintSheet(p *layout.Page, s *runtime.Sheet, depth int) {
	p.AddLine(0, "%s", p.Style(layout.Bold, SubjectTitle("rule "+s.Rule, s.Ruleset, s.Revision)))
	printOverlays(p, s.Overlays)
	printSettings(p, s.Options, s.Seed, s.Dice, s.Given)
	printOutputs(p, s.Output)
	printTrace(p, "trace", s.Trace, depth)
}

// PrintPlay shows a procedure as it is now, after the events that led to it; of traces so many levels.
func PrintPlay(p *layout.Page, x *runtime.Play, depth int) {
	ruleset, revision, procedure := x.Subject()
	p.AddLine(0, "%s", p.Style(layout.Bold, SubjectTitle("procedure "+procedure, ruleset, revision)))
	printOverlays(p, x.Overlays())
	printSettings(p, x.Settings(), x.Seed, x.Dice, x.Given)
	printTrace(p, "trace of the start", x.Begun, depth)
	for i := range x.Events {
		p.AddBlank()
		printEvent(p, i+1, &x.Events[i])
		printTrace(p, fmt.Sprintf("trace of event %d, %s", i+1, x.Events[i].Event), x.Events[i].Trace, depth)
	}
	p.AddBlank()
	p.AddRows(2, [][]string{{"status", x.Status}, {"state", string(x.State)}, {"character", string(x.Character)}},
		layout.Column{Style: layout.Bold})
	printOutputs(p, x.Output)
	printTrace(p, "trace", x.Trace, depth)
}

// printOutputs shows outputs below each other, if there are any.
func printOutputs(p *layout.Page, v runtime.Value) {
	if rows := OutputRows(v); len(rows) > 0 {
		p.AddBlank()
		p.AddRows(2, rows, layout.Column{Style: layout.Bold})
	}
}

func SubjectTitle(subject, ruleset, revision string) string {
	return strings.TrimSpace(subject + ", " + ruleset + " " + revision)
}

func printEvent(p *layout.Page, number int, e *runtime.Happened) {
	p.AddLine(0, "%s", p.Style(layout.Bold, fmt.Sprintf("event %d, %s", number, e.Event)))
	rows := diceRows(e.Dice, e.Given)
	if string(e.Input) != "{}" {
		rows = append([][]string{{"input", string(e.Input)}}, rows...)
	}
	if string(e.Output) != "{}" {
		rows = append(rows, []string{"output", string(e.Output)})
	}
	p.AddRows(2, rows)
}

// printOverlays shows the homebrews that are played, and the outputs in which each has a part.
func printOverlays(p *layout.Page, list []runtime.Touched) {
	for _, t := range list {
		text := "homebrew " + t.Homebrew
		if len(t.Outputs) > 0 {
			text += ": " + strings.Join(t.Outputs, ", ")
		}
		p.AddLine(2, "%s", text)
	}
}

// printSettings shows the rulings that are not those of the release, the seed and the faces.
func printSettings(p *layout.Page, options []runtime.Setting, seed *uint64, dice []runtime.Rolled,
	given runtime.Faces) {
	var rows [][]string
	for _, o := range options {
		rows = append(rows, []string{"option", o.Option + "=" + o.Value})
	}
	if seed != nil {
		rows = append(rows, []string{"seed", strconv.FormatUint(*seed, 10)})
	}
	p.AddRows(2, append(rows, diceRows(dice, given)...))
}

// diceRows shows faces. Those that were given are marked when others were drawn.
func diceRows(dice []runtime.Rolled, given runtime.Faces) [][]string {
	var rows [][]string
	for _, d := range dice {
		faces := make([]string, len(d.Faces))
		for i, f := range d.Faces {
			if faces[i] = strconv.FormatInt(f, 10); wasGiven(given, d.ID, i) {
				faces[i] += " (given)"
			}
		}
		rows = append(rows, []string{"dice", d.ID + "=" + strings.Join(faces, ",")})
	}
	return rows
}

// OutputRows lists the outputs of a sheet with their values, for people.
func OutputRows(v runtime.Value) [][]string { return flattenRecord("", v) }

// wasGiven reports whether a face is one of those that were given while others were drawn.
func wasGiven(given runtime.Faces, id string, i int) bool {
	for _, g := range given {
		if g.ID == id && i < len(g.Faces) {
			return g.Faces[i] != 0
		}
	}
	return false
}

// flattenRecord lists the values of a record by their paths; lists and maps stay whole.
func flattenRecord(path string, v runtime.Value) [][]string {
	if v.Kind() != plan.Record {
		return [][]string{{path, ReadableValue(v)}}
	}
	var rows [][]string
	for i, name := range v.Names() {
		if path != "" {
			name = path + "." + name
		}
		rows = append(rows, flattenRecord(name, v.At(i))...)
	}
	return rows
}

// ReadableValue is a value as JSON, a string without quotes.
func ReadableValue(v runtime.Value) string {
	if v.Kind() == plan.String {
		return v.Text()
	}
	return v.String()
}
