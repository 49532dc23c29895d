package eliminate_test

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"testing"
)

// twoHighest is the sum of the two highest of unlike dice, die by die: of the dice so far only these two are kept.
func twoHighest(sizes []int64) map[int64]*big.Rat {
	type pair struct{ high, low int64 }
	now := map[pair]*big.Rat{{}: big.NewRat(1, 1)}
	for _, size := range sizes {
		next := map[pair]*big.Rat{}
		for at, p := range now {
			for v := int64(1); v <= size; v++ {
				to := pair{max(at.high, v), max(at.low, min(at.high, v))}
				if next[to] == nil {
					next[to] = new(big.Rat)
				}
				next[to].Add(next[to], new(big.Rat).Mul(p, big.NewRat(1, size)))
			}
		}
		now = next
	}
	out := map[int64]*big.Rat{}
	for at, p := range now {
		if out[at.high+at.low] == nil {
			out[at.high+at.low] = new(big.Rat)
		}
		out[at.high+at.low].Add(out[at.high+at.low], p)
	}
	return out
}

// highestOf is the highest of unlike dice: all of them show at most v.
func highestOf(sizes []int64) map[int64]*big.Rat {
	out, before := map[int64]*big.Rat{}, new(big.Rat)
	for v := int64(1); v <= slices.Max(sizes); v++ {
		all := big.NewRat(1, 1)
		for _, size := range sizes {
			all.Mul(all, big.NewRat(min(v, size), size))
		}
		out[v] = new(big.Rat).Sub(all, before)
		before = all
	}
	return out
}

func listOf(sizes []int64) string {
	return strings.ReplaceAll(fmt.Sprint(sizes), " ", ", ")
}

// Unlike dice are met face by face from the greatest down, however many they are: two highest of forty, and twelve against
// twelve.
func TestUnlikePools(t *testing.T) {
	var forty []int64
	for range 8 {
		forty = append(forty, 12, 4, 10, 6, 8)
	}
	for _, sizes := range [][]int64{{12, 10, 8, 6}, {12, 10, 8, 8, 6, 6, 4, 4}, forty} {
		n := len(sizes)
		for _, text := range []string{
			fmt.Sprintf("sum(sort(a).slice(%d, %d))", n-2, n),
			fmt.Sprintf("sort(a)[%d] + sort(a)[%d]", n-1, n-2),
			"a.sort_by(f, -f).slice(0, 2).sum(f, f)",
		} {
			p := gameOf(t, fmt.Sprintf("dice: a: pool: %s, output: n: %q", listOf(sizes), text))
			compareExact(t, text, exactOf(t, p, "r", "n"), twoHighest(sizes))
			if work := workOf(t, p, "r", 0); work > 400_000 {
				t.Errorf("%s takes %d states", text, work)
			}
		}
	}
	twelve := []int64{12, 12, 12, 10, 10, 10, 8, 8, 8, 6, 6, 6}
	eleven := []int64{10, 10, 10, 8, 8, 8, 6, 6, 6, 4, 4}
	p := gameOf(t, fmt.Sprintf(`dice: {a: pool: %s, b: pool: %s}, let: {x: "sort(a)", y: "sort(b)"}
		output: {best: "x[11] > y[10]", two: "sum(x.slice(10, 12)) > sum(y.slice(9, 11))", wins: "range(11).count(i, x[11 - i] > y[10 - i])"}`,
		listOf(twelve), listOf(eleven)))
	above := func(a, b map[int64]*big.Rat) map[int64]*big.Rat {
		is := new(big.Rat)
		for v, p := range a {
			for w, q := range b {
				if v > w {
					is.Add(is, new(big.Rat).Mul(p, q))
				}
			}
		}
		return map[int64]*big.Rat{1: is, 0: new(big.Rat).Sub(big.NewRat(1, 1), is)}
	}
	compareExact(t, "best", exactOf(t, p, "r", "best"), above(highestOf(twelve), highestOf(eleven)))
	compareExact(t, "two", exactOf(t, p, "r", "two"), above(twoHighest(twelve), twoHighest(eleven)))
	if wins := exactOf(t, p, "r", "wins"); len(wins) != 12 {
		t.Errorf("0 to 11 pairs are won, not %v", wins)
	}
}

