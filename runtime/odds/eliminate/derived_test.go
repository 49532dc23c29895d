package eliminate_test

import (
	"fmt"
	"maps"
	"math/big"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// fractions is the joint distribution of some outputs of a rule, by their values in order, as fractions.
func fractions(t *testing.T, p *runtime.Program, id string, c runtime.Choice, character, input string) map[string]string {
	t.Helper()
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), id, c)
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Exact: true}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte(character), []byte(input)
	j, err := r.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, o := range j.Outcomes() {
		var key []string
		for _, v := range o.Values {
			key = append(key, v.String())
		}
		out[strings.Join(key, " ")] = j.Fraction(o.N)
	}
	return out
}

// over is fractions of one denominator.
func over(den int64, counts map[string]int64) map[string]string {
	out := map[string]string{}
	for key, n := range counts {
		out[key] = big.NewRat(n, den).RatString()
	}
	return out
}

// Two pools against each other: our two dice and their three, each of which counts when it shows a 6. Of a pool of n dice
// C(n,k) 5^(n-k) of 6^n ways show k sixes: 25, 10, 1 of 36 and 125, 75, 15, 1 of 216. Our lead is l in
//
//	 2: 1·125                  =  125
//	 1: 10·125 + 1·75          = 1325
//	 0: 25·125 + 10·75 + 1·15  = 3890
//	-1: 25·75 + 10·15 + 1·1    = 2026
//	-2: 25·15 + 10·1           =  385
//	-3: 25·1                   =   25
//
// of 36·216 = 7776 ways; these are 7776 together.
func TestOpposedPools(t *testing.T) {
	want := over(7776, map[string]int64{"2": 125, "1": 1325, "0": 3890, "-1": 2026, "-2": 385, "-3": 25})
	p := gametest.Small(t, map[string]string{"opposed": `rules: opposed: {
		cite: "x"
		dice: {ours: {die: 6, count: 2}, theirs: {die: 6, count: "character.strength", most: 8}}
		output: lead: "ours.count(f, f == 6) - theirs.count(f, f == 6)"
	}`})
	if got := fractions(t, p, "opposed", runtime.Choice{}, `{"strength":3}`, "{}"); !maps.Equal(got, want) {
		t.Errorf("as a rule: got %v, want %v", got, want)
	}
	e, err := dice.ParseExpression("2d6>=6 - 3d6>=6")
	if err != nil {
		t.Fatal(err)
	}
	s, err := notation.ComputeTotal(e)
	if err != nil {
		t.Fatal(err)
	}
	m, got := s.Marginal(), map[string]string{}
	for i, v := range m.Values {
		got[v.String()] = m.Exact(i)
	}
	if !maps.Equal(got, want) {
		t.Errorf("as an expression: got %v, want %v", got, want)
	}
}

