package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/ordered"
	"github.com/tabletop-rules/rules/cmd/population/internal/sink"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/cmd/population/internal/summary"
	rules "github.com/tabletop-rules/rules/runtime"
)

const summaryHelp = `Summary carries out a rule for every record of a file, and tells how its outputs are spread, without
writing the answers: of numbers, mean, deviation, quantiles and a histogram; of strings and truths, how often there is
which.

With --by, each group of records has its own: records whose outputs, or columns of a Parquet or Arrow file, of these names
are equal. A column that the rule does not know is also named with --keep.

With --odds the faces are not drawn once for each record. Each way in which its dice can fall counts with its probability:
the summary has no error of sampling. "weight" is then the sum of the probabilities; it is less than the number of records
where the rule may refuse.

Means are exact, and rounded once. Quantiles are exact for outputs of up to 1,024 different values, and otherwise off by at
most 0.5 % of themselves. The summary does not depend on --workers.

-o FILE writes Parquet or Arrow, a row for each output and group; otherwise a table is printed, or JSON with --format json.
Records without an answer are counted, and written to the file of --dead when there is one. Exit status: as of eval.`

const summaryExamples = `  population summary tempestas.plan test crew.parquet --set name=navigation --seed 7
  population summary tempestas.plan test crew.parquet --set name=navigation --odds --output success,outcome
  population summary tempestas.plan test crew.parquet --input test.json --by outcome --format json
  population summary tempestas.plan test crew.parquet --input test.json --keep guild --by guild -o guilds.parquet`

// A summaryRun is one use of summary.
type summaryRun struct {
	evalRun
	by     []string
	odds   bool
	format string
}

func newSummary() *cobra.Command {
	r := &summaryRun{}
	c := &cobra.Command{
		Use: "summary PLAN RULE IN", Short: "Tell how the outputs of a rule are spread among the records of a file",
		Long: summaryHelp, Example: summaryExamples, Args: cobra.ExactArgs(3),
		RunE: func(c *cobra.Command, args []string) error {
			r.c, r.in = c, args[2]
			return r.summarize(args[0], args[1])
		},
	}
	f := c.Flags()
	f.StringVarP(&r.out, "out", "o", "", "write the summary to `FILE`, .parquet or .arrow")
	f.StringVar(&r.format, "format", "table", "print a `table` or json")
	f.StringVar(&r.dead, "dead", "", "write records without an answer to `FILE`")
	f.StringSliceVar(&r.by, "by", nil, "sum up each group of records, by outputs or columns: `NAME,...`")
	f.StringSliceVar(&r.keep, "keep", nil, "let the file have these columns, which the rule does not know: `NAME,...`")
	f.BoolVar(&r.odds, "odds", false, "count every way in which the dice can fall, with its probability")
	r.addQuestionFlags(c)
	return c
}

// summarize sums up the records.
//
// With a summary as the answer, dead letters are written only on demand: whoever asks for a mean
// wants to know how many have none, and rarely which.
func (r *summaryRun) summarize(planFile, rule string) error {
	if r.format != "table" && r.format != "json" {
		return fmt.Errorf("there is no format %q; there is table, json", r.format)
	}
	q, records, binding, err := r.openRecords(planFile, rule, r.out, r.dead)
	if err != nil {
		return err
	}
	defer records.Close()
	report, all := &deadLetters{w: io.Discard}, summary.New(q.Outputs, r.by)
	sumUp := func() error { return r.sumUp(q, binding, records, all, report) }
	if r.dead != "" {
		err = r.writeDead(report, sumUp)
	} else {
		err = sumUp()
	}
	if err != nil {
		return err
	}
	if err := r.writeSummary(q, all); err != nil {
		return err
	}
	if !r.odds {
		r.reportSeed(q)
	}
	if report.letters > 0 && r.dead == "" {
		return &statusError{report.highest, fmt.Sprintf("%d of %d records have no answer: --dead FILE tells why",
			report.letters, report.letters+report.rows)}
	}
	return report.status(r.dead)
}

