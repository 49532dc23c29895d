package peer

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// An OPA is the record as a policy in Rego, prepared.
type OPA struct{ query rego.PreparedEvalQuery }

// NewOPA prepares the query.
func NewOPA() (*OPA, error) {
	module := rego.Module("blow.rego", regoModule)
	q, err := rego.New(rego.Query("data.blow.out"), module).PrepareForEval(context.Background())
	return &OPA{q}, err
}

// Eval implements Evaluator.
func (o *OPA) Eval(in *record.Input, out *record.Output) error {
	results, err := o.query.Eval(context.Background(), rego.EvalInput(variables(in)))
	if err != nil {
		return err
	}
	if len(results) == 0 {
		return errors.New("the query has no result")
	}
	text, err := json.Marshal(results[0].Expressions[0].Value)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, out)
}
