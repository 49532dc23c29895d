package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Contest is the body of a question that sets options beside each other: several rules, several formulas, or the
// values of the first name that is left open.
type Contest struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"` // of all rules, each of which takes what it has
	Options   map[string]string `json:"options"`
	Rules     []string          `json:"rules"` // beside the one that is asked
	Of        oneOrMore         `json:"of"`
	Vary      []string          `json:"vary"`
	Given     string            `json:"given"`
	Decide    []string          `json:"decide"`
	Best      string            `json:"best"`
	Policy    []string          `json:"policy"`
	Most      *int              `json:"most"`
}

// oneOrMore are texts, of which one may stand without a list.
type oneOrMore []string

// UnmarshalJSON reads a text or a list of texts.
func (t *oneOrMore) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		*t = make([]string, 1)
		return json.Unmarshal(text, &(*t)[0])
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// Ask returns how the options compare.
func (q *Contest) Ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	contenders, err := q.openContenders(e, id, budget)
	if err != nil {
		return nil, blamingClient(err)
	}
	contest, err := tuning.NewContest(ctx, contenders, q.Vary)
	if none, is := errors.AsType[*oddsquery.NoValueError](err); is {
		return nil, BadRequest("the formula has no value whatever is chosen: " + none.Why)
	}
	if err != nil {
		return nil, blamingClient(err)
	}
	return oddspage.NewContest(e.Plan, contenders, contest), nil
}

// openContenders returns the rules that are compared, with their formulas compiled.
func (q *Contest) openContenders(e *library.Edition, id string, budget int64) ([]tuning.Contender, error) {
	if len(q.Of) == 0 {
		return nil, BadRequest("a comparison takes of, a formula over the outputs, or several")
	}
	ids := append([]string{id}, q.Rules...)
	known := describe.EvaluableNames(e.Plan)
	var shapes []*plan.Shape
	hasProcedure := false // to which policy and most belong; else each rule refuses them
	for _, id := range ids {
		if e.Plan.Rule(id) == nil && e.Plan.Procedure(id) == nil {
			return nil, describe.UnknownIn(e.Plan, "rule", id, known)
		}
		shapes = append(shapes, describe.InputOf(e.Plan, id))
		hasProcedure = hasProcedure || e.Plan.Procedure(id) != nil
	}
	contenders, err := tuning.ParseContenders(ids, q.Of)
	if err != nil {
		return nil, err
	}
	for i := range contenders {
		x := &contenders[i]
		asked := Chance{Character: q.Character, Input: q.Input, Options: q.Options, Formulas: x.Texts(), Vary: q.Vary,
			Given: q.Given, Decide: tuning.OwnDecisions(e.Plan, x.ID, ids, q.Decide), Best: q.Best, formulaFlag: "of"}
		if len(ids) > 1 {
			if asked.Input, err = argdata.KeepOwn(jsontext.OrObject(q.Input), shapes[i], shapes); err != nil {
				return nil, err
			}
		}
		if !hasProcedure || e.Plan.Procedure(x.ID) != nil {
			asked.Policy, asked.Most = q.Policy, q.Most
		}
		if x.Of, err = asked.Opening(e, x.ID, budget); err != nil {
			return nil, err
		}
	}
	return contenders, checkCompared(contenders, q.Vary)
}

// What one comparison may take: each option is compared with each other one.
const (
	maxCompared   = 40
	maxSituations = 1_000
)

// checkCompared bounds the options of a comparison, and its settings.
func checkCompared(contenders []tuning.Contender, vary []string) error {
	options, settings, err := tuning.SizeOfContest(contenders, vary)
	switch {
	case err != nil:
		return err
	case options > maxCompared || settings > maxSituations:
		return BadRequest(fmt.Sprintf("%d options in %d settings: at most %d options are compared here, in %d settings",
			options, settings, maxCompared, maxSituations))
	}
	return nil
}
