package site

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A playPage is a procedure as it is played. The browser holds the whole play, in a hidden field, so that the server keeps
// nothing and any earlier step can be gone back to.
type playPage struct {
	tryPage
	Log     string // the play as JSON
	Begun   bool
	Status  string
	Rows    []stateRow
	Outputs [][]string
	Events  []eventView
	History []historyView
	Trace   []*treeView
}

// A stateRow is a member of the state, marked when the last step changed it.
type stateRow struct {
	Name, Value, Was string
	Changed          bool
}

type eventView struct {
	describe.Item
	Input    []fieldView
	DiceHint string
	WhyNot   string // why it is not offered; "" when it is
}

type historyView struct {
	Number        int
	Event, Output string
	Dice          []runtime.Rolled
}

// A log is a play from its start: what was given, and every face that fell.
type log struct {
	Character json.RawMessage    `json:"character"`
	Input     json.RawMessage    `json:"input"`
	Options   map[string]string  `json:"options,omitempty"`
	Dice      map[string][]int64 `json:"dice"`
	Events    []logged           `json:"events"`
}

type logged struct {
	Event string             `json:"event"`
	Input json.RawMessage    `json:"input"`
	Dice  map[string][]int64 `json:"dice"`
}

// maxEvents bounds a play: every step plays all before it again.
const maxEvents = 500

// showPlay shows a procedure: its form before it begins, then its state with the events that may follow.
func (s *server) showPlay(w http.ResponseWriter, r *http.Request, e *library.Edition, b *bookView, id string) {
	try, q := s.newTry(e, b, id, r.Form)
	v := &playPage{tryPage: *try, Log: r.Form.Get("log")}
	status := http.StatusOK
	if r.Form.Get("asked") != "" {
		if err := v.advance(e, id, q, r.Form); err != nil {
			v.Error = wordError(err)
			status = http.StatusUnprocessableEntity
		}
	}
	s.write(w, status, "play", v)
}

// advance plays the log again and takes the step that the form asks for. After a refusal the page shows the play before it.
func (v *playPage) advance(e *library.Edition, id string, q *asked, form url.Values) error {
	var l log
	if v.Log == "" {
		l = log{Character: q.character, Input: q.input, Options: q.options, Events: []logged{}}
	} else if err := json.Unmarshal([]byte(v.Log), &l); err != nil {
		return errors.New("the play that was sent cannot be read: begin anew")
	}
	if form.Get("do") == "undo" && len(l.Events) > 0 {
		l.Events = l.Events[:len(l.Events)-1]
	}
	play, before, err := l.replay(e, id, v.Log == "", q)
	if err != nil {
		return err
	}
	if name, is := strings.CutPrefix(form.Get("do"), "event "); is {
		before = play.State
		err = l.add(play, e, id, name, form)
	}
	v.show(e, play, before, &l)
	return err
}

// replay plays a log; a new one draws its first faces as the form asks. before is the state before the last event.
func (l *log) replay(e *library.Edition, id string, begins bool, q *asked) (play *runtime.Play, before []byte, err error) {
	procedure, err := e.Procedure(id, runtime.Choice{Options: l.Options})
	if err != nil {
		return nil, nil, err
	}
	var source dice.Source = dice.ByID(l.Dice)
	if begins {
		if source, _, err = chooseFaces(q.dice, q.seed, 0); err != nil {
			return nil, nil, err
		}
	}
	play, err = procedure.Start(runtime.Request{Character: l.Character, Input: l.Input, Dice: source, Trace: true})
	if err != nil {
		return nil, nil, exit.WordRefusal(err)
	}
	l.Dice = byID(play.Dice)
	for i := range l.Events {
		before = play.State
		x := &l.Events[i]
		if err := play.Do(runtime.Event{Name: x.Event, Input: x.Input, Dice: dice.ByID(x.Dice), Trace: true}); err != nil {
			return nil, nil, fmt.Errorf("event %d, %s: %w", i+1, x.Event, exit.WordRefusal(err))
		}
	}
	return play, before, nil
}

