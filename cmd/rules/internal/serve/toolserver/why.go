package toolserver

import (
	"context"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A reason is the answer of why.
type reason struct {
	Source source `json:"source"`
	Why    any    `json:"why"`
}

// explainOutput says what decided an output, of a roll that is named by its receipt or asked as evaluate and play ask it.
func (s *server) explainOutput(_ context.Context, c *call) (*answer, error) {
	var q struct {
		subjectArgs
		api.Question
		Receipt string `json:"receipt"`
		Output  string `json:"output"`
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	if q.Receipt != "" {
		if err := s.readReceiptOf(q.Receipt, &q.subjectArgs, &q.Question); err != nil {
			return nil, err
		}
	}
	e, err := s.findSubject(&q.subjectArgs, q.Character, &q.State, "rule", "procedure")
	if err != nil {
		return nil, err
	}
	asked := query.Question{Subject: q.Rule, Options: q.Options, Why: q.Output}
	if q.State != nil {
		before := q.Question
		before.Events = nil
		asked.From, err = before.Play(e, q.Rule)
	} else if err = s.readRecords(c, e, q.Rule, &q.Character, &q.Input); err == nil {
		asked.Request = q.Request()
	}
	if err != nil {
		return nil, err
	}
	asked.Steps = q.Steps()
	if n := len(asked.Steps); n > 0 && asked.From != nil {
		if err := asked.From.Go(false, asked.Steps[:n-1]...); err != nil {
			return nil, err
		}
	}
	found, err := why.Find(e.Program, &asked)
	if err != nil {
		return nil, err
	}
	page := &layout.Page{}
	present.PrintWhy(page, found)
	from := sourceOf(e, q.Rule)
	out := &answer{sentence: "what decided " + q.Output + " of " + q.Rule + from.sentence(),
		content: reason{from, present.WhyJSON(found)}}
	out.data, err = linesOf(page)
	return out, err
}

// readReceiptOf makes of a receipt that is kept the question that it answers, with the faces that fell.
func (s *server) readReceiptOf(digest string, of *subjectArgs, q *api.Question) error {
	text := s.kept.find(strings.TrimPrefix(digest, receiptURI))
	if text == nil {
		return api.BadRequest("no receipt " + digest +
			" is kept here any more: ask with the character, the input and the dice")
	}
	r, err := receipt.ReadReceipt(text)
	if err != nil {
		return err
	}
	if r.Procedure != "" {
		return api.BadRequest("a receipt of a procedure has many answers: give its state before the event, and the event " +
			"with its dice")
	}
	*of = subjectArgs{r.Ruleset + revisionMark + r.Revision, r.Rule}
	*q = api.Question{Character: r.Character, Input: r.Input, Options: r.Options,
		Dice: dice.Faces{ByID: dice.NewRolls(r.Dice)}}
	if len(q.Dice.ByID) == 0 {
		q.Dice = dice.Faces{List: []int64{}}
	}
	return nil
}
