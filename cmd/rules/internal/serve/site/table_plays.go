package site

// # A procedure at a table
//
// The page of a procedure keeps the whole play in the browser. At a table the log has it instead: each step is a record
// with the receipt of the play so far, so that all go on from the same one, and undo is a record too. The seed of an event
// is the server's, and the same until the event happens: asking again brings no other dice. No form has it, for whoever
// knew the seed could compute the dice to come.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// anewField is the field of a form that begins a play although one is played.
const anewField = "anew"

// A playAtTable is the page of a procedure at a table.
type playAtTable struct {
	*seatView
	Step    int    // the record of the step that is shown; 0 for none
	Anew    int    // the record of the play in whose place another one is begun; 0 for none
	IsAnew  bool   // another play may be begun
	Other   string // the play in whose place this one would begin; "" for none
	origins string // how the dice of the step fall, in words
}

// sitDownToPlay fills a form with the play of a table, and with the server's seeds. It returns nil where nobody sits.
func sitDownToPlay(place *session.Place, at *seatView, n *describe.Needs, form url.Values, isSent bool) (
	*playAtTable, error) {
	state := place.State()
	out := &playAtTable{seatView: at, IsAnew: form.Get(anewField) != ""}
	seen := form.Get("step")
	form.Del("log")
	p := state.Play
	switch {
	case p == nil:
	case p.Receipt.Procedure == n.ID && !out.IsAnew:
		log, err := logOf(p)
		if err != nil {
			return nil, err
		}
		out.Step = p.N
		form.Set("log", log)
		form.Set(askedField, askedYes)
	default:
		out.Anew, out.Other = p.N, p.Play.Title
	}
	switch {
	case seen != "" && seen != strconv.Itoa(out.Step):
		return out, session.ErrStep
	case !isSent: // nobody sees the seed of what is to come
		return out, nil
	case out.Anew != 0 && !out.IsAnew:
		return out, fmt.Errorf("%s is played at this table: say that you begin another play in its place", out.Other)
	}
	var err error
	if out.Step == 0 {
		form.Del("do") // events follow, each a step by itself
		mergeDice(n, form)
		out.origins, err = holdSeed(form, "", place.SeedOfStart(&state, n.ID))
		return out, err
	}
	for _, verb := range []string{doEvent, doDecide, doWhyNot} {
		if event, is := strings.CutPrefix(form.Get("do"), verb); is {
			seed := place.SeedOfEvent(p, event)
			out.origins, err = holdSeed(form, " "+event, seed)
			if fell := event + " " + fellField; err == nil && verb != doEvent && form.Get(fell) != "" {
				form.Set(fell, replaceSeed(form.Get(fell), seed))
				out.origins, err = originsOf(form.Get(fell))
			}
		}
	}
	return out, err
}

// holdSeed lets the dice of an event, or of a start, fall from a seed where no faces were typed. The suffix ends the names
// of its fields. It returns how they fall, in words.
func holdSeed(form url.Values, suffix string, seed uint64) (string, error) {
	typed := form.Get("dice" + suffix)
	throw, err := dice.ParseThrow(typed)
	switch {
	case form.Get("seed"+suffix) != "" || throw.Seed != nil:
		form.Del("seed" + suffix)
		return "", session.ErrSeed
	case err != nil:
		return "", err
	case typed == "":
		form.Set("seed"+suffix, strconv.FormatUint(seed, 10))
		return drawnFaces, nil
	}
	return typedFaces, nil
}

// The origins of dice at a table.
const (
	typedFaces  = "faces typed"
	drawnFaces  = "drawn by the server"
	partlyTyped = "some faces typed, the others drawn by the server"
)

// originsOf says how dice fall by faces and seed.
func originsOf(fell string) (string, error) {
	throw, err := dice.ParseThrow(fell)
	switch {
	case err != nil:
		return "", err
	case throw.Seed == nil:
		return typedFaces, nil
	case throw.Dice.IsZero():
		return drawnFaces, nil
	}
	return partlyTyped, nil
}

// replaceSeed returns faces and seed with another seed, where they have one.
func replaceSeed(fell string, seed uint64) string {
	throw, err := dice.ParseThrow(fell)
	if err != nil || throw.Seed == nil {
		return fell
	}
	throw.Seed = &seed
	return throw.Text()
}

