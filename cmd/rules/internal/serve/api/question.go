package api

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A question is the body of a question.
type question struct {
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options"`
	Outputs   []string          `json:"outputs"`
	Dice      *faces            `json:"dice"`
	Seed      *uint64           `json:"seed"`
	Trace     bool              `json:"trace"`
	State     json.RawMessage   `json:"state"`
	Events    []event           `json:"events"`
	Exact     bool              `json:"exact"`
}

// An event of a procedure, with its faces when they were rolled.
type event struct {
	Event string          `json:"event"`
	Input json.RawMessage `json:"input"`
	Dice  *faces          `json:"dice"`
}

// faces that fell: a list in the order in which they fell, or lists by the id of their die.
type faces struct {
	list []int64
	byID map[string][]int64
}

// UnmarshalJSON implements json.Unmarshaler.
//
// The first byte decides, since json gives a value without the blanks before it.
func (f *faces) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		return json.Unmarshal(text, &f.byID)
	}
	return json.Unmarshal(text, &f.list)
}

// source gives the faces to an evaluation.
func (f *faces) source() dice.Source {
	if f.byID != nil {
		return dice.ByID(f.byID)
	}
	return dice.FromList(f.list)
}

// foreign refuses the members of a question that have no meaning where it is asked.
//
// Members that another kind of question has are refused and not passed over: a client that sends
// events to a rule believes that they have happened.
func (q *question) foreign(where string, given map[string]bool) error {
	for _, name := range slices.Sorted(maps.Keys(given)) { // of several always the same one
		if given[name] {
			return badRequest(name + " has no meaning for " + where)
		}
	}
	return nil
}

// chooseFaces returns the given faces, or those of a seed, which is drawn when none is given.
// Unlike the command line it mixes nothing: a request with both is more often a mistake of a
// program than a wish.
func (q *question) chooseFaces(event uint64) (dice.Source, *uint64, error) {
	switch {
	case q.Dice != nil && q.Seed != nil:
		return nil, nil, badRequest("dice and seed both say how the dice fall: leave one out")
	case q.Dice != nil:
		return q.Dice.source(), nil, nil
	case q.Seed == nil:
		seed := argdata.DrawSeed()
		q.Seed = &seed
	}
	return dice.FromSeed(*q.Seed, 0, event), q.Seed, nil
}

// orEmpty returns a record as it was sent, and an empty object when nothing was: what must be there
// is then missing, and named by its path.
func orEmpty(text json.RawMessage) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}

// evalRule gives the sheet of a rule.
func (q *question) evalRule(e *library.Edition, id string) ([]byte, error) {
	if err := q.foreign("a rule", map[string]bool{"state": q.State != nil, "events": q.Events != nil,
		"exact": q.Exact}); err != nil {
		return nil, err
	}
	rule, err := e.Rule(id, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
	if err != nil {
		return nil, err
	}
	source, seed, err := q.chooseFaces(0)
	if err != nil {
		return nil, err
	}
	sheet, err := rule.Eval(runtime.Request{Character: orEmpty(q.Character), Input: q.Input, Dice: source, Seed: seed,
		Trace: q.Trace})
	if err != nil {
		return nil, err
	}
	if len(sheet.Dice) == 0 {
		sheet.Seed = nil
	}
	return sheet.AppendJSON(nil), nil
}

// playProcedure gives the sheet of a procedure, after the events of the question. One that is refused refuses all.
//
// All events or none: a sheet after half of them would look like the whole answer to a client that
// only checks the status.
func (q *question) playProcedure(e *library.Edition, id string) ([]byte, error) {
	if err := q.foreign("a procedure", map[string]bool{"outputs": q.Outputs != nil, "exact": q.Exact}); err != nil {
		return nil, err
	}
	play, err := q.beginPlay(e, id)
	if err != nil {
		return nil, err
	}
	for i, x := range q.Events {
		source, drawn := q.facesOf(&x, play)
		if err := play.Do(x.Event, runtime.Request{Input: x.Input, Dice: source, Trace: q.Trace}); err != nil {
			return nil, &eventError{i, x.Event, err}
		}
		// As in a sheet, a seed is told only when a face was drawn from it.
		if drawn && len(play.Events[len(play.Events)-1].Dice) > 0 {
			play.Seed = q.Seed
		}
	}
	return play.AppendJSON(nil), nil
}

// facesOf returns the faces of an event, its own or those of the seed, and whether they come from
// the seed. The stream of an event is keyed by the number that the event will have when it is
// accepted.
func (q *question) facesOf(x *event, play *runtime.Play) (source dice.Source, drawn bool) {
	if x.Dice != nil {
		return x.Dice.source(), false
	}
	if q.Seed == nil {
		seed := argdata.DrawSeed()
		q.Seed = &seed
	}
	return dice.FromSeed(*q.Seed, 0, play.Number()), true
}

// beginPlay starts a procedure, or goes on with the sheet in state.
func (q *question) beginPlay(e *library.Edition, id string) (*runtime.Play, error) {
	if q.State != nil {
		return q.resumePlay(e, id)
	}
	procedure, err := e.Procedure(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	source, seed, err := q.chooseFaces(0)
	if err != nil {
		return nil, err
	}
	play, err := procedure.Start(runtime.Request{Character: orEmpty(q.Character), Input: q.Input, Dice: source, Seed: seed,
		Trace: q.Trace})
	if err != nil {
		return nil, err
	}
	if len(play.Dice) == 0 {
		play.Seed = nil
	}
	return play, nil
}

// resumePlay goes on with a sheet. A seed that its faces were drawn from goes on being used.
func (q *question) resumePlay(e *library.Edition, id string) (*runtime.Play, error) {
	if err := q.foreign("a state, which has its own", map[string]bool{"character": q.Character != nil,
		"input": q.Input != nil, "options": q.Options != nil, "dice": q.Dice != nil}); err != nil {
		return nil, err
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
		return nil, badRequest("the state was drawn from another seed: leave seed out")
	case saved.Seed != nil:
		q.Seed = saved.Seed
	}
	return play, nil
}
