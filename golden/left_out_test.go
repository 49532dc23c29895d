package golden_test

import (
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// TestRulesetsDoNotFailInElementsThatAreLeftOut wants no failure of what an element comes to that a map leaves out.
func TestRulesetsDoNotFailInElementsThatAreLeftOut(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: {}
rules: share: {
	cite: "x"
	#Input: among!: [...int & >=0 & <=9] & list.MaxItems(4)
	output: parts: "input.among.map(x, x != 0, div_floor(10, x))"
}
`)
	rule, err := runtime.New(p).Rule("share", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rule.Eval(runtime.Request{Input: []byte(`{"among": [0, 2, 0]}`), Throw: dice.Fallen()}); err != nil {
		t.Error(err)
	}
}
