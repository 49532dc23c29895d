package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A playLog is a play from its start: what was given, and every face that fell.
type playLog struct {
	Character json.RawMessage    `json:"character"`
	Input     json.RawMessage    `json:"input"`
	Options   map[string]string  `json:"options,omitempty"`
	Dice      map[string][]int64 `json:"dice"`
	Events    []loggedEvent      `json:"events"`
}

type loggedEvent struct {
	Event string             `json:"event"`
	Input json.RawMessage    `json:"input"`
	Dice  map[string][]int64 `json:"dice"`
}

// maxEvents bounds a play: every step plays all before it again.
const maxEvents = 500

// What the buttons of a play do, in the field "do"; those of an event are followed by its name.
const (
	doEvent   = "event "
	doDecide  = "decide "
	doWhyNot  = "whynot "
	doUndo    = "undo"
	doOdds    = "odds"
	doEndOdds = "noodds"
)

// begin starts the play of a log; a new one draws its first faces as the form asks.
func (l *playLog) begin(e *library.Edition, id string, options map[string]string, source dice.Source, traced bool) (
	*runtime.Play, error) {
	procedure, err := e.Procedure(id, runtime.Choice{Options: options})
	if err != nil {
		return nil, err
	}
	play, err := procedure.Start(runtime.Request{Character: l.Character, Input: l.Input, Dice: source, Trace: traced})
	if err != nil {
		return nil, exit.WordRefusal(err)
	}
	return play, nil
}

// replay plays the log, of which the last steps may be left out. before is the state before the last event.
func (l *playLog) replay(e *library.Edition, id string, options map[string]string, events []loggedEvent, traced bool) (
	play *runtime.Play, before []byte, err error) {
	if play, err = l.begin(e, id, options, dice.ByID(l.Dice), traced); err != nil {
		return nil, nil, err
	}
	for i := range events {
		before = play.State
		x := &events[i]
		if err := play.Do(x.Event, runtime.Request{Input: x.Input, Dice: dice.ByID(x.Dice),
			Trace: traced}); err != nil {
			return nil, nil, fmt.Errorf("event %d, %s: %w", i+1, x.Event, exit.WordRefusal(err))
		}
	}
	return play, before, nil
}

// receiptOf is the receipt of the play. Its faces were written down as they fell, so that it needs no seed.
//
// It is replayed without a trace, from the faces that were written down. So a receipt from a page
// proves as much as faces that were typed: not that they were rolled.
func (l *playLog) receiptOf(e *library.Edition, id string) (string, error) {
	play, _, err := l.replay(e, id, l.Options, l.Events, false)
	if err != nil {
		return "", err
	}
	begun := &receipt.Beginning{Request: runtime.Request{Character: l.Character, Input: l.Input}}
	r, err := receipt.NewPlayReceipt(e.Plan, id, l.Options, begun, 0, play)
	if err != nil {
		return "", err
	}
	return string(r.Printed()), nil
}

// fieldsOfEvent are the values of a form that belong to one event.
func fieldsOfEvent(form url.Values, event string) url.Values {
	out := url.Values{}
	for name, values := range form {
		if rest, ok := strings.CutPrefix(name, event+" "); ok {
			out[rest] = values
		}
	}
	return out
}

// readEvent reads what a form gives an event: its fields, its input with the faces, and the form's values that are its own.
//
// All events of a procedure stand on one page as one form, so that a field is named after its
// event: "roll in.difficulty". What is not of the event is left to the others.
func readEvent(n *describe.Needs, name string, form url.Values) ([]describe.Field, *formQuestion, url.Values) {
	var fields []describe.Field
	for i := range n.Events {
		if n.Events[i].ID == name {
			fields = n.Events[i].Input
		}
	}
	own := fieldsOfEvent(form, name)
	own.Set("do", strings.TrimSuffix(form.Get("do"), " "+name))
	_, input := inputFields(&describe.Needs{Kind: "rule", Input: fields}, own, true, nil)
	q := &formQuestion{input: input, dice: form.Get("dice " + name), seed: form.Get("seed " + name)}
	if fell := own.Get("fell"); fell != "" && own.Get("do")+" " != doEvent {
		q.fallAgain(fell)
	}
	q.drawSeed()
	return fields, q, own
}