// A pool beside stress dice: Mind 3 gives three dice, Stress 5 above Soul 3 gives two stress dice. Each of the three is a
// success when it shows a 6: 125, 75, 15, 1 of 216 ways for 0 to 3 of them. Of two stress dice, (w sixes, c ones) fall in
//
//	(0,0): 4·4 = 16   (1,0): 2·4 = 8   (0,1): 2·4 = 8   (1,1): 2   (2,0): 1   (0,2): 1
//
// of 36 ways; a 6 is a willpower point, a 1 a critical failure, which raises the condition by one level from 0, so that no
// stress comes of it. Both throws are independent: 216·36 = 7776 ways.
func TestStressDicePool(t *testing.T) {
	const character = `{"attributes":{"body":4,"agility":3,"mind":3,"awareness":4,"soul":3},"class":{"stamina":12},
		"stamina":16,"stress":5}`
	base := []int64{125, 75, 15, 1}
	stress := map[[2]int]int64{{0, 0}: 16, {1, 0}: 8, {0, 1}: 8, {1, 1}: 2, {2, 0}: 1, {0, 2}: 1}
	counts := map[string]int64{}
	for successes, ways := range base {
		for s, more := range stress {
			counts[fmt.Sprintf("%d %d %d %d", successes, s[0], s[1], min(s[1], 1))] += ways * more
		}
	}
	got := fractions(t, gametest.Shipped(t, "zones"), "pool",
		runtime.Choice{Outputs: []string{"successes", "wp_gained", "critical", "level"}}, character, `{"attribute":"mind"}`)
	if want := over(7776, counts); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The same pool where 4 to 6 are successes: 1, 3, 3, 1 of 8 ways for 0 to 3 of them. That neither of the two stress
// dice shows a 1, so that the condition stays at level 0, has probability (5/6)² = 25/36.
func TestStressDicePoolOfOtherFaces(t *testing.T) {
	const character = `{"attributes":{"body":4,"agility":3,"mind":3,"awareness":4,"soul":3},"class":{"stamina":12},
		"stamina":16,"stress":5}`
	c := runtime.Choice{Options: map[string]string{"success_faces": "four_to_six"}, Outputs: []string{"successes"}}
	p := gametest.Shipped(t, "zones")
	if got, want := fractions(t, p, "pool", c, character, `{"attribute":"mind"}`),
		over(8, map[string]int64{"0": 1, "1": 3, "2": 3, "3": 1}); !maps.Equal(got, want) {
		t.Errorf("successes: got %v, want %v", got, want)
	}
	c = runtime.Choice{Outputs: []string{"level"}}
	if got, want := fractions(t, p, "pool", c, character, `{"attribute":"mind"}`),
		over(36, map[string]int64{"0": 25, "1": 11}); !maps.Equal(got, want) {
		t.Errorf("level: got %v, want %v", got, want)
	}
}

// A d10 that explodes on 10 has mean 55/9: m = 55/10 + m/10. Three of them doubled, less 1, have 2·3·55/9 - 1 = 107/3. A
// d4 whose faces up to 2 explode has m = 10/4 + m·2/4, so 5; what is not rolled has 0. Where another die decides how
// many are rolled, or only the best one counts, there is no such form here. A d4 whose 4 explodes twice at most has
// 5/2·(1 + 1/4 + 1/16) = 105/32, and a coin that explodes three times on any of its faces is four coins: 4·3/2. A hundred
// times make too long a fraction, but of a d6 that never shows 7.
func TestMeansInClosedForm(t *testing.T) {
	p := gametest.Small(t, map[string]string{"r": `rules: r: {
		cite: "x", #Input: n: *1 | (int & >=0 & <=3)
		dice: {
			d: {die: 10, count: 3, explode: on: 10}
			e: {die: 4, explode: on: "<=2"}
			f: {die: 6, count: "min(e, 3)", explode: on: 6}
			g: {die: 6, count: "max(0, input.n - 1)", most: 3, explode: on: 6}
			h: {die: 4, explode: {on: 4, times: 2}}
			i: {die: 2, explode: {on: ">=1", times: 3}}
			j: {die: 4, explode: {on: 4, times: 100}}
			k: {die: "6 + 0 * input.n", explode: {on: 7, times: 100}}
		}
		output: {total: "sum(d) * (input.n + 1) - input.n", one: "-e", other: "sum(f)", best: "max(d)", none: "sum(g)"}
		output: {twice: "h", coins: "i", long: "j", plain: "k"}
	}`})
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"total": "107/3", "one": "-5", "other": "", "best": "", "none": "0",
		"twice": "105/32", "coins": "6", "long": "", "plain": "7/2"} {
		got, err := r.Mean(odds.Records{plan.CharacterRoot: []byte("{}"), plan.InputRoot: []byte("{}")}, name)
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(got); got == nil && want != "" || got != nil && got.RatString() != want {
			t.Errorf("%s: mean %s, want %q", name, text, want)
		}
	}
}

// Each let is 2x - 1 of the one before it, which it reads twice, so that x40 - 1 is 2 to the 40th times x0 - 1, a d4 with the
// mean 5: 2 to the 40th is about a million millions, and as many are the ways from x40 to the die.
func TestMeanOfLetsThatAreReadTwice(t *testing.T) {
	var lets strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lets, "let: x%d: \"x%d + (x%d - 1)\"\n", i+1, i, i)
	}
	p := gametest.Small(t, map[string]string{"r": `rules: r: {
		cite: "x"
		dice: e: {die: 4, explode: on: "<=2"}
		let: x0: "e + 1"
		` + lets.String() + `
		output: sum: "x40"
	}`})
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Mean(odds.Records{plan.CharacterRoot: []byte("{}"), plan.InputRoot: []byte("{}")}, "sum")
	if want := big.NewRat(5<<40+1, 1); err != nil || got == nil || got.Cmp(want) != 0 {
		t.Errorf("the mean is %v, not %v (%v)", got, want, err)
	}
}

// The graph in which lists of dice have become counts has nodes of its own. Its means: 2·3.5 for 2d6, 5 for the d4 of which
// the faces up to 2 explode, and 8.5 for that and a d6.
func TestMeansWhereListsAreCounts(t *testing.T) {
	p := gametest.Small(t, map[string]string{"r": `rules: r: {
		cite: "x"
		dice: {a: "d6", b: "d6", e: {die: 4, explode: on: "<=2"}}
		let: low: "sort([a, b])[0]"
		output: {best: "low", both: "a + b", endless: "e", more: "e + a"}
	}`})
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"both": "7", "endless": "5", "more": "17/2"} {
		got, err := r.Mean(odds.Records{plan.CharacterRoot: []byte("{}"), plan.InputRoot: []byte("{}")}, name)
		if err != nil || got == nil || got.RatString() != want {
			t.Errorf("%s: mean %v, want %s (%v)", name, got, want, err)
		}
	}
}
