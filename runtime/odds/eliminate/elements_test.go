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

// Of results that are read in their order, what nothing reads keeps no states apart: with their margins these were 10^12.
func TestUnreadSlotsOfResults(t *testing.T) {
	p := gametest.Small(t, map[string]string{
		"look": `rules: look: {cite: "x", #Input: skill!: int, dice: roll: "d100"
			output: {seen: "roll <= input.skill", margin: "input.skill - roll"}}`,
		"feint": `rules: feint: {cite: "x"
			use: looks: {rule: "look", each: w: "[10, 20, 30, 40, 50, 60]", input: skill: "w"}
			output: fooled: "looks.map(l, !l.seen)"}`,
	})
	rule, err := eliminate.NewRule(vm.NewImage(p.Plan()), "feint", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Budget: 20_000}
	q.Records[plan.CharacterRoot] = []byte(`{"strength":2}`)
	j, err := rule.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Outcomes()) != 1<<6 {
		t.Errorf("%d outcomes, want %d", len(j.Outcomes()), 1<<6)
	}
	for _, o := range j.Outcomes() {
		want := 1.0
		for k := range o.Values[0].Len() {
			seen := float64(k+1) / 10
			if o.Values[0].At(k).Bool() {
				seen = 1 - seen
			}
			want *= seen
		}
		if math.Abs(o.P-want) > 1e-12 {
			t.Errorf("%v has probability %v, want %v", o.Values[0], o.P, want)
		}
	}
}
