package eliminate_test

import (
	"math/big"
	"testing"
)

// Lists of lists of dice are read list by list, and never made: how many of seven opponents show a higher best die, and the
// sum of one of three hands that a die chooses.
func TestListsOfPools(t *testing.T) {
	const pools = `dice: {a: {die: 6, count: 5}, b: {die: 6, count: 5}, c: {die: 6, count: 5}, d: {die: 6, count: 5},
		e: {die: 6, count: 5}, f: {die: 6, count: 5}, g: {die: 6, count: 5}, h: {die: 6, count: 5}}, `
	higher := map[int64]*big.Rat{}
	for best, p := range highestOf([]int64{6, 6, 6, 6, 6}) { // my best die, and then each opponent by himself
		above := new(big.Rat)
		for v, q := range highestOf([]int64{6, 6, 6, 6, 6}) {
			if v > best {
				above.Add(above, q)
			}
		}
		for k, q := range binomialOf(7, above) {
			if higher[k] == nil {
				higher[k] = new(big.Rat)
			}
			higher[k].Add(higher[k], q.Mul(q, p))
		}
	}
	p := gameOf(t, pools+`output: o: "[b, c, d, e, f, g, h].count(x, sort(x)[4] > sort(a)[4])"`)
	compareExact(t, "opponents", exactOf(t, p, "r", "o"), higher)

	p = gameOf(t, `dice: {a: {die: 2, count: 40}, b: {die: 2, count: 40}, c: {die: 2, count: 40}, w: die: 3}
		output: o: "[a, b, c][w - 1].count(f, f == 2)"`)
	compareExact(t, "chosen", exactOf(t, p, "r", "o"), binomialOf(40, big.NewRat(1, 2)))

	// All of it is compared, so that it is made.
	p = gameOf(t, `dice: {a: {die: 2, count: 4}, b: {die: 3, count: 2}, w: die: 2}
		output: o: "[a, sort(b)] == [a, b.filter(f, f > 3)] ? 0 : size([a, b]) + sum([a, sort(b)][w - 1])"`)
	sums := map[int64]*big.Rat{}
	for k, q := range binomialOf(4, big.NewRat(1, 2)) { // four coins show 4 + k
		sums[2+4+k] = q.Mul(q, big.NewRat(1, 2))
	}
	for s, ways := range []int64{1, 2, 3, 2, 1} { // of the nine ways of 2d3
		v := 2 + 2 + int64(s)
		if sums[v] == nil {
			sums[v] = new(big.Rat)
		}
		sums[v].Add(sums[v], big.NewRat(ways, 18))
	}
	compareExact(t, "compared as a whole", exactOf(t, p, "r", "o"), sums)
}
