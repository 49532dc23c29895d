package toolserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// An offer is an event of a procedure: whether it can happen now and why not, or what it needs.
type offer struct {
	Event   string           `json:"event"`
	Label   string           `json:"label,omitempty"`
	Offered bool             `json:"offered"`
	WhyNot  string           `json:"why_not,omitempty"`
	Input   []describe.Field `json:"input,omitempty"`
}

// playProcedure begins a procedure or goes on with it.
func (s *server) playProcedure(_ context.Context, c *call) (*answer, error) {
	var q struct {
		subjectArgs
		api.Question
	}
	if err := c.decodeArguments(&q); err != nil {
		return nil, err
	}
	e, err := s.findSubject(&q.subjectArgs, q.Character, &q.State, "procedure")
	if err != nil {
		return nil, err
	}
	if q.State == nil {
		err = s.readRecords(c, e, q.Rule, &q.Character, &q.Input)
	}
	if err != nil {
		return nil, err
	}
	for i := range q.Events {
		x := &q.Events[i]
		if x.Input, err = s.Party.resolveNames(describe.InputOf(e.Plan, q.Rule+"."+x.Event), x.Input); err != nil {
			return nil, fmt.Errorf("event %d: %w", i+1, err)
		}
	}
	play, err := q.Play(e, q.Rule)
	if err != nil {
		return nil, q.ExplainPlay(e, err, play)
	}
	begun, err := beginningOf(&q.Question, play)
	if err != nil {
		return nil, err
	}
	r, err := receipt.NewPlayReceipt(e.Program, q.Rule, api.OptionsOf(play), begun, play)
	if err != nil {
		return nil, err
	}
	text := play.AppendJSON(nil)
	out := playedSheet{Source: sourceOf(e, q.Rule), Receipt: s.kept.put(r.Printed()), State: s.kept.put(text)}
	if out.Offers, err = offersOf(e.Plan, play); err != nil {
		return nil, err
	}
	notes := view.NotesOfPlay(e.Plan, play)
	if out.Sheet, err = notes.AppendWords(text); err != nil {
		return nil, err
	}
	sentence := fmt.Sprintf("%s\nstatus %s after %s; state %s", headOf(out.Source, "procedure", q.Rule, &notes.Told),
		play.Status, plural.Of(len(play.Events), "event"), out.State)
	if n := len(play.Events); n > 0 && len(q.Events) > 0 {
		last := view.NotesOfEvent(e.Plan, play, n-1)
		sentence += "\n" + headOf(source{Ruleset: out.Source.Ruleset, Revision: out.Source.Revision}, "event",
			play.Events[n-1].Name, &last.Told) + fallenText(play.Events[n-1].Dice, nil)
	}
	lines := append(lineTexts(view.Parts(play.State, &notes)), lineTexts(view.Outputs(play.Output, &notes))...)
	for _, o := range out.Offers {
		if o.Offered {
			sentence += "\noffered: " + o.Event
		}
	}
	return &answer{sentence: sentence, data: lines, content: out, receipt: out.Receipt}, nil
}

// readState returns the sheet of a procedure, which is given by its digest or as it is.
func (s *server) readState(given json.RawMessage) (json.RawMessage, error) {
	var digest string
	if len(given) == 0 || json.Unmarshal(given, &digest) != nil || string(given) == "null" {
		return given, nil
	}
	text := s.kept.find(digest)
	if text == nil {
		return nil, &runtime.StateError{Msg: "no state " + digest + " is kept here any more"}
	}
	return text, nil
}

// beginningOf returns the beginning of a play, for its receipt.
func beginningOf(q *api.Question, play *runtime.Play) (*receipt.Beginning, error) {
	if q.State == nil {
		return &receipt.Beginning{Character: q.Character, Input: q.Input}, nil
	}
	return receipt.BeginFrom(q.State)
}

// offersOf returns the events of a procedure as it stands.
func offersOf(p *plan.Plan, play *runtime.Play) ([]offer, error) {
	list, err := play.Offers()
	if err != nil {
		return nil, err
	}
	_, _, id := play.Subject()
	words := view.Offers(p, play, list)
	out := []offer{}
	for i := range list {
		o := offer{Event: list[i].Event, Label: words[i].Label, Offered: list[i].Offered}
		if o.Label == o.Event {
			o.Label = ""
		}
		if o.Offered {
			o.Input = describe.FieldsOf(describe.InputOf(p, id+"."+o.Event))
		} else if o.WhyNot = words[i].WhyNot; o.WhyNot == "" {
			o.WhyNot = list[i].WhyNot()
		}
		out = append(out, o)
	}
	return out, nil
}
