package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
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
	Character json.RawMessage   `json:"character"`
	Input     json.RawMessage   `json:"input"`
	Options   map[string]string `json:"options,omitempty"`
	Dice      dice.Rolls        `json:"dice"`
	Events    []runtime.Step    `json:"events"`
}

// maxEvents bounds a play: every step plays all before it again.
const maxEvents = 500

// What the buttons of a play do, in the field "do"; those of an event are followed by its name.
const (
	doEvent   = "event "
	doDecide  = "decide "
	doWhyNot  = "whynot "
	doUndo    = "undo"
	doBack    = "back " // to after so many steps
	doOdds    = "odds"
	doEndOdds = "noodds"
)

// takeBack takes steps back, as a button asks: the last one, or all after a number of them.
func (l *playLog) takeBack(do string) error {
	switch number, isBack := strings.CutPrefix(do, doBack); {
	case do == doUndo && len(l.Events) > 0:
		l.Events = l.Events[:len(l.Events)-1]
	case isBack:
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > len(l.Events) {
			return fmt.Errorf("the play has %d steps: one cannot go back to %q", len(l.Events), number)
		}
		l.Events = l.Events[:n]
	}
	return nil
}

// start returns the request of the play's start.
func (l *playLog) start() runtime.Request {
	return runtime.Request{Character: l.Character, Input: l.Input, Throw: dice.FallenByID(l.Dice)}
}

// replay plays the log. before is the state before the last event.
func (l *playLog) replay(e *library.Edition, id string, traced bool) (play *runtime.Play, before []byte, err error) {
	procedure, err := e.Procedure(id, runtime.Choice{Options: l.Options})
	if err != nil {
		return nil, nil, err
	}
	q, last := l.start(), max(0, len(l.Events)-1)
	q.Trace = traced
	if play, err = procedure.Play(q, l.Events[:last]...); err != nil {
		return nil, nil, exit.WordRefusal(err)
	}
	for _, x := range l.Events[last:] {
		before = play.State
		if err := play.Do(x, traced); err != nil {
			return nil, nil, exit.WordRefusal(&runtime.EventError{Number: last + 1, Event: x.Event, Err: err})
		}
	}
	return play, before, nil
}

// receiptOf is the receipt of the play. Its faces were written down as they fell, so that it needs no seed.
//
// It is replayed without a trace, from the faces that were written down. So a receipt from a page
// proves as much as faces that were typed: not that they were rolled.
func (l *playLog) receiptOf(e *library.Edition, id string) (string, error) {
	play, _, err := l.replay(e, id, false)
	if err != nil {
		return "", err
	}
	begun := &receipt.Beginning{Character: l.Character, Input: l.Input}
	r, err := receipt.NewPlayReceipt(e.Program, id, l.Options, begun, play)
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

// readEvent returns the fields of an event, its question with input and faces, and the form's values that belong to it.
//
// All events of a procedure stand on one page as one form, so that a field is named after its event: "roll
// in.difficulty". Values without that name are left to the others.
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
	q := &formQuestion{dice: form.Get("dice " + name), seed: form.Get("seed " + name)}
	q.Request.Input = input
	if fell := own.Get(fellField); fell != "" && own.Get("do")+" " != doEvent {
		q.fallAgain(fell)
	}
	q.drawSeed()
	return fields, q, own
}

// address returns the query of the address of a play as it stands, or "" where it would be too long.
//
// The questions about the play go along: why, the odds of its end, and an event whose faces have fallen and which waits
// for a decision.
func (v *playPage) address(e *library.Edition, form url.Values) string {
	if v.Log == "" { // it has not begun
		query := addressOf(e, v.Needs, form)
		if query == "" {
			return ""
		}
		do := form.Get("do")
		follows := form.Get("follow") != "" && do != doEndOdds
		if follows || do == keepSetting || do == dropSetting { // the address has done it
			do = doOdds
		}
		return query + "&" + url.Values{"do": {do}, "policy": {form.Get("policy")}}.Encode()
	}
	out := url.Values{askedField: {askedYes}, "log": {v.Log}}
	nameRules(e, out)
	do := form.Get("do")
	if do == doOdds || form.Get("follow") != "" && do != doEndOdds {
		out.Set("follow", askedYes)
		out.Set("policy", form.Get("policy"))
	}
	if text := form.Get("why"); text != "" {
		out.Set("why", text)
	}
	if v.Pending != nil {
		out.Set("do", doDecide+v.Pending.Event)
		for _, field := range v.Pending.Hidden {
			out.Set(field[0], field[1])
		}
	}
	if event, is := strings.CutPrefix(do, doWhyNot); is {
		out.Set("do", do)
		for name, values := range form {
			if strings.HasPrefix(name, event+" ") {
				out[name] = values
			}
		}
	}
	if query := out.Encode(); len(query) <= maxAddress {
		return query
	}
	return ""
}
