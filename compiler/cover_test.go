package compiler_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
)

// A branch is taken only where its formula is needed: a let in an arm that is not chosen takes none of its own.
func TestCoverageCountsWhatIsNeeded(t *testing.T) {
	const definitions = `rules: r: {
	cite: "x"
	#Input: n!: int
	let: {
		deep: "input.n > 10 ? 1 : 2"
		mid:  "input.n > 5 ? deep : 3"
	}
	output: a: "input.n > 0 && mid > 0 ? mid : 0"
}`
	for _, c := range []struct {
		n    int
		want []string
	}{
		{0, []string{"output a: else", "output a: left decides"}},
		{3, []string{"let mid: else", "output a: right decides", "output a: then"}},
		{7, []string{"let deep: else", "let mid: then", "output a: right decides", "output a: then"}},
		{12, []string{"let deep: then", "let mid: then", "output a: right decides", "output a: then"}},
	} {
		program := runtime.New(gameWith(t, definitions, compiler.Options{Cover: true}))
		rule, err := program.Rule("r", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rule.Eval(runtime.Request{Character: []byte("{}"), Input: fmt.Appendf(nil, `{"n": %d}`, c.n)}); err != nil {
			t.Fatal(err)
		}
		if got := takenBranches(program); !slices.Equal(got, c.want) {
			t.Errorf("n = %d takes %q, want %q", c.n, got, c.want)
		}
	}
}

// takenBranches are the branches that were taken, without the name of the rule.
func takenBranches(p *runtime.Program) []string {
	var out []string
	for b, times := range p.Coverage() {
		if times > 0 {
			out = append(out, b.Name[len("rule r, "):]+": "+b.What)
		}
	}
	slices.Sort(out)
	return out
}

// The input of a use that walks a list may read a let in an arm that each element chooses anew.
func TestCoverageOfLetsInWalkedUses(t *testing.T) {
	const definitions = `rules: {
	r: {
		cite: "x"
		#Input: many!: int
		let: deep: "input.many > 2 ? 1 : 2"
		use: us: {rule: "one", each: n: "[1, 7]", input: n: "n > 5 ? deep : n"}
		output: a: "us.sum(u, u.n)"
	}
	one: {cite: "x", #Input: n!: int & >=0 & <=9, require: "it is three": "input.n != 3", output: n: "input.n"}
}`
	program := runtime.New(gameWith(t, definitions, compiler.Options{Cover: true}))
	rule, err := program.Rule("r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rule.Eval(runtime.Request{Character: []byte("{}"), Input: []byte(`{"many": 1}`)}); err != nil {
		t.Fatal(err)
	}
	if got := takenBranches(program); !slices.Contains(got, "let deep: else") {
		t.Errorf("taken are %q, without let deep: else", got)
	}
}
