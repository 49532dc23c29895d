package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tabletop-rules/rules/cmd/rules/internal/atomicfile"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// recordedText is the sentence of a case that the program wrote itself.
const recordedText = "Recorded: this is what the program answered, and no example of the book."

// writeCase writes a recorded case of what was asked and answered. A file that is there is not touched.
func (q *question) writeCase(p *plan.Plan, request runtime.Request, sheet *runtime.Sheet) error {
	if _, err := os.Stat(q.caseFile); err == nil {
		return fmt.Errorf("--case %s: the file is there already", q.caseFile)
	}
	text, err := recordedCase(p, request, sheet)
	if err != nil {
		return err
	}
	if _, err := golden.Parse(q.caseFile, text); err != nil {
		return fmt.Errorf("--case: %w", err)
	}
	return atomicfile.TheDisk().WriteWhole(q.caseFile, text)
}

// recordedCase is the text of a case.
func recordedCase(p *plan.Plan, request runtime.Request, sheet *runtime.Sheet) ([]byte, error) {
	i := slices.IndexFunc(p.Rules, func(r plan.Rule) bool { return r.ID == sheet.Rule })
	var b strings.Builder
	fmt.Fprintf(&b, "rule: %s\ncite: %s\nrecorded: true\n", sheet.Rule, strings.Join(strings.Fields(p.Rules[i].Cite), " "))
	for _, o := range sheet.Options {
		fmt.Fprintf(&b, "option: %s=%s\n", o.Option, o.Value)
	}
	fmt.Fprintf(&b, "\n%s\n", recordedText)
	archive := &txtar.Archive{Comment: []byte(b.String())}
	add := func(name string, text []byte) {
		if text = bytes.TrimSpace(text); len(text) > 0 {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: append(text, '\n')})
		}
	}
	add("character.json", request.Character)
	add("input.json", request.Input)
	var faces []string
	for _, d := range sheet.Dice {
		faces = append(faces, d.ID+"="+joinNumbers(d.Faces))
	}
	add("dice", []byte(strings.Join(faces, " ")))
	want, err := outputOf(sheet.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	add("want.json", want)
	return txtar.Format(archive), nil
}

func joinNumbers(list []int64) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = fmt.Sprint(n)
	}
	return strings.Join(out, ",")
}

// outputOf is what a case wants of a sheet in JSON: all of its outputs.
func outputOf(sheet []byte) ([]byte, error) {
	var found struct {
		Output json.RawMessage `json:"output"`
	}
	if err := json.Unmarshal(sheet, &found); err != nil {
		return nil, fmt.Errorf("the sheet is no JSON: %w", err)
	}
	return append(append([]byte(`{"output": `), found.Output...), '}'), nil
}
