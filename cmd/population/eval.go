package main

// # A run
//
//	source.Open ─ parts in order ─> workers (ordered.Run) ─> pieces in the same order ─> sink
//	                                                      └> dead letters
//
// A part is cut by the file alone: a row group, a batch, 65,536 lines. A worker decodes its part,
// answers it and encodes the answers, so that the goroutine that writes only copies bytes. What is
// kept in memory grows with the workers and not with the file.
//
// Everything that can be wrong about the question is found before the first part is read: the plan,
// the columns, the input that all records have in common.

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/ordered"
	"github.com/tabletop-rules/rules/cmd/population/internal/sink"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

const evalHelp = `Eval carries out a rule for every record of a file and writes what it gives, in the order of the records.

The format of a file is told by its extension, or by --from and --to: parquet; arrow, a file; arrows, a stream that can be
piped; csv; ndjson. "-" is standard input or output, as a stream of Arrow unless --from or --to say otherwise. "population
schema" prints the columns that are read and written. As NDJSON, the answers are the sheets of "rules eval --ndjson", byte
for byte.

Types, bounds and nulls are judged as in JSON: a null is a member that is not there. A file whose columns do not fit is
refused as a whole. A record that does not fit, that the rule refuses, or for which a formula has no value, becomes a line
of the file of dead letters (--dead; OUT.dead.ndjson unless named):
    {"record":17,"path":"character.rank","reason":"must be at most 30, not 31","status":2}
and the rest goes on. In columns an answer carries the number of its record, from 0, in the column "record".

The faces of each record are drawn from a stream of its own, keyed by --seed and the number of the record. So the answers
depend neither on other records nor on --workers, down to their bytes. Whoever divides records among several files gives
each --first, the number of its first record, and gets the faces that one file would get.

In memory are the row groups, batches, or parts of 65,536 lines that are worked on: one for each worker, and the next.

Exit status: 0 when every record has a sheet; 1 when the rule refused some or formulas had no value; 2 when some did not
fit, or the question cannot be asked.`

const evalExamples = `  population eval tempestas.plan test crew.parquet -o sheets.parquet --set name=navigation --seed 7
  population eval tempestas.plan test crew.csv -o sheets.ndjson --input test.json --dead unfit.ndjson
  population eval tempestas.plan test more.parquet -o more_sheets.parquet --input test.json --seed 7 --first 1000000
  population eval tempestas.plan test crew.parquet -o sheets.parquet --input test.json --keep name,player
  producer | population eval tempestas.plan test - -o - --input test.json --seed 7 | consumer`

func newEval() *cobra.Command {
	r := &evalRun{}
	c := &cobra.Command{
		Use: "eval PLAN RULE IN", Short: "Carry out a rule for every record of a file",
		Long: evalHelp, Example: evalExamples, Args: cobra.ExactArgs(3),
		RunE: func(c *cobra.Command, args []string) error {
			r.c, r.in = c, args[2]
			return r.evaluate(args[0], args[1])
		},
	}
	f := c.Flags()
	f.StringVarP(&r.out, "out", "o", "", "write the answers to `FILE`, - for standard output")
	f.StringVar(&r.dead, "dead", "", "write records without an answer to `FILE`")
	f.StringVar(&r.to, "to", "", "write `FORMAT`: parquet, arrow, arrows, csv, ndjson")
	f.StringSliceVar(&r.keep, "keep", nil,
		"carry these columns of the input, which the rule does not know, to the answers: `NAME,...`")
	f.StringVar(&r.compression, "compression", "none", "compress Parquet: `none`, snappy, zstd")
	r.addQuestionFlags(c)
	return c
}

// evaluate answers the records.
func (r *evalRun) evaluate(planFile, rule string) error {
	if r.out == "" {
		return errors.New("name the file of the answers: -o FILE, or -o - for standard output")
	}
	to, err := source.FormatOf(r.out, r.to)
	if err != nil {
		return err
	}
	q, records, binding, err := r.openRecords(planFile, rule, r.out, r.deadName())
	if err != nil {
		return err
	}
	defer records.Close()
	kept, err := r.keptFields(records.Schema(), to)
	if err != nil {
		return err
	}
	report := &deadLetters{}
	// The dead letters are written within the writing of the answers: an error while records are
	// answered leaves neither file under its name.
	err = writeFile(r.out, r.c.OutOrStdout(), func(w io.Writer) error {
		s, err := sink.New(w, to, r.compression, q, kept)
		if err != nil {
			return err
		}
		return r.writeDead(report, func() error { return r.answerAll(q, binding, records, s, report) })
	})
	if err != nil {
		return err
	}
	// Only after success: a seed of a run that gave no file is of no use.
	r.reportSeed(q)
	return report.status(r.deadName())
}

// keptFields are the columns that are carried to the answers.
//
// Text has no columns that could be carried as they are; a string would have to be parsed and
// printed again.
func (r *evalRun) keptFields(s *arrow.Schema, to source.Format) ([]arrow.Field, error) {
	var out []arrow.Field
	if len(r.keep) > 0 && (s == nil || to == source.NDJSON) {
		return nil, errors.New("--keep carries columns from Parquet or Arrow to columns: lines of JSON have none")
	}
	for _, name := range r.keep {
		fields, ok := s.FieldsByName(name)
		if !ok {
			return nil, fmt.Errorf("--keep %s: %s has no such column", name, r.in)
		}
		out = append(out, fields[0])
	}
	return out, nil
}

// answerAll lets workers answer the parts, and writes their answers in order.
//
// Each worker has a collector and a block of its own, so nothing is locked while records are
// answered. The closure binds them: ordered knows parts and results, and nothing of rules.
func (r *evalRun) answerAll(q *evaluate.Question, binding *columns.Binding, records source.Reader, s sink.Sink,
	report *deadLetters) error {
	n := r.workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	var workers []func(source.Part) (*sink.Piece, error)
	for range n {
		c, err := s.NewCollector()
		if err != nil {
			return err
		}
		w, err := q.NewWorker(binding, c, s.NeedsSheets())
		if err != nil {
			return err
		}
		workers = append(workers, func(p source.Part) (*sink.Piece, error) {
			// A part comes in batches. Keep follows each Answer while the batch is still there,
			// since a batch is good only until the function returns.
			err := p.Each(func(records *source.Records) error {
				if err := w.Answer(records); err != nil {
					return err
				}
				return c.Keep(records)
			})
			if err != nil {
				return nil, err
			}
			return c.Finish()
		})
	}
	err := ordered.Run(records.Next, workers, func(p *sink.Piece) error {
		if err := report.add(p); err != nil {
			return err
		}
		return s.Write(p)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", r.in, err)
	}
	return s.Close()
}
