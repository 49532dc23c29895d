package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

// A chance is the body of a question for odds.
type chance struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Outputs   []string          `json:"outputs"`
	Formulas  []string          `json:"formulas"`
	Given     string            `json:"given"`
	Vary      []string          `json:"vary"`
	Exact     bool              `json:"exact"`
	Joint     bool              `json:"joint"`
}

// maxFormulas bounds the formulas of one question: each is compiled, which costs more than all else
// that a small question needs.
const maxFormulas = 16

// answerOdds answers with the odds of a rule. The edition keeps an asker with everything that was compiled for formulas
// and conditions; only the records are of this request. The context of the request ends the question when the client
// goes.
func (s *server) answerOdds(w http.ResponseWriter, r *http.Request) {
	e, id, procedure, err := s.subject(r)
	var q chance
	switch {
	case err != nil:
	case procedure:
		err = &runtime.UnknownError{What: "rule", Name: id, Known: e.Program.RuleNames()}
	default:
		err = readBody(r, &q)
	}
	if err == nil && len(q.Formulas) > maxFormulas {
		err = badRequest("a question has at most 16 formulas")
	}
	if err != nil {
		writeError(w, err)
		return
	}
	answer, err := q.askOdds(r.Context(), e, id, s.Budget)
	if err != nil && problemOf(err).Code == internalError {
		err = badRequest(err.Error()) // formulas, a condition and ranges are texts of the client, and refused as such
	}
	writeAnswer(w, answer, err)
}

// askOdds returns a table when an input is left open, and else distributions.
func (q *chance) askOdds(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	// The outputs are copied because what is prepared outlives the request.
	a, err := e.Asker(query.Question{Subject: id, Request: runtime.Request{Character: q.Character, Input: q.Input},
		Options: q.Options, Outputs: slices.Clone(q.Outputs), Formulas: q.Formulas, Given: q.Given, Vary: q.Vary,
		Exact: q.Exact, Joint: q.Joint, Budget: budget, FormulaFlag: "formulas"})
	if err != nil {
		return nil, err
	}
	subject := oddspage.RuleSubject(e.Plan, id)
	if len(q.Vary) > 0 {
		rows, err := a.Table(ctx)
		if err != nil {
			return nil, err
		}
		return oddspage.OfRows(subject, q.Exact, rows), nil
	}
	odds, err := a.Odds(ctx)
	if err != nil {
		return nil, err
	}
	d := oddspage.OfAnswer(subject, odds)
	d.ShowsJoint = q.Joint
	return d, nil
}

// diceOdds answers for dice in notation.
func (s *server) diceOdds(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Dice  string `json:"dice"`
		Exact bool   `json:"exact"`
	}
	if err := readBody(r, &q); err != nil {
		writeError(w, err)
		return
	}
	n, err := dice.ParseNotation(q.Dice)
	if err != nil {
		writeError(w, err)
		return
	}
	answer := notation.Compute
	if q.Exact {
		answer = notation.ComputeExactly
	}
	roll, err := answer(n)
	if err != nil {
		writeError(w, err)
		return
	}
	writeAnswer(w, oddspage.OfRoll(q.Dice, n, roll, q.Exact), nil)
}

// writeAnswer writes odds in the JSON of "rules odds --format json": package oddspage makes both.
func writeAnswer(w http.ResponseWriter, a oddspage.Answer, err error) {
	var text []byte
	if err == nil {
		text, err = oddspage.Write(a, oddspage.JSON, nil)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	writeBytes(w, "application/json", text)
}
