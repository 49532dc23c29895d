package eliminate_test

import (
	"math/big"
	"testing"
)

// What each of fifty dice adds by itself is summed as a power of one die, also where an overflow that cannot happen is
// carried beside the sum: of dice that show 8 or more, or the tens of dice that explode.
func TestSumsOfEachDieArePowers(t *testing.T) {
	for output, most := range map[string]int64{
		"d.sum(f, f % 10 >= 8 ? 1 : 0)": 1_000, "d.sum(f, div_floor(f, 10) + (f % 10 >= 8 ? 1 : 0))": 40_000,
	} {
		p := gameOf(t, `dice: d: {die: 10, count: 50, explode: on: 10}, output: n: "`+output+`"`)
		if work := workOf(t, p, "r", 0); work > most {
			t.Errorf("%s takes %d states", output, work)
		}
	}
	p := gameOf(t, `dice: d: {die: 10, count: 50}, output: n: "d.sum(f, f >= 8 ? 1 : 0)"`)
	compareExact(t, "plain", exactOf(t, p, "r", "n"), binomialOf(50, big.NewRat(3, 10)))
}

// Some of sixty dice of many faces are summed as if the others showed 0: what the list of them is asked for is only the sum.
func TestSumsOfSomeDiceArePowers(t *testing.T) {
	p := gameOf(t, `dice: d: {die: 100, count: 60}, output: n: "sum(d.filter(f, f > 50 && f % 3 == 0))"`)
	if work := workOf(t, p, "r", 0); work > 1_000_000 {
		t.Errorf("the sum of some takes %d states", work)
	}
	p = gameOf(t, `dice: d: {die: 100, count: 60}, output: n: "div_floor(sum(d.filter(f, f == 7)), 7)"`)
	compareExact(t, "sevens", exactOf(t, p, "r", "n"), binomialOf(60, big.NewRat(1, 100)))
}

// The counts of ranks are sorted as they are drawn, in whatever order the list has them: rank 0 are the last cards, and five
// times a number runs through all ranks.
func TestSortedCountsInAnyOrder(t *testing.T) {
	for _, rank := range []string{"(c - 1) % 13", "c % 13", "c * 5 % 13"} {
		p := gameOf(t, `dice: h: {die: 52, count: 7, distinct: true}
			output: n: "sort(range(13).map(k, h.count(c, `+rank+` == k)))[12]"`)
		if work := workOf(t, p, "r", 0); work > 5_000 {
			t.Errorf("%s takes %d states", rank, work)
		}
		// Four of a rank and three of the 48 others: no two ranks have four of seven.
		four := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(13), new(big.Int).Binomial(48, 3)),
			new(big.Int).Binomial(52, 7))
		if got := exactOf(t, p, "r", "n")[4]; got == nil || got.Cmp(four) != 0 {
			t.Errorf("%s: four of a kind %v, not %v", rank, got, four)
		}
	}
}
