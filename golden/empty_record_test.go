package golden_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// TestBoundOfRecordsThatBeginWithNothing wants the bounds that fields of a record set for each other to be judged where its
// first field is 0, as an absent record is.
func TestBoundOfRecordsThatBeginWithNothing(t *testing.T) {
	p := gametest.CompileParts(t, `#Character: {
	belt: {pockets: *3 | int & >=0 & <=9, full: *0 | int & >=0 & <=pockets}
	purse: {coins: *0 | int & >=0 & <=limit, limit: *9 | int & >=0 & <=99}
}
rules: carry: {cite: "x", output: all: "character.belt.full + character.purse.coins"}
`)
	rule, err := runtime.New(p).Rule("carry", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	frame := rule.Frame()
	for _, c := range []struct{ record, first, second string }{{"belt", "pockets", "full"}, {"purse", "limit", "coins"}} {
		for n, fits := range map[int64]bool{0: true, 1: false} {
			text := fmt.Sprintf(`{"%s": {"%s": 0, "%s": %d}}`, c.record, c.first, c.second, n)
			_, byEval := rule.Eval(runtime.Request{Character: []byte(text), Throw: dice.Fallen()})
			if err := frame.Read([]byte("{}"), nil); err != nil {
				t.Fatal(err)
			}
			for name, value := range map[string]int64{c.first: 0, c.second: n} {
				field, err := rule.Field("character." + c.record + "." + name)
				if err != nil {
					t.Fatal(err)
				}
				frame.SetInt(field, value)
			}
			frame.Run(nil)
			for door, err := range map[string]error{"eval": byEval, "frame": frame.Err()} {
				misfit, isMisfit := errors.AsType[*runtime.InputError](err)
				if isMisfit == fits || fits && err != nil || isMisfit && misfit.Path != "."+c.record+"."+c.second {
					t.Errorf("%s of %s: %v", door, text, err)
				}
			}
		}
	}
}
