package site

import (
	"maps"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/refusal"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/why"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
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
	proof, err := receipt.NewReceipt(e.Program, nil, request, sheet)
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
	Title     string
	Changes   []nearestView
	Further   bool // under some changes further dice fall, on which the answer rests
	Stopped   bool // nearer changes may be missing
}

// A nearestView is a change that gives another answer, in words.
type nearestView struct {
	Text, Answer, Row string
	Link              string // to the answer; "" where no address asks for it
	change            *why.Change
}

// newNearest says a change in the words of a rule, or of an event.
func newNearest(b *bookView, t *say.Teller, output string, c *why.Change) nearestView {
	v := nearestView{change: c, Answer: t.Heading(output) + ": " + t.Show(output, c.Value)}
	name := strings.TrimPrefix(strings.TrimPrefix(c.Name, plainInput+"."), plainEvent+".")
	switch c.Kind {
	case why.Face:
		v.Text = t.Die(c.Name)
		if c.Number > 0 {
			v.Text += ", die " + strconv.Itoa(c.Number)
		}
		v.Text = say.Capitalise(v.Text) + " " + c.To + " instead of " + c.From
	case why.Option:
		v.Text = "Ruling: " + b.optionWords(c.Name, c.To) + " instead of " + b.optionWords(c.Name, c.From)
	case why.Integer:
		v.Text = t.Heading(name) + " " + c.To + " instead of " + c.From
	default:
		v.Text = t.Heading(name) + ": " + t.LabelOf(name, c.To) + " instead of " + t.LabelOf(name, c.From)
	}
	if c.Row != nil {
		row := spacedName(c.Row.Table) + ": " + spacedName(c.Row.To) + " instead of " + spacedName(c.Row.From)
		if !strings.EqualFold(row, v.Text) { // the choice of a row is one already
			v.Row = row
		}
	}
	return v
}

// optionWords returns a value of an option in the author's words.
func (b *bookView) optionWords(option, value string) string {
	if d := b.find("option", option); d != nil {
		for _, x := range d.Values {
			if x.Value == value {
				return choiceLabel(x.Value, x.Doc)
			}
		}
	}
	return value
}

// linkChanges gives each change of a rule's form the address that asks it. One face among several of a die has none: the
// others would have to be told with it.
func (v *whyView) linkChanges(e *library.Edition, n *describe.Needs, form url.Values, fell string) {
	for i := range v.Changes {
		x := &v.Changes[i]
		to := maps.Clone(form)
		to.Del("why")
		if fell != "" {
			to.Set("dice", "")
			to.Set("seed", "")
			to.Set(fellField, fell)
		}
		switch x.change.Kind {
		case why.Face:
			if x.change.Number > 0 || len(n.Dice) > 1 {
				continue
			}
			to.Del(fellField)
			to.Set("dice", x.change.Name+"="+x.change.To)
		case why.Option:
			to.Set(optionPrefix+x.change.Name, x.change.To)
		default:
			to.Set(inputPrefix+strings.TrimPrefix(x.change.Name, plainInput+"."), x.change.To)
		}
		if query := addressOf(e, n, to); query != "" {
			x.Link = n.ID + "?" + query + "#answer"
		}
	}
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
	id := q.Subject
	if found.Event != "" {
		id += "." + found.Event
	}
	t := b.words.Of(id)
	v := &whyView{Output: q.Why, Title: t.Heading(q.Why), Further: found.Further, Stopped: found.Stopped}
	for i := range found.Changes {
		v.Changes = append(v.Changes, newNearest(b, t, q.Why, &found.Changes[i]))
	}
	if found.Decided != nil {
		v.Decided = b.newTree(found.Decided)
	}
	return v, nil
}