// A summedPart is the summary of a part, and its dead letters.
type summedPart struct {
	summary *summary.Summary
	letters []evaluate.Letter
	records uint64
}

// sumUp lets workers sum up the parts, and merges these in order.
//
// Each part has a summary of its own. Merging is exact (package summary), but texts beyond the
// first 1,024 are counted together, and which are first depends on the order; so parts are merged
// in theirs.
func (r *summaryRun) sumUp(q *evaluate.Question, binding *columns.Binding, records source.Reader, all *summary.Summary,
	report *deadLetters) error {
	n := r.workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	var workers []func(source.Part) (*summedPart, error)
	for range n {
		work, err := r.newWorker(q, binding, records)
		if err != nil {
			return err
		}
		workers = append(workers, work)
	}
	err := ordered.Run(records.Next, workers, func(p *summedPart) error {
		all.Merge(p.summary)
		return report.add(&sink.Piece{Rows: int(p.records), Letters: p.letters})
	})
	if err != nil {
		return fmt.Errorf("%s: %w", r.in, err)
	}
	return nil
}

// newWorker makes a worker that sums up parts.
func (r *summaryRun) newWorker(
	q *evaluate.Question, binding *columns.Binding, records source.Reader,
) (func(source.Part) (*summedPart, error), error) {
	c, err := summary.NewCollector(q, r.by, records.Schema())
	if err != nil {
		return nil, err
	}
	answer, err := r.newAnswerer(q, binding, c)
	if err != nil {
		return nil, err
	}
	return func(p source.Part) (*summedPart, error) {
		out := &summedPart{}
		err := p.Each(func(records *source.Records) error {
			// The collector needs the batch itself when groups go by a column of it.
			c.Begin(records)
			out.records += uint64(records.Len())
			return answer(records)
		})
		out.summary, out.letters = c.Finish()
		// Letters are counted apart; records are those that have an answer.
		out.records -= uint64(len(out.letters))
		return out, err
	}, nil
}

// newAnswerer answers records by one roll, or by all that there are.
func (r *summaryRun) newAnswerer(
	q *evaluate.Question, binding *columns.Binding, c *summary.Collector,
) (func(*source.Records) error, error) {
	if !r.odds {
		w, err := q.NewWorker(binding, c, false)
		if err != nil {
			return nil, err
		}
		return w.Answer, nil
	}
	// With odds a record stands in a group only by what is known of it before any die falls.
	for _, name := range r.by {
		for _, f := range q.Outputs {
			if f.Name == name {
				return nil, fmt.Errorf("--by %s: with --odds an output has many values; group by a column of the file",
					name)
			}
		}
	}
	options, err := r.parseOptions()
	if err != nil {
		return nil, err
	}
	w, err := q.NewOddsWorker(binding, rules.Choice{Options: options, Outputs: r.outputs}, c)
	if err != nil {
		return nil, err
	}
	return w.Answer, nil
}

// writeSummary writes what was summed up.
func (r *summaryRun) writeSummary(q *evaluate.Question, all *summary.Summary) error {
	if r.out == "" {
		if r.format == "table" {
			return all.WriteTable(r.c.OutOrStdout())
		}
		p := q.Program.Plan()
		head := map[string]any{"ruleset": p.Ruleset, "revision": p.Revision, "rule": q.Shape.ID}
		if !r.odds {
			head["seed"] = json.Number(fmt.Sprint(q.Seed))
		}
		return all.WriteJSON(r.c.OutOrStdout(), head)
	}
	format, err := source.FormatOf(r.out, "")
	if err != nil {
		return err
	}
	if format != source.Parquet && format != source.Arrow {
		return errors.New("-o " + r.out + ": a summary is written as .parquet or .arrow, or printed with --format json")
	}
	batch, err := all.Batch()
	if err != nil {
		return err
	}
	defer batch.Release()
	return writeFile(r.out, r.c.OutOrStdout(), func(w io.Writer) error { return sink.WriteBatch(w, format, batch) })
}
