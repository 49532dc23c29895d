package eliminate_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// poolRules are problems of dice pools as an author writes them.
var poolRules = map[string]string{
	"sets6": `dice: roll: {die: 10, count: 6},
		output: best: "max(range(1, 11).map(h, roll.count(f, f == h) > 0 ? roll.count(f, f == h) * 100 + h : 0))"`,
	"sets10": `dice: roll: {die: 10, count: 10},
		output: best: "max(range(1, 11).map(h, roll.count(f, f == h) > 0 ? roll.count(f, f == h) * 100 + h : 0))"`,
	"counts10": `dice: roll: {die: 10, count: 10},
		let: n: "counts(roll, 1, 10)"
		output: best: "max(range(1, 11).map(h, n[h - 1] > 0 ? n[h - 1] * 100 + h : 0))"`,
	"countedrun": `dice: roll: {die: 10, count: 8},
		let: n: "counts(roll, 1, 10)"
		output: longest: "max(range(1, 11).map(m, range(11 - m).exists(i, min(n.slice(i, i + m)) > 0) ? m : 0))"`,
	"pairs": `dice: roll: {die: 6, count: 8}, output: pairs: "range(1, 7).sum(h, div_floor(roll.count(f, f == h), 2))"`,
	"twosets": `dice: roll: {die: 6, count: 9}
		let: sizes: "sort(range(1, 7).map(h, roll.count(f, f == h)))"
		output: {first: "sizes[5]", second: "sizes[4]"}`,
	"straight": `dice: roll: {die: 10, count: 8},
		output: longest: """
			max(range(1, 11).map(a, max(range(a, 11).map(b,
			range(a, b + 1).all(h, roll.exists(f, f == h)) ? b - a + 1 : 0))))
			"""`,
	"straightb": `dice: roll: {die: 10, count: 8},
		output: longest: "max(range(1, 11).map(n, range(1, 12 - n).exists(a, range(a, a + n).all(h, h in roll)) ? n : 0))"`,
	"ability":   `dice: d: {die: 6, count: 4}, output: total: "sum(sort(d).slice(1, 4))"`,
	"sixsum":    `use: a: {rule: "ability", each: e: "range(6)"}, output: sum: "a.sum(x, x.total)"`,
	"sixbest":   `use: a: {rule: "ability", each: e: "range(6)"}, output: best: "max(a.map(x, x.total))"`,
	"sixany":    `use: a: {rule: "ability", each: e: "range(6)"}, output: any: "a.exists(x, x.total >= 17)"`,
	"sixthird":  `use: a: {rule: "ability", each: e: "range(6)"}, output: third: "sort(a.map(x, x.total))[3]"`,
	"sixsorted": `use: a: {rule: "ability", each: e: "range(6)"}, output: all: "sort(a.map(x, x.total))"`,
	"aces":      `dice: hand: {die: 52, count: 5, distinct: true}, output: aces: "hand.count(c, c <= 4)"`,
	"flush": `dice: hand: {die: 52, count: 5, distinct: true},
		output: most: "max(range(4).map(s, hand.count(c, div_floor(c - 1, 13) == s)))"`,
	"poker": `dice: hand: {die: 52, count: 5, distinct: true},
		output: sets: "sort(range(13).map(r, hand.count(c, (c - 1) % 13 == r))).slice(8, 13)"`,
	"lands":     `dice: hand: {die: 60, count: 7, distinct: true}, output: lands: "hand.count(c, c <= 24)"`,
	"highcard":  `dice: hand: {die: 52, count: 13, distinct: true}, output: n: "max(hand)"`,
	"thirdcard": `dice: hand: {die: 52, count: 13, distinct: true}, output: n: "sort(hand)[2]"`,
	"sumcards":  `dice: hand: {die: 52, count: 13, distinct: true}, output: n: "sum(hand)"`,
	"topcards":  `dice: hand: {die: 52, count: 13, distinct: true}, output: n: "sum(sort(hand).slice(10, 13))"`,
	"matchd100": `dice: d: {die: 100, count: 12}, output: match: "d.exists(x, d.count(y, y == x) > 1) ? 1 : 0"`,
	"changes":   `dice: coins: {die: 2, count: 100}, output: n: "range(99).count(i, coins[i] != coins[i + 1])"`,
	"run5": `dice: coins: {die: 2, count: 100},
		output: run: "range(96).exists(i, range(i, i + 5).all(k, coins[k] == 1)) ? 1 : 0"`,
	"run5b": `dice: coins: {die: 2, count: 100},
		output: run: "range(96).exists(i, coins.slice(i, i + 5).all(c, c == 1)) ? 1 : 0"`,
	"longestrun": `dice: coins: {die: 2, count: 20}, output: longest: """
		max(range(21).map(n, range(21 - n).exists(i, range(i, i + n).all(k, coins[k] == 1)) ? n : 0))
		"""`,
	"risk": `dice: {a: {die: 6, count: 12}, d: {die: 6, count: 11}}
		let: {sa: "a.sort_by(f, -f)", sd: "d.sort_by(f, -f)"}
		output: net: "range(11).sum(i, sa[i] > sd[i] ? 1 : -1)"`,
	"riskb": `dice: {a: {die: 6, count: 12}, d: {die: 6, count: 11}}
		let: {sa: "sort(a)", sd: "sort(d)"}
		output: net: "range(11).sum(i, sa[11 - i] > sd[10 - i] ? 1 : -1)"`,
	"nco": `#Input: {a: *4 | (int & >=1 & <=12), d: *3 | (int & >=0 & <=12)}, dice: {a: {die: 6, count: "input.a"},
		d: {die: 6, count: "input.d"}}
		output: best: "max(range(1, 7).map(h, a.count(f, f == h) > d.count(f, f == h) ? h : 0))"`,
	"nco4": `dice: {a: {die: 6, count: 4}, d: {die: 6, count: 3}},
		output: best: "max(range(1, 7).map(h, a.count(f, f == h) > d.count(f, f == h) ? h : 0))"`,
	"nco11": `dice: {a: {die: 6, count: 11}, d: {die: 6, count: 11}},
		output: best: "max(range(1, 7).map(h, a.count(f, f == h) > d.count(f, f == h) ? h : 0))"`,
	"kh20":  `dice: d: {die: 20, count: 20}, output: total: "sum(sort(d).slice(10, 20))"`,
	"kh100": `dice: d: {die: 20, count: 100}, output: total: "sum(sort(d).slice(50, 100))"`,
	"tenagain": `dice: d: {die: 10, count: 50, explode: on: 10},
		output: hits: "d.sum(f, div_floor(f, 10) + (f % 10 >= 8 ? 1 : 0))"`,
	"cortex": `dice: {a: die: 12, b: die: 10, c: die: 8, d: die: 8, e: die: 6}
		let: counted: "[a, b, c, d, e].filter(f, f > 1)"
		output: total: "sum(sort(counted).slice(max(0, size(counted) - 2), size(counted)))"`,
	"cortexb": `dice: {a: die: 12, b: die: 10, c: die: 8, d: die: 8, e: die: 6}
		output: total: "sum(sort([a, b, c, d, e].map(f, f > 1 ? f : 0)).slice(3, 5))"`,
	"best33": `dice: {a: {die: 6, count: 3}, b: {die: 6, count: 3}, c: {die: 6, count: 3}},
		output: best: "max([sum(a), sum(b), sum(c)])"`,
	"cthulhu": `dice: {unit: die: 10, t: die: 10, u: die: 10},
		output: best: "min([t, u].map(x, (x % 10) * 10 + unit % 10 == 0 ? 100 : (x % 10) * 10 + unit % 10))"`,
}

