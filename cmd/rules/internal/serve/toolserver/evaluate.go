package toolserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A playedSheet is the answer of evaluate and of play: a sheet with the member words.
type playedSheet struct {
	Source  source          `json:"source"`
	Sheet   json.RawMessage `json:"sheet"`
	Receipt string          `json:"receipt"`          // its digest
	State   string          `json:"state,omitempty"`  // of a procedure: by which it goes on
	Offers  []offer         `json:"offers,omitempty"` // of a procedure: its events
}

// evaluateRule carries out a rule.
func (s *server) evaluateRule(_ context.Context, c *call) (*answer, error) {
	var q struct {
		subjectArgs
		api.Question
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	e, err := s.findSubject(&q.subjectArgs, q.Character, nil, "rule")
	if err != nil {
		return nil, err
	}
	if err := s.readRecords(c, e, q.Rule, &q.Character, &q.Input); err != nil {
		return nil, err
	}
	x, err := q.Eval(e, q.Rule)
	if err != nil {
		return nil, x.Explain(err, nil)
	}
	r, err := receipt.NewReceipt(e.Program, q.Outputs, x.Request, x.Sheet)
	if err != nil {
		return nil, err
	}
	notes := view.FindNotes(e.Plan, x.Rule, x.Request, x.Sheet)
	sheet, err := notes.AppendWords(x.Sheet.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	from := sourceOf(e, q.Rule)
	digest := s.kept.put(r.Printed())
	return &answer{sentence: headOf(from, "rule", q.Rule, &notes.Told) + fallenText(x.Sheet.Dice, x.Sheet.Seed),
		data: lineTexts(view.Outputs(x.Sheet.Output, &notes)), receipt: digest,
		content: playedSheet{Source: from, Sheet: sheet, Receipt: digest}}, nil
}

// readRecords replaces names of characters by the characters, and completes the input.
func (s *server) readRecords(c *call, e *library.Edition, id string, character, input *json.RawMessage) (err error) {
	if *character, err = s.Party.readCharacter(*character); err != nil {
		return err
	}
	if *input, err = s.Party.resolveNames(describe.InputOf(e.Plan, id), *input); err != nil {
		return err
	}
	*input, err = c.completeInput(e.Plan, id, *input)
	return err
}

// headOf says of what an answer is, where the book has it, and what the ruleset says to it.
func headOf(from source, kind, id string, told *say.Told) string {
	out := kind + " " + id + from.sentence()
	var words []string
	for _, text := range []string{told.Headline, told.Say} {
		if text != "" {
			words = append(words, text)
		}
	}
	if len(words) > 0 {
		out += ": " + quote(strings.Join(words, ". "))
	}
	return out
}

// lineTexts returns an answer as people read it, a line for each value.
func lineTexts(lines []view.Line) (out []string) {
	for i := range lines {
		l := &lines[i]
		text := l.Text
		for _, row := range l.Table {
			text += "\n  " + strings.Join(row, " | ")
		}
		out = append(out, l.Name+": "+text)
	}
	return out
}

// fallenText tells the faces that fell, and by which seed they fall again.
func fallenText(rolls dice.Rolls, seed *uint64) string {
	if len(rolls) == 0 {
		return ""
	}
	text := "\ndice " + strings.Join(view.Faces(rolls, nil), ", ")
	if seed != nil {
		text += fmt.Sprintf(", drawn from seed %d", *seed)
	}
	return text
}
