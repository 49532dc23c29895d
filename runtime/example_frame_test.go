package runtime_test

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A program that asks a rule again and again sets fields and reads results in a frame, without JSON and without
// allocating anything.
func ExampleRule_Frame() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{})
	difficulty, _ := rule.Field("input.difficulty")
	success, _ := rule.Result("success")

	frame := rule.Frame()
	if err := frame.Read([]byte(`{"skills": {"navigation": 90}}`), []byte(`{"name": "navigation"}`)); err != nil {
		fmt.Println(err)
	}
	roll := dice.FromList([]int64{61})
	for _, d := range []string{"standard", "monstrous", "hopeless"} {
		frame.SetText(difficulty, d)
		roll.Rewind()
		if !frame.Run(roll) {
			fmt.Println(frame.Err())
			continue
		}
		fmt.Println(d, frame.Bool(success))
	}
	// Output:
	// standard true
	// monstrous false
	// input.difficulty: must be one of "standard", "moderate", "hard", "extreme", "monstrous", not "hopeless"
}