// poolGame compiles them.
func poolGame(t testing.TB) *runtime.Program {
	files := map[string]string{}
	for id, text := range poolRules {
		files[id] = "rules: " + id + ": {cite: \"x\", " + text + "}"
	}
	return gametest.Small(t, files)
}

// exactOf is the distribution of an int that a rule of a game gives, as fractions.
func exactOf(t *testing.T, p *runtime.Program, rule, output string) map[int64]*big.Rat {
	t.Helper()
	out, _ := exactUnder(t, p, rule, output, "{}")
	return out
}

// exactUnder is exactOf under an input, and how many states it took.
func exactUnder(t *testing.T, p *runtime.Program, rule, output, input string) (out map[int64]*big.Rat, spent int64) {
	t.Helper()
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), rule, runtime.Choice{Outputs: []string{output}})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Exact = true
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte(input)
	j, err := r.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	out = map[int64]*big.Rat{}
	for _, o := range j.Outcomes() {
		out[o.Values[0].Int()] = new(big.Rat).SetFrac(o.N, j.Den)
	}
	return out, j.Spent
}

func compareExact(t *testing.T, name string, got, want map[int64]*big.Rat) {
	t.Helper()
	for v, p := range want {
		if got[v] == nil && p.Sign() > 0 || got[v] != nil && got[v].Cmp(p) != 0 {
			t.Errorf("%s: P(%d) = %v, want %v", name, v, got[v], p)
		}
	}
	for v := range got {
		if want[v] == nil {
			t.Errorf("%s: %d comes out", name, v)
		}
	}
}

