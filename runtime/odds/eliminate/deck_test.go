package eliminate_test

import (
	"math/big"
	"testing"
)

// Cards of which readers tell few kinds apart are drawn one by one: hands that are dealt, the place of the first ace, two
// against two cards by their worth in blackjack.
func TestCardsInTheirOrder(t *testing.T) {
	all := new(big.Int).Binomial(52, 4) // places of the four aces among the cards
	p := gameOf(t, `dice: h: {die: 52, count: 10, distinct: true}
		output: o: "h.slice(0, 5).count(c, c % 13 == 1) - h.slice(5, 10).count(c, c <= 48 && c % 13 == 1)"`)
	want := map[int64]*big.Rat{}
	for a := range int64(5) {
		for b := range 5 - a {
			ways := new(big.Int).Mul(new(big.Int).Binomial(5, a), new(big.Int).Binomial(5, b))
			ways.Mul(ways, new(big.Int).Binomial(42, 4-a-b))
			if want[a-b] == nil {
				want[a-b] = new(big.Rat)
			}
			want[a-b].Add(want[a-b], new(big.Rat).SetFrac(ways, all))
		}
	}
	compareExact(t, "aces of two hands", exactOf(t, p, "r", "o"), want)

	p = gameOf(t, `dice: h: {die: 52, count: 52, distinct: true}, output: o: "range(52).filter(i, h[i] <= 4)[0]"`)
	want = map[int64]*big.Rat{}
	for first := range int64(49) { // the three others stand behind it
		want[first] = new(big.Rat).SetFrac(new(big.Int).Binomial(51-first, 3), all)
	}
	compareExact(t, "first ace", exactOf(t, p, "r", "o"), want)

	const worths = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10"
	p = gameOf(t, `dice: h: {faces: [`+worths+`, `+worths+`, `+worths+`, `+worths+`], count: 4, distinct: true}
		output: o: "h[0] + h[1] > h[2] + h[3] ? 1 : 0"`)
	compareExact(t, "blackjack", exactOf(t, p, "r", "o"), worthier())
}

// worthier is whether the first two of four cards are worth more than the others, counted over the worths of all four.
func worthier() map[int64]*big.Rat {
	left, ways := map[int]int64{10: 16}, map[int64]int64{}
	for v := 1; v < 10; v++ {
		left[v] = 4
	}
	var draw func(cards []int, weight int64)
	draw = func(cards []int, weight int64) {
		if len(cards) == 4 {
			won := int64(0)
			if cards[0]+cards[1] > cards[2]+cards[3] {
				won = 1
			}
			ways[won] += weight
			return
		}
		for v := 1; v <= 10; v++ {
			of := left[v]
			left[v]--
			draw(append(cards, v), weight*of)
			left[v]++
		}
	}
	draw(nil, 1)
	out := map[int64]*big.Rat{}
	for won, w := range ways {
		out[won] = big.NewRat(w, 52*51*50*49)
	}
	return out
}
