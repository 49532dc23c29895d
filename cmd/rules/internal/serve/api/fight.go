package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

// A Fight is the body of a question for how a procedure of several characters ends: exactly, or by drawing plays.
type Fight struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Formulas  []string          `json:"formulas"`
	Vary      []string          `json:"vary"`
	Decide    []string          `json:"decide"`
	Policy    []string          `json:"policy"`
	Most      int               `json:"most"`
	Plays     int               `json:"plays"`
	Seed      *uint64           `json:"seed"` // 1 without it
}

// maxFights bounds the rows of one table: each may take all plays.
const maxFights = 64

// Ask returns how the fight ends; with inputs that are left open a table.
func (q *Fight) Ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	page, err := q.ask(ctx, e, id, budget)
	return page, blamingClient(err)
}

func (q *Fight) ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	switch {
	case e.Plan.Procedure(id) == nil:
		return nil, describe.UnknownIn(e.Plan, "procedure", id, e.Program.ProcedureNames())
	case len(q.Formulas) > maxFormulas:
		return nil, BadRequest(fmt.Sprintf("a question has at most %d formulas", maxFormulas))
	case q.Most < 0:
		return nil, BadRequest(fmt.Sprintf("most %d: it is at least 0", q.Most))
	}
	seed := uint64(1)
	if q.Seed != nil {
		seed = *q.Seed
	}
	a, err := oddsquery.NewFightAsker(e.Program, query.Question{Subject: id,
		Request: runtime.Request{Character: q.Character, Input: q.Input}, Options: q.Options, Formulas: q.Formulas,
		Vary: q.Vary, Decide: q.Decide, Policy: q.Policy, Most: q.Most, Budget: min(budget, oddsquery.FightBudget),
		FormulaFlag: "formulas"})
	if err != nil {
		return nil, err
	}
	settings, err := a.Settings()
	if err != nil {
		return nil, err
	}
	if len(settings) > maxFights {
		return nil, BadRequest(fmt.Sprintf("vary asks for more than %d fights", maxFights))
	}
	if a.Sampling, err = oddsquery.BoundedSampling(q.Plays, seed, budget, len(settings)); err != nil {
		return nil, err
	}
	if q.Most > a.Sampling.Most {
		return nil, BadRequest(fmt.Sprintf("most %d: %d plays are drawn here for %d events at most", q.Most, a.Sampling.Plays,
			a.Sampling.Most))
	}
	subject := oddsjson.ProcedureSubject(e.Plan, id)
	subject.SetStrategy(a.Decide, "")
	if len(q.Vary) > 0 {
		rows, err := a.Table(ctx)
		if err != nil {
			return nil, err
		}
		return oddspage.OfRows(subject, false, rows), nil
	}
	answer, err := a.Fight(ctx)
	if err != nil {
		return nil, err
	}
	return &oddspage.Fight{Subject: subject, Of: answer}, nil
}

// answerFight answers with how a procedure ends.
func (s *server) answerFight(w http.ResponseWriter, r *http.Request) {
	e, id, _, err := s.subject(r)
	var q Fight
	if err == nil {
		err = readBody(r, &q)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	answer, err := q.Ask(r.Context(), e, id, s.Budget)
	writeAnswer(w, answer, err)
}

// A Contest is the body of a question that sets options beside each other: the values of the first name that is left open.
type Contest struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Of        string            `json:"of"`
	Vary      []string          `json:"vary"`
	Given     string            `json:"given"`
	Decide    []string          `json:"decide"`
	Best      string            `json:"best"`
	Policy    []string          `json:"policy"`
	Most      int               `json:"most"`
}

// Ask returns how the options compare.
func (q *Contest) Ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	if q.Of == "" || len(q.Vary) == 0 {
		return nil, BadRequest("a comparison takes of, a formula over the outputs, and vary, whose first name has the options")
	}
	asked := Chance{Character: q.Character, Input: q.Input, Options: q.Options, Formulas: []string{q.Of}, Vary: q.Vary,
		Given: q.Given, Decide: q.Decide, Best: q.Best, Policy: q.Policy, Most: q.Most, formulaFlag: "of"}
	o, err := asked.Opening(e, id, budget)
	if err != nil {
		return nil, err
	}
	if err := checkCompared(o); err != nil {
		return nil, blamingClient(err)
	}
	contest, err := tuning.NewContest(ctx, o)
	switch {
	case errors.Is(err, oddsquery.ErrNoValue):
		return nil, BadRequest("the rule refuses whatever is chosen")
	case err != nil:
		return nil, blamingClient(err)
	}
	subject := oddsjson.RuleSubject(e.Plan, id)
	if e.Plan.Rule(id) == nil {
		subject = oddsjson.ProcedureSubject(e.Plan, id)
	}
	return &oddspage.Contest{Subject: subject, Formula: q.Of, Of: contest}, nil
}

// What one comparison may take: each option is compared with each other one.
const (
	maxCompared   = 40
	maxSituations = 1_000
)

// checkCompared bounds the options of a comparison, and its settings.
func checkCompared(o oddsquery.Opening) error {
	open, err := o.Variations()
	if err != nil {
		return err
	}
	settings, err := o.Settings()
	switch {
	case err != nil:
		return err
	case len(open[0].Values) > maxCompared || len(settings) > maxSituations:
		return BadRequest(fmt.Sprintf("%d options in %d settings: at most %d options are compared here, in %d settings",
			len(open[0].Values), len(settings), maxCompared, maxSituations))
	}
	return nil
}

// answerContest answers with how options compare.
func (s *server) answerContest(w http.ResponseWriter, r *http.Request) {
	e, id, _, err := s.subject(r)
	var q Contest
	if err == nil {
		err = readBody(r, &q)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	answer, err := q.Ask(r.Context(), e, id, s.Budget)
	writeAnswer(w, answer, err)
}
