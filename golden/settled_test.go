package golden_test

import (
	"errors"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
)

// TestWhatUsesSettle wants what a rule requires that is used for each element of a list to hold for these uses alone. Of an
// empty list nothing is required: 12 by 2 less 2 has no value then, and must not be taken for what was judged before.
func TestWhatUsesSettle(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: worn!: int & >=0 & <=9
rules: mend: {
	cite: "x"
	#Input: n!: int
	require: "it can be mended": "div_floor(12, character.worn - 2) + input.n > 0"
	output: mended: "input.n"
}
rules: all: {
	cite: "x"
	#Input: times: [...int] & list.MaxItems(3)
	use: each: {rule: "mend", each: {n: "input.times"}, input: n: "n"}
	output: {mended: "each.sum(m, m.mended)", rest: "div_floor(12, character.worn - 2)"}
}
`)
	rule, err := runtime.New(p).Rule("all", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ worn, times, want string }{
		{"4", "[1, 2]", `{"mended":3,"rest":6}`}, // 12 by 2
		{"4", "[]", `{"mended":0,"rest":6}`},
		{"2", "[1, 2]", ""}, // 12 by 0
		{"2", "[]", ""},
	} {
		sheet, err := rule.Eval(runtime.Request{
			Character: []byte(`{"worn":` + c.worn + `}`), Input: []byte(`{"times":` + c.times + `}`)})
		_, isFailure := errors.AsType[*runtime.Failure](err)
		if c.want == "" && !isFailure || c.want != "" && (err != nil || string(sheet.Output.AppendJSON(nil)) != c.want) {
			t.Errorf("worn %s, times %s: %v (%v), not %q", c.worn, c.times, sheet, err, c.want)
		}
	}
}
