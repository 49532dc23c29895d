package transforms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/cmd/population/internal/summary"
)

// A Partial is the summary of a slice.
type Partial struct {
	First int64 // number of the slice's first record
	Text  []byte
}

// Summary tells what the answers to slices have in common, as one JSON document, and gives the dead letters. by names
// columns or outputs by whose values records are grouped; odds counts every way in which dice can fall.
func Summary(
	s beam.Scope, q Question, by []string, odds bool, plan, slices beam.PCollection,
) (document, dead beam.PCollection) {
	s = s.Scope("Summary")
	fn := &summaryFn{Question: q, By: by, Odds: odds}
	// All partial summaries get the same key and so meet in one place. There are as many as slices,
	// each of some kilobytes.
	partials, dead := beam.ParDo2(s, fn, slices, beam.SideInput{Input: plan})
	merge := &mergeFn{Question: q, By: by}
	return beam.ParDo(s, merge, beam.GroupByKey(s, partials), beam.SideInput{Input: plan}), dead
}

// summaryFn sums up slices.
type summaryFn struct {
	Question Question
	By       []string
	Odds     bool
	question *evaluate.Question
}

func (f *summaryFn) ProcessElement(
	_ context.Context, slice source.Slice, plan []byte, emit func(int64, Partial), dead func(DeadLetter),
) (err error) {
	if f.question == nil {
		if f.question, err = f.Question.prepare(plan); err != nil {
			return err
		}
	}
	var c *summary.Collector
	var answer func(*source.Records) error
	// The collector is made when the file is open, because groups may go by its columns, which only
	// its schema tells.
	begin := func(schema *arrow.Schema) error {
		binding, err := bind(f.question, schema)
		if err != nil {
			return err
		}
		if c, err = summary.NewCollector(f.question, f.By, schema); err != nil {
			return err
		}
		if f.Odds {
			w, err := f.question.NewOddsWorker(binding, f.Question.choice(), c)
			if err == nil {
				answer = w.Answer
			}
			return err
		}
		w, err := f.question.NewWorker(binding, c, false)
		if err == nil {
			answer = w.Answer
		}
		return err
	}
	err = slice.Read(begin, func(r *source.Records) error {
		c.Begin(r)
		return answer(r)
	})
	if err != nil {
		return err
	}
	part, letters := c.Finish()
	for _, l := range letters {
		letterFor(dead)(l)
	}
	text, err := json.Marshal(part)
	emit(0, Partial{slice.First, text})
	return err
}

// mergeFn merges all partial summaries, in the order of the records.
type mergeFn struct {
	Question Question
	By       []string
}

func (f *mergeFn) ProcessElement(
	_ context.Context, _ int64, next func(*Partial) bool, plan []byte, emit func([]byte),
) error {
	q, err := f.Question.prepare(plan)
	if err != nil {
		return err
	}
	var all []Partial
	for p := (Partial{}); next(&p); p = (Partial{}) {
		all = append(all, p)
	}
	// An engine gives the elements of a key in any order. Sorted, the document is the same bytes on
	// every engine.
	slices.SortFunc(all, func(a, b Partial) int { return cmp.Compare(a.First, b.First) })
	// The head has no seed, unlike that of the command: a pipeline is given its seed by whoever
	// starts it.
	whole := summary.New(q.Outputs, f.By)
	for _, p := range all {
		part := summary.New(q.Outputs, f.By)
		if err := json.Unmarshal(p.Text, part); err != nil {
			return err
		}
		whole.Merge(part)
	}
	var text bytes.Buffer
	p := q.Program.Plan()
	head := map[string]any{"ruleset": p.Ruleset, "revision": p.Revision, "rule": f.Question.Rule}
	err = whole.WriteJSON(&text, head)
	emit(text.Bytes())
	return err
}