// Risk of thirty against thirty as one writes it: the pairs that are won are counted, or told as both sides' losses.
func TestRiskOfManyDice(t *testing.T) {
	for n, sides := range map[int]string{30: "6", 3: "6"} {
		head := fmt.Sprintf(`dice: {a: {die: %s, count: %d}, d: {die: %s, count: %d}}, `, sides, n, sides, n)
		want := map[int64]*big.Rat(nil)
		for _, text := range []string{
			head + fmt.Sprintf(`let: {x: "sort(a)", y: "sort(d)"}, output: n: "range(%d).count(i, x[i] > y[i])"`, n),
			head + `let: {x: "a.sort_by(f, -f)", y: "d.sort_by(f, -f)"}, output: n: "range(min(size(x), size(y))).sum(i, x[i] > y[i] ? 1 : 0)"`,
			head + fmt.Sprintf(`let: {x: "sort(a)", y: "sort(d)"}, output: n: "size(range(%d).filter(i, y[i] < x[i]))"`, n),
			head + fmt.Sprintf(`let: {x: "sort(a)", y: "sort(d)"}, output: n: "%d - range(%d).count(i, x[i] <= y[i])"`,
				n, n),
		} {
			p := gameOf(t, text)
			got := exactOf(t, p, "r", "n")
			if work := workOf(t, p, "r", 0); work > 3_000_000 {
				t.Errorf("%s takes %d states", text, work)
			}
			if want == nil {
				want = got
			}
			compareExact(t, text, got, want)
		}
		// By symmetry: the i-th lowest of one side is above that of the other as often as below.
		if n == 3 && want[3].Cmp(big.NewRat(6420, 46656)) != 0 {
			t.Errorf("three against three are all won with %v", want[3])
		}
	}
}

// What each of several pools comes to is found by itself, before they are compared: the best of eight medians, and how
// often one side's dice are all above the best of seven others in their places.
func TestPoolsAreSummedUpByThemselves(t *testing.T) {
	const pools = 8
	var dice, medians []string
	for i := range pools {
		dice = append(dice, fmt.Sprintf("p%d: {die: 6, count: 5}", i))
		medians = append(medians, fmt.Sprintf("sort(p%d)[2]", i))
	}
	p := gameOf(t, fmt.Sprintf("dice: {%s}, output: n: \"max([%s])\"", strings.Join(dice, ", "),
		strings.Join(medians, ", ")))
	want, before := map[int64]*big.Rat{}, new(big.Rat)
	for v := int64(1); v <= 6; v++ {
		atMost := new(big.Rat) // at least three of five dice show at most v
		for k, q := range binomialOf(5, big.NewRat(v, 6)) {
			if k >= 3 {
				atMost.Add(atMost, q)
			}
		}
		all := big.NewRat(1, 1)
		for range pools {
			all.Mul(all, atMost)
		}
		want[v] = new(big.Rat).Sub(all, before)
		before = all
	}
	compareExact(t, "medians", exactOf(t, p, "r", "n"), want)
	if work := workOf(t, p, "r", 0); work > 20_000 {
		t.Errorf("the best of eight medians takes %d states", work)
	}
}

// sortedPools are the sorted lists of five dice of six faces, each with the number of ways in which it falls.
func sortedPools() (lists [][5]int64, ways []int64) {
	counts := map[[5]int64]int64{}
	for code := range int64(7776) {
		var list [5]int64
		for i := range list {
			list[i], code = code%6+1, code/6
		}
		slices.Sort(list[:])
		counts[list]++
	}
	for list, n := range counts {
		lists, ways = append(lists, list), append(ways, n)
	}
	return lists, ways
}

