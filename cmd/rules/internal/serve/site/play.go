package site

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/wording"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A playPage is a procedure as it is played. The browser holds the whole play, in a hidden field, so that the server keeps
// nothing and any earlier step can be gone back to.
type playPage struct {
	tryPage
	Log       string // the play as JSON
	Begun     bool
	Status    string // in words; "" where the headline has it
	Rows      []stateRow
	Outputs   []view.Line
	Last      []view.Line // outputs of the last event
	Told      say.Told    // how it stands, in words
	LastEvent string      // "" before the first one
	LastTold  say.Told    // ... in words
	Events    []eventView
	Pending   *pendingView // an event that waits for a decision; nil for none
	History   []historyView
	Trace     []*treeView
	Receipt   string
	Course    *courseView // nil unless it is asked for
	Policy    string      // by which the course is followed
	Follows   bool        // somebody asked for the course, with all that is known of it
	Begins    []view.Line // with what it was begun
	BeginDice []string    // that fell at the start
	AtTable   *playAtTable
	now       *runtime.Play
	options   map[string]string // under which it is played
}

// A pendingView is an event whose dice have fallen, and which waits for what is decided then.
type pendingView struct {
	*decisionView
	Label  string
	Event  string
	Hidden [][2]string // the fields of its form, by name
}

// A stateRow is a member of the state, marked when the last step changed it.
type stateRow struct {
	Name, Value, Was string
	Changed          bool
}

type eventView struct {
	describe.Item
	Label     string
	Input     []fieldView
	Dice      string // faces that were typed
	Seed      string
	HasSeed   bool // it can be typed
	DiceHint  string
	WhyNot    string // why it is not offered; "" when it is
	IsRefused bool   // it was tried, as its fields are
}

// fillIn puts the values of the form into the fields of an event.
func (v *eventView) fillIn(b *bookView, n *describe.Needs, form url.Values) {
	fields, _, own := readEvent(n, v.ID, form)
	v.Input, _ = inputFields(&describe.Needs{Kind: "rule", Input: fields}, own, true, nil)
	b.explainChoices(fields, v.Input)
	for i := range v.Input {
		v.Input[i].ID = v.ID + " " + v.Input[i].ID
	}
	addTrees(b.words.Of(n.ID+"."+v.ID), fields, v.Input)
	v.Dice, v.Seed = form.Get("dice "+v.ID), form.Get("seed "+v.ID)
}

type historyView struct {
	Number        int
	Event, Output string
	Told          say.Told // the event in words; empty where nobody has words
	Dice          []string
}

// showPlay shows a procedure: its form before it begins, then its state with the events that may follow.
//
// A step is sent by POST, and the browser is led to the address of the play after it.
func (s *server) showPlay(w http.ResponseWriter, r *http.Request, e *library.Edition, b *bookView, id, note string) {
	if place := s.placeOf(r, e.Plan.Ruleset); place != nil {
		s.showPlayAtTable(w, r, e, b, id, place, sitDown(place, describe.NeedsOf(e.Plan, id), r.Form))
		return
	} else if r.Method == http.MethodPost && r.Form.Get(atField) != "" { // what all were to see must not happen elsewhere
		s.writeError(w, r, http.StatusForbidden, session.ErrNotHere)
		return
	}
	try, q := s.newTry(e, b, id, r.Form)
	v := &playPage{tryPage: *try, Log: r.Form.Get("log")}
	v.Note = note
	v.HasLink = r.Method == http.MethodGet
	status := http.StatusOK
	takesStep := r.Method == http.MethodPost || v.Log == "" && !isSettled(v.Needs, r.Form)
	if !takesStep && strings.HasPrefix(r.Form.Get("do"), doEvent) {
		r.Form.Del("do") // nothing is rolled by looking at an address
	}
	do := r.Form.Get("do")
	// Asking for odds before the start does not begin the play: its dice would have fallen unseen.
	if isAsked(r.Form) && (v.Log != "" || !isOnlyShown(r.Form) && do != doEndOdds) {
		if err := v.advance(e, id, q, r.Form); err != nil {
			v.Error = wordError(err)
			status = http.StatusUnprocessableEntity
		}
	}
	if takesStep && status == http.StatusOK {
		if query := v.address(e, r.Form); query != "" {
			redirect(w, r, id, query)
			return
		}
	}
	s.addCourse(r, e, v, q)
	s.write(w, status, "play", v)
}

