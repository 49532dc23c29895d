package site

// # A procedure at a table
//
// The page of a procedure keeps the whole play in the browser. At a table the log has it instead: each step is a record
// with the receipt of the play so far, so that all go on from the same one, and undo is a record too. The seed of an event
// is the server's, and the same for as long as the play stands where it does: asking again brings no other dice.

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// anewField is the field of a form that begins a play although one is played.
const anewField = "anew"

// A playAtTable is the page of a procedure at a table.
type playAtTable struct {
	*seatView
	Step   int  // the record of the step that is shown; 0 for none
	IsAnew bool // another play is begun
}

// sitDownToPlay fills a form with the play of a table, and with the server's seeds. It returns nil where nobody sits.
func sitDownToPlay(place *session.Place, at *seatView, id string, form url.Values, isSent bool) (
	*playAtTable, error) {
	state := place.State()
	out := &playAtTable{seatView: at, IsAnew: form.Get(anewField) != ""}
	seen := form.Get("step")
	if p := state.Play; p != nil && p.Receipt.Procedure == id && !out.IsAnew {
		log, err := logOf(p)
		if err != nil {
			return nil, err
		}
		out.Step = p.N
		form.Set("log", log)
		form.Set(askedField, askedYes)
	}
	if seen != "" && seen != strconv.Itoa(out.Step) {
		return out, session.ErrStep
	}
	if !isSent { // nobody sees the seed of what is to come
		return out, nil
	}
	for _, verb := range []string{doEvent, doDecide} {
		if event, is := strings.CutPrefix(form.Get("do"), verb); is {
			return out, holdSeed(form, " "+event, place.SeedOf(out.Step, event))
		}
	}
	return out, holdSeed(form, "", place.SeedOf(out.Step, id))
}

// holdSeed lets the dice of an event, or of a start, fall from a seed where no faces were typed. The suffix ends the names
// of its fields.
func holdSeed(form url.Values, suffix string, seed uint64) error {
	fell := strings.TrimSpace(suffix+" ") + " " + fellField
	switch {
	case form.Get("seed"+suffix) != "":
		return errors.New("at a table nobody chooses the seed: leave it empty")
	case form.Get(fell) != "":
		throw, err := dice.ParseThrow(form.Get(fell))
		if err == nil && throw.Seed != nil {
			typed, _, _ := strings.Cut(form.Get(fell), "seed ")
			form.Set(fell, strings.TrimSpace(typed+" seed "+strconv.FormatUint(seed, 10)))
		}
		return err
	case form.Get("dice"+suffix) == "":
		form.Set("seed"+suffix, strconv.FormatUint(seed, 10))
	}
	return nil
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
	seat, err := sitDownToPlay(place, at, id, r.Form, r.Method == http.MethodPost)
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
	}
	try, q := s.newTry(e, b, id, r.Form)
	v := &playPage{tryPage: *try, Log: r.Form.Get("log"), AtTable: seat}
	v.At = at
	before := v.Log
	if !isSent {
		r.Form.Del("do")
	}
	if v.Log != "" || isSent && isAsked(r.Form) {
		if failed := v.advance(e, id, q, r.Form); err == nil {
			err = failed
		}
	}
	if isSent && err == nil && v.Log != before {
		if err = place.Step(v.toldAtTable(), v.Told.Headline, seat.Step, []byte(v.Receipt)); err == nil {
			http.Redirect(w, r, here, http.StatusSeeOther)
			return
		}
	}
	v.Seed = ""
	for i := range v.Events {
		v.Events[i].Seed = ""
	}
	status := http.StatusOK
	if err != nil {
		v.Error, status = wordError(err), statusOfTable(err)
	}
	s.write(w, status, "play", v)
}

// toldAtTable returns the last step in words.
func (v *playPage) toldAtTable() session.Told {
	out := session.Told{Title: v.Needs.Title(), Asked: "begins", Headline: v.Told.Headline, Say: v.Told.Say,
		Tone: v.Told.Tone.String()}
	if v.LastEvent != "" {
		out.Asked, out.Headline, out.Say, out.Tone = v.LastEvent, v.LastTold.Headline, v.LastTold.Say,
			v.LastTold.Tone.String()
		out.Dice = strings.Join(v.History[0].Dice, "; ")
	}
	return out
}
