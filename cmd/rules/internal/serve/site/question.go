package site

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// formQuestion is what a form asks.
type formQuestion struct {
	character, input []byte
	options          map[string]string
	dice, seed       string // as they are typed
}

// seedWord begins the text of faces that a seed draws.
const seedWord = "seed "

// fell is a text for a hidden field by which the same faces fall again.
func (q *formQuestion) fell() string {
	if q.dice != "" {
		return q.dice
	}
	return seedWord + q.seed
}

// fallAgain lets the faces of such a text fall.
func (q *formQuestion) fallAgain(fell string) {
	if seed, is := strings.CutPrefix(fell, seedWord); is {
		q.dice, q.seed = "", seed
		return
	}
	q.dice, q.seed = fell, ""
}

// drawSeed gives the question a seed, when neither faces nor a seed were typed.
func (q *formQuestion) drawSeed() {
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

// isRepeated reports whether a form goes on with faces that have fallen.
func isRepeated(form url.Values) bool {
	return form.Get("fell") != "" && (form.Get("why") != "" || form.Get("do") == decideNow)
}

// decideNow is what the button under decisions does.
const decideNow = "decide"
