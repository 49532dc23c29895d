package evaluate

import (
	"context"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
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
	rule  *runtime.Chances
	to    OddsAnswers
}

// NewOddsWorker makes a worker for the outputs of the question.
func (q *Question) NewOddsWorker(binding *columns.Binding, choice runtime.Choice, to OddsAnswers) (*OddsWorker, error) {
	rule, err := q.Program.Rule(q.Shape.ID, choice)
	if err != nil {
		return nil, err
	}
	chances, err := rule.PrepareOdds(&odds.Options{Joint: true, Quick: true})
	if err != nil {
		return nil, err
	}
	texts, err := q.NewWorker(binding, nil, true)
	return &OddsWorker{texts, chances, to}, err
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
			joint, err = w.jointOf(runtime.Request{Character: character, Input: input})
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

func (w *OddsWorker) jointOf(q runtime.Request) (*odds.Joint, error) {
	answer, err := w.rule.Odds(context.Background(), q)
	if err != nil {
		return nil, err
	}
	return answer.Joint, nil
}
