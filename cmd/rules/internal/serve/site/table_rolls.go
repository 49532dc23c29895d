package site

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A seatView is a place at a table, for the form of a rule that is rolled there.
type seatView struct {
	ID, Title, Link, Name string
	IsMaster              bool
	How, Who              string // how it was rolled last, and for whom the master did
	undecided             *session.Undecided
}

// isDeciding reports whether dice of a rule have fallen, and wait for decisions of whoever sits here.
func (v *seatView) isDeciding(rule string) bool {
	return v != nil && v.undecided != nil && v.undecided.Fell.Question.Rule == rule
}

// placeOf returns the place at the table that a form names, where its ruleset is played; nil for none.
func (s *server) placeOf(r *http.Request, ruleset string) *session.Place {
	id := r.Form.Get(atField)
	if id == "" || s.Sessions == nil {
		return nil
	}
	place, err := s.Sessions.PlaceOf(r, id)
	if err != nil || place.Who == session.Spectator || place.State().Begin.Ruleset != ruleset {
		return nil
	}
	return place
}

// sitDown fills a form that is asked at a table with the rulings of the table, and the character that its player has there.
func sitDown(place *session.Place, n *describe.Needs, form url.Values) *seatView {
	state, called := place.State(), ""
	for _, name := range formNames(form) {
		if strings.HasPrefix(name, optionPrefix) {
			form.Del(name)
		}
	}
	for option, value := range state.Rulings {
		form.Set(optionPrefix+option, value)
	}
	for i := range state.Seats {
		seat := &state.Seats[i]
		if seat.ID != place.Who {
			continue
		}
		form.Del(characterBefore)
		for _, name := range formNames(form) {
			if strings.HasPrefix(name, characterPrefix) {
				form.Del(name)
			}
		}
		form.Set("character", string(jsontext.OrObject(seat.Character)))
		called = seat.Called
	}
	at := &seatView{ID: place.ID, Title: state.Begin.Title, Link: "../../session/" + place.ID + "/",
		Name: cmp.Or(called, state.NameOf(place.Who)), IsMaster: place.Who == session.Master,
		How: form.Get(howField), Who: strings.TrimSpace(form.Get("who")), undecided: state.UndecidedOf(place.Who)}
	if at.isDeciding(n.ID) {
		fillUndecided(at.undecided, n, form)
	}
	return at
}

// fillUndecided fills a form with dice on which its player decides.
func fillUndecided(u *session.Undecided, n *describe.Needs, form url.Values) {
	fell := u.Fell
	for _, name := range formNames(form) {
		for _, prefix := range []string{inputPrefix, optionPrefix, characterPrefix} {
			if strings.HasPrefix(name, prefix) {
				form.Del(name)
			}
		}
	}
	for i := range n.Input {
		if f := &n.Input[i]; memberText(fell.Question.Input, f.Name) != "" {
			form.Set(inputPrefix+f.Name, memberText(fell.Question.Input, f.Name))
		}
	}
	for option, value := range fell.Question.Options {
		form.Set(optionPrefix+option, value)
	}
	for _, path := range fell.Question.Decided {
		form.Set(decidePrefix+path, "")
	}
	form.Set("character", string(fell.Question.Character))
	throw, err := u.ThrowFrom(0) // the server alone knows the seed
	must.Succeed(err)            // the log has it, so it was read
	form.Set(fellField, throw)
	form.Set(askedField, askedYes)
	form.Del("dice")
	form.Del("seed")
}

// decideAtTable goes on with dice that have fallen, by the decisions of a form.
func (v *tryPage) decideAtTable(e *library.Edition, place *session.Place, q *formQuestion, form url.Values) error {
	q.fallAgain(form.Get(fellField))
	_, _, err := takeDecisions(v.Needs.Input, q, form, askRule(e, v.Needs.ID, q), view.WordsOf(e.Plan, v.Needs.ID))
	if err == nil {
		_, err = place.Decide(place.Who, q.Request.Input)
	}
	return err
}

// rollAtTable rolls what a form asks at the table.
func (v *tryPage) rollAtTable(place *session.Place, q *formQuestion) error {
	if q.seed != "" {
		return session.ErrSeed
	}
	asked := &session.Question{Rule: v.Needs.ID, Options: q.Options, Character: q.Request.Character, Input: q.Request.Input}
	who := ""
	if v.At.IsMaster {
		who = v.At.Who
	}
	if v.At.How == howTogether {
		if q.dice != "" {
			return errors.New("dice that nobody can choose have no faces yet: leave them empty")
		}
		return place.Open(place.Who, asked, who)
	}
	_, err := place.Roll(place.Who, asked, session.Throw{Faces: q.dice, IsPart: v.IsPartlyThrown}, who,
		v.At.How == howHidden)
	return err
}