// addCourse follows the procedure of a page, and that of the setting that its reader has kept.
func (s *server) addCourse(r *http.Request, e *library.Edition, v *playPage, q *formQuestion) {
	do := r.Form.Get("do")
	v.Policy = cmp.Or(r.Form.Get("policy"), s.policyFor(e, v.Needs))
	v.Follows = do == doOdds || do == keepSetting || do == dropSetting || r.Form.Get("follow") != "" && do != doEndOdds
	if v.Begun {
		v.Kept = nil
	}
	if v.Course = s.courseOf(r, e, v, q, v.Policy); v.Course.Error != "" && !v.Follows {
		v.Course = nil // nobody asked for it: the way to ask stays
		return
	}
	if v.Kept != nil && v.Follows {
		v.Course.keep(s.courseOf(r, e, v, v.Kept.asked, cmp.Or(v.Kept.policy, v.Policy)), v.Kept.Label, v.Kept.Now)
	}
}

// showCoursePart shows how a procedure ends as the fields of its form are, for the script that puts it into the page.
func (s *server) showCoursePart(w http.ResponseWriter, r *http.Request, e *library.Edition, b *bookView) {
	try, q := s.newTry(e, b, r.PathValue("name"), r.Form)
	v := &playPage{tryPage: *try}
	s.addCourse(r, e, v, q)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := s.templates["play"].ExecuteTemplate(w, "live", v); err != nil {
		return // the reader has gone on
	}
}

// pagePlays is how many plays a page draws: each chance lies within 2 % of the counted share in 95 of 100 runs.
const pagePlays = 2_401

// courseOf follows the procedure of a page: from the form before it has begun, and then from its state. A whole fight that
// takes too much is drawn, if somebody asks for it.
//
// The budget is that of one question, and the reader's leaving ends it.
func (s *server) courseOf(r *http.Request, e *library.Edition, v *playPage, q *formQuestion, policy string) *courseView {
	asked := q.Question
	asked.From, asked.Budget, asked.Policy = v.now, s.Budget, policyLines(policy)
	switch {
	case !v.Follows:
		asked.Budget = min(asked.Budget, unaskedBudget)
	default:
		sampling, err := oddsquery.BoundedSampling(pagePlays, 0, 1, s.Budget, 1)
		if err != nil {
			return &courseView{Error: wordError(err)}
		}
		sampling.Always = false
		asked.Sampling, asked.Budget = sampling, min(asked.Budget, oddsquery.FightBudget)
	}
	if v.now != nil {
		asked.Options = v.options
	}
	return followCourse(r.Context(), e, v.Book.words.Of(v.Needs.ID), asked)
}

// advance plays the log again and takes the step that the form asks for. After a refusal the page shows the play before it.
//
// Each step plays the log from its start again, up to 500 events, which takes milliseconds. In
// return there is no session to keep, to expire or to mix up, undo is a shorter log, and a log that
// somebody changed by hand is judged by the rules like any play.
func (v *playPage) advance(e *library.Edition, id string, q *formQuestion, form url.Values) error {
	var l playLog
	begins := v.Log == ""
	if begins {
		request, err := q.request()
		if err != nil {
			return err
		}
		procedure, err := e.Procedure(id, runtime.Choice{Options: q.Options})
		if err != nil {
			return err
		}
		play, err := procedure.Start(request)
		if err != nil {
			return exit.WordRefusal(err)
		}
		// The faces are written down, drawn or typed: from now on the log alone decides.
		l = playLog{Character: q.Request.Character, Input: q.Request.Input, Options: q.Options, Dice: play.Dice,
			Events: []runtime.Step{}}
	} else if err := json.Unmarshal([]byte(v.Log), &l); err != nil {
		return errors.New("the play that was sent cannot be read: begin anew")
	}
	if len(l.Events) > maxEvents { // each step plays all of them again
		return fmt.Errorf("the play that was sent has %d events, more than the %d of a page", len(l.Events), maxEvents)
	}
	if err := l.takeBack(form.Get("do")); err != nil {
		return err
	}
	play, before, err := l.replay(e, id, true)
	if err != nil {
		return err
	}
	var sent string // the event whose fields were sent and did not happen
	for _, verb := range []string{doEvent, doDecide} {
		if name, is := strings.CutPrefix(form.Get("do"), verb); is {
			state := play.State
			var happened bool
			if happened, err = v.addEvent(e, &l, play, name, form); happened {
				before = state
			} else {
				sent = name
			}
		}
	}
	v.show(e, play, before, &l)
	if name, is := strings.CutPrefix(form.Get("do"), doWhyNot); is {
		sent = name
		v.Why, err = l.whyNot(e, v.Book, id, v.Needs, name, form)
	} else if output := form.Get("why"); output != "" {
		v.Why, err = l.why(e, v.Book, id, output)
	}
	for i := range v.Events {
		if v.Events[i].ID == sent {
			v.Events[i].fillIn(v.Book, v.Needs, form)
			v.Events[i].IsRefused = exit.Answered[*runtime.Refused](err) && outputOfStep(e.Plan, id, sent) != ""
		}
	}
	return err
}