// add lets the event of a form happen and writes it down.
func (l *log) add(play *runtime.Play, e *library.Edition, id, name string, form url.Values) error {
	if len(l.Events) == maxEvents {
		return fmt.Errorf("a play on a page has at most %d events: go on with \"rules play\"", maxEvents)
	}
	needs := &describe.Needs{Input: describe.FieldsOf(describe.InputOf(e.Plan, id+"."+name))}
	_, input := inputFields(needs, prefixed(form, name), true, nil)
	source, _, err := chooseFaces(form.Get("dice "+name), "", play.Number())
	if err != nil {
		return err
	}
	if err := play.Do(runtime.Event{Name: name, Input: input, Dice: source, Trace: true}); err != nil {
		return exit.WordRefusal(err)
	}
	last := play.Events[len(play.Events)-1]
	l.Events = append(l.Events, logged{name, last.Input, byID(last.Dice)})
	return nil
}

// prefixed are the values of a form that belong to one event.
func prefixed(form url.Values, event string) url.Values {
	out := url.Values{}
	for name, values := range form {
		if rest, ok := strings.CutPrefix(name, event+" "); ok {
			out[rest] = values
		}
	}
	return out
}

func byID(list []runtime.Rolled) map[string][]int64 {
	out := map[string][]int64{}
	for _, r := range list {
		out[r.ID] = r.Faces
	}
	return out
}

// show fills the page with a play.
func (v *playPage) show(e *library.Edition, play *runtime.Play, before []byte, l *log) {
	text, err := json.Marshal(l)
	if err != nil {
		v.Error = "the play cannot be written down: " + err.Error()
		return
	}
	v.Log, v.Begun, v.Status = string(text), true, play.Status
	v.Rows = stateRows(play.State, before)
	_, _, procedure := play.Subject()
	notes := present.NotesOf(e.Plan, procedure, play.Output)
	v.Outputs = present.OutputRows(play.Output, &notes)
	v.Trace = v.Book.treesOf(play.Trace)
	v.Character = indented(play.Character)
	for i := range play.Events {
		x := &play.Events[i]
		v.History = append(v.History, historyView{i + 1, x.Event, string(x.Output), x.Dice})
	}
	slices.Reverse(v.History)
	if play.Status == runtime.Open {
		v.Events = eventViews(v.Needs, play)
	}
}

// stateRows are the members of a state, with what they were.
func stateRows(state, before []byte) []stateRow {
	members, err := jsontext.Members(state)
	if err != nil {
		return nil
	}
	var was map[string]json.RawMessage
	known := json.Unmarshal(before, &was) == nil
	var out []stateRow
	for _, m := range members {
		row := stateRow{Name: m.Name, Value: string(m.Value)}
		if known && string(was[m.Name]) != row.Value {
			row.Changed, row.Was = true, string(was[m.Name])
		}
		out = append(out, row)
	}
	return out
}

// eventViews are the events of a procedure as forms, and why those that cannot happen now are not offered. The names of
// their fields begin with the event.
func eventViews(n *describe.Needs, play *runtime.Play) []eventView {
	why := map[string]string{}
	if offers, err := play.Offers(); err == nil {
		for i := range offers {
			switch o := &offers[i]; {
			case !o.Offered:
				why[o.Event] = cmp.Or(o.WhyNot(), "it is not offered now")
			case o.Refused != "":
				why[o.Event] = o.Refused
			}
		}
	}
	var out []eventView
	for i := range n.Events {
		x := &n.Events[i]
		fields, _ := inputFields(&describe.Needs{Input: x.Input}, url.Values{}, false, nil)
		for k := range fields {
			fields[k].ID = x.ID + " " + fields[k].ID
		}
		v := eventView{Item: describe.Item{ID: x.ID, Doc: x.Doc, Cite: x.Cite}, Input: fields, WhyNot: why[x.ID]}
		for _, d := range x.Dice {
			v.DiceHint = strings.TrimSpace(v.DiceHint + " " + d.ID + "=…")
		}
		out = append(out, v)
	}
	return out
}
