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

// TestMeantByFormulas asks over outputs and over states by names that only the ruleset's own formulas read.
func TestMeantByFormulas(t *testing.T) {
	p := rolled()
	r := &p.Rules[0]
	r.Graph.Dice = []plan.Die{{ID: "roll"}}
	r.Graph.Outputs.Type.Fields = append(r.Graph.Outputs.Type.Fields, plan.Field{Name: "state",
		Type: &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "wounds", Type: plan.IntType}}}})
	record := func(name string) *plan.Shape {
		return &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: name, Shape: &plan.Shape{Kind: plan.Int}}}}
	}
	p.Character = record("strength")
	p.Procedures = []plan.Procedure{{ID: "duel", State: record("wounds"), Input: record("foes")}}
	p.Entries = []plan.Entry{{Kind: plan.FunctionEntry, ID: "half"}}
	for _, c := range []struct {
		of         func(p *plan.Plan, id, text, called string) (*plan.Plan, error)
		id         string
		text, want string
	}{
		{Formula, "hit", "head", "write place == 'head'"},
		{Formula, "hit", "wounds > 2", "did you mean state.wounds?"},
		{Formula, "hit", "wound > 2", "did you mean state.wounds?"},
		{Formula, "hit", "efect > 2", "did you mean effect?"},
		{Formula, "hit", "roll == 6", `roll is a die: write output: natural: "roll" in the rule, and ask of natural`},
		{Formula, "hit", "input.foes > 1", "--vary asks for several values of it"},
		{Formula, "hit", "mean(effect)", "its mean, deviation and quantiles are told"},
		{Guard, "duel", "wound > 2", "did you mean state.wounds?"},
		{Guard, "duel", "half(state.wounds) > 2", "half is a function of the ruleset, and may not be called here"},
		{Guard, "duel", "left > 2", "what can be read here are state, character, input and option"},
		{Guard, "duel", "stat.wounds > 2", "did you mean state"},
	} {
		_, err := c.of(p, c.id, c.text, "--ask")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v\nwant %s", c.text, err, c.want)
		}
	}
}