// addEvent lets the event of a form happen and writes it down. It has not happened when it is refused, and when something
// is to be decided first.
func (v *playPage) addEvent(e *library.Edition, l *playLog, play *runtime.Play, name string, form url.Values) (
	happened bool, err error,
) {
	if len(l.Events) >= maxEvents {
		return false, fmt.Errorf("a play on a page has at most %d events: go on with \"rules play\"", maxEvents)
	}
	fields, q, own := readEvent(v.Needs, name, form)
	_, due, err := takeDecisions(fields, q, own, askEvent(play, name), wordsOfEvent(e, play, name))
	if err != nil {
		return false, err
	}
	if due != nil {
		v.Pending = newPending(v.Needs, due, name, q, own)
		return false, nil
	}
	throw, err := q.throw()
	if err != nil {
		return false, err
	}
	v.Fell = q.fell()
	if err := play.Do(runtime.Step{Event: name, Input: q.Request.Input, Throw: throw}, true); err != nil {
		if own.Get("do") == decideNow {
			err = cmp.Or(v.decideAgain(e, fields, play, name, form), err)
		}
		return false, exit.WordRefusal(err)
	}
	last := play.Events[len(play.Events)-1]
	l.Events = append(l.Events, runtime.Step{Event: name, Input: last.Input, Throw: dice.FallenByID(last.Dice)})
	return true, nil
}

// decideAgain asks once more, with the same faces, for decisions that were refused.
//
// The faces stay as they fell: a wrong decision may be made anew, but must not be rolled for anew. They are in the
// form, in the hidden field "fell" of the event.
func (v *playPage) decideAgain(e *library.Edition, fields []describe.Field, play *runtime.Play, name string,
	form url.Values,
) error {
	_, q, own := readEvent(v.Needs, name, form)
	for field := range own {
		if strings.HasPrefix(field, decidePrefix) {
			own.Del(field)
		}
	}
	_, due, err := takeDecisions(fields, q, own, askEvent(play, name), wordsOfEvent(e, play, name))
	if err == nil && due != nil {
		v.Pending = newPending(v.Needs, due, name, q, own)
	}
	return err
}

// labelOfEvent returns what players call an event.
func labelOfEvent(n *describe.Needs, name string) string {
	for i := range n.Events {
		if n.Events[i].ID == name {
			return cmp.Or(n.Events[i].Label, say.Capitalise(spacedName(name)))
		}
	}
	return name
}

// Offered returns the events that can happen now.
func (v *playPage) Offered() []*eventView {
	var out []*eventView
	for i := range v.Events {
		if v.Events[i].WhyNot == "" {
			out = append(out, &v.Events[i])
		}
	}
	return out
}

// newPending returns the view that holds the fields of an event in the page during a decision.
//
// A decision interrupts an event. The form's values for the event go into hidden fields, with the faces, so that the
// next request can carry the whole event out.
func newPending(n *describe.Needs, due *decisionView, name string, q *formQuestion, own url.Values) *pendingView {
	out := &pendingView{decisionView: due, Label: labelOfEvent(n, name), Event: name,
		Hidden: [][2]string{{name + " fell", q.fell()}}}
	for _, field := range slices.Sorted(maps.Keys(own)) {
		if strings.HasPrefix(field, inputPrefix) {
			out.Hidden = append(out.Hidden, [2]string{name + " " + field, own.Get(field)})
		}
	}
	for i := range due.Fields {
		due.Fields[i].ID = name + " " + due.Fields[i].ID
	}
	return out
}

