package eliminate_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
)

// comparedRule is a rule of a few dice, some with a bonus, of which it reads how they compare.
func comparedRule(r *rand.Rand) string {
	pickOf := func(list ...string) string { return list[r.IntN(len(list))] }
	var dice, values []string
	for i := range 3 + r.IntN(2) {
		dice = append(dice, fmt.Sprintf("d%d: die: %d", i, 2+r.IntN(3)))
		values = append(values, fmt.Sprintf("d%d", i))
	}
	switch r.IntN(3) {
	case 0: // a list of dice
		dice, values = append(dice[:1], fmt.Sprintf("e: {die: %d, count: 3}", 2+r.IntN(2))), values[:1]
		for i := range 3 {
			values = append(values, fmt.Sprintf("e[%d]", i))
		}
	case 1: // bonuses
		for i := range values {
			values[i] += pickOf("", " + 1", " + 2", " + input.n")
		}
	}
	all := "[" + strings.Join(values, ", ") + "]"
	n := len(values)
	i, k := r.IntN(n), r.IntN(n)
	output := []string{
		fmt.Sprintf("range(%d).sort_by(i, %sl[i])", n, pickOf("", "-")),
		fmt.Sprintf("l.count(v, v %s l[%d])", pickOf("<", "<=", ">", "=="), i),
		"l.map(v, l.count(w, w > v))",
		fmt.Sprintf("l[%d] > l[%d] ? 1 : max(l) == l[%d] ? 2 : 3", i, k, i),
		fmt.Sprintf("range(%d).filter(i, l[i] == min(l))", n),
		fmt.Sprintf("range(%d).sort_by(i, l[i])[%d]", n, k),
		fmt.Sprintf("sort(l)[1] == l[%d]", i),
		fmt.Sprintf("range(%d).exists(i, sort(l)[i] != l[i])", n),
	}[r.IntN(8)]
	return fmt.Sprintf("#Input: n: *1 | (int & >=-2 & <=3), dice: {%s}, let: l: %q, output: o: %q",
		strings.Join(dice, ", "), all, output)
}

// Dice that are only compared, met together, have the distribution that all ways give.
func TestComparedDiceAgainstEveryWay(t *testing.T) {
	t.Parallel()
	random, files := rand.New(rand.NewPCG(11, 0)), map[string]string{}
	for i := range 100 {
		id := fmt.Sprintf("compared%d", i)
		files[id] = "rules: " + id + ": {cite: \"x\", " + comparedRule(random) + "}"
	}
	p, joined := gametest.Small(t, files), 0
	for id, text := range files {
		made, err := eliminate.NewRuleOfCompared(vm.NewImage(p.Plan()), id, runtime.Choice{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if made == nil {
			continue
		}
		joined++
		for _, input := range []string{`{}`, `{"n":-2}`} {
			c := &golden.Case{Name: text + input, Subject: id, Character: []byte("{}"), Input: []byte(input)}
			want, short, ok := everyWay(t, p, c, 10_000)
			if !ok {
				t.Fatalf("%s: too many ways", text)
			}
			compareRule(t, made, c, want, short)
		}
	}
	if joined < 80 {
		t.Errorf("only %d of %d rules only compare their dice", joined, len(files))
	}
}

// The whole order of eight dice of twenty faces. Dice that are equal stay as they were, so the place of the first die is
// how many others show more.
func TestOrderOfEightDice(t *testing.T) {
	for n, list := range map[int]string{8: "named", 6: "r"} {
		dice := fmt.Sprintf("dice: r: {die: 20, count: %d}, ", n)
		if list == "named" {
			dice, list = namedDice(n, 20, 0)
		}
		p := gameOf(t, dice+fmt.Sprintf(`output: o: "range(%d).sort_by(i, -%s[i])"`, n, list))
		places, orders, all := map[int64]*big.Rat{}, 0, 1
		for order, q := range exactLists(t, p, "r", "o") {
			at := int64(strings.IndexByte(order, '0'))
			if places[at] == nil {
				places[at] = new(big.Rat)
			}
			places[at].Add(places[at], q)
			orders++
		}
		for k := range n {
			all *= k + 1
		}
		if orders != all {
			t.Errorf("%d orders of %d dice, not %d", orders, n, all)
		}
		compareExact(t, list, places, rankAmong(int64(n), 20))
	}
}

// Bonuses move the faces: of six dice with bonuses two are compared by counting all their ways.
func TestOrderWithBonuses(t *testing.T) {
	dice, _ := namedDice(6, 20, 0)
	var sums []string
	for i := range 6 {
		sums = append(sums, fmt.Sprintf("d%d + %d", i, i))
	}
	p := gameOf(t, dice+fmt.Sprintf(`let: l: "[%s]", output: o: "range(6).sort_by(i, -l[i])"`, strings.Join(sums, ", ")))
	before := map[int64]*big.Rat{0: new(big.Rat), 1: new(big.Rat)} // whether the fifth acts before the first
	for order, q := range exactLists(t, p, "r", "o") {
		is := int64(0)
		if strings.IndexByte(order, '5') < strings.IndexByte(order, '0') {
			is = 1
		}
		before[is].Add(before[is], q)
	}
	wins := int64(0)
	for a := range int64(20) {
		for f := range int64(20) {
			if f+5 > a {
				wins++
			}
		}
	}
	compareExact(t, "before", before, map[int64]*big.Rat{1: big.NewRat(wins, 400), 0: big.NewRat(400-wins, 400)})
}
