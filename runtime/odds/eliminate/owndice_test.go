package eliminate_test

import (
	"fmt"
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

// ownDice are rules of dice whose highest face, six, is a die more, as often as times says; 0 is without end.
func ownDice(dice, times int) string {
	explode := `on: 6, into: "dice"`
	if times > 0 {
		explode += fmt.Sprintf(", times: %d", times)
	}
	return fmt.Sprintf(`rules: own%d: {cite: "x", dice: r: {die: 6, count: %d, explode: {%s}}
		output: {greatest: "max(r)", least: "min(r)"}
	}`, times, dice, explode)
}

// allAtLeast is the probability that a die and all that it explodes into show at least a face: f_k = P(v ≤ face < 6) +
// f_(k-1)/6, and without end its fixed point.
func allAtLeast(v int64, times int) *big.Rat {
	if times == 0 {
		return big.NewRat(6-v, 5)
	}
	out := big.NewRat(7-v, 6)
	for range times {
		out.Add(big.NewRat(6-v, 6), out.Mul(out, big.NewRat(1, 6)))
	}
	return out
}

// TestDiceOfTheirOwn compares with closed forms: of the greatest with that of dice that do not explode.
func TestDiceOfTheirOwn(t *testing.T) {
	const dice = 4
	p := gametest.Small(t, map[string]string{"own0": ownDice(dice, 0), "own2": ownDice(dice, 2)})
	pow := func(r *big.Rat) *big.Rat {
		out := big.NewRat(1, 1)
		for range dice {
			out.Mul(out, r)
		}
		return out
	}
	for _, times := range []int{0, 2} {
		greatest, least := map[int64]*big.Rat{}, map[int64]*big.Rat{}
		for v := int64(1); v <= 6; v++ {
			greatest[v] = new(big.Rat).Sub(pow(big.NewRat(v, 6)), pow(big.NewRat(v-1, 6)))
			least[v] = pow(allAtLeast(v, times))
			if v < 6 {
				least[v].Sub(least[v], pow(allAtLeast(v+1, times)))
			}
		}
		rule := fmt.Sprintf("own%d", times)
		if times > 0 {
			compareExact(t, rule, exactOf(t, p, rule, "greatest"), greatest)
			compareExact(t, rule, exactOf(t, p, rule, "least"), least)
		}
		r, err := eliminate.NewRule(vm.NewImage(p.Plan()), rule, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		var q odds.Question
		q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
		j, err := r.Odds(q)
		if err != nil {
			t.Fatal(err)
		}
		got := [2]map[int64]float64{{}, {}}
		for _, o := range j.Outcomes() {
			got[0][o.Values[0].Int()] += o.P
			got[1][o.Values[1].Int()] += o.P
		}
		for k, want := range [2]map[int64]*big.Rat{greatest, least} {
			for v, w := range want {
				if p, _ := w.Float64(); math.Abs(got[k][v]-p) > 1e-14 {
					t.Errorf("%s: output %d is %d with probability %v, want %v", rule, k, v, got[k][v], p)
				}
			}
		}
	}
}
