package evaluate

import (
	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Odds are the exact odds of one record.
type Odds struct{ Joint *odds.Joint }

// OddsAnswers collects the odds of records.
type OddsAnswers interface {
	AddOdds(number uint64, o *Odds) error
	AddLetter(Letter)
}

// An OddsWorker asks for the exact odds of records, over every way in which the dice can fall, instead of drawing their
// faces once. It serves one goroutine at a time.
type OddsWorker struct {
	texts *Worker // writes records as JSON
	rule  *eliminate.Rule
	to    OddsAnswers
}

// NewOddsWorker makes a worker for the outputs of the question.
func (q *Question) NewOddsWorker(binding *columns.Binding, choice runtime.Choice, to OddsAnswers) (*OddsWorker, error) {
	rule, err := eliminate.NewRule(q.Program, q.Shape.ID, choice)
	if err != nil {
		return nil, err
	}
	texts, err := q.NewWorker(binding, nil, true)
	return &OddsWorker{texts, rule, to}, err
}

// Answer answers records. One whose odds take more work than is allowed has no answer.
//
// Odds are counted from the records in JSON, also when they lie in columns: package odds follows
// one record at a time, and reading it is the smallest part of the work.
func (w *OddsWorker) Answer(r *source.Records) error {
	for i := range r.Len() {
		number := r.First + uint64(i)
		character, input, err := w.texts.texts(r, i)
		if input == nil {
			input = w.texts.q.Input
		}
		var joint *odds.Joint
		if err == nil {
			joint, err = w.rule.Odds(odds.Question{Records: odds.Records{
				plan.CharacterRoot: character, plan.InputRoot: input,
			}})
		}
		if err != nil {
			w.to.AddLetter(letterOf(number, err))
			continue
		}
		if err := w.to.AddOdds(number, &Odds{joint}); err != nil {
			return err
		}
	}
	return nil
}
