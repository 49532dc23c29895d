package eliminate_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestEndingsBetweenDrawsOfAPool wants requirements of single faces, each of which is known before the whole pool is, to refuse
// as often as the multinomial distribution says, and to leave the outputs their chances. The pool falls in too many ways for
// these to be listed, and so is drawn face by face.
func TestEndingsBetweenDrawsOfAPool(t *testing.T) {
	const dice, most = 8, 2
	p := gametest.Small(t, map[string]string{"r": `rules: r: {cite: "x", dice: pool: {die: 6, count: 8}
		require: {"twos": "pool.count(x, x == 2) <= 2", "threes": "pool.count(x, x == 3) <= 2"}
		output: {high: "pool.count(x, x > 4)", ones: "pool.count(x, x == 1)"}}`})
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]*big.Rat{}
	ways := new(big.Int).Exp(big.NewInt(6), big.NewInt(dice), nil)
	for twos := range dice + 1 {
		for threes := range dice + 1 - twos {
			for ones := range dice + 1 - twos - threes {
				for high := range dice + 1 - twos - threes - ones {
					fours := dice - twos - threes - ones - high
					n := new(big.Int).Lsh(big.NewInt(1), uint(high)) // a high die shows 5 or 6
					left := int64(dice)
					for _, k := range []int{twos, threes, ones, high, fours} {
						n.Mul(n, new(big.Int).Binomial(left, int64(k)))
						left -= int64(k)
					}
					key := fmt.Sprint(high, ones)
					if threes > most {
						key = "threes"
					}
					if twos > most {
						key = "twos"
					}
					if want[key] == nil {
						want[key] = new(big.Rat)
					}
					want[key].Add(want[key], new(big.Rat).SetFrac(n, ways))
				}
			}
		}
	}
	q := odds.Question{Exact: true}
	q.Records[plan.CharacterRoot] = []byte("{}")
	j, err := r.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	check := func(key string, n *big.Int) {
		told++
		if got := new(big.Rat).SetFrac(n, j.Den); want[key] == nil || got.Cmp(want[key]) != 0 {
			t.Errorf("the chance of %s is %v, want %v", key, got, want[key])
		}
	}
	for _, o := range j.Outcomes() {
		check(fmt.Sprint(o.Values[0].Int(), o.Values[1].Int()), o.N)
	}
	for _, e := range j.Endings() {
		check(e.Message, e.N)
	}
	if told != len(want) {
		t.Errorf("%d chances are told, want %d", told, len(want))
	}
}
