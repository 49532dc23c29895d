package eliminate_test

import (
	"math/big"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
)

// What the input gives is as good as a number that stands in the rule: dice that it lists, faces that are counted up to it,
// loops that are as long as it says.
func TestGivenNumbers(t *testing.T) {
	const dice = "#Input: dice: #Hand, "
	for _, c := range []struct {
		body, input string
		want        map[int64]*big.Rat
	}{
		{dice + `dice: a: {pool: "input.dice"}, output: o: "max(a)"`, `{"dice":[12,10,8,6,12,10,8,6,4,4,20,20]}`,
			highestOf([]int64{12, 10, 8, 6, 12, 10, 8, 6, 4, 4, 20, 20})},
		{dice + `dice: a: {pool: "input.dice.map(d, d % 2 == 0 ? d : 6)"}, output: o: "sort(a)[size(a) - 1]"`,
			`{"dice":[12,10,8,7,12,10,8,7,12,10,8,7]}`, highestOf([]int64{12, 10, 8, 6, 12, 10, 8, 6, 12, 10, 8, 6})},
		{`#Input: n: int & >=8 & <=60, dice: a: {die: 2, count: "input.n"}
			output: o: "range(input.n - 1).count(i, a[i] != a[i + 1])"`,
			`{"n":40}`, binomialOf(39, big.NewRat(1, 2))},
		{`#Input: n: int & >=1 & <=10, dice: a: {die: 10, count: 20}
			output: o: "sum(counts(a, 1, input.n))"`,
			`{"n":3}`, binomialOf(20, big.NewRat(3, 10))},
		{`#Input: n: int & >=1 & <=15, dice: a: {die: 20, count: "input.n"}
			output: o: "range(1, input.n).count(i, a[i] > a[0])"`,
			`{"n":9}`, rankAmong(9, 20)},
	} {
		p := gametest.Small(t, map[string]string{"r": "import \"list\"\n\n" +
			"#Hand: [...(int & >=1 & <=20)] & list.MaxItems(16)\nrules: r: {cite: \"x\", " + c.body + "}"})
		got, spent := exactUnder(t, p, "r", "o", c.input)
		compareExact(t, c.body, got, c.want)
		if spent > 100_000 {
			t.Errorf("%s took %d states", c.body, spent)
		}
	}
}