// hypergeometric is how many of some cards a hand holds, in closed form.
func hypergeometric(of, good, hand int64) map[int64]*big.Rat {
	out := map[int64]*big.Rat{}
	for k := range hand + 1 {
		n := new(big.Int).Mul(new(big.Int).Binomial(good, k), new(big.Int).Binomial(of-good, hand-k))
		if n.Sign() > 0 {
			out[k] = new(big.Rat).SetFrac(n, new(big.Int).Binomial(of, hand))
		}
	}
	return out
}

// multisets is the distribution of what a function makes of how many of n dice show each face, by listing the counts.
func multisets(n, faces int, value func(counts []int) int64) map[int64]*big.Rat {
	out := map[int64]*big.Rat{}
	all := new(big.Int).Exp(big.NewInt(int64(faces)), big.NewInt(int64(n)), nil)
	var walk func(counts []int, left int, ways *big.Int)
	walk = func(counts []int, left int, ways *big.Int) {
		if len(counts) == faces-1 {
			v := value(append(counts, left))
			if out[v] == nil {
				out[v] = new(big.Rat)
			}
			out[v].Add(out[v], new(big.Rat).SetFrac(ways, all))
			return
		}
		for k := range left + 1 {
			walk(append(slices.Clone(counts), k), left-k,
				new(big.Int).Mul(ways, new(big.Int).Binomial(int64(left), int64(k))))
		}
	}
	walk(nil, n, big.NewInt(1))
	return out
}

// ways are in how many ways each value comes out.
type ways map[int64]*big.Int

// add counts as many ways more as the factors say.
func (w ways) add(value int64, factors ...*big.Int) {
	n := big.NewInt(1)
	for _, f := range factors {
		n.Mul(n, f)
	}
	if old := w[value]; old != nil {
		n.Add(n, old)
	}
	w[value] = n
}

// over is the distribution when there are so many ways in all.
func (w ways) over(all *big.Int) map[int64]*big.Rat {
	out := map[int64]*big.Rat{}
	for v, n := range w {
		if n.Sign() > 0 {
			out[v] = new(big.Rat).SetFrac(n, all)
		}
	}
	return out
}

func choose(n, k int64) *big.Int { return new(big.Int).Binomial(n, k) }

// handsBySum counts the hands of a deck by the sum of their cards, card by card.
func handsBySum(deck, hand int64) ways {
	hands := make([]ways, hand+1) // by size
	for k := range hands {
		hands[k] = ways{}
	}
	hands[0].add(0)
	for card := int64(1); card <= deck; card++ {
		for k := hand; k > 0; k-- {
			for sum, n := range hands[k-1] {
				hands[k].add(sum+card, n)
			}
		}
	}
	return hands[hand]
}

// withoutRun is how many of the 2^n falls of n coins have no run of so many heads: a fall begins with fewer heads than that
// and a tail, or is fewer heads.
func withoutRun(n, heads int64) *big.Int {
	counts := []*big.Int{}
	for i := range n + 1 {
		sum := new(big.Int)
		if i < heads {
			sum.SetInt64(1)
		}
		for k := int64(0); k < heads && k < i; k++ {
			sum.Add(sum, counts[i-k-1])
		}
		counts = append(counts, sum)
	}
	return counts[n]
}

