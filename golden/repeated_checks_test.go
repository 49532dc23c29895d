package golden_test

import (
	"errors"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// TestRulesetsForgetChecksOfUsesThatWereNotMade wants a formula to fail behind a list of uses of which a requirement reads
// the same formula: that it did not fail there says nothing where the list is empty.
func TestRulesetsForgetChecksOfUsesThatWereNotMade(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: might!: int
rules: strike: {
	cite: "x"
	#Input: n!: int
	require: "weak": "div_floor(10, character.might) + input.n > 0"
	output: harm: "input.n + 1"
}
rules: fight: {
	cite: "x"
	#Input: blows!: [...int] & list.MaxItems(4)
	use: strikes: {rule: "strike", each: y: "input.blows", input: n: "y"}
	output: {
		size:  "strikes.size()"
		share: "div_floor(10, character.might)"
	}
}
`)
	rule, err := runtime.New(p).Rule("fight", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		might, blows string
		fails        bool
	}{{"2", "[]", false}, {"2", "[1, 2]", false}, {"0", "[]", true}, {"0", "[1, 2]", true}} {
		q := runtime.Request{Character: []byte(`{"might": ` + c.might + `}`), Input: []byte(`{"blows": ` + c.blows + `}`),
			Throw: dice.Fallen()}
		_, err := rule.Eval(q)
		if _, isFailure := errors.AsType[*runtime.Failure](err); isFailure != c.fails || !c.fails && err != nil {
			t.Errorf("might %s, blows %s: %v", c.might, c.blows, err)
		}
	}
}

// TestRulesetsCheckIndicesThatAreNoneOfTheList wants elements to be looked for behind the end of a list, and to fail, where
// indices come from a range that is as long as something else of that list than its size.
func TestRulesetsCheckIndicesThatAreNoneOfTheList(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: {}
rules: blows: {
	cite: "x"
	#Input: harm!: [...int & >=1 & <=9] & list.MaxItems(4)
	output: {
		rest:   "range(1, size(input.harm)).filter(i, i > 1).map(i, input.harm[i])"
		struck: "range(0, sum(input.harm)).filter(i, i != 1).map(i, input.harm[i])"
	}
}
`)
	rule, err := runtime.New(p).Rule("blows", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for harm, fails := range map[string]bool{
		"[]": false, "[1]": false, "[1, 1]": false, "[2]": false, "[1, 2]": true, "[3, 1, 1]": true,
	} {
		_, err := rule.Eval(runtime.Request{Input: []byte(`{"harm": ` + harm + `}`), Throw: dice.Fallen()})
		if _, isFailure := errors.AsType[*runtime.Failure](err); isFailure != fails || !fails && err != nil {
			t.Errorf("harm %s: %v", harm, err)
		}
	}
}
