package eliminate_test

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The choices of a rule that only wide limits answer are the best ones. That two of nine d150 are equal has the chance
// 0.217, so that a stake of 9 at five to one gains; of two dice it has 1/150, and nothing is staked.
func TestBestChoiceWithWideLimits(t *testing.T) {
	p := gametest.Small(t, map[string]string{"r": `rules: r: {cite: "x"
		#Input: stake: *0 | (int & >=0 & <=9)
		dice: {many: "d2", rolled: {die: 150, count: "many == 1 ? 2 : 9", most: 9}}
		decide: stake: after: ["many"]
		let: equal: "range(1, 151).exists(f, rolled.count(c, c == f) > 1)"
		output: worth: "equal ? 5 * input.stake : -input.stake"
	}`})
	strategy := odds.Strategy{Choices: []odds.Choice{{Path: "stake"}}, Worth: worthOf([]string{"worth"})}
	r, err := eliminate.NewDecidedRule(vm.NewImage(p.Plan()), "r", runtime.Choice{}, strategy)
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	j, err := r.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	differ := 1.0 // that nine dice do
	for i := range 9 {
		differ *= float64(150-i) / 150
	}
	mean := 0.0
	for _, o := range j.Outcomes() {
		mean += o.P * float64(o.Values[0].Int())
	}
	if want := 9 * (5*(1-differ) - differ) / 2; math.Abs(mean-want) > 1e-9 {
		t.Errorf("the best stakes have the mean %v, want %v", mean, want)
	}
}
