package odds_test

import (
	"fmt"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The odds of a rule are those of its outputs together; each one's own are its marginal. A skill of 90 against a hard task
// is a value of 60: of a hundred faces 5 to 61 succeed, without the fool's 1 to 4.
func Example() {
	plans, _ := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{}, "tempestas")
	rule, err := eliminate.NewRule(runtime.New(plans[0]), "test", runtime.Choice{Outputs: []string{"success", "outcome"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	joint, err := rule.Odds(odds.Question{Exact: true, Records: odds.Records{
		plan.CharacterRoot: []byte(`{"skills": {"navigation": 90}}`),
		plan.InputRoot:     []byte(`{"name": "navigation", "difficulty": "hard"}`),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	success := joint.Marginal("success")
	for i, v := range success.Values {
		fmt.Println(v, success.Exact(i))
	}
	// Output:
	// false 43/100
	// true 57/100
}