// compareRuns compares runs of coins, whose order matters, with closed forms.
func compareRuns(t *testing.T, p *runtime.Program) {
	t.Helper()
	falls := func(n int64) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }
	changes, run, longest := ways{}, ways{}, ways{}
	for k := range int64(100) {
		changes.add(k, choose(99, k))
	}
	run.add(0, withoutRun(100, 5))
	run.add(1, new(big.Int).Sub(falls(100), withoutRun(100, 5)))
	for n := range int64(21) {
		longest.add(n, new(big.Int).Sub(withoutRun(20, n+1), withoutRun(20, n)))
	}
	compareExact(t, "changes", exactOf(t, p, "changes", "n"), changes.over(falls(99)))
	compareExact(t, "run5", exactOf(t, p, "run5", "run"), run.over(falls(100)))
	compareExact(t, "run5b", exactOf(t, p, "run5b", "run"), run.over(falls(100)))
	compareExact(t, "longestrun", exactOf(t, p, "longestrun", "longest"), longest.over(falls(20)))
}

// Problems of dice pools and of hands have the distributions that closed forms and lists of all counts give.
func TestPoolsAgainstClosedForms(t *testing.T) {
	p := poolGame(t)
	cards, third, top := ways{}, ways{}, ways{}
	compareExact(t, "aces", exactOf(t, p, "aces", "aces"), hypergeometric(52, 4, 5))
	compareExact(t, "lands", exactOf(t, p, "lands", "lands"), hypergeometric(60, 24, 7))
	for card := int64(1); card <= 52; card++ {
		cards.add(card, choose(card-1, 12))
		third.add(card, choose(card-1, 2), choose(52-card, 10))
		for b := card + 1; b <= 52; b++ {
			for a := b + 1; a <= 52; a++ {
				top.add(a+b+card, choose(card-1, 10))
			}
		}
	}
	compareExact(t, "highcard", exactOf(t, p, "highcard", "n"), cards.over(choose(52, 13)))
	compareExact(t, "thirdcard", exactOf(t, p, "thirdcard", "n"), third.over(choose(52, 13)))
	compareExact(t, "topcards", exactOf(t, p, "topcards", "n"), top.over(choose(52, 13)))
	compareExact(t, "sumcards", exactOf(t, p, "sumcards", "n"), handsBySum(52, 13).over(choose(52, 13)))
	differ := big.NewRat(1, 1)
	for i := range int64(12) {
		differ.Mul(differ, big.NewRat(100-i, 100))
	}
	compareExact(t, "matchd100", exactOf(t, p, "matchd100", "match"),
		map[int64]*big.Rat{0: differ, 1: new(big.Rat).Sub(big.NewRat(1, 1), differ)})
	compareRuns(t, p)
	largest := func(counts []int) (best int64) {
		for i, k := range counts {
			if k > 0 {
				best = max(best, int64(k*100+i+1))
			}
		}
		return best
	}
	compareExact(t, "sets6", exactOf(t, p, "sets6", "best"), multisets(6, 10, largest))
	compareExact(t, "sets10", exactOf(t, p, "sets10", "best"), multisets(10, 10, largest))
	compareExact(t, "counts10", exactOf(t, p, "counts10", "best"), multisets(10, 10, largest))
	compareExact(t, "pairs", exactOf(t, p, "pairs", "pairs"), multisets(8, 6, func(counts []int) (pairs int64) {
		for _, k := range counts {
			pairs += int64(k / 2)
		}
		return pairs
	}))
	compareExact(t, "second set", exactOf(t, p, "twosets", "second"), multisets(9, 6, func(counts []int) int64 {
		return int64(slices.Sorted(slices.Values(counts))[4])
	}))
	run := func(counts []int) (best int64) {
		now := int64(0)
		for _, k := range counts {
			if now++; k == 0 {
				now = 0
			}
			best = max(best, now)
		}
		return best
	}
	for _, rule := range []string{"straight", "straightb", "countedrun"} {
		compareExact(t, rule, exactOf(t, p, rule, "longest"), multisets(8, 10, run))
	}
}

// BenchmarkPools times each problem, in floats.
func BenchmarkPools(b *testing.B) {
	p := poolGame(b)
	for _, id := range slices.Sorted(maps.Keys(poolRules)) {
		for _, exact := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/exact=%t", id, exact), func(b *testing.B) {
				r, err := eliminate.NewRule(vm.NewImage(p.Plan()), id, runtime.Choice{})
				if err != nil {
					b.Fatal(err)
				}
				q := odds.Question{Exact: exact}
				q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
				for b.Loop() {
					j, err := r.Odds(q)
					if err != nil {
						b.Skip(err)
					}
					j.Outcomes()
				}
			})
		}
	}
}
