package runtime

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tabletop-rules/rules/runtime/internal/graphtest"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// twoOutputs is a program of one rule, r, with the outputs a and b.
func twoOutputs(t *testing.T) *Program {
	b := graphtest.NewBuilder()
	b.Plan.Character = &plan.Shape{Kind: plan.Record}
	for i, name := range []string{"a", "b"} {
		b.Output(name, plan.IntType, b.Node(plan.OpConst, plan.Int, int64(i)), plan.None)
	}
	b.Plan.Rules = []plan.Rule{{ID: "r", Input: &plan.Shape{Kind: plan.Record}, Graph: b.Graph}}
	if err := plan.Verify(b.Plan); err != nil {
		t.Fatal(err)
	}
	return New(b.Plan)
}

// TestOutputsOfEachChoice asks one program for choices of outputs that are easily taken for each other, in several orders:
// what was asked before must not decide what is answered.
func TestOutputsOfEachChoice(t *testing.T) {
	choices := []struct{ outputs, want []string }{
		{nil, []string{"a", "b"}},
		{[]string{}, nil},
		{[]string{"a"}, []string{"a"}},
		{[]string{"a", "b"}, []string{"a", "b"}},
	}
	for first := range choices {
		program := twoOutputs(t)
		for k := range choices {
			c := choices[(first+k)%len(choices)]
			rule, err := program.Rule("r", Choice{Outputs: c.outputs})
			if err != nil {
				t.Fatal(err)
			}
			sheet, err := rule.Eval(Request{Character: []byte("{}"), Input: []byte("{}")})
			if err != nil {
				t.Fatal(err)
			}
			if got := sheet.Output.Names(); !slices.Equal(got, c.want) {
				t.Errorf("after %d others, outputs %#v: %q, want %q", k, c.outputs, got, c.want)
			}
		}
	}
}

// TestCodeCacheIsBounded asks for more choices than are kept: the newest stay, and each is made once while it is there.
func TestCodeCacheIsBounded(t *testing.T) {
	var cache codeCache
	var made atomic.Int32
	find := func(k int) {
		key := codeKey{choice: fmt.Sprint(k)}
		if _, err := cache.find(key, func() (*schedule.Code, error) { made.Add(1); return nil, nil }); err != nil {
			t.Fatal(err)
		}
	}
	for k := range maxCodes + 10 {
		find(k)
	}
	find(maxCodes + 9)
	if len(cache.made) != maxCodes || len(cache.order) != maxCodes || made.Load() != maxCodes+10 {
		t.Errorf("%d are kept in an order of %d, and %d were made", len(cache.made), len(cache.order), made.Load())
	}
	if find(0); made.Load() != maxCodes+11 {
		t.Error("the oldest was kept")
	}
}
