package site

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A formQuestion is what a form asks. Its faces are read when the request is made.
type formQuestion struct {
	query.Question
	dice, seed string // as they are typed
}

// fell returns the faces and the seed in the notation of dice.ParseThrow, for a hidden field by which the same faces fall
// again; "" where neither was typed.
func (q *formQuestion) fell() string {
	if q.seed == "" {
		return q.dice
	}
	return strings.TrimSpace(q.dice + " seed " + q.seed)
}

// fallAgain lets the faces of such a text fall.
func (q *formQuestion) fallAgain(fell string) { q.dice, q.seed = fell, "" }

// drawSeed gives the question a seed, when neither faces nor a seed were typed.
func (q *formQuestion) drawSeed() {
	if q.dice == "" && q.seed == "" {
		q.seed = strconv.FormatUint(argdata.DrawSeed(), 10)
	}
}

// throw returns the faces that were typed, those of the seed that was typed or is drawn now, or both by the id of their
// die.
func (q *formQuestion) throw() (dice.Throw, error) {
	if text := q.fell(); text != "" {
		return dice.ParseThrow(text)
	}
	return dice.DrawnFrom(argdata.DrawSeed()), nil
}

// request returns the use of a rule, or of the start of a procedure, as the form has it.
func (q *formQuestion) request() (runtime.Request, error) {
	out := q.Request
	var err error
	out.Throw, err = q.throw()
	return out, err
}

// isRepeated reports whether a form goes on with faces that have fallen.
func isRepeated(form url.Values) bool {
	return form.Get(fellField) != "" && (form.Get("why") != "" || form.Get("do") == decideNow || form.Get("do") == doOdds)
}

// fellField is the field of a form, and of an address, by which the same faces fall again.
const fellField = "fell"

// decideNow is what the button under decisions does.
const decideNow = "decide"
