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
	p := gametest.CompileSource(`package game

import (
	"list"

	"github.com/tabletop-rules/rules/schema"
)

schema.#Ruleset
id: "game"
title: "A game"
source: book: "A book"
#Character: might!: int
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