// logOf returns a play of a table as the page has it.
func logOf(p *session.Played) (string, error) {
	var sheet struct {
		Dice   dice.Rolls `json:"dice"`
		Events []struct {
			Event string          `json:"event"`
			Input json.RawMessage `json:"input"`
			Dice  dice.Rolls      `json:"dice"`
		} `json:"events"`
	}
	if err := json.Unmarshal(p.Receipt.Sheet, &sheet); err != nil {
		return "", err
	}
	l := playLog{Character: p.Receipt.Character, Input: p.Receipt.Input, Options: p.Receipt.Options, Dice: sheet.Dice,
		Events: []runtime.Step{}}
	for _, x := range sheet.Events {
		l.Events = append(l.Events, runtime.Step{Event: x.Event, Input: x.Input, Throw: dice.FallenByID(x.Dice)})
	}
	text, err := json.Marshal(l)
	return string(text), err
}

// showPlayAtTable shows the play of a table and takes the step that a form asks for.
func (s *server) showPlayAtTable(w http.ResponseWriter, r *http.Request, e *library.Edition, b *bookView, id string,
	place *session.Place, at *seatView) {
	needs := describe.NeedsOf(e.Plan, id)
	seat, err := sitDownToPlay(place, at, needs, r.Form, r.Method == http.MethodPost)
	if seat == nil {
		s.writeError(w, r, http.StatusConflict, err)
		return
	}
	isSent := r.Method == http.MethodPost && err == nil
	here := id + withQuery(url.Values{atField: {place.ID}})
	if isSent && r.Form.Get("do") == doUndo {
		if err = place.Act(url.Values{"do": {"back"}, "n": {strconv.Itoa(seat.Step)}}); err == nil {
			http.Redirect(w, r, here, http.StatusSeeOther)
			return
		}
		isSent = false
	}
	before := r.Form.Get("log")
	v, failed := s.newPlayAtTable(e, b, id, seat, r.Form, isSent)
	err = cmp.Or(err, failed)
	if isSent && err == nil && v.Log != before {
		if err = place.Step(v.toldAtTable(), v.Told.Headline, seat.Step, seat.Anew, []byte(v.Receipt)); err == nil {
			http.Redirect(w, r, here, http.StatusSeeOther)
			return
		}
		// The dice of the step are in no record, so nobody sees them: the page is that of the play as the log has it.
		for _, name := range []string{"step", "seed"} {
			r.Form.Del(name)
		}
		if seat, failed = sitDownToPlay(place, at, needs, r.Form, false); failed == nil {
			v, failed = s.newPlayAtTable(e, b, id, seat, r.Form, false)
		}
		if failed != nil {
			s.writeError(w, r, http.StatusConflict, failed)
			return
		}
	}
	status := http.StatusOK
	if err != nil {
		v.Error, status = wordError(err), statusOfTable(err)
	}
	s.write(w, status, "play", v)
}

// newPlayAtTable returns the page of the play in a form and, where it was sent, after the step that it asks for. The page
// has no seed.
func (s *server) newPlayAtTable(e *library.Edition, b *bookView, id string, seat *playAtTable, form url.Values,
	isSent bool) (*playPage, error) {
	try, q := s.newTry(e, b, id, form)
	v := &playPage{tryPage: *try, Log: form.Get("log"), AtTable: seat}
	v.At = seat.seatView
	if !isSent {
		form.Del("do")
	}
	var err error
	if v.Log != "" || isSent && isAsked(form) {
		err = v.advance(e, id, q, form)
	}
	v.Seed, v.Fell = "", replaceSeed(v.Fell, 0)
	for i := range v.Events {
		v.Events[i].Seed = ""
	}
	if v.Pending != nil {
		for i, field := range v.Pending.Hidden {
			if strings.HasSuffix(field[0], " "+fellField) {
				v.Pending.Hidden[i][1] = replaceSeed(field[1], 0)
			}
		}
	}
	return v, err
}

// toldAtTable returns the last step in words.
func (v *playPage) toldAtTable() session.Told {
	out := session.Told{Title: v.Needs.Title(), Asked: "begins", Headline: v.Told.Headline, Say: v.Told.Say,
		Tone: v.Told.Tone.String(), Dice: strings.Join(v.BeginDice, "; ")}
	if v.LastEvent != "" {
		out.Asked, out.Headline, out.Say, out.Tone = v.LastEvent, v.LastTold.Headline, v.LastTold.Say,
			v.LastTold.Tone.String()
		out.Dice = strings.Join(v.History[0].Dice, "; ")
	}
	if out.Dice != "" {
		out.Dice += ": " + v.AtTable.origins
	}
	return out
}
