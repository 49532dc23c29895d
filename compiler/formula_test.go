package compiler

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// rolled is a plan with a rule that gives a number and a place.
func rolled() *plan.Plan {
	t := &plan.Type{Kind: plan.Record, Fields: []plan.Field{
		{Name: "effect", Type: plan.IntType}, {Name: "place", Type: &plan.Type{Kind: plan.String, Enum: []string{"head", "leg"}}},
	}}
	return &plan.Plan{Rules: []plan.Rule{{ID: "hit", Graph: plan.Graph{Outputs: plan.Value{Type: t}}}}}
}

func TestFormula(t *testing.T) {
	p, err := Formula(rolled(), "hit", `place == "head" && effect >= 3`, "--ask")
	if err != nil {
		t.Fatal(err)
	}
	rule, err := runtime.New(p).Rule("expression", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]bool{
		`{"place":"head","effect":3}`: true, `{"place":"head","effect":2}`: false, `{"place":"leg","effect":9}`: false,
	} {
		v, err := rule.Value(runtime.Request{Character: []byte("{}"), Input: []byte(input)}, "value")
		if err != nil || v.Bool() != want {
			t.Errorf("%s: got %v, %v, want %v", input, v, err, want)
		}
	}
}

func TestMalformedFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"effect >":         "--ask:1:9",
		"efect > 3":        "--ask:1:1",
		`effect == "head"`: "--ask:1:8",
	} {
		if _, err := Formula(rolled(), "hit", text, "--ask"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want it at %s", text, err, want)
		}
	}
	if _, err := Formula(rolled(), "miss", "1", "--ask"); err == nil {
		t.Error("a rule that there is not has formulas")
	}
}
