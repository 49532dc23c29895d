// Package view says how answers read: each value as a line with its name and its text. Terminal, pages and the table of
// players render the same lines, so that no front end formats a value by itself.
//
// # From an answer to lines
//
//	outputs of a sheet ─ Outputs ─┐
//	a record in JSON   ─ Parts   ─┴─> []Line: path, name, text
//	notes of the author (notes.go): digits, what means nothing here, why a truth is false
//
// text.go writes one value, spoken.go says it at a table. JSON for tools is not written here: it has the values
// themselves.
//
// Invariant: nothing is computed here that an answer does not have, and a number is rounded only for people.
package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/changes"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A Line is one value of an answer as people read it.
type Line struct {
	Output string // or member of a record, which has the value
	Path   string // of the value, from the output on: "harm.total"
	Name   string // of the value, for people
	Text   string
	// Table has the elements of a list of records below the names of their fields; nil for any other value.
	Table [][]string
}

// newLine returns the line of a value at a path. It is the one place that names values.
func (n *Notes) newLine(output, path, text string) Line {
	return Line{Output: output, Path: path, Name: n.nameOf(path), Text: text}
}

// nameOf returns the words for a path, or the path where nobody has words.
func (n *Notes) nameOf(path string) string {
	if n.Teller == nil {
		return path
	}
	return n.Teller.Heading(path)
}

// Rows returns the names and the texts of lines, as a page lists them.
func Rows(lines []Line) [][]string {
	var out [][]string
	for i := range lines {
		out = append(out, []string{lines[i].Name, lines[i].Text})
	}
	return out
}

// Outputs returns the lines of all outputs: one for each, and one for each field of a record.
func Outputs(v runtime.Value, notes *Notes) []Line {
	var out []Line
	for i, name := range v.Names() {
		out = append(out, notes.linesOf(name, v.At(i))...)
	}
	return out
}

// linesOf returns the lines of an output.
func (n *Notes) linesOf(name string, v runtime.Value) []Line {
	switch why := n.Reasons[name]; {
	case slices.Contains(n.Impossible, name):
		return []Line{n.newLine(name, name, notPossible)}
	case why != "" && n.Teller == nil && !n.Spoken:
		return []Line{n.newLine(name, name, Text(v)+": "+why)}
	case why != "":
		return []Line{n.newLine(name, name, speakTruth(false, why, n.Teller))}
	}
	lines := n.appendFields(nil, name, name, v)
	if len(lines) == 1 {
		lines[0].Table = n.tableOf(name, v)
	}
	return lines
}

// appendFields appends the values of a record by their paths; lists and maps stay whole, since their
// lengths differ from sheet to sheet.
func (n *Notes) appendFields(out []Line, output, path string, v runtime.Value) []Line {
	if v.Kind() != plan.Record {
		return append(out, n.newLine(output, path, n.textOf(path, v.AppendJSON(nil))))
	}
	for i, name := range v.Names() {
		out = n.appendFields(out, output, path+"."+name, v.At(i))
	}
	return out
}

// tableOf returns the elements of a list of records below the names of their fields; nil for any other value. All
// elements have one type, so the first has the names for all.
func (n *Notes) tableOf(path string, v runtime.Value) [][]string {
	if v.Kind() != plan.List || v.Len() == 0 || v.At(0).Kind() != plan.Record {
		return nil
	}
	var rows [][]string
	for i := range v.Len() {
		var names, cells []string
		for _, x := range n.appendFields(nil, path, path, v.At(i)) {
			names, cells = append(names, n.nameOf(strings.TrimPrefix(x.Path, path+"."))), append(cells, x.Text)
		}
		if i == 0 {
			rows = append(rows, names)
		}
		rows = append(rows, cells)
	}
	return rows
}

// Parts returns the lines of the parts of a record in JSON. Notes are of its members; nil adds nothing.
func Parts(text []byte, notes *Notes) []Line {
	if notes == nil {
		notes = &Notes{}
	}
	var out []Line
	var hidden []string // members that are listed as not possible
	for _, c := range changes.Compare("", nil, text) {
		path := strings.TrimPrefix(c.Path, ".")
		member, _, _ := strings.Cut(path, ".")
		member, _, _ = strings.Cut(member, "[")
		switch {
		case path == "", slices.Contains(hidden, member):
		case slices.Contains(notes.Impossible, member):
			hidden = append(hidden, member)
			out = append(out, notes.newLine(member, member, notPossible))
		default:
			out = append(out, notes.newLine(member, path, notes.textOf(path, c.After)))
		}
	}
	return out
}

// Part returns the line of one part of a record in JSON, by its path.
func (n *Notes) Part(path string, text []byte) Line {
	path = strings.TrimPrefix(path, ".")
	return n.newLine(path, path, n.textOf(path, text))
}

// textOf returns the text of a value at a path, in the words of the ruleset where there are some.
func (n *Notes) textOf(path string, text []byte) string {
	switch {
	case n.Teller != nil:
		return n.Teller.Show(path, text)
	case n.Spoken && isTruth(text):
		return SpeakJSON(text)
	}
	output, _, _ := strings.Cut(path, ".")
	digits, declared := n.decimals[output]
	if !declared {
		return TextOfJSON(text)
	}
	return textOfJSON(text, func(f float64) string { return say.FormatDecimals(f, digits) })
}

// Faces returns a text for each die: "roll=43". Faces that were given are marked when others were drawn.
func Faces(rolls, given dice.Rolls) []string {
	out := make([]string, len(rolls))
	for i := range rolls {
		out[i] = rolls[i].ID + "=" + strings.Join(facesOf(&rolls[i], given), ",")
	}
	return out
}

// Faces returns a text for each die as Faces does or, where players read the answer, with its word where there is one:
// "Roll 43".
func (n *Notes) Faces(rolls, given dice.Rolls) []string {
	if !n.Spoken {
		return Faces(rolls, given)
	}
	out := make([]string, len(rolls))
	for i := range rolls {
		name := rolls[i].ID
		if n.Teller != nil {
			name = say.Capitalise(n.Teller.Die(name))
		}
		out[i] = name + " " + strings.Join(facesOf(&rolls[i], given), ", ")
	}
	return out
}

func facesOf(d *dice.Roll, given dice.Rolls) []string {
	faces := make([]string, len(d.Faces))
	for i, f := range d.Faces {
		// A face of zero among those given stands for one that was drawn.
		if faces[i] = strconv.FormatInt(f, 10); isGiven(given, d.ID, i) {
			faces[i] += " (given)"
		}
	}
	return faces
}

// isGiven reports whether a face is one of those that were given while others were drawn.
func isGiven(given dice.Rolls, id string, i int) bool {
	for _, g := range given {
		if g.ID == id && i < len(g.Faces) {
			return g.Faces[i] != 0
		}
	}
	return false
}
