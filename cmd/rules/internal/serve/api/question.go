package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/playthrough"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A Question is the body of a question for the sheet of a rule or of a procedure.
type Question struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Outputs   []string          `json:"outputs"`
	Dice      dice.Faces        `json:"dice"`
	Seed      *uint64           `json:"seed"`
	Trace     bool              `json:"trace"`
	State     json.RawMessage   `json:"state"`
	Events    []Happening       `json:"events"`
	Exact     bool              `json:"exact"`
	drawn     bool              // the seed is not given but drawn here
}

// An Evaluation is one use of a rule, with its answer.
type Evaluation struct {
	Rule    *runtime.Rule
	Request runtime.Request
	Sheet   *runtime.Sheet // nil when the rule gives none
}

// A Happening is an event of a procedure, with its faces when they were rolled.
type Happening struct {
	Event string          `json:"event"`
	Input json.RawMessage `json:"input"`
	Dice  dice.Faces      `json:"dice"`
}

// refuseForeign returns an error if a question has a member that has no meaning here.
//
// Members that another kind of question has are refused and not passed over: a client that sends events to a rule
// believes that they have happened.
func refuseForeign(where string, given map[string]bool) error {
	for _, name := range slices.Sorted(maps.Keys(given)) { // of several always the same one
		if given[name] {
			return BadRequest(name + " has no meaning for " + where)
		}
	}
	return nil
}

// throw returns the given faces, those of the seed, or both by the id of their die. A seed is drawn when neither is given.
func (q *Question) throw() dice.Throw {
	if q.Dice.IsZero() {
		q.drawSeed()
	}
	return dice.Throw{Dice: q.Dice, Seed: q.Seed}
}

// drawSeed draws a seed when none is given.
func (q *Question) drawSeed() {
	if q.Seed == nil {
		seed := argdata.DrawSeed()
		q.Seed, q.drawn = &seed, true
	}
}

// Request returns the use of a rule, or of the start of a procedure.
func (q *Question) Request() runtime.Request {
	return runtime.Request{Character: orEmpty(q.Character), Input: q.Input, Throw: q.throw(), Trace: q.Trace}
}

// orEmpty returns a record as it was sent, or an empty object when none was. Required fields are then missing, and
// named by their path.
func orEmpty(text json.RawMessage) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}

// Eval evaluates a rule. The evaluation is there beside an error when it is the rule, or the request, that gives no sheet.
func (q *Question) Eval(e *library.Edition, id string) (*Evaluation, error) {
	if err := refuseForeign("a rule", map[string]bool{"state": q.State != nil, "events": q.Events != nil,
		"exact": q.Exact}); err != nil {
		if names := e.Program.ProcedureNames(); !q.Exact && len(names) > 0 {
			return nil, BadRequest(err.Error() + "; procedures are " + strings.Join(names, ", "))
		}
		return nil, err
	}
	rule, err := e.Rule(id, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
	if err != nil {
		return nil, err
	}
	x := &Evaluation{Rule: rule, Request: q.Request()}
	x.Sheet, err = rule.Eval(x.Request)
	return x, err
}

// Explain returns the error of the evaluation with the compared values, or the faces that are missing; of none when the
// rule was not carried out. The teller has the words of the rule, or is nil.
func (x *Evaluation) Explain(err error, t *say.Teller) error {
	if x == nil {
		return err
	}
	if !refusal.IsOwn(err) {
		return refusal.NameLacks(err, func() []dice.Lack { return x.Rule.Lacks(x.Request) })
	}
	why, failed := x.Rule.Explain(x.Request)
	if failed != nil {
		return err
	}
	return &explained{refusal.TellFallen(refusal.Explain(err, why, t), why, nil), err}
}

// An explained error says with the compared values why a rule refuses.
type explained struct {
	error
	refused error
}

// Unwrap returns the refusal.
func (e *explained) Unwrap() error { return e.refused }

// Play returns a procedure after the events of the question. One that is refused refuses all: the play is then as it was
// before that event, and stands beside the error.
//
// All events or none: a sheet after half of them would look like the whole answer to a client that
// only checks the status.
func (q *Question) Play(e *library.Edition, id string) (*runtime.Play, error) {
	if err := refuseForeign("a procedure", map[string]bool{"outputs": q.Outputs != nil, "exact": q.Exact}); err != nil {
		return nil, err
	}
	play, err := q.beginPlay(e, id)
	if err != nil {
		return nil, err
	}
	return play, play.Go(q.Trace, q.Steps()...)
}

// ExplainPlay returns the error of an event of Play with the compared values, the faces that are missing or the events that
// are offered instead. That of an input stays as it is, with the path of its value.
func (q *Question) ExplainPlay(e *library.Edition, err error, play *runtime.Play) error {
	said := playthrough.Explain(e.Plan, err, play, q.Steps())
	if exit.Answered[*runtime.InputError](err) && !exit.Answered[*runtime.NotOffered](said) {
		return err
	}
	return said
}

// Steps returns the events. The seed draws all faces of an event that has none; one that is given draws also those that an
// event leaves out by the id of their die.
func (q *Question) Steps() []runtime.Step {
	var out []runtime.Step
	for _, x := range q.Events {
		s := runtime.Step{Event: x.Event, Input: x.Input, Throw: dice.Throw{Dice: x.Dice}}
		if x.Dice.IsZero() || x.Dice.ByID != nil && !q.drawn {
			s.Seed = q.Seed
		}
		out = append(out, s)
	}
	return out
}

// beginPlay starts a procedure, or goes on with the sheet in state.
func (q *Question) beginPlay(e *library.Edition, id string) (*runtime.Play, error) {
	if q.State != nil {
		return q.resumePlay(e, id)
	}
	procedure, err := e.Procedure(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	return procedure.Start(q.Request())
}

// resumePlay goes on with a sheet. A seed that its faces were drawn from goes on being used.
func (q *Question) resumePlay(e *library.Edition, id string) (*runtime.Play, error) {
	if err := refuseForeign("a state, which has its own", map[string]bool{"character": q.Character != nil,
		"input": q.Input != nil, "options": q.Options != nil}); err != nil {
		return nil, err
	}
	if !q.Dice.IsZero() {
		return nil, BadRequest(`dice has no meaning for a state: an event has its own, {"event": "roll", "dice": [5]}`)
	}
	saved, err := runtime.ReadPlay(q.State)
	if err != nil {
		return nil, err
	}
	procedure, err := e.Procedure(id, runtime.Choice{Options: saved.Options})
	if err != nil {
		return nil, err
	}
	play, err := procedure.Resume(saved)
	if err != nil {
		return nil, err
	}
	switch {
	// Two seeds in one play would make a sheet whose faces no receipt can replay.
	case saved.Seed != nil && q.Seed != nil && *saved.Seed != *q.Seed:
		return nil, BadRequest("the state was drawn from another seed: leave seed out")
	case saved.Seed != nil:
		q.Seed = saved.Seed
	default:
		q.drawSeed()
	}
	return play, nil
}
