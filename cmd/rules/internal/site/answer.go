package site

import (
	"cmp"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/why"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// asked is what a form asks.
type asked struct {
	character, input []byte
	options          map[string]string
	dice, seed       string // as they are typed
}

// seedWord begins the text of faces that a seed draws.
const seedWord = "seed "

// fell is a text for a hidden field by which the same faces fall again.
func (q *asked) fell() string {
	if q.dice != "" {
		return q.dice
	}
	return seedWord + q.seed
}

// fallAgain lets the faces of such a text fall.
func (q *asked) fallAgain(fell string) {
	if seed, is := strings.CutPrefix(fell, seedWord); is {
		q.dice, q.seed = "", seed
		return
	}
	q.dice, q.seed = fell, ""
}

// drawSeed gives the question a seed, when neither faces nor a seed were typed.
func (q *asked) drawSeed() {
	if q.dice == "" && q.seed == "" {
		q.seed = strconv.FormatUint(argdata.DrawSeed(), 10)
	}
}

// chooseFaces are faces that were typed, or drawn from a seed that was typed or is drawn now.
func chooseFaces(typed, seed string, event uint64) (dice.Source, *uint64, error) {
	if typed != "" {
		faces, err := golden.ParseFaces(typed)
		if err != nil {
			return nil, nil, err
		}
		return faces.Source(), nil, nil
	}
	drawn := argdata.DrawSeed()
	if seed != "" {
		var err error
		if drawn, err = strconv.ParseUint(strings.TrimSpace(seed), 10, 64); err != nil {
			return nil, nil, errors.New("the seed is a whole number from 0")
		}
	}
	return dice.FromSeed(drawn, 0, event), &drawn, nil
}

// A sheetView is the answer of a rule.
type sheetView struct {
	Outputs [][]string
	Dice    []runtime.Rolled
	Seed    string
	Trace   []*treeView
	JSON    string
	Receipt string
}

// What the buttons of an answer do.
const decideNow = "decide"

// carryOut answers a form: with the sheet, with what is to be decided now that dice have fallen, or with an error.
func (v *tryPage) carryOut(e *library.Edition, q *asked, form url.Values) error {
	if isRepeated(form) {
		q.fallAgain(form.Get("fell"))
	}
	q.drawSeed()
	v.Fell = q.fell()
	decisions, err := v.takeDecisions(e, q, form)
	if err != nil || decisions != nil {
		v.Decision = decisions
		return err
	}
	if v.Sheet, err = answer(e, v.Book, v.Needs.ID, q); err != nil {
		if _, refused := errors.AsType[*runtime.Refused](err); refused {
			if outputs := outputNames(e.Plan, v.Needs.ID); len(outputs) > 0 {
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

// isRepeated reports whether a form goes on with faces that have fallen.
func isRepeated(form url.Values) bool {
	return form.Get("fell") != "" && (form.Get("why") != "" || form.Get("do") == decideNow)
}

// answer carries a rule out as a form asks.
func answer(e *library.Edition, b *bookView, id string, q *asked) (*sheetView, error) {
	rule, err := e.Rule(id, runtime.Choice{Options: q.options})
	if err != nil {
		return nil, err
	}
	source, seed, err := chooseFaces(q.dice, q.seed, 0)
	if err != nil {
		return nil, err
	}
	request := runtime.Request{Character: q.character, Input: q.input, Dice: source, Seed: seed, Trace: true}
	sheet, err := rule.Eval(request)
	if err != nil {
		return nil, exit.WordRefusal(err)
	}
	if len(sheet.Dice) == 0 {
		sheet.Seed = nil
	}
	proof, err := receipt.NewReceipt(e.Plan, nil, request, sheet)
	if err != nil {
		return nil, err
	}
	v := newSheetView(b, sheet)
	v.Receipt = string(proof.Printed())
	return v, nil
}

func newSheetView(b *bookView, s *runtime.Sheet) *sheetView {
	steps := s.Trace
	s.Trace = nil
	v := &sheetView{Outputs: present.OutputRows(s.Output), Dice: s.Dice, JSON: indented(s.AppendJSON(nil))}
	if s.Seed != nil {
		v.Seed = strconv.FormatUint(*s.Seed, 10)
	}
	v.Trace = b.treesOf(steps)
	return v
}

// A whyView is why an output is what it is, and what would have changed it.
type whyView struct {
	Output  string
	Decided *treeView // nil when it is refused
	Changes [][]string
	Stopped bool // nearer changes may be missing
}

// findWhy asks for the nearest changes that give another answer, with the same faces.
func findWhy(e *library.Edition, b *bookView, id, output string, q *asked) (*whyView, error) {
	if _, _, err := chooseFaces(q.dice, q.seed, 0); err != nil {
		return nil, err
	}
	source := func() dice.Source {
		s, _, _ := chooseFaces(q.dice, q.seed, 0) // read above without an error
		return s
	}
	found, err := why.Find(why.Question{Program: e.Program, Rule: id, Options: q.options, Character: q.character,
		Input: q.input,
		Shape: describe.InputOf(e.Plan, id), Dice: source, Output: output})
	if err != nil {
		return nil, exit.WordRefusal(err)
	}
	v := &whyView{Output: output, Changes: present.WhyRows(found), Stopped: found.Stopped}
	if found.Decided != nil {
		v.Decided = b.newTree(found.Decided)
	}
	return v, nil
}

func wordError(err error) string { return exit.PathOnly(err).Error() }

// isAbout reports whether an error is about a value of a record.
func isAbout(err error, root string) bool {
	e, ok := errors.AsType[*runtime.InputError](err)
	return ok && e.Root == root
}
