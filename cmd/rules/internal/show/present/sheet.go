// Package present shows answers to people and tools: sheets, definitions, comparisons of revisions, reports on cases and
// diagnostics, each as a page and as the JSON of --format json.
//
// # From a sheet to lines
//
// "rules eval tempestas test" with the face 28 gives a runtime.Sheet. PrintSheet writes on a
// layout.Page: the title "rule test, tempestas 0.1.0"; the homebrews that have a part in it;
// options that differ from the release's, the seed, and the faces as --dice takes them, roll=28;
// then each output as a row of name and value. An output that is a list of records becomes a table
// of its own, with the names of its fields above. Notes (notes.go) change how a value is read and
// never what it is: with how many decimals, that it means nothing here ("not possible"), or why it
// is false. With --trace the trees of trace.go follow.
//
// Each file has one kind of answer and, where tools get it in another form than people, its JSON
// beside it: definition.go, item.go and needs.go for definitions, play.go for procedures, why.go,
// diff.go for comparisons of revisions, report.go and mutants.go for cases, problem.go and
// excerpt.go for diagnostics. readable.go writes numbers for reading.
//
// Invariant: nothing is computed here that an answer does not have; a number is rounded only for
// people.
package present

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// PrintSheet shows what came of a rule: its outputs, after all that they depend on besides the character and the input;
// of a trace so many levels.
func PrintSheet(p *layout.Page, s *runtime.Sheet, notes *Notes, depth int) {
	p.AddLine(0, "%s", p.Style(layout.Bold, SubjectTitle("rule "+s.Rule, s.Ruleset, s.Revision)))
	printOverlays(p, s.Overlays)
	printSettings(p, s.Options, s.Seed, s.Dice, s.Given)
	if len(s.NotRolled) > 0 {
		p.AddText(2, layout.Faint, "not rolled, for nothing here reads it: "+strings.Join(s.NotRolled, ", "))
	}
	printOutputs(p, s.Output, notes)
	printTrace(p, "trace", s.Trace, depth)
}

// printOutputs shows outputs below each other, if there are any; a list of records as a table.
func printOutputs(p *layout.Page, v runtime.Value, notes *Notes) {
	if v.Len() == 0 {
		return
	}
	p.AddBlank()
	var rows [][]string
	flush := func() {
		p.AddRows(2, rows, layout.Column{Style: layout.Bold})
		rows = nil
	}
	for i, name := range v.Names() {
		cells := tableRows(v.At(i), notes.digitsOf(name))
		if cells == nil || slices.Contains(notes.Impossible, name) {
			rows = append(rows, notes.rowsOf(name, v.At(i))...)
			continue
		}
		flush()
		p.AddLine(2, "%s", p.Style(layout.Bold, name))
		p.AddRows(4, cells)
	}
	flush()
}

// rowsOf lists an output by its paths, as people read it.
func (n *Notes) rowsOf(name string, v runtime.Value) [][]string {
	digits := n.digitsOf(name)
	switch why := n.Reasons[name]; {
	case slices.Contains(n.Impossible, name):
		return [][]string{{name, notPossible}}
	case n.Spoken && v.Kind() == plan.Bool:
		return [][]string{{name, speakTruth(v.Bool(), why)}}
	case why != "":
		return [][]string{{name, readableValue(v, digits) + ": " + why}}
	}
	return flattenRecord(name, v, digits)
}

// tableRows returns the elements of a list of records below the names of their fields; nil for
// anything else. All elements have one type, so the first has the names for all.
func tableRows(v runtime.Value, digits int) [][]string {
	if v.Kind() != plan.List || v.Len() == 0 || v.At(0).Kind() != plan.Record {
		return nil
	}
	var rows [][]string
	for i := range v.Len() {
		var names, cells []string
		for _, cell := range flattenRecord("", v.At(i), digits) {
			names, cells = append(names, cell[0]), append(cells, cell[1])
		}
		if i == 0 {
			rows = append(rows, names)
		}
		rows = append(rows, cells)
	}
	return rows
}

// SubjectTitle is the first line of a sheet: "rule test, tempestas 0.1.0".
func SubjectTitle(subject, ruleset, revision string) string {
	return strings.TrimSpace(subject + ", " + ruleset + " " + revision)
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
func printSettings(p *layout.Page, options []runtime.Setting, seed *uint64, dice dice.Rolls,
	given dice.Rolls) {
	var rows [][]string
	for _, o := range options {
		rows = append(rows, []string{"option", o.Option + "=" + o.Value})
	}
	if seed != nil {
		rows = append(rows, []string{"seed", strconv.FormatUint(*seed, 10)})
	}
	p.AddRows(2, append(rows, DiceRows(dice, given)...))
}

// DiceRows shows faces. Those that were given are marked when others were drawn.
func DiceRows(dice dice.Rolls, given dice.Rolls) [][]string {
	var rows [][]string
	for _, d := range dice {
		faces := make([]string, len(d.Faces))
		for i, f := range d.Faces {
			// A face of zero among those given stands for one that was drawn.
			if faces[i] = strconv.FormatInt(f, 10); wasGiven(given, d.ID, i) {
				faces[i] += " (given)"
			}
		}
		rows = append(rows, []string{"dice", d.ID + "=" + strings.Join(faces, ",")})
	}
	return rows
}

// OutputRows lists outputs with their values, for people. A list of records stays in one row here;
// printOutputs makes a table of it.
func OutputRows(v runtime.Value, notes *Notes) (rows [][]string) {
	for i, name := range v.Names() {
		rows = append(rows, notes.rowsOf(name, v.At(i))...)
	}
	return rows
}

// wasGiven reports whether a face is one of those that were given while others were drawn.
func wasGiven(given dice.Rolls, id string, i int) bool {
	for _, g := range given {
		if g.ID == id && i < len(g.Faces) {
			return g.Faces[i] != 0
		}
	}
	return false
}

// flattenRecord lists the values of a record by their paths; lists and maps stay whole, since their
// lengths differ from sheet to sheet.
func flattenRecord(path string, v runtime.Value, digits int) [][]string {
	if v.Kind() != plan.Record {
		return [][]string{{path, readableValue(v, digits)}}
	}
	var rows [][]string
	for i, name := range v.Names() {
		if path != "" {
			name = path + "." + name
		}
		rows = append(rows, flattenRecord(name, v.At(i), digits)...)
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