// Of eight pools of five dice it is known how many dice of the first are above all others in their places, how many pairs
// it wins of all, and whether it beats all others when the best dice are compared first.
func TestManyPoolsAreComparedOneByOne(t *testing.T) {
	const others = 7
	var dice, lets, all, pairs, beats []string
	for i := range others + 1 {
		dice = append(dice, fmt.Sprintf("p%d: {die: 6, count: 5}", i))
		lets = append(lets, fmt.Sprintf(`s%d: "sort(p%d)"`, i, i))
		if i > 0 {
			all = append(all, fmt.Sprintf("s0[i] > s%d[i]", i))
			pairs = append(pairs, fmt.Sprintf("range(5).count(i, s0[i] > s%d[i])", i))
			lex := "false"
			for place := range 5 {
				lex = fmt.Sprintf("s0[%d] > s%d[%d] || s0[%d] == s%d[%d] && (%s)", place, i, place, place, i, place, lex)
			}
			beats = append(beats, "("+lex+")")
		}
	}
	p := gameOf(t, fmt.Sprintf("dice: {%s}, let: {%s}, output: {places: \"range(5).count(i, %s)\", wins: %q, beats: %q}",
		strings.Join(dice, ", "), strings.Join(lets, ", "), strings.Join(all, " && "), strings.Join(pairs, " + "),
		strings.Join(beats, " && ")))
	lists, ways := sortedPools()
	places, wins, beaten := map[int64]*big.Int{}, map[int64]*big.Int{}, map[int64]*big.Int{}
	add := func(to map[int64]*big.Int, v int64, n *big.Int) {
		if to[v] == nil {
			to[v] = new(big.Int)
		}
		to[v].Add(to[v], n)
	}
	for k, mine := range lists {
		one, sums, lower := map[int64]int64{}, map[int64]int64{}, int64(0)
		for l, list := range lists {
			above, n := int64(0), int64(0)
			for i := range list {
				if mine[i] > list[i] {
					above |= 1 << i
					n++
				}
			}
			one[above] += ways[l]
			sums[n] += ways[l]
			for i := 4; i >= 0; i-- {
				if mine[i] != list[i] {
					if mine[i] > list[i] {
						lower += ways[l]
					}
					break
				}
			}
		}
		still, won := map[int64]*big.Int{31: big.NewInt(ways[k])}, map[int64]*big.Int{0: big.NewInt(ways[k])}
		for range others {
			left, sum := map[int64]*big.Int{}, map[int64]*big.Int{}
			for v, n := range still {
				for w, m := range one {
					add(left, v&w, new(big.Int).Mul(n, big.NewInt(m)))
				}
			}
			for v, n := range won {
				for w, m := range sums {
					add(sum, v+w, new(big.Int).Mul(n, big.NewInt(m)))
				}
			}
			still, won = left, sum
		}
		for v, n := range still {
			add(places, int64(bits.OnesCount64(uint64(v))), n)
		}
		for v, n := range won {
			add(wins, v, n)
		}
		above := new(big.Int).Exp(big.NewInt(lower), big.NewInt(others), nil)
		add(beaten, 1, above.Mul(above, big.NewInt(ways[k])))
	}
	ofAll := new(big.Int).Exp(big.NewInt(7776), big.NewInt(others+1), nil)
	beaten[0] = new(big.Int).Sub(ofAll, beaten[1])
	for name, numbers := range map[string]map[int64]*big.Int{"places": places, "wins": wins, "beats": beaten} {
		want := map[int64]*big.Rat{}
		for v, n := range numbers {
			want[v] = new(big.Rat).SetFrac(n, ofAll)
		}
		compareExact(t, name, exactOf(t, p, "r", name), want)
	}
}

// The third best of many dice is known when three have fallen, from the best face down: at most two show more than it.
func TestThirdBestOfManyDice(t *testing.T) {
	for _, n := range []int64{20, 200} {
		want, before := map[int64]*big.Rat{}, new(big.Rat)
		for v := int64(1); v <= 20; v++ {
			ways, all := new(big.Int), new(big.Int).Exp(big.NewInt(20), big.NewInt(n), nil)
			for k := range int64(3) {
				above := new(big.Int).Exp(big.NewInt(20-v), big.NewInt(k), nil)
				others := new(big.Int).Exp(big.NewInt(v), big.NewInt(n-k), nil)
				ways.Add(ways, above.Mul(above, others.Mul(others, new(big.Int).Binomial(n, k))))
			}
			atMost := new(big.Rat).SetFrac(ways, all)
			want[v] = new(big.Rat).Sub(atMost, before)
			before = atMost
		}
		for _, text := range []string{
			fmt.Sprintf("sort(d)[%d]", n-3), fmt.Sprintf("sort(d).slice(%d, %d)[0]", n-3, n),
			fmt.Sprintf("min(sort(d).slice(%d, %d))", n-3, n),
		} {
			p := gameOf(t, fmt.Sprintf("dice: d: {die: 20, count: %d}, output: n: %q", n, text))
			compareExact(t, text, exactOf(t, p, "r", "n"), want)
			if work := workOf(t, p, "r", 0); work > 6000*n {
				t.Errorf("%s takes %d states", text, work)
			}
		}
	}
}
