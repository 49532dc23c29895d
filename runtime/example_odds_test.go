package runtime_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// oddsOfPlanFile prints how likely a hard navigation succeeds.
func oddsOfPlanFile(file string, ada []byte) error {
	program, err := runtime.Open(file)
	if err != nil {
		return err
	}
	rule, err := program.Rule("test", runtime.Choice{Outputs: []string{"success"}})
	if err != nil {
		return err
	}
	answer, err := rule.Odds(context.Background(), runtime.Request{Character: ada, Input: navigation}, nil)
	if err == nil {
		fmt.Println(answer.Output("success").Values, answer.Output("success").P)
	}
	return err
}

// The odds of a rule need a plan file and this package alone. A skill of 90 against a hard task is a value of 60: of a
// hundred faces 5 to 61 succeed, without the fool's 1 to 4.
func ExampleRule_Odds() {
	dir, _ := os.MkdirTemp("", "plans")
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "tempestas.plan")
	writePlanFile(file)

	if err := oddsOfPlanFile(file, []byte(`{"skills": {"navigation": 90}}`)); err != nil {
		fmt.Println(err)
	}
	// Output: [false true] [0.43 0.57]
}

var navigation = []byte(`{"name": "navigation", "difficulty": "hard"}`)

// Options ask for fractions, for the outputs together, or for a formula of one's own.
func ExampleRule_PrepareOdds() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{Outputs: []string{"success", "outcome"}})
	chances, err := rule.PrepareOdds(&odds.Options{Exact: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, skill := range []string{"90", "80"} {
		answer, err := chances.Odds(context.Background(), runtime.Request{
			Character: []byte(`{"skills": {"navigation": ` + skill + `}}`), Input: navigation,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(skill, answer.Output("success").Exact(1))
	}
	// Output:
	// 90 57/100
	// 80 47/100
}
