package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

// A Chance is the body of a question for the odds of a rule, or of a procedure that is played by a policy.
type Chance struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Outputs   []string          `json:"outputs"`
	Formulas  []string          `json:"formulas"`
	Given     string            `json:"given"`
	Vary      []string          `json:"vary"`
	Decide    []string          `json:"decide"`
	Best      string            `json:"best"`
	Exact     bool              `json:"exact"`
	Joint     bool              `json:"joint"`

	// Of a procedure.
	Policy []string        `json:"policy"`
	State  json.RawMessage `json:"state"` // its sheet, to go on from
	After  *int            `json:"after"` // nil for where it ends
	Most   *int            `json:"most"`  // nil for all events

	formulaFlag string // the member that gave the formulas; "" for formulas
}

// maxFormulas bounds the formulas of one question: each is compiled, which costs more than all else that a small question
// needs.
const maxFormulas = 16

// Ask returns a table when an input is left open, and else distributions; of a procedure without outputs how it ends.
func (q *Chance) Ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error) {
	var page oddspage.Answer
	opening, err := q.Opening(e, id, budget)
	if err == nil {
		switch a := opening.(type) {
		case *oddsquery.Asker:
			page, err = q.askRule(ctx, e, a)
		case *oddsquery.PlayAsker:
			page, err = q.askProcedure(ctx, e, a)
		}
	}
	return page, blamingClient(err)
}

// Opening returns the question with its formulas compiled.
func (q *Chance) Opening(e *library.Edition, id string, budget int64) (a oddsquery.Opening, err error) {
	// The outputs are copied because what is prepared outlives the request.
	asked := query.Question{Subject: id, Request: runtime.Request{Character: q.Character, Input: q.Input},
		Options: q.Options, Outputs: slices.Clone(q.Outputs), Formulas: q.Formulas, Given: q.Given, Vary: q.Vary,
		Decide: q.Decide, Best: q.Best, Policy: q.Policy, After: countOf(q.After), Most: countOf(q.Most),
		Exact: q.Exact, Joint: q.Joint, Budget: budget, FormulaFlag: cmp.Or(q.formulaFlag, "formulas")}
	switch {
	case len(q.Formulas) > maxFormulas:
		return nil, BadRequest(fmt.Sprintf("a question has at most %d formulas", maxFormulas))
	case e.Plan.Procedure(id) != nil:
		a, err = q.newPlayAsker(e, &asked)
	default:
		a, err = q.newAsker(e, &asked)
	}
	return a, blamingClient(err)
}

// blamingClient makes of an error without a kind one of the request: formulas, a condition and ranges are texts of the
// client, and refused as such.
func blamingClient(err error) error {
	if err != nil && ProblemOf(err).Code == internalError {
		return BadRequest(err.Error())
	}
	return err
}

// newAsker returns the question about a rule. A strategy reads the character, so that it is compiled for each request anew.
func (q *Chance) newAsker(e *library.Edition, asked *query.Question) (oddsquery.Opening, error) {
	if err := refuseForeign("a rule", map[string]bool{"policy": q.Policy != nil, "state": q.State != nil,
		"after": q.After != nil, "most": q.Most != nil}); err != nil {
		return nil, err
	}
	if len(q.Decide) > 0 || q.Best != "" {
		return oddsquery.NewAsker(e.Program, *asked)
	}
	return e.Asker(*asked)
}

// newPlayAsker returns the question about a procedure.
func (q *Chance) newPlayAsker(e *library.Edition, asked *query.Question) (oddsquery.Opening, error) {
	switch {
	case len(q.Policy) == 0 && q.Best == "":
		return nil, BadRequest("a procedure needs a policy, the events that are tried in order, such as [\"roll\"], " +
			"or best, a formula that they are chosen for")
	case q.Joint && len(q.Vary) > 0:
		return nil, BadRequest("joint has no meaning with vary")
	}
	if err := checkEventCounts(q.After, q.Most); err != nil {
		return nil, err
	}
	if err := resumeAsked(e, asked, q.State); err != nil {
		return nil, err
	}
	return oddsquery.NewPlayAsker(e.Program, *asked)
}

// countOf returns a number of events as a question has it: 0 for one that is not given.
func countOf(events *int) int {
	if events == nil {
		return 0
	}
	return *events
}

// checkEventCounts returns an error if after or most is given and is no number of events to follow, as the flags of the
// command do.
func checkEventCounts(after, most *int) error {
	switch {
	case after != nil && *after < 1:
		return BadRequest(fmt.Sprintf("after %d: follow at least one event; without after the answer is where the "+
			"procedure ends", *after))
	case most != nil && *most < 1:
		return BadRequest(fmt.Sprintf("most %d: follow at least one event; without most a procedure is followed to its end",
			*most))
	case most != nil && countOf(after) > *most:
		return BadRequest(fmt.Sprintf("after %d, most %d: follow at least as many events as after", *after, *most))
	}
	return nil
}

// resumeAsked lets a question go on from a sheet, whose options are played; from the start when there is none.
func resumeAsked(e *library.Edition, asked *query.Question, sheet json.RawMessage) error {
	if sheet == nil {
		return nil
	}
	from := Question{State: sheet, Character: asked.Request.Character, Input: asked.Request.Input, Options: asked.Options}
	play, err := from.resumePlay(e, asked.Subject)
	if err != nil {
		return err
	}
	asked.From, asked.Options = play, OptionsOf(play)
	return nil
}

// OptionsOf returns the options of a play that differ from the defaults.
func OptionsOf(play *runtime.Play) map[string]string {
	out := map[string]string{}
	for _, s := range play.Settings() {
		out[s.Option] = s.Value
	}
	return out
}

func (q *Chance) askRule(ctx context.Context, e *library.Edition, a *oddsquery.Asker) (oddspage.Answer, error) {
	subject := oddsjson.RuleSubject(e.Plan, a.Subject)
	subject.SetStrategy(a.Decide, q.Best)
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

func (q *Chance) askProcedure(ctx context.Context, e *library.Edition, a *oddsquery.PlayAsker) (oddspage.Answer, error) {
	subject := oddsjson.ProcedureSubject(e.Plan, a.Subject)
	subject.SetStrategy(q.Decide, q.Best)
	switch {
	case len(q.Vary) > 0:
		rows, err := a.Table(ctx)
		if err != nil {
			return nil, err
		}
		return oddspage.OfRows(subject, q.Exact, rows), nil
	case q.Joint || a.AsksForOutputs():
		odds, err := a.Odds(ctx)
		if err != nil {
			return nil, err
		}
		d := oddspage.OfAnswer(subject, odds)
		d.ShowsJoint, d.After = q.Joint, a.After
		return d, nil
	}
	course, err := a.Course(ctx)
	if err != nil {
		return nil, err
	}
	return &oddspage.Course{Subject: subject, Of: course, After: a.After, Exact: q.Exact}, nil
}
