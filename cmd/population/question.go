package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An evalRun is one use of eval.
type evalRun struct {
	in, out, dead string
	from, to      string // formats; "" for those of the extensions
	options       []string
	outputs       []string
	inputFile     string
	set           []string
	keep          []string
	compression   string
	seed, first   uint64
	workers       int
	c             *cobra.Command
}

// addQuestionFlags adds the flags that say what is asked of which records.
func (r *evalRun) addQuestionFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&r.from, "from", "", "read `FORMAT`: parquet, arrow, arrows, csv, ndjson")
	f.StringVar(&r.inputFile, "input", "", "read the input of all records from `FILE`, JSON")
	f.StringArrayVar(&r.set, "set", nil, "set a value of the input of all records: `NAME=VALUE`; may be repeated")
	f.StringArrayVar(&r.options, "option", nil, "play another ruling: `NAME=VALUE`; may be repeated")
	f.StringSliceVar(&r.outputs, "output", nil, "compute these outputs only: `NAME,...`")
	f.Uint64Var(&r.seed, "seed", 0, "draw the faces from the seed `N`")
	f.Uint64Var(&r.first, "first", 0, "the first record has the number `N`")
	f.IntVar(&r.workers, "workers", 0, "answer `N` parts at once instead of one for each core")
}

// question prepares what is asked.
//
// A seed is drawn here when none is given, once for the whole run: all faces of all records follow
// from it.
func (r *evalRun) question(planFile, rule string) (*evaluate.Question, error) {
	program, err := loadPlan(planFile, rule)
	if err != nil {
		return nil, err
	}
	o := evaluate.Options{Rule: rule, Outputs: r.outputs, Seed: r.seed}
	if o.Options, err = r.parseOptions(); err != nil {
		return nil, err
	}
	if !r.c.Flags().Changed("seed") {
		o.Seed = rand.Uint64()
	}
	if o.Input, err = r.input(); err != nil {
		return nil, err
	}
	return evaluate.NewQuestion(program, o)
}

// parseOptions reads the rulings that are played.
//
// Which options and values there are, the runtime judges: its error names the nearest. Of two
// rulings on one question the later would win in silence, so they are refused.
func (r *evalRun) parseOptions() (map[string]string, error) {
	out := map[string]string{}
	for _, text := range r.options {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--option %s: it is NAME=VALUE", text)
		}
		if other, isGiven := out[name]; isGiven && other != value {
			return nil, fmt.Errorf("--option %s: it is set to %s already", text, other)
		}
		out[name] = value
	}
	return out, nil
}

// input is the common input, with what --set puts into it; nil when neither is given.
func (r *evalRun) input() ([]byte, error) {
	object := map[string]json.RawMessage{}
	if r.inputFile != "" {
		text, err := os.ReadFile(r.inputFile)
		if err != nil {
			return nil, source.PlainError(err)
		}
		// The file goes on as it is, so that the runtime's errors tell lines and columns of it.
		if len(r.set) == 0 {
			return text, nil
		}
		if err := json.Unmarshal(text, &object); err != nil {
			return nil, fmt.Errorf("%s: it must be a JSON object: %w", r.inputFile, err)
		}
		// Without either the input may stand in columns; bind decides.
	} else if len(r.set) == 0 {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, text := range r.set {
		name, value, ok := strings.Cut(text, "=")
		switch {
		case !ok || name == "":
			return nil, fmt.Errorf("--set %s: it is NAME=VALUE", text)
		case seen[name]:
			return nil, fmt.Errorf("--set %s: %s is given twice", text, name)
		}
		seen[name] = true
		if !json.Valid([]byte(value)) { // a string need not be quoted
			quoted, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			value = string(quoted)
		}
		object[name] = json.RawMessage(value)
	}
	return json.Marshal(object)
}

// openRecords returns the question and its records, which the caller closes, with the fields that are bound to columns. No
// file that is written may be one that is read.
//
// The question comes before the records, because CSV has no types: which columns hold strings, only
// the rule's schema tells.
func (r *evalRun) openRecords(planFile, rule string, written ...string) (
	q *evaluate.Question, records source.Reader, binding *columns.Binding, err error) {
	if err := checkDistinct(r.in, append([]string{planFile}, written...)...); err != nil {
		return nil, nil, nil, err
	}
	if q, err = r.question(planFile, rule); err != nil {
		return nil, nil, nil, err
	}
	records, err = openSource(r.in, r.from, r.first, columns.KindsOf(q.Program.Plan(), q.Shape), r.c.InOrStdin())
	if err != nil {
		return nil, nil, nil, err
	}
	if binding, err = r.bind(q, records); err != nil {
		records.Close()
		return nil, nil, nil, err
	}
	return q, records, binding, nil
}

// bind finds the fields among the columns, and settles where the input comes from.
func (r *evalRun) bind(q *evaluate.Question, records source.Reader) (*columns.Binding, error) {
	binding, err := q.Bind(records.Schema(), r.keep)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.in, err)
	}
	own := records.HasInputs() || binding != nil && binding.Inputs
	switch {
	// Merging the two would need a rule for which wins, and every such rule surprises somebody.
	case own && len(q.Input) > 0:
		return nil, fmt.Errorf("%s has columns of the input, and --input or --set gives one to all records: leave either "+
			"out", r.in)
	case !own && len(q.Input) == 0:
		q.Input = []byte("{}")
	}
	return binding, nil
}

// reportSeed says which seed was drawn, when the rule rolls dice.
//
// A rule without dice gives the same answers for every seed, so none is told.
func (r *evalRun) reportSeed(q *evaluate.Question) {
	rolls := slices.ContainsFunc(q.Shape.Graph.Nodes, func(n plan.Node) bool { return n.Op == plan.OpRoll })
	if rolls && !r.c.Flags().Changed("seed") {
		fmt.Fprintf(r.c.ErrOrStderr(), "population: the dice fell by chance; --seed %d lets them fall so again\n", q.Seed)
	}
}
