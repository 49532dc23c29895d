// Command bench computes the reference record in the runtime and in its peers, on the same inputs, and compares what it
// takes. Before anything is timed, all engines have to agree on every input.
//
//	go run . [-for 3s] [-only ours] [-json] [-check] [-odds]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// records is how many distinct inputs there are. With few of them the processor learns by heart which way every branch
// goes.
const records = 8192

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	limit := flags.Duration("for", 3*time.Second, "how long to measure each comparison")
	asJSON := flags.Bool("json", false, "print ratios by name instead of the table")
	check := flags.Bool("check", false, "only check that all engines agree")
	only := flags.String("only", "", "measure only the engines whose names begin so, and hand-written Go; and nothing else")
	onlyOdds := flags.Bool("odds", false, "measure only odds: dice pools beside icepool, and the dearest shipped rules")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *onlyOdds {
		if err := printPools(out); err != nil {
			return err
		}
		return printShipped(out)
	}
	inputs := record.Generate(records, 1)
	engines, done, err := all(inputs)
	if err != nil {
		return err
	}
	defer done()
	engines = slices.DeleteFunc(engines, func(e *engine) bool {
		return e.name != "go" && !strings.HasPrefix(e.name, *only)
	})
	want := make([]record.Output, len(inputs))
	for i := range inputs {
		record.ByHand(&inputs[i], &want[i])
	}
	for _, e := range engines {
		if err := e.agree(want); err != nil {
			return err
		}
	}
	if *check {
		fmt.Fprintf(out, "%d engines agree on %d inputs\n", len(engines), len(inputs))
		return oddsAgree()
	}
	if err := compare(engines, *limit); err != nil {
		return err
	}
	rows := figures(engines)
	if *only == "" {
		more, err := scaling(inputs)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	if *asJSON {
		return printJSON(out, engines, rows)
	}
	printTable(out, engines, rows)
	return nil
}

// all makes the engines; done ends those that are processes.
func all(inputs []record.Input) (engines []*engine, done func(), err error) {
	p, err := record.Plan()
	if err != nil {
		return nil, nil, err
	}
	program := rt.New(p)
	mine, err := ours(program, inputs)
	if err != nil {
		return nil, nil, err
	}
	batch, err := together(program, inputs)
	if err != nil {
		return nil, nil, err
	}
	others, err := peers(inputs)
	if err != nil {
		return nil, nil, err
	}
	engines = slices.Concat(byHand(inputs), generated(inputs), mine, batch, others)
	v8, done, err := inNode(inputs)
	return append(engines, v8...), done, err
}

// printTable prints what a record takes, for people.
func printTable(out io.Writer, engines []*engine, rows []row) {
	fmt.Fprintf(out, "| engine | ns per record, least | median | to hand-written Go | allocations |\n"+
		"|---|--:|--:|--:|--:|\n")
	for _, e := range engines {
		allocs := "0"
		if e.allocs >= 0.5 {
			allocs = fmt.Sprintf("%.0f", e.allocs)
		}
		fmt.Fprintf(out, "| %s | %.1f | %.1f | %.2f | %s |\n", e.title, e.least(), e.median(), e.least()/engines[0].least(),
			allocs)
	}
	fmt.Fprintf(out, "\n| measured | value |\n|---|--:|\n")
	for _, r := range rows {
		fmt.Fprintf(out, "| %s | %.4g %s |\n", r.title, r.value, r.unit)
	}
}

// printJSON prints ratios with stable names: of each engine, its time to that of hand-written Go.
func printJSON(out io.Writer, engines []*engine, rows []row) error {
	ratios := map[string]float64{}
	for _, e := range engines {
		ratios[e.name+"_to_go"] = e.least() / engines[0].least()
	}
	for _, r := range rows {
		ratios[r.name] = r.value
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "\t")
	return e.Encode(ratios)
}
