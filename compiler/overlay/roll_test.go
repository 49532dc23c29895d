package overlay_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// armory is a game whose table says which dice its weapons do.
const armory = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: strength: *1 | int
tables: weapon: {
	cite: "Weapons"
	dice: ["harm"]
	keyed: {
		dagger: harm: "1d4"
		sword: harm:  "1d8"
		vorpal: harm: "2d6 + 3"
	}
}
rules: strike: {
	cite: "Strikes"
	#Input: {
		with!:    string @key(weapon)
		critical: *false | bool
	}
	dice: harm: {roll: "weapon(input.with).harm", times: "input.critical ? 2 : 1"}
	output: harm: "harm_done"
	let: harm_done: "harm + character.strength"
}
`

func applyToArmory(homebrews ...load.Source) (*plan.Plan, []diag.Diagnostic) {
	text := strings.Replace(armory, "output: harm: ", "output: total: ", 1)
	return compiler.Homebrew(entryOfSource("rules.cue", release, "game/game.cue", text), "game", homebrews, compiler.Options{})
}

// A homebrew changes dice that are data as it changes any cell, adds rows with other dice, and replaces how they are
// rolled.
func TestDiceAsData(t *testing.T) {
	for _, c := range []struct {
		name, body, input string
		faces             []int64
		want              string
	}{
		{"as written", ``, `{"with": "vorpal"}`, []int64{5, 6}, `{"total":15}`},
		{"twice", ``, `{"with": "vorpal", "critical": true}`, []int64{1, 2, 3, 4}, `{"total":14}`},
		{"a cell", `replace: tables: weapon: rows: sword: harm: {expect: "1d8", with: "2d10!"}`, `{"with": "sword"}`,
			[]int64{10, 7, 2}, `{"total":20}`},
		{"a row more", `extend: tables: weapon: keyed: club: harm: "4d6kh3"
			replace: rules: strike: dice: harm: {
				expect: {roll: "weapon(input.with).harm", times: "input.critical  ? 2 : 1"}
				with: roll: "weapon(input.with).harm"
			}
			extend: rules: strike: output: critical: "input.critical"`, `{"with": "club"}`, []int64{6, 1, 2, 5},
			`{"total":14,"critical":false}`},
		{"plus", `replace: rules: strike: dice: harm: {
				expect: {roll: "weapon(input.with).harm", times: "input.critical ? 2 : 1"}
				with: {roll: "weapon(input.with).harm", plus: {roll: "d6", times: "input.critical ? 3 : 0"}}
			}`, `{"with": "dagger", "critical": true}`, []int64{4, 1, 2, 3}, `{"total":11}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, said := applyToArmory(brew("house", c.body))
			if len(said) > 0 {
				t.Fatal(said)
			}
			r, err := runtime.New(p).Rule("strike", runtime.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			sheet, err := r.Eval(runtime.Request{
				Character: []byte(`{}`), Input: []byte(c.input), Throw: dice.Fallen(c.faces...),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(sheet.Output.AppendJSON(nil)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// What a homebrew gets wrong about dice is told at its own line, and its part in a number is named in the trace.
func TestDiceAsDataOfHomebrews(t *testing.T) {
	_, said := applyToArmory(brew("house", `replace: tables: weapon: rows: sword: harm: {expect: "1d8", with: "1d"}`))
	if len(said) != 1 || said[0].Code != "dice-notation" || said[0].Place.File != "house/house.cue" {
		t.Errorf("reported %v, want the cell of the homebrew", said)
	}
	p, said := applyToArmory(brew("house", `replace: tables: weapon: rows: sword: harm: {expect: "1d8", with: "1d10"}`))
	if len(said) > 0 {
		t.Fatal(said)
	}
	if got := overlaysOf(p, "strike", "total"); got != "house" {
		t.Errorf("total comes from %q, want house", got)
	}
}
