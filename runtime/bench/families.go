package main

import (
	"fmt"
	"slices"
)

// familyProblems are problems of the families of poolProblems, in other numbers and other spellings: what holds for the
// examples that were mended has to hold for those that nobody looked at. Their icepool times were taken with Python 3.11.
func familyProblems() []poolProblem {
	dice := func(faces, count int, output string) string {
		return fmt.Sprintf(`dice: r: {die: %d, count: %d}, output: n: %q`, faces, count, output)
	}
	hand := func(cards, count int, output string) string {
		return fmt.Sprintf(`dice: h: {die: %d, count: %d, distinct: true}, output: n: %q`, cards, count, output)
	}
	unlike := func(count int, output string) string {
		sizes := slices.Repeat([]int{4, 6, 8, 10, 12}, count/5)
		return "dice: r: pool: " + listText(sizes) + fmt.Sprintf(`, output: n: %q`, output)
	}
	against := func(ours, facesOurs, theirs, facesTheirs int, output string) string {
		return fmt.Sprintf(`dice: {a: {die: %d, count: %d}, b: {die: %d, count: %d}}, let: {x: "sort(a)", y: "sort(b)"}
			output: n: %q`, facesOurs, ours, facesTheirs, theirs, output)
	}
	return []poolProblem{
		{name: "counts_30d6", icepool: 20.3, body: dice(6, 30, "max(range(1, 7).map(f, r.count(v, v == f)))")},
		{name: "sets_20d10", icepool: 42.6, body: dice(10, 20, "max(range(1, 11).map(h, r.count(f, f == h) * 100 + h))")},
		{name: "pairs_40d6", icepool: 33.2, body: dice(6, 40, "counts(r, 1, 6).sum(k, div_floor(k, 2))")},
		{name: "faces_12d6", icepool: 6.31, body: dice(6, 12, "range(1, 7).count(f, f in r)")},
		{name: "full_house", icepool: 4.53, body: dice(6, 5, "sort(counts(r, 1, 6)).slice(4, 6) == [2, 3] ? 1 : 0")},
		{name: "once_10d10", icepool: 8.14, body: dice(10, 10, "r.count(f, r.count(g, g == f) == 1)")},
		{name: "repeated_10d6", icepool: 5.75, body: dice(6, 10, "r.filter(f, r.count(g, g == f) > 1).sum(f, f)")},
		{
			name: "straight_20d6", icepool: 12.4,
			body: dice(6, 20, "max(range(1, 7).map(m, range(1, 8 - m).exists(a, range(a, a + m).all(h, h in r)) ? m : 0))"),
		},
		{name: "cards_three_of_5", icepool: 15.1, body: hand(52, 5, "sum(sort(h).slice(2, 5))")},
		{name: "cards_least_of_10", icepool: 8.11, body: hand(52, 10, "min(h)")},
		{name: "cards_third_of_20", icepool: 9.94, body: hand(52, 20, "sort(h)[17]")},
		{name: "longest_suit", icepool: 4.17, body: hand(52, 13, "max(counts(h.map(c, c % 4), 0, 3))")},
		{name: "voids", icepool: 3.64, body: hand(52, 13, "range(4).count(s, !h.exists(c, c % 4 == s))")},
		{
			name: "pairs_of_7_cards", icepool: 5.04,
			body: hand(52, 7, "range(13).sum(k, div_floor(h.count(c, c % 13 == k), 2))"),
		},
		{
			name: "poker_of_7", icepool: 6.03,
			body: hand(52, 7, "sort(range(13).map(k, h.count(c, c % 13 == k))).slice(8, 13)"),
		},
		{name: "two_hands", icepool: 2.11, body: hand(52, 10, "h.slice(0, 5).count(c, c <= 13)")},
		{name: "worths_of_5", icepool: 4.43, body: hand(52, 5, "h.sum(c, min(c % 13 + 1, 10))")},
		{
			name: "kinds_of_20", icepool: 2.38,
			body: `dice: h: {faces: [1, 2, 3], weights: [10, 6, 4], count: 5, distinct: true}, output: n: "sum(h)"`,
		},
		{name: "unlike_best_20", icepool: 4.33, body: unlike(20, "max(r)")},
		{name: "unlike_sum_20", icepool: 27, body: unlike(20, "sum(r)")},
		{name: "unlike_high_10", icepool: 5.24, body: unlike(10, "r.count(f, f >= 5)")},
		{name: "unlike_low_three", icepool: 11, body: unlike(15, "sum(sort(r).slice(0, 3))")},
		{name: "unlike_pairs_10", icepool: 6.47, body: unlike(10, "counts(r, 1, 12).sum(k, div_floor(k, 2))")},
		{name: "risk_3_2", icepool: 5.13, body: against(3, 6, 2, 6, "range(2).sum(i, x[2 - i] > y[1 - i] ? 1 : -1)")},
		{name: "risk_8_5", icepool: 32.9, body: against(8, 6, 5, 6, "range(5).sum(i, x[7 - i] > y[4 - i] ? 1 : -1)")},
		{
			name: "uncancelled_6_6", icepool: 51.6,
			body: against(6, 10, 6, 10, "max(range(1, 11).map(h, a.count(f, f == h) > b.count(f, f == h) ? h : 0))"),
		},
		{
			name: "matches_10_10", icepool: 113,
			body: against(10, 6, 10, 6, "range(1, 7).sum(f, min(a.count(v, v == f), b.count(v, v == f)))"),
		},
		{name: "best_10_8", icepool: 1.2, body: against(10, 10, 8, 12, "max(a) > max(b) ? 1 : 0")},
		{name: "sums_10_8", icepool: 3.8, body: against(10, 6, 8, 8, "sum(a) > sum(b) ? 1 : 0")},
		{
			name: "best_of_three_4d6", icepool: 2.93,
			body: `use: a: {rule: "ability", each: e: "range(3)"}, output: n: "max(a.map(x, x.total))"`,
		},
		{name: "rank_of_12", icepool: 9.36, body: namedDice(12) + `output: n: "` + namesOf(1, 12) + `.count(v, v > d0)"`},
		{name: "first_of_20", icepool: 1.22, body: namedDice(20) + `output: n: "d0 > max(` + namesOf(1, 20) + `) ? 1 : 0"`},
		{
			name: "ten_again_20", icepool: 27.8,
			body: `dice: d: {die: 10, count: 20, explode: on: 10}, ` +
				`output: n: "d.sum(f, div_floor(f, 10) + (f % 10 >= 8 ? 1 : 0))"`,
		},
		{
			name: "botches_60d10", icepool: 11.8,
			body: dice(10, 60, "r.count(f, f >= 8) - r.count(f, f == 1)"),
		},
		{name: "middle_5d20", icepool: 6.78, body: dice(20, 5, "sum(sort(r).slice(1, 4))")},
		{name: "middle_20d6", icepool: 10.3, body: dice(6, 20, "sum(sort(r).slice(3, 17))")},
		{name: "40d6kh20", icepool: 17.8, expression: "40d6kh20"},
		{name: "8d6!k3", icepool: 99.8, expression: "8d6!k3"},
		{name: "2d20kh1+10d6", icepool: 2.69, expression: "2d20kh1 + 10d6"},
		{name: "30d6>=5", icepool: 3.14, expression: "30d6>=5"},
		{name: "neighbours_20d6", icepool: 24.2, body: dice(6, 20, "range(19).count(i, r[i] == r[i + 1])")},
		{
			name: "heads_in_a_row", icepool: 4.12,
			body: dice(2, 40, "range(38).exists(i, range(i, i + 3).all(k, r[k] == 2)) ? 1 : 0"),
		},
		{
			name: "medians_of_4", icepool: 3.99,
			body: `dice: {` + eachOf(0, 4, "p%d: {die: 10, count: 5}") + `}, output: n: "max([` +
				eachOf(0, 4, "sort(p%d)[2]") + `])"`,
		},
	}
}
