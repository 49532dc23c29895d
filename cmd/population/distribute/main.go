// Command distribute asks a rule for populations that one machine is too small for: it gives the work to Apache Beam, by
// default on prism, which is built in, or to a portable runner such as Flink, Spark or Dataflow.
package main

// The command only names the work; package transforms has it. Standard flags and not cobra's are
// used here because Beam's own flags (-endpoint, -environment_type) are, and a worker is started by
// the runner with those.

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized" // faster calls of functions
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/tabletop-rules/rules/cmd/population/transforms"
)

const help = `Distribute carries out a rule for every record of files, by a distributed engine:

    distribute -plan tempestas.plan -rule test -input '{"name": "navigation"}' -seed 7 -out DIR crew1.parquet crew2.parquet

The files are .parquet or .ndjson; their records are numbered one file after the other, and the faces of each are drawn from
the seed and its number. Sheets are written into DIR, a file for each row group or 65,536 lines: sorted by name, they are
what "population eval -o sheets.ndjson" gives for the files one after the other, byte for byte, whatever the engine does.
Records without an answer are in DIR/dead.ndjson, if there are any.

With -format parquet, arrow or csv the files are those, each of them complete; the sheets in them are the same.

With -odds the exact odds of each record are written instead of a sheet. With -summary DIR/summary.json is written
instead of sheets, and -by groups the records.

The runner is prism, in this process, unless -runner names another: "universal" hands the pipeline to the portable runner at
-endpoint (a job service of Flink, Spark, or a prism of its own). -environment_type LOOPBACK lets this process do the work;
the workers of a cluster need this program as their worker binary or container (see the README).

All workers open the plan's files by their names, so these must be on a file system that all of them have.

Flags:
`

func main() {
	// The order matters: functions are registered, then flags are defined, then parsed, and Beam's
	// Init comes last. In a process that was started as a worker it never returns.
	transforms.Register()
	r := newRun(flag.CommandLine)
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), help)
		flag.PrintDefaults()
	}
	flag.Parse()
	beam.Init() // a process that was started as a worker goes no further
	if err := r.execute(context.Background(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "distribute:", err)
		os.Exit(2)
	}
}

// A distributedRun is one use of the command.
type distributedRun struct {
	plan, rule, input, dir, runner string
	by, outputs, format            string
	options                        optionList
	seed                           uint64
	odds, summary                  bool
}

// An optionList collects the rulings that are played.
type optionList map[string]string

func (l optionList) String() string { return "" }

// Set adds NAME=VALUE.
func (l optionList) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("it is NAME=VALUE")
	}
	l[name] = value
	return nil
}

func newRun(f *flag.FlagSet) *distributedRun {
	r := &distributedRun{options: optionList{}}
	f.StringVar(&r.plan, "plan", "", "use the plan in `FILE`")
	f.StringVar(&r.rule, "rule", "", "carry out the rule of this `NAME`")
	f.StringVar(&r.input, "input", "", "the input of all records, as `JSON`")
	f.StringVar(&r.dir, "out", "", "write into the directory `DIR`, which is made")
	f.StringVar(&r.runner, "runner", "prism", "prism, in this process, or universal, at -endpoint")
	f.StringVar(&r.by, "by", "", "with -summary, group the records by outputs or columns: `NAME,...`")
	f.StringVar(&r.outputs, "output", "", "compute these outputs only: `NAME,...`")
	f.StringVar(&r.format, "format", "ndjson", "write sheets as ndjson, parquet, arrow or csv")
	f.Var(r.options, "option", "play another ruling: `NAME=VALUE`; may be repeated")
	f.Uint64Var(&r.seed, "seed", 0, "draw the faces from the seed `N`")
	f.BoolVar(&r.odds, "odds", false, "count every way in which the dice can fall, with its probability")
	f.BoolVar(&r.summary, "summary", false, "sum up the answers instead of writing them")
	return r
}

// execute runs the pipeline for files.
func (r *distributedRun) execute(ctx context.Context, files []string) error {
	switch {
	case r.plan == "" || r.rule == "" || r.dir == "" || len(files) == 0:
		return errors.New("name a plan, a rule, a directory and files: distribute -plan FILE -rule RULE -out DIR FILE...")
	// Questions that make no sense are refused here: a pipeline tells its errors late, and from
	// another machine.
	case r.by != "" && !r.summary:
		return errors.New("-by groups a summary: add -summary")
	case !slices.Contains([]string{"ndjson", "parquet", "arrow", "csv"}, r.format):
		return fmt.Errorf("-format %s: there is ndjson, parquet, arrow, csv", r.format)
	case r.format != "ndjson" && (r.odds || r.summary):
		return errors.New("-format is that of sheets, and neither -odds nor -summary writes any: leave it out")
	}
	// The plan travels inside of the pipeline; only the records are read from a common file system.
	plan, err := os.ReadFile(r.plan)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	p, err := r.pipeline(plan, files)
	if err != nil {
		return err
	}
	switch r.runner {
	case "prism":
		_, err = prism.Execute(ctx, p)
	case "universal":
		if *jobopts.Endpoint == "" {
			return errors.New("-runner universal: name the job service with -endpoint HOST:PORT")
		}
		_, err = universal.Execute(ctx, p)
	default:
		return fmt.Errorf("-runner %s: there is prism, universal", r.runner)
	}
	return err
}

// pipeline is what is to be done.
//
// The shape is the same for every question: files are cut, slices are answered, answers and letters
// are written. Nothing runs before the runner is chosen.
func (r *distributedRun) pipeline(plan []byte, files []string) (*beam.Pipeline, error) {
	// The input travels as it was typed. A worker that cannot read it fails the pipeline with its
	// words.
	q := transforms.Question{Digest: transforms.DigestOf(plan), Rule: r.rule, Options: r.options, Outputs: names(r.outputs),
		Input: []byte(r.input), Seed: r.seed}
	if r.format != "ndjson" {
		q.Format = r.format
	}
	p, s := beam.NewPipelineWithRoot()
	records, err := transforms.Files(s, files...)
	if err != nil {
		return nil, err
	}
	plans := beam.Create(s, plan)
	var dead beam.PCollection
	if r.summary {
		var document beam.PCollection
		document, dead = transforms.Summary(s, q, names(r.by), r.odds, plans, records)
		transforms.WriteDocument(s, filepath.Join(r.dir, "summary.json"), document)
	} else {
		// Both have the same form, pages and dead letters, so the rest does not know which is
		// asked.
		answer := transforms.Eval
		if r.odds {
			answer = transforms.Odds
		}
		var pages beam.PCollection
		pages, dead = answer(s, q, plans, records)
		transforms.Write(s, r.dir, q.Format, pages)
	}
	transforms.DeadLetters(s, filepath.Join(r.dir, "dead.ndjson"), dead)
	return p, nil
}

// names are those of a list; nil for none.
func names(list string) []string {
	if list == "" {
		return nil
	}
	return slices.Collect(strings.SplitSeq(list, ","))
}
