package golden_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
)

// greatGame has ints beyond 2^53, and beyond 2^63, that nothing needs where x is 10^8, and rules that need one each.
const greatGame = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id: "game"
title: "A game"
source: book: "A book"
#Character: {}
#X: x!: int & >=0 & <=1000000000
rules: unneeded: {
	cite: "x"
	#Input: #X
	let: {
		small: "input.x > 0"
		great: "input.x * input.x"
		list: "[input.x * 3, great, great]"
		text: "string(input.x) + '000000000'"
	}
	output: {
		product: "small || great > 5"
		nested: "small || great * great * great == 0"
		added: "small || 9007199254740991 + input.x > 5"
		taken: "small || -9007199254740991 - input.x > 5"
		power: "small || pow(input.x, 2) > 5"
		higher: "small || pow(input.x, 20) > 5"
		total: "small || sum(list) > 5"
		read: "small || int(text) > 5"
		rounded: "small || floor(1.0e9 * double(input.x)) > 5"
		constant: "small || max(input.x, 10000000000000000) > 5"
		chosen: "small ? 1 : great"
		both: "!(great > 5 && !small)"
		compared: "input.x < 10000000000000000"
	}
}
rules: refused: {
	cite: "x"
	#Input: #X
	let: great: "input.x * input.x"
	require: "it is too much": "input.x == 0"
	output: out: "great"
}
rules: rolled: {
	cite: "x"
	#Input: #X
	dice: first: {die: 6}
	dice: second: {die: 6, explode: {on: "max", when: "4 - 9223372036854775807 < 0"}}
	output: out: "input.x > 0 ? 1 : second"
}
`

// neededFormulas have an int beyond 2^53, or beyond 2^63, where x is 10^8.
var neededFormulas = []string{
	"input.x * input.x", "9007199254740991 + input.x", "-9007199254740991 - input.x", "pow(input.x, 2)", "pow(-1 - input.x, 3)",
	"sum([input.x * 10, input.x * input.x, -5])", "int(string(input.x) + '000000000')", "floor(1.0e9 * double(input.x))",
	"[5, 10000000000000000][div_floor(input.x, 100000000)]", "min(input.x * input.x, 5)",
	"pow(input.x, -1) > 0 && input.x * input.x < 0 ? 1 : 2", "input.x * input.x < 0 && pow(input.x, -1) > 0 ? 1 : 2",
}

// TestIntsBeyondInJavaScript wants the answer of the interpreter where no int beyond 2^53 is needed, and Beyond elsewhere.
func TestIntsBeyondInJavaScript(t *testing.T) {
	jstest.Node(t)
	source := greatGame
	var needed []string
	for i, formula := range neededFormulas {
		id := "needed_" + string(rune('a'+i))
		needed = append(needed, id)
		source += "rules: " + id + ": {\n\tcite: \"x\"\n\t#Input: #X\n\toutput: out: \"" + formula + "\"\n}\n"
	}
	p := gametest.CompileSource(source)
	if p == nil {
		t.Fatal("the ruleset does not compile")
	}
	c := newCorpus(javaScript{t.TempDir()}, p)
	for _, id := range []string{"unneeded", "refused"} {
		r, err := c.program.Rule(id, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		module, export := c.moduleOf(t, runtime.Choice{}, id)
		c.add(id, module, export, r, runtime.Request{Input: []byte(`{"x":100000000}`), Throw: dice.DrawnFrom(1)})
	}
	for i, want := range []string{`"chosen":1,"both":true,"compared":true}}`, "Refused: it is too much"} {
		if !strings.HasSuffix(c.want[i], want) {
			t.Errorf("the interpreter answers %s, want %s", c.want[i], want)
		}
	}
	c.compare(t)
	var asked []jstest.Request
	for _, id := range needed {
		module, export := c.moduleOf(t, runtime.Choice{}, id)
		asked = append(asked, jstest.Request{Module: module, Export: export, Input: `{"x":100000000}`})
	}
	for i, got := range c.target.answers(t, asked) {
		if !strings.HasPrefix(got, "Beyond: ") {
			t.Errorf("%s: got %s", neededFormulas[i], got)
		}
	}
	// The rule can do without its first die alone: with exact ints an output reads the second, for which a face is missing.
	module, export := c.moduleOf(t, runtime.Choice{}, "rolled")
	got := c.target.answers(t, []jstest.Request{{Module: module, Export: export, Input: `{"x":5}`}})[0]
	if !strings.HasPrefix(got, "Beyond: ") {
		t.Errorf("a die whose condition is beyond 2^53: got %s", got)
	}
}
