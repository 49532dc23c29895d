package golden_test

import (
	"errors"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// TestCharacterThatNothingReads wants a rule that reads no character to be carried out for none, and to refuse one that is
// no JSON through every door.
func TestCharacterThatNothingReads(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: might!: int & >=1 & <=9
rules: luck: {cite: "x", dice: roll: "d6", output: lucky: "roll == 6"}
`)
	rule, err := runtime.New(p).Rule("luck", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for text, fits := range map[string]bool{
		"": true, " ": false, "{}": true, " { \n} ": true, "{": false, "}": false, "}{": false, "{{}}": false, "{}{}": false, "{]": false,
	} {
		q := runtime.Request{Character: []byte(text)}
		_, byOdds := rule.Odds(t.Context(), q, &odds.Options{})
		q.Throw = dice.Fallen(3)
		_, byEval := rule.Eval(q)
		doors := map[string]error{"odds": byOdds, "eval": byEval}
		if frame := rule.Frame(); text != "" { // of which a frame keeps what it has
			if doors["frame"] = frame.Read(q.Character, nil); doors["frame"] == nil && !frame.Run(dice.FromList([]int64{3})) {
				doors["frame"] = frame.Err()
			}
		}
		for door, err := range doors {
			if misfit, is := errors.AsType[*runtime.InputError](err); fits != (err == nil) || !fits && (!is || misfit.Root != "character") {
				t.Errorf("%s of the character %q: %v", door, text, err)
			}
		}
	}
}

// TestCharacterThatSomethingReads wants a character where no output reads it and something else does: a requirement, or a die
// that falls though no output reads it.
func TestCharacterThatSomethingReads(t *testing.T) {
	for _, parts := range []string{
		`require: "strong": "character.might > 1"`,
		`dice: idle: {die: "character.might"}`,
		`dice: idle: {die: 4, count: "character.might"}`,
		`dice: idle: {die: 4, explode: {on: 4, when: "character.might > 5"}}`,
		`dice: idle: {roll: "d4", times: "character.might"}`,
	} {
		p := gametest.CompileParts(t, `#Character: might!: int & >=1 & <=9
rules: luck: {cite: "x", dice: roll: "d6", `+parts+`, output: lucky: "roll == 6"}
`)
		rule, err := runtime.New(p).Rule("luck", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = rule.Eval(runtime.Request{Throw: dice.DrawnFrom(1), Character: []byte("{}")})
		if misfit, is := errors.AsType[*runtime.InputError](err); !is || misfit.Path != ".might" {
			t.Errorf("%s: {} for a character: %v", parts, err)
		}
	}
}
