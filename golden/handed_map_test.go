package golden_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
)

// TestHandedMaps hands maps on to rules that bound their values, their keys, and an entry that must be there: what a use
// hands on is checked as what is asked for is, in every entry.
func TestHandedMaps(t *testing.T) {
	p := gametest.CompileParts(t, `rules: purse: {
	cite: "x"
	#Input: coins!: [string]: int & >=0 & <=50
	output: kinds: "size(input.coins)"
}
rules: harms: {
	cite: "x"
	#Input: of!: [("fire" | "cold")]: int
	output: kinds: "size(input.of)"
}
rules: arms: {
	cite: "x"
	#Input: of!: {fire!: int & >=0, [string]: int & <=9}
	output: kinds: "size(input.of)"
}
rules: coins: {
	cite: "x"
	#Input: n!: int
	use: x: {rule: "purse", input: coins: "{'a': 3, 'gold': input.n, 'z': 1}"}
	output: kinds: "x.kinds"
}
rules: burns: {
	cite: "x"
	#Input: n!: string
	use: x: {rule: "harms", input: of: "{'cold': 1, input.n: 2}"}
	output: kinds: "x.kinds"
}
rules: names: {
	cite: "x"
	#Input: n!: string
	use: x: {rule: "arms", input: of: "{'cold': 9, input.n: 12}"}
	output: kinds: "x.kinds"
}
`)
	program := runtime.New(p)
	for _, x := range []struct{ rule, n, want string }{
		{"coins", "-1", "the input must be at least 0"}, {"coins", "0", `{"kinds":3}`}, {"coins", "50", `{"kinds":3}`},
		{"coins", "51", "the input must be at most 50"},
		{"burns", `"fire"`, `{"kinds":2}`}, {"burns", `"acid"`, "the keys of the input must be of fire, cold"},
		{"names", `"fire"`, "the input must be at most 9"}, // as CUE has it: what holds of all keys holds of fire too
		{"names", `"acid"`, "the input must have fire"},
	} {
		rule, err := program.Rule(x.rule, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		var got string
		sheet, err := rule.Eval(runtime.Request{Input: fmt.Appendf(nil, `{"n":%s}`, x.n)})
		if err != nil {
			got = err.Error()
		} else {
			got = sheet.Output.String()
		}
		if !strings.Contains(got, x.want) {
			t.Errorf("%s of %s is %s, not %s", x.rule, x.n, got, x.want)
		}
	}
}
