package api

import (
	"context"
	"net/http"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

// An asked is the body of a question for odds of some kind.
type asked[Q any] interface {
	*Q
	Ask(ctx context.Context, e *library.Edition, id string, budget int64) (oddspage.Answer, error)
}

// answerOdds returns the handler of one kind of question. The edition keeps an asker with everything that was compiled for
// formulas and conditions; only the records are of a request. The context of the request ends the question when the client
// goes.
func answerOdds[Q any, A asked[Q]](s *server) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := A(new(Q))
		e, id, _, err := s.readQuestion(r, q)
		if err != nil {
			writeError(w, err)
			return
		}
		answer, err := q.Ask(r.Context(), e, id, s.Budget)
		writeAnswer(w, answer, err)
	}
}

// diceOdds answers for dice in notation.
func (s *server) diceOdds(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Dice  string `json:"dice"`
		Exact bool   `json:"exact"`
	}
	text, err := readBody(r)
	if err == nil {
		err = Decode(text, &q)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	answer, err := DiceOdds(q.Dice, q.Exact)
	writeAnswer(w, answer, err)
}

// DiceOdds returns the odds of dice in notation, in fractions too when exact.
func DiceOdds(text string, exact bool) (oddspage.Answer, error) {
	n, err := dice.ParseNotation(text)
	if err != nil {
		return nil, err
	}
	compute := notation.Compute
	if exact {
		compute = notation.ComputeExactly
	}
	roll, err := compute(n)
	if err != nil {
		return nil, err
	}
	return oddspage.OfRoll(text, n, roll, exact), nil
}

// writeAnswer writes odds in the JSON of "rules odds --format json": package oddspage makes both.
func writeAnswer(w http.ResponseWriter, a oddspage.Answer, err error) {
	var text []byte
	if err == nil {
		text, err = oddspage.Write(a, oddspage.JSON, nil)
	}
	if err != nil {
		writeError(w, err)
		return
	}
	writeBytes(w, "application/json", text)
}
