// Package evaluate answers records: it carries out a rule for each, draws its faces from the run's seed and the record's
// number, and hands the answers over as columns or as sheets in JSON. What has no answer is a dead letter.
//
// # Two roads
//
// Columns of scalars are copied into a block of the runtime and computed column by column; nothing happens value by value
// unless a value does not fit. Everything else goes through JSON: a row that holds lists, maps or records that may be
// absent is written as the JSON that the runtime reads, texts are that JSON already, and the records go into the same
// block one by one. A rule with loops or lists does not run by columns: it is evaluated record by record. Which road
// records take depends on the rule and the schema, and cannot be seen in the answers.
package evaluate

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Question is a rule with all that its records have in common.
type Question struct {
	Program *runtime.Program
	Rule    *runtime.Rule
	Shape   *plan.Rule   // the rule as the plan has it
	Outputs []plan.Field // that are asked for
	Seed    uint64       // of the run
	Input   []byte       // JSON that is common to all records; empty when each has its own, or none is needed
}

// Options are the choices of a Question.
type Options struct {
	Rule    string
	Options map[string]string // option: the value played instead of the plan's default
	Outputs []string          // nil for all
	Seed    uint64
	Input   []byte
}

// NewQuestion prepares a rule of a plan. Its error names what the plan does not have, or what of the input does not fit.
func NewQuestion(program *runtime.Program, o Options) (*Question, error) {
	rule, err := program.Rule(o.Rule, runtime.Choice{Options: o.Options, Outputs: o.Outputs})
	if err != nil {
		return nil, err
	}
	rules := program.Plan().Rules
	q := &Question{Program: program, Rule: rule, Seed: o.Seed, Input: o.Input}
	q.Shape = &rules[slices.IndexFunc(rules, func(r plan.Rule) bool { return r.ID == o.Rule })]
	q.Outputs = columns.OutputFields(q.Shape, o.Outputs)
	if len(q.Input) > 0 && !json.Valid(q.Input) {
		return nil, errors.New("the input is no JSON")
	}
	return q, nil
}

// Bind finds the fields of the rule among the columns of a file; nil for a file of texts.
func (q *Question) Bind(s *arrow.Schema, kept []string) (*columns.Binding, error) {
	if s == nil {
		return nil, nil
	}
	return columns.Bind(s, q.Program.Plan(), q.Shape, q.Rule, kept, len(q.Input) > 0)
}

// A Letter is a record that has no answer: a dead letter.
type Letter struct {
	Record uint64 `json:"record"`         // its number, counted from 0
	Path   string `json:"path,omitempty"` // of the field that does not fit: "character.rank"
	Reason string `json:"reason"`
	Status int    `json:"status"` // 1 when the rule refuses or a formula has no value, 2 when the record does not fit
}

// letterOf says why a record has no answer.
//
// What does not fit has status 2 with the path of the value; all else has status 1, as in the exit
// statuses of rules.
func letterOf(number uint64, err error) Letter {
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return Letter{number, e.Root + e.Path, e.Msg, 2}
	}
	return Letter{number, "", err.Error(), 1}
}
