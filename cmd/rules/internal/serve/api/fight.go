package api

import (
	"context"
	"encoding/json"
	"fmt"

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
	State     json.RawMessage   `json:"state"` // its sheet, to go on from
	Options   map[string]string `json:"options"`
	Formulas  []string          `json:"formulas"`
	Vary      []string          `json:"vary"`
	Decide    []string          `json:"decide"`
	Policy    []string          `json:"policy"`
	Most      *int              `json:"most"` // nil for all events
	Plays     int               `json:"plays"`
	Within    float64           `json:"within"` // in place of Plays: how close the bounds of each chance are
	Seed      *uint64           `json:"seed"`   // 1 without it
	Best      string            `json:"best"`   // a formula that moves and decisions are chosen for, by exact odds
	Game      string            `json:"game"`   // the measure of a game whose strategies are the values of two names in Vary
}

// maxFights bounds the rows of one table: each may take all plays.
const maxFights = 64

// Ask returns how the fight ends; with inputs that are left open a table.
func (q *Fight) Ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	page, err := q.ask(ctx, e, id, budget)
	return page, blamingClient(err)
}

func (q *Fight) ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	if err := q.check(e, id); err != nil {
		return nil, err
	}
	asked := query.Question{Subject: id, Request: runtime.Request{Character: q.Character, Input: q.Input},
		Options: q.Options, Formulas: q.Formulas, Vary: q.Vary, Decide: q.Decide, Best: q.Best,
		Policy: q.Policy, Most: countOf(q.Most), Budget: min(budget, oddsquery.FightBudget), FormulaFlag: "formulas"}
	var aim oddsquery.Measure
	if q.Game != "" {
		var err error
		if aim, err = oddsquery.ParseMeasure(q.Game); err != nil {
			return nil, fmt.Errorf("game %w", err)
		}
		asked.Formulas, asked.FormulaFlag = oddsquery.Formulas([]oddsquery.Measure{aim}), "game"
	}
	if err := resumeAsked(e, &asked, q.State); err != nil {
		return nil, err
	}
	a, err := oddsquery.NewFightAsker(e.Program, asked)
	if err != nil {
		return nil, err
	}
	if err := q.addSampling(a, budget); err != nil {
		return nil, err
	}
	subject := oddsjson.ProcedureSubject(e.Plan, id)
	subject.SetStrategy(a.Decide, q.Best)
	switch {
	case q.Game != "":
		g, err := tuning.NewGame(ctx, a, aim)
		if err != nil {
			return nil, err
		}
		return &oddspage.Game{Subject: subject, Measure: aim.String(), Of: g}, nil
	case len(q.Vary) > 0:
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

// check refuses what no fight can be asked.
func (q *Fight) check(e *library.Edition, id string) error {
	switch {
	case e.Plan.Procedure(id) == nil:
		return describe.UnknownIn(e.Plan, "procedure", id, e.Program.ProcedureNames())
	case len(q.Formulas) > maxFormulas:
		return BadRequest(fmt.Sprintf("a question has at most %d formulas", maxFormulas))
	case q.Best != "" && (q.Plays != 0 || q.Within != 0 || q.Seed != nil):
		return BadRequest("best compares moves by exact odds alone: leave plays, within and seed out")
	case q.Game != "" && q.Formulas != nil:
		return BadRequest("game is what is asked: leave formulas out")
	}
	return checkEventCounts(nil, q.Most)
}

// addSampling says how plays are drawn, unless moves are compared by exact odds.
func (q *Fight) addSampling(a *oddsquery.PlayAsker, budget int64) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	if len(settings) > maxFights {
		return BadRequest(fmt.Sprintf("vary asks for more than %d fights", maxFights))
	}
	if q.Best != "" {
		return nil
	}
	seed := uint64(1)
	if q.Seed != nil {
		seed = *q.Seed
	}
	a.Sampling, err = oddsquery.BoundedSampling(q.Plays, q.Within, seed, budget, len(settings))
	if err == nil && a.Most > a.Sampling.Most {
		err = BadRequest(fmt.Sprintf("most %d: %d plays are drawn here for %d events at most", a.Most, a.Sampling.Plays,
			a.Sampling.Most))
	}
	return err
}
