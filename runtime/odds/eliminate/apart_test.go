package eliminate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Outputs that together have many values are met apart, with the marginals that their joint distribution has, unless one
// of them may have no value: then all of them have none.
func TestApartAsTogether(t *testing.T) {
	p := gametest.Small(t, map[string]string{
		"free": `rules: free: {cite: "x", dice: {a: "d60", b: "d60", c: "d60"}
			require: "not a one": "a > 1"
			output: {x: "a + 1", y: "b * 2", z: "c - a"}}`,
		"tied": `rules: tied: {cite: "x", dice: {a: "d60", b: "d60", c: "d60"}
			output: {x: "a", y: "b", z: "div_floor(c, b - 1)"}}`,
	})
	for id, apart := range map[string]bool{"free": true, "tied": false} {
		rule, err := eliminate.NewRule(vm.NewImage(p.Plan()), id, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		q := odds.Question{Exact: true}
		q.Records[plan.CharacterRoot] = []byte(`{"strength":2}`)
		together, err := rule.Odds(q)
		if err != nil {
			t.Fatal(err)
		}
		joints, err := rule.Apart(q, [][]string{{"x"}, {"y"}, {"z"}})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"x", "y", "z"} {
			if met := len(joints[i].Names) == 1; met != apart {
				t.Errorf("%s: %s is met apart: %v", id, name, met)
			}
			want, got := together.Marginal(name), joints[i].Marginal(name)
			if len(want.Values) != len(got.Values) {
				t.Fatalf("%s: %s has %d values, together %d", id, name, len(got.Values), len(want.Values))
			}
			for k := range want.Values {
				a, b := new(big.Rat).SetFrac(want.N[k], want.Den), new(big.Rat).SetFrac(got.N[k], got.Den)
				if want.Values[k].Int() != got.Values[k].Int() || a.Cmp(b) != 0 {
					t.Errorf("%s: %s is %v with %v, together %v with %v", id, name, got.Values[k], b, want.Values[k], a)
				}
			}
		}
	}
}

// Dice that explode further than was followed end the outputs that read them: that alone keeps nothing together.
func TestApartBesideExplodingDice(t *testing.T) {
	p := gametest.Small(t, map[string]string{
		"bursts": `rules: bursts: {cite: "x", dice: {a: "d60", b: "d60", hurt: "d6!", more: "d6!"}
			output: {x: "a + 1", y: "b * 2 + (more > 6 ? 1 : 0)", z: "hurt + 1"}}`,
	})
	rule, err := eliminate.NewRule(vm.NewImage(p.Plan()), "bursts", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{}
	q.Records[plan.CharacterRoot] = []byte(`{"strength":2}`)
	joints, err := rule.Apart(q, [][]string{{"x"}, {"y"}, {"z"}})
	if err != nil {
		t.Fatal(err)
	}
	together, err := rule.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := odds.NewAnswer(joints, []string{"x", "y", "z"}, &odds.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := answer.Endings, together.Endings(); len(got) != 1 || len(want) != 1 || got[0].Ending != want[0].Ending {
		t.Errorf("apart they end with %v, together with %v", got, want)
	}
	for i, name := range []string{"x", "y", "z"} {
		if len(joints[i].Names) != 1 {
			t.Errorf("%s is not met apart", name)
		}
		want, got := together.Marginal(name), joints[i].Marginal(name)
		for k := range want.Values {
			if want.Values[k].Int() != got.Values[k].Int() || math.Abs(want.P[k]-got.P[k]) > 1e-12 {
				t.Errorf("%s is %v with %v, together %v with %v", name, got.Values[k], got.P[k], want.Values[k], want.P[k])
			}
		}
	}
}
