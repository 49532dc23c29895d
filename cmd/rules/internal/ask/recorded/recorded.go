// Package recorded writes golden cases of what the program answered. A recorded case holds that an answer stays as it is,
// not that the book says so; its head says that.
package recorded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// recordedText is the sentence of a case that the program wrote itself.
const recordedText = "Recorded: this is what the program answered, and no example of the book."

// WriteCase writes a case to a file, once it can be read. A file that is there is not touched.
//
// Parsing it first holds this package to the format: a case that cannot be read back is an error of
// the command and not a file.
func WriteCase(file string, text []byte) error {
	if _, err := os.Stat(file); err == nil {
		return fmt.Errorf("--case %s: the file is there already", file)
	}
	if _, err := golden.Parse(file, text); err != nil {
		return fmt.Errorf("--case: %w", err)
	}
	return atomicfile.TheDisk().WriteWhole(file, text)
}

// CaseOfRule returns the text of a case of a rule: the request as it was given, the faces by their
// ids, and all outputs. Faces are written out even when they were drawn, so that no seed stands
// between the case and its numbers.
func CaseOfRule(p *plan.Plan, request runtime.Request, sheet *runtime.Sheet) ([]byte, error) {
	want, err := SelectOutputs(sheet.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	c := recordedCase{"rule", sheet.Rule, p.Rule(sheet.Rule).Cite, sheet.Options}
	return c.format([]txtar.File{
		{Name: "character.json", Data: request.Character}, {Name: "input.json", Data: request.Input},
		{Name: "dice", Data: formatFaces(sheet.Dice)}, {Name: "want.json", Data: want},
	}), nil
}

// CaseOfPlay returns the text of a case of a procedure that was played from its start.
func CaseOfPlay(p *plan.Plan, id string, character, input []byte, play *runtime.Play) ([]byte, error) {
	sheet := play.AppendJSON(nil)
	want, err := SelectPlayed(sheet)
	if err != nil {
		return nil, err
	}
	events, err := selectEvents(sheet)
	if err != nil {
		return nil, err
	}
	c := recordedCase{"procedure", id, p.Procedure(id).Cite, play.Settings()}
	return c.format([]txtar.File{
		{Name: "character.json", Data: character}, {Name: "input.json", Data: input},
		{Name: "dice", Data: formatFaces(play.Dice)}, {Name: "events.json", Data: events}, {Name: "want.json", Data: want},
	}), nil
}

// A recordedCase is the head of a case: what was asked, and under which rulings.
type recordedCase struct {
	kind, subject, cite string
	options             []runtime.Setting
}

// format writes the case with those of the files that are not empty.
func (c *recordedCase) format(files []txtar.File) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\ncite: %s\nrecorded: true\n", c.kind, c.subject, strings.Join(strings.Fields(c.cite), " "))
	for _, o := range c.options {
		fmt.Fprintf(&b, "option: %s=%s\n", o.Option, o.Value)
	}
	fmt.Fprintf(&b, "\n%s\n", recordedText)
	archive := &txtar.Archive{Comment: []byte(b.String())}
	for _, f := range files {
		// An empty file would be read as one that is empty and not as one that is not there.
		if text := bytes.TrimSpace(f.Data); len(text) > 0 {
			archive.Files = append(archive.Files, txtar.File{Name: f.Name, Data: append(text, '\n')})
		}
	}
	return txtar.Format(archive)
}

// formatFaces writes faces by the ids of their dice. By position a die that a later revision adds
// would move all that follow.
func formatFaces(list dice.Rolls) []byte {
	var faces []string
	for _, d := range list {
		faces = append(faces, d.ID+"="+joinNumbers(d.Faces))
	}
	return []byte(strings.Join(faces, " "))
}

func joinNumbers(list []int64) string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = fmt.Sprint(n)
	}
	return strings.Join(out, ",")
}

// SelectOutputs returns the part of a sheet in JSON that a case expects: all of its outputs. The dice and the seed
// belong to the question and are left out.
func SelectOutputs(sheet []byte) ([]byte, error) {
	var found struct {
		Output json.RawMessage `json:"output"`
	}
	return selectMembers(sheet, &found)
}

// SelectPlayed returns the part of a procedure's sheet in JSON that a case expects: the outputs of each event, and the
// character, state, status and outputs at the end.
func SelectPlayed(sheet []byte) ([]byte, error) {
	var found struct {
		Character json.RawMessage `json:"character,omitempty"`
		State     json.RawMessage `json:"state,omitempty"`
		Events    []struct {
			Output json.RawMessage `json:"output,omitempty"`
		} `json:"events,omitempty"`
		Status string          `json:"status"`
		Output json.RawMessage `json:"output,omitempty"`
	}
	return selectMembers(sheet, &found)
}

// selectEvents returns the events of the sheet of a procedure as a case gives them: without their
// outputs, which are wanted and not asked.
func selectEvents(sheet []byte) ([]byte, error) {
	var found struct {
		Events []struct {
			Event string          `json:"event"`
			Input json.RawMessage `json:"input,omitempty"`
			Dice  json.RawMessage `json:"dice,omitempty"`
		} `json:"events"`
	}
	if err := json.Unmarshal(sheet, &found); err != nil {
		return nil, fmt.Errorf("the sheet is no JSON: %w", err)
	}
	if len(found.Events) == 0 {
		return nil, nil
	}
	return json.Marshal(found.Events)
}

// selectMembers returns those members of a sheet that a struct has, in the order of the struct,
// which is therefore that of the file.
func selectMembers(sheet []byte, to any) ([]byte, error) {
	if err := json.Unmarshal(sheet, to); err != nil {
		return nil, fmt.Errorf("the sheet is no JSON: %w", err)
	}
	return json.Marshal(to)
}
