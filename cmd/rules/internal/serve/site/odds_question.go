package site

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

// askerOfOdds returns the question for the odds of a rule, with the input of a form, within a budget. Each output is
// answered by itself: the joint distribution of a dozen outputs, which nobody looks at, takes a hundred times the work.
// Fractions are not asked for: a page shows six digits.
func askerOfOdds(e *library.Edition, q *formQuestion, budget int64) (*oddsquery.Asker, error) {
	asked := q.Question
	asked.Budget, asked.FormulaFlag, asked.Quick = budget, "formulas", true
	return e.Asker(asked)
}

// oddsOfForm returns the odds of a rule for the input of a form.
func oddsOfForm(ctx context.Context, e *library.Edition, q *formQuestion, budget int64) (*oddspage.Distributions, error) {
	a, err := askerOfOdds(e, q, budget)
	if err != nil {
		return nil, err
	}
	answer, err := a.Odds(ctx)
	if err != nil {
		return nil, err
	}
	return oddspage.OfAnswer(oddsjson.RuleSubject(e.Plan, q.Subject), answer), nil
}

// An oddsKey is a question for odds: equal ones have the same answer.
type oddsKey struct {
	edition *library.Edition
	asked   [sha256.Size]byte // of all that a form says: the rule, its options, the character and the input, which are long
	budget  int64
}

// mostOddsBytes bounds the odds that are kept: those of half a million values, about.
const mostOddsBytes = 64 << 20

// newOddsCache returns the cache of the odds of forms.
func newOddsCache() shelfCache[oddsKey, *oddspage.Distributions] {
	return shelfCache[oddsKey, *oddspage.Distributions]{sizeOf: sizeOfOdds, most: mostOddsBytes}
}

// sizeOfOdds returns about how many bytes odds take.
func sizeOfOdds(d *oddspage.Distributions) int {
	const whole, row = 1 << 10, 128 // of the odds without rows, and of a value with its probability
	size := whole
	var text []byte
	for _, m := range d.Marginals {
		for _, v := range m.Values {
			text = v.AppendJSON(text[:0])
			size += row + len(text)
		}
	}
	return size
}

// oddsOf returns the odds of a rule for the input of a form, and keeps them: who looks at a page again, or moves a slider
// back, asks the same. An error is not kept, so that whoever asks again has another try.
func (s *server) oddsOf(ctx context.Context, e *library.Edition, q *formQuestion, budget int64) (
	*oddspage.Distributions, error) {
	asked := sha256.New()
	fmt.Fprintf(asked, "%q %q %q %q", q.Subject, q.Options, q.Request.Character, q.Request.Input) // a hash gives no error
	key := oddsKey{edition: e, budget: budget}
	asked.Sum(key.asked[:0])
	return s.odds.find(s.library.Shelf(), key, func() (*oddspage.Distributions, error) {
		d, err := oddsOfForm(ctx, e, q, budget)
		if err == nil {
			err = ctx.Err() // whoever left has not seen the answer
		}
		return d, err
	})
}
