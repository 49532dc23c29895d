package eliminate_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// namedDice are so many dice with names of their own, d0 and on, and the list of those from one on.
func namedDice(count, faces, from int) (dice, list string) {
	var all, names []string
	for i := range count {
		all = append(all, fmt.Sprintf("d%d: die: %d", i, faces))
		if i >= from {
			names = append(names, fmt.Sprintf("d%d", i))
		}
	}
	return "dice: {" + strings.Join(all, ", ") + "}, ", "[" + strings.Join(names, ", ") + "]"
}

// gameOf compiles a rule r of a small game.
func gameOf(t *testing.T, body string) *runtime.Program {
	t.Helper()
	return gametest.Small(t, map[string]string{"r": `rules: r: {cite: "x", ` + body + "}"})
}

// workOf is what a rule's answer takes in floats, within a budget.
func workOf(t *testing.T, p *runtime.Program, rule string, budget int64) int64 {
	t.Helper()
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), rule, runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Budget: budget}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	if _, err := r.Odds(q); err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	return r.Spent()
}

// binomialOf is the distribution of how many of n succeed, each with a probability.
func binomialOf(n int64, p *big.Rat) map[int64]*big.Rat {
	out := map[int64]*big.Rat{}
	fails := new(big.Rat).Sub(big.NewRat(1, 1), p)
	for k := range n + 1 {
		x := new(big.Rat).SetInt(new(big.Int).Binomial(n, k))
		for range k {
			x.Mul(x, p)
		}
		for range n - k {
			x.Mul(x, fails)
		}
		out[k] = x
	}
	return out
}

// rankAmong is how many of the others show more than the first of n equal dice: given its face v, each does with the
// probability (faces-v)/faces, independently.
func rankAmong(n, faces int64) map[int64]*big.Rat {
	out := map[int64]*big.Rat{}
	for v := range faces {
		for k, p := range binomialOf(n-1, big.NewRat(faces-1-v, faces)) {
			if out[k] == nil {
				out[k] = new(big.Rat)
			}
			out[k].Add(out[k], p.Mul(p, big.NewRat(1, faces)))
		}
	}
	for k, p := range out {
		if p.Sign() == 0 {
			delete(out, k)
		}
	}
	return out
}

// The rank of one of twenty dice that have names is found die by die: a list of them is never made.
func TestRankOfOneAmongNamedDice(t *testing.T) {
	const n = 20
	dice, others := namedDice(n, 20, 1)
	for _, text := range []string{
		others + ".count(v, v > d0)",
		others + ".map(v, v > d0 ? 1 : 0).sum(x, x)",
		others + ".filter(v, v > d0).sum(v, 1)",
		others + ".sum(v, v > d0 ? 1 : 0)",
	} {
		p := gameOf(t, dice+fmt.Sprintf("output: rank: %q", text))
		compareExact(t, text, exactOf(t, p, "r", "rank"), rankAmong(n, 20))
		if work := workOf(t, p, "r", 0); work > 200_000 {
			t.Errorf("%s takes %d states", text, work)
		}
	}
	p := gameOf(t, dice+fmt.Sprintf(`output: first: "d0 > max(%s)"`, others))
	want := map[int64]*big.Rat{0: new(big.Rat), 1: new(big.Rat)}
	for v := range int64(20) {
		below := binomialOf(n-1, big.NewRat(v, 20))[n-1] // all others show less
		want[1].Add(want[1], below.Mul(below, big.NewRat(1, 20)))
	}
	want[0].Sub(big.NewRat(1, 1), want[1])
	compareExact(t, "first", exactOf(t, p, "r", "first"), want)
}

// A series of equal results is a pool, however it is read.
func TestSeriesIsAPool(t *testing.T) {
	p := gameOf(t, `dice: s: {roll: "1d6+1", repeat: "40"}, output: {high: "s.count(x, x >= 5)", any: "s.exists(x, x == 7)"}`)
	compareExact(t, "high", exactOf(t, p, "r", "high"), binomialOf(40, big.NewRat(1, 2)))
	none := binomialOf(40, big.NewRat(5, 6))[40]
	compareExact(t, "any", exactOf(t, p, "r", "any"), map[int64]*big.Rat{0: none,
		1: new(big.Rat).Sub(big.NewRat(1, 1), none)})
}

// exactLists is the distribution of a list of digits that a rule gives, as fractions, by the digits.
func exactLists(t *testing.T, p *runtime.Program, rule, output string) map[string]*big.Rat {
	t.Helper()
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), rule, runtime.Choice{Outputs: []string{output}})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Exact: true}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	j, err := r.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*big.Rat{}
	for _, o := range j.Outcomes() {
		var digits strings.Builder
		for i := range o.Values[0].Len() {
			fmt.Fprint(&digits, o.Values[0].At(i).Int())
		}
		out[digits.String()] = new(big.Rat).SetFrac(o.N, j.Den)
	}
	return out
}

// Dice as data that are rolled no times come to nothing, whatever number stands beside them.
func TestNoTimesIsNothing(t *testing.T) {
	p := gameOf(t, `dice: {hits: die: 2, d: {roll: "1d4 + 3", times: "hits - 1"}}, output: n: "d"`)
	want := map[int64]*big.Rat{0: big.NewRat(1, 2)}
	for v := int64(1); v <= 4; v++ {
		want[v+3] = big.NewRat(1, 8)
	}
	compareExact(t, "damage", exactOf(t, p, "r", "n"), want)
}

// What only an arm of an option reads that is not played costs nothing.
func TestUnplayedArmCostsNothing(t *testing.T) {
	p := gametest.Small(t, map[string]string{"r": `options: luck: {cite: "x", default: "all", values: {all: "all dice", some: "the first"}}
		rules: r: {cite: "x", dice: d: {die: 6, count: 8, explode: on: 6},
			output: n: {option: luck: {all: "d.count(f, f >= 5)", some: "d.slice(0, 4).count(f, f >= 5)"}}}`})
	if work := workOf(t, p, "r", 20_000); work > 5_000 {
		t.Errorf("%d states are met", work)
	}
}
