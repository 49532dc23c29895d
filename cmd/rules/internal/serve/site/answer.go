package site

import (
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A sheetView is the answer of a rule.
type sheetView struct {
	Told    say.Told // the answer in words
	Outputs []view.Line
	Dice    []string
	Seed    string
	Trace   []*treeView
	JSON    string
	Receipt string
}

// evaluateForm carries a rule out as a form asks.
func evaluateForm(e *library.Edition, b *bookView, id string, q *formQuestion) (*sheetView, error) {
	rule, err := e.Rule(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	request, err := q.request()
	if err != nil {
		return nil, err
	}
	request.Trace = true
	sheet, err := rule.Eval(request)
	if refusal.IsOwn(err) {
		return nil, refusal.Explain(err, nil, view.WordsOf(e.Plan, id).Teller)
	}
	if err != nil {
		return nil, exit.WordRefusal(err)
	}
	proof, err := receipt.NewReceipt(e.Plan, nil, request, sheet)
	if err != nil {
		return nil, err
	}
	notes := view.FindNotes(e.Plan, rule, request, sheet)
	v := newSheetView(b, sheet, &notes)
	v.Receipt = string(proof.Printed())
	return v, nil
}

func newSheetView(b *bookView, s *runtime.Sheet, notes *view.Notes) *sheetView {
	steps := s.Trace
	s.Trace = nil
	notes.Spoken = true
	v := &sheetView{
		Told: notes.Told, Outputs: view.Outputs(s.Output, notes), Dice: notes.Faces(s.Dice, nil),
		JSON: indentJSON(s.AppendJSON(nil)),
	}
	if s.Seed != nil {
		v.Seed = strconv.FormatUint(*s.Seed, 10)
	}
	v.Trace = b.treesOf(steps)
	return v
}

// A whyView is why an output is what it is, and what would have changed it.
//
// An event that is refused has the same view: "what would let it pass" is the same search with
// another question.
type whyView struct {
	Output    string    // or the event that is refused
	IsRefused bool      // of an event
	Decided   *treeView // nil when it is refused
	Changes   [][]string
	Stopped   bool // nearer changes may be missing
}

// findWhy asks for the nearest changes that give another answer, with the same faces.
func findWhy(e *library.Edition, b *bookView, id, output string, q *formQuestion) (*whyView, error) {
	request, err := q.request()
	if err != nil {
		return nil, err
	}
	return explainAnswer(e, b, &query.Question{Subject: id, Options: q.Options, Request: request, Why: output})
}

// explainAnswer returns the step that decided an answer, and the nearest changes that give another one.
func explainAnswer(e *library.Edition, b *bookView, q *query.Question) (*whyView, error) {
	found, err := why.Find(e.Program, q)
	if err != nil {
		return nil, exit.WordRefusal(err)
	}
	v := &whyView{Output: q.Why, Changes: present.WhyRows(found), Stopped: found.Stopped}
	if found.Decided != nil {
		v.Decided = b.newTree(found.Decided)
	}
	return v, nil
}
