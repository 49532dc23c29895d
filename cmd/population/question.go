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
// Which options and values there are, the runtime judges: its error names what is nearest.
func (r *evalRun) parseOptions() (map[string]string, error) {
	out := map[string]string{}
	for _, text := range r.options {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--option %s: it is NAME=VALUE", text)
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
	for _, text := range r.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--set %s: it is NAME=VALUE", text)
		}
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
		return nil, fmt.Errorf("%s has columns of the input, and --input or --set gives one to all records: leave either out",
			r.in)
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