// NewEvaluator returns the function that carries out the questions of tables, by the newest rules of a library.
func NewEvaluator(l *library.Library) session.Evaluator {
	s := &server{library: l}
	return func(ruleset string, asked *session.Question, fell string) (*session.Answer, error) {
		e, b, err := s.editionOf(ruleset)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(e.Program.RuleNames(), asked.Rule) {
			return nil, fmt.Errorf("%s has no rule %s", ruleset, asked.Rule)
		}
		q := &formQuestion{Question: query.Question{Subject: asked.Rule, Options: asked.Options,
			Request: runtime.Request{Character: asked.Character, Input: asked.Input}}, dice: fell}
		v := &tryPage{Needs: describe.NeedsOf(e.Plan, asked.Rule)}
		v.Input, _ = inputFields(v.Needs, url.Values{}, false, asked.Input)
		v.markNeeds(e, asked.Rule, q)
		v.suggest(e, asked.Rule, b.words.Of(asked.Rule), q)
		v.Primary, _ = dividePrimary(v.Input)
		out := &session.Answer{Told: session.Told{Title: v.Needs.Title(), Asked: v.Asked()}}
		if err := findDue(out, e, v.Needs, q, asked); err != nil || len(out.Due) > 0 {
			return out, err
		}
		sheet, err := evaluateForm(e, b, asked.Rule, q)
		if refusal.IsOwn(err) {
			out.Refused = err
			sheet, err = refuseAtTable(e, asked.Rule, q, err)
		}
		if err != nil {
			return nil, err
		}
		out.Headline, out.Say, out.Tone = sheet.Told.Headline, sheet.Told.Say, sheet.Told.Tone.String()
		if out.Headline == "" && len(sheet.Outputs) > 0 {
			out.Headline = sheet.Outputs[0].Name + ": " + sheet.Outputs[0].Text
		}
		out.Dice, out.Receipt = strings.Join(sheet.Dice, "; "), []byte(sheet.Receipt)
		out.Told.Limit()
		return out, nil
	}
}

// findDue carries a question out as far as to the decisions that are due once dice have fallen, and adds them to its
// answer.
func findDue(out *session.Answer, e *library.Edition, n *describe.Needs, q *formQuestion, asked *session.Question) error {
	form := url.Values{fellField: {q.fell()}}
	for i := range n.Input {
		if f := &n.Input[i]; memberText(asked.Input, f.Name) != "" {
			form.Set(inputPrefix+f.Name, memberText(asked.Input, f.Name))
		}
	}
	for _, path := range asked.Decided { // as the input has it, or as the rules have it where the input says nothing
		form.Set(decidePrefix+path, "")
	}
	notes := view.WordsOf(e.Plan, n.ID)
	var fell dice.Rolls
	carry := askRule(e, n.ID, q)
	_, due, err := takeDecisions(n.Input, q, form, func(known runtime.Request) ([]ask.Need, dice.Rolls, error) {
		needs, faces, err := carry(known)
		fell = faces
		return needs, faces, err
	}, notes)
	if err != nil || due == nil {
		return err
	}
	out.Faces, out.Dice = fell.ByID(), strings.Join(notes.Faces(fell, nil), "; ")
	for i := range due.Fields {
		out.Due = append(out.Due, due.Fields[i].Path)
	}
	out.Told.Limit()
	return nil
}

// refuseAtTable returns the sheet of a roll that was refused once dice had fallen: all see them, for whoever could roll
// again unseen would choose among dice. Where none had fallen it returns the error.
func refuseAtTable(e *library.Edition, id string, q *formQuestion, refused error) (*sheetView, error) {
	rule, err := e.Rule(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	request, err := q.request()
	if err != nil {
		return nil, err
	}
	proof, err := receipt.NewRefusal(e.Program, rule, request)
	if err != nil || proof == nil {
		return nil, cmp.Or(err, refused)
	}
	notes := view.WordsOf(e.Plan, id)
	told := say.Told{Headline: "It cannot be", Say: say.Capitalise(wordError(refused)) + ".", Tone: plan.FailTone}
	return &sheetView{Told: told, Dice: notes.Faces(dice.NewRolls(proof.Dice), nil), Receipt: string(proof.Printed())}, nil
}
