package site

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/runtime"
)

// showRule shows the form of a rule and, when it was sent, the answer.
func (s *server) showRule(w http.ResponseWriter, r *http.Request, e *library.Edition, b *bookView, id string) {
	v, q := s.newTry(e, b, id, r.Form)
	status := http.StatusOK
	// A form that was only opened, or whose fields were changed by a link, is not carried out: dice
	// should fall when somebody lets them.
	if r.Form.Get("asked") != "" && !isAboutKept(r.Form) {
		if err := v.carryOut(e, q, r.Form); err != nil {
			v.Error, v.CharacterOpen = wordError(err), isAbout(err, "character")
			status = http.StatusUnprocessableEntity
		}
	}
	if v.HasOdds {
		v.Odds = s.oddsFor(r, e, v, q)
	}
	s.write(w, status, "try", v)
}

// showOddsPart shows the parts of a form's page that follow its fields, for the script that puts them into the page: the
// odds, and the fields for what is read of the character.
func (s *server) showOddsPart(w http.ResponseWriter, r *http.Request) {
	e, b, err := s.book(r)
	if err == nil {
		err = r.ParseForm()
	}
	id := r.PathValue("name")
	if err != nil || !slices.Contains(e.Program.RuleNames(), id) {
		http.Error(w, "there is no such rule", http.StatusNotFound)
		return
	}
	v, q := s.newTry(e, b, id, r.Form)
	if v.HasOdds {
		v.Odds = s.oddsFor(r, e, v, q)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := s.templates["try"].ExecuteTemplate(w, "live", v); err != nil {
		return // the reader has gone on
	}
}

// carryOut answers a form: with the sheet, with what is to be decided now that dice have fallen, or with an error.
//
// The order follows the table: dice fall, what is to be decided then is decided, and only then
// there is a sheet. Asking why is about the same faces, which the form carries.
func (v *tryPage) carryOut(e *library.Edition, q *formQuestion, form url.Values) error {
	if isRepeated(form) {
		q.fallAgain(form.Get("fell"))
	}
	q.drawSeed()
	v.Fell = q.fell()
	var err error
	if v.Decided, v.Decision, err = takeDecisions(v.Needs.Input, q, form, askRule(e, v.Needs.ID, q)); err != nil ||
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
		v.Why = found
		err = cmp.Or(err, reason)
	}
	return err
}
