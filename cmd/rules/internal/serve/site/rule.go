package site

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
)

// showRule shows the form of a rule and, when it was sent, the answer.
//
// A form is sent by POST. Its dice fall here, and the browser is led to the address that has their faces.
func (s *server) showRule(w http.ResponseWriter, r *http.Request, e *library.Edition, b *bookView, id, note string) {
	place := s.placeOf(r, e.Plan.Ruleset)
	do := r.Form.Get("do")
	isForTable := r.Method == http.MethodPost && (do == doTable || do == decideNow && r.Form.Get(atField) != "")
	var at *seatView
	switch {
	case place != nil:
		at = sitDown(place, describe.NeedsOf(e.Plan, id), r.Form)
	case isForTable: // a roll that all were to see must not fall elsewhere
		s.writeError(w, r, http.StatusForbidden, session.ErrNotHere)
		return
	}
	v, q := s.newTry(e, b, id, r.Form)
	if v.At = at; isForTable || at.isDeciding(id) {
		s.showRollAtTable(w, r, e, v, q, place, isForTable)
		return
	}
	isHere := r.Form.Get(hereField) != "" // with the fields of an address, which are settled
	if !isHere && (r.Method == http.MethodPost || !isSettled(v.Needs, r.Form)) {
		settleForm(v.Needs, r.Form, v.IsPartlyThrown)
		if query := addressOf(e, v.Needs, r.Form); query != "" {
			redirect(w, r, id, query)
			return
		}
	}
	v.Note, v.Stored = note, r.Form.Get(storedField)
	v.HasLink = r.Method == http.MethodGet || isHere
	v.IsMissing = v.Stored != "" && r.Form.Get("character") == ""
	status := http.StatusOK
	// A form that was only opened, or whose fields were changed by a link, is not carried out: dice
	// should fall when somebody lets them.
	if isAsked(r.Form) && !isOnlyShown(r.Form) && !v.IsMissing {
		if err := v.carryOut(e, q, r.Form); err != nil {
			v.showError(err)
			status = http.StatusUnprocessableEntity
		}
	}
	if v.HasOdds {
		v.Odds = s.oddsFor(r, e, v, q)
		v.foldConstants()
	}
	s.write(w, status, "try", v)
}

// showRollAtTable rolls or decides at a table as a form asks, and leads the browser to where it goes on. It shows the
// decisions that are due on dice that have fallen, and why the others were refused.
func (s *server) showRollAtTable(w http.ResponseWriter, r *http.Request, e *library.Edition, v *tryPage, q *formQuestion,
	place *session.Place, isSent bool) {
	isDeciding := v.At.isDeciding(v.Needs.ID)
	var refused error
	if isSent {
		if isDeciding && r.Form.Get("do") == decideNow {
			refused = v.decideAtTable(e, place, q, r.Form)
		} else {
			refused = v.rollAtTable(place, q)
		}
		if refused == nil {
			http.Redirect(w, r, afterRoll(place, v.At), http.StatusSeeOther)
			return
		}
	}
	if isDeciding {
		for _, path := range v.At.undecided.Fell.Due {
			r.Form.Del(decidePrefix + path)
		}
		_, q = s.newTry(e, v.Book, v.Needs.ID, r.Form)
		refused = cmp.Or(refused, v.carryOut(e, q, r.Form))
		v.HasOdds = false
	}
	status := http.StatusOK
	if refused != nil {
		v.showError(refused)
		status = statusOfTable(refused)
	}
	s.write(w, status, "try", v)
}

// afterRoll returns where one goes on after a roll: to the table or, where something is to be decided, to the form.
func afterRoll(place *session.Place, at *seatView) string {
	state := place.State()
	if u := state.UndecidedOf(place.Who); u != nil {
		return u.Fell.Question.Rule + withQuery(url.Values{atField: {place.ID}}) + "#answer"
	}
	return at.Link
}

// showOddsPart shows the parts of a form's page that follow its fields, for the script that puts them into the page:
// the odds, and the fields of the character that are read.
func (s *server) showOddsPart(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err == nil {
		err = r.ParseForm()
	}
	id := r.PathValue("name")
	if err == nil && slices.Contains(e.Program.ProcedureNames(), id) {
		s.showCoursePart(w, r, e, b)
		return
	}
	if err != nil || !slices.Contains(e.Program.RuleNames(), id) {
		http.Error(w, "there is no such rule", http.StatusNotFound)
		return
	}
	if place := s.placeOf(r, e.Plan.Ruleset); place != nil {
		sitDown(place, describe.NeedsOf(e.Plan, id), r.Form)
	}
	v, q := s.newTry(e, b, id, r.Form)
	v.IsFilled = r.Form.Has("fill")
	if v.HasOdds {
		v.Odds = s.oddsFor(r, e, v, q)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := s.templates["try"].ExecuteTemplate(w, "live", v); err != nil {
		return // the reader has gone on
	}
}

// carryOut answers a form with the sheet, with the next decision now that dice have fallen, or with an error.
//
// The order is that of a table: dice fall, the player decides, and only then there is a sheet. The question why is
// about the same faces, which the form carries.
func (v *tryPage) carryOut(e *library.Edition, q *formQuestion, form url.Values) error {
	if fell := form.Get(fellField); fell != "" {
		q.fallAgain(fell)
	}
	v.Fell = q.fell()
	var err error
	if v.Decided, v.Decision, err = takeDecisions(v.Needs.Input, q, form, askRule(e, v.Needs.ID, q),
		view.WordsOf(e.Plan, v.Needs.ID)); err != nil ||
		v.Decision != nil {
		return err
	}
	// A refusal is explained like an answer, by way of the first output.
	if v.Sheet, err = evaluateForm(e, v.Book, v.Needs.ID, q); err != nil {
		if _, refused := errors.AsType[*runtime.Refused](err); refused {
			if outputs := e.Plan.Rule(v.Needs.ID).Graph.Outputs.Type.FieldNames(); len(outputs) > 0 {
				v.Refused = outputs[0]
			}
		}
	}
	if output := form.Get("why"); output != "" {
		found, reason := findWhy(e, v.Book, v.Needs.ID, output, q)
		if v.Why = found; found != nil {
			found.linkChanges(e, v.Needs, form, v.Fell)
		}
		err = cmp.Or(err, reason)
	}
	return err
}

// showError shows why there is no answer, and where that is.
func (v *tryPage) showError(err error) {
	v.Error, v.CharacterOpen = wordError(err), isAbout(err, "character")
	v.markWrong(err)
	v.markWrongDie(err)
}

// markWrong puts an error of a field of the input beside this field.
func (v *tryPage) markWrong(err error) {
	bad, ok := errors.AsType[*runtime.InputError](err)
	if !ok || bad.Root != plainInput {
		return
	}
	path := strings.TrimPrefix(bad.Path, ".")
	for i := range v.Input {
		f := &v.Input[i]
		if rest, is := strings.CutPrefix(path, f.Path); is && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			f.Error = bad.Msg
			v.Wrong = f
		}
	}
	v.Primary, v.More = dividePrimary(v.Input)
}

// foldConstants takes from the outputs those that no die decides.
func (v *tryPage) foldConstants() {
	if v.Sheet == nil || v.Odds == nil {
		return
	}
	isConstant := func(l view.Line) bool { return slices.Contains(v.Odds.Constant, l.Output) }
	for _, l := range v.Sheet.Outputs {
		if isConstant(l) {
			v.Constant = append(v.Constant, l)
		}
	}
	v.Sheet.Outputs = slices.DeleteFunc(v.Sheet.Outputs, isConstant)
}