// show fills the page with a play.
//
// The log goes into the page after the step, so that going back in the browser is going back in the
// play.
func (v *playPage) show(e *library.Edition, play *runtime.Play, before []byte, l *playLog) {
	text, err := json.Marshal(l)
	if err != nil {
		v.Error = "the play cannot be written down: " + err.Error()
		return
	}
	v.Log, v.Begun = string(text), true
	v.now, v.options = play, l.Options
	words := view.WordsOf(e.Plan, v.Needs.ID)
	v.Begins = view.Parts(l.Input, &words)
	notes := view.NotesOfPlay(e.Plan, play)
	v.Status = say.Capitalise(spacedName(notes.StatusText(play.Status)))
	v.BeginDice = notes.Faces(play.Dice, nil)
	v.Told, v.Rows = notes.Told, stateRows(&notes, play.State, before)
	v.Outputs = view.Outputs(play.Output, &notes)
	v.Trace = v.Book.treesOf(play.Trace)
	if n := len(play.Events); n > 0 {
		last := &play.Events[n-1]
		lastNotes := view.NotesOfEvent(e.Plan, play, n-1)
		v.LastEvent, v.LastTold = cmp.Or(lastNotes.Told.Title, last.Name), lastNotes.Told
		v.Last = view.Parts(last.Output, &lastNotes)
	}
	if v.Receipt, err = l.receiptOf(e, v.Needs.ID); err != nil {
		v.Error = wordError(err)
	}
	v.Character = indentJSON(play.Character)
	for i := range play.Events {
		x := &play.Events[i]
		notes := view.NotesOfEvent(e.Plan, play, i)
		notes.Spoken = true
		h := historyView{Number: i + 1, Event: x.Name, Output: view.TextOfJSON(x.Output), Dice: notes.Faces(x.Dice, nil)}
		if told := notes.Told; told.Title != "" {
			h.Event, h.Told = told.Title, told
		}
		v.History = append(v.History, h)
	}
	slices.Reverse(v.History)
	if play.IsOpen() {
		v.Events = eventViews(e.Plan, v.Book, v.Needs, play)
		for i := range v.Events {
			v.Events[i].HasSeed = v.AtTable == nil
		}
	}
}

// stateRows returns the members of a state, with their earlier values.
//
// Values are compared as texts. States are written by one encoder, so equal values are equal bytes.
func stateRows(notes *view.Notes, state, before []byte) []stateRow {
	members, err := jsontext.Members(state)
	if err != nil {
		return nil
	}
	var was map[string]json.RawMessage
	known := json.Unmarshal(before, &was) == nil
	var out []stateRow
	for _, m := range members {
		part := notes.Part(m.Name, m.Value)
		row := stateRow{Name: part.Name, Value: part.Text}
		if known && string(was[m.Name]) != string(m.Value) {
			row.Changed, row.Was = true, notes.Part(m.Name, was[m.Name]).Text
		}
		out = append(out, row)
	}
	return out
}

// whyNotOffered returns the condition of an event in words, with the present values of its paths. So a reader sees
// which of them have to change.
func whyNotOffered(o *runtime.Offer) string {
	words := wording.Of(o.When)
	if words == nil {
		return cmp.Or(o.WhyNot(), "it cannot happen now")
	}
	text := "it happens only when " + wording.Join(words)
	for i, path := range o.Paths {
		between := ", "
		if i == 0 {
			between = "; now "
		}
		text += between + wording.Join(wording.Of(path)) + " is " + view.Text(o.Values[i])
	}
	return text
}

// eventViews are the events of a procedure as forms, and why those that cannot happen now are not offered. The names of
// their fields begin with the event.
//
// Events that cannot happen are shown with the reason instead of being left out: a player who looks
// for "pay" should find out why it is not there.
func eventViews(p *plan.Plan, b *bookView, n *describe.Needs, play *runtime.Play) []eventView {
	why := map[string]string{}
	if offers, err := play.Offers(); err == nil {
		said := view.Offers(p, play, offers)
		for i := range offers {
			switch o := &offers[i]; {
			case !o.Offered:
				why[o.Event] = cmp.Or(said[i].WhyNot, whyNotOffered(o))
			case o.Refused != "":
				why[o.Event] = o.Refused
			}
		}
	}
	var out []eventView
	for i := range n.Events {
		x := &n.Events[i]
		fields, _ := inputFields(&describe.Needs{Kind: "rule", Input: x.Input}, url.Values{}, false, nil)
		b.explainChoices(x.Input, fields)
		for k := range fields {
			fields[k].ID = x.ID + " " + fields[k].ID
		}
		addTrees(b.words.Of(n.ID+"."+x.ID), x.Input, fields)
		v := eventView{
			Item: describe.Item{ID: x.ID, Doc: x.Doc, Cite: x.Cite}, Label: labelOfEvent(n, x.ID), Input: fields,
			WhyNot: why[x.ID],
		}
		for _, d := range x.Dice {
			v.DiceHint = strings.TrimSpace(v.DiceHint + " " + d.ID + "=…")
		}
		out = append(out, v)
	}
	return out
}
