package present

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/changes"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/runtime"
)

// A Before is what a procedure was like when a command began, in JSON; empty for one that began with it.
type Before struct{ State, Character []byte }

// PrintPlay shows a procedure as it is now, after the events that led to it, and what has changed since; of traces so many
// levels.
func PrintPlay(p *layout.Page, x *runtime.Play, was Before, depth int) {
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
	p.AddRows(2, [][]string{{"status", x.Status}}, layout.Column{Style: layout.Bold})
	printParts(p, "state", x.State, was.State)
	printParts(p, "character", x.Character, was.Character)
	printOutputs(p, x.Output, nil)
	printTrace(p, "trace", x.Trace, depth)
}

func printEvent(p *layout.Page, number int, e *runtime.Happened) {
	p.AddLine(0, "%s", p.Style(layout.Bold, fmt.Sprintf("event %d, %s", number, e.Event)))
	rows := DiceRows(e.Dice, e.Given)
	rows = append(listParts("input", e.Input), rows...)
	p.AddRows(2, append(rows, listParts("output", e.Output)...))
}

// listParts lists the parts of a record in JSON by their paths, in rows that begin with what it is.
func listParts(what string, text []byte) [][]string {
	var rows [][]string
	for _, c := range changes.Compare("", nil, text) {
		if path := strings.TrimPrefix(c.Path, "."); path != "" {
			rows = append(rows, []string{what, path, ReadableJSON(c.After)})
		}
	}
	return rows
}

// printParts shows the parts of a record in JSON below a heading: each with what it was before, if it has changed.
func printParts(p *layout.Page, heading string, now, was []byte) {
	before := map[string]string{}
	if len(was) > 0 {
		for _, c := range changes.Compare("", now, was) {
			before[c.Path] = "was " + ReadableJSON(c.After)
			if c.After == nil {
				before[c.Path] = "new"
			}
		}
	}
	var rows [][]string
	for _, c := range changes.Compare("", nil, now) {
		row := []string{"", strings.TrimPrefix(c.Path, "."), ReadableJSON(c.After)}
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

// ReadableJSON is a value in JSON as people read it: a string without quotes, a number without digits that only come of
// computing it.
func ReadableJSON(text json.RawMessage) string {
	var s string
	if json.Unmarshal(text, &s) == nil && !bytes.Equal(text, []byte("null")) {
		return s
	}
	if v, err := strconv.ParseFloat(string(text), 64); err == nil && bytes.ContainsAny(text, ".eE") {
		return layout.FormatNear(v)
	}
	return string(text)
}
