package eliminate_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
)

// pairRule compares elements of two sorted lists of a few dice, in one of many ways.
func pairRule(r *rand.Rand) string {
	pickOf := func(list ...string) string { return list[r.IntN(len(list))] }
	var dice, lists []string
	least := 5
	names, most := []string{"a", "d"}, 3
	if r.IntN(3) == 0 {
		names, most = []string{"a", "d", "e"}, 2
	}
	for _, name := range names {
		count := 2 + r.IntN(most)
		least = min(least, count)
		faces := 4 + r.IntN(2)
		unlike := make([]string, count)
		for i := range unlike {
			unlike[i] = fmt.Sprint(2 + r.IntN(faces-1))
		}
		dice = append(dice, pickOf(
			fmt.Sprintf("%s: {die: %d, count: %d}", name, faces, count),
			fmt.Sprintf("%s: {die: %d, count: %d, distinct: true}", name, faces, count),
			fmt.Sprintf("%s: pool: [%s]", name, strings.Join(unlike, ", ")),
		))
		lists = append(lists, fmt.Sprintf("s%s: %q", name, fmt.Sprintf(pickOf("sort(%s)", "%s.sort_by(f, -f)"), name)))
	}
	compare := func() string {
		return fmt.Sprintf("(%s %s %s)", pickOf("sa[i]", "sa[i]", "sd[i]"), pickOf("<", "<=", ">", ">=", "==", "!="),
			pickOf("sd[i]", fmt.Sprintf("sd[%d - i]", least-1), "sa[i]", "s"+names[len(names)-1]+"[i]",
				fmt.Sprintf("sd[i] + %d", r.IntN(2)+1), fmt.Sprintf("sa[(i + 1) %% %d] - 1", least)))
	}
	if len(names) > 2 {
		two := compare
		compare = func() string {
			return pickOf("("+two()+" && "+two()+")", "("+two()+" || sa[0] < max([sd[i], se[i]]))", two())
		}
	}
	sum := func() string {
		return fmt.Sprintf("range(%d).sum(i, %s ? %d : %s)", least, compare(), r.IntN(3), pickOf("-1", "0", "i"))
	}
	output := []string{
		fmt.Sprintf("n: %q", sum()),
		fmt.Sprintf("n: %q", sum()+" - 2 * "+sum()),
		fmt.Sprintf("n: %q", fmt.Sprintf("range(%d).count(i, %s)", least, compare())),
		fmt.Sprintf("n: %q, all: %q", sum(), fmt.Sprintf("range(%d).all(i, %s)", least, compare())),
		fmt.Sprintf("n: %q, some: %q", sum(), fmt.Sprintf("range(%d).exists(i, %s)", least, compare())),
		fmt.Sprintf("n: %q", fmt.Sprintf("range(%d).exists(i, %s) && !range(%d).all(i, %s)", least,
			compare(), least, compare())),
		fmt.Sprintf("n: %q, sum: %q", sum(), "sum(a)"),
		fmt.Sprintf("n: %q", strings.Replace(sum(), "(i,", "(i, sa[i] == 2 ? 7 :", 1)),
	}[r.IntN(8)]
	return fmt.Sprintf("dice: {%s}, let: {%s}, output: {%s}", strings.Join(dice, ", "), strings.Join(lists, ", "), output)
}

// Comparisons of two sorted lists, pair by pair, have the distribution that all ways give.
func TestPairsAgainstEveryWay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 0))
	files := map[string]string{}
	for i := range portion.Of(25, 80) {
		id := fmt.Sprintf("pairs%d", i)
		files[id] = "rules: " + id + ": {cite: \"x\", " + pairRule(random) + "}"
	}
	p, pools := gametest.Small(t, files), 0
	for id, text := range files {
		made, err := eliminate.NewExpandedRule(vm.NewImage(p.Plan()), id, runtime.Choice{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		c := &golden.Case{Name: text, Subject: id, Character: []byte("{}"), Input: []byte("{}")}
		want, short, ok := everyWay(t, p, c, 800_000)
		if !ok {
			t.Fatalf("%s: too many ways", text)
		}
		pools += made.Pools()
		compareRule(t, made, c, want, short)
		if made, err = eliminate.NewRuleByPool(vm.NewImage(p.Plan()), id, runtime.Choice{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		compareRule(t, made, c, want, short)
	}
	if pools < len(files) {
		t.Errorf("only %d lists were met by counts", pools)
	}
}

// Of many sorted dice neighbours are compared face by face: whether two are equal, and whether no face is missing between
// the least and the greatest.
func TestSortedNeighbours(t *testing.T) {
	t.Parallel()
	differ := big.NewRat(1, 1) // of 8d100: each die shows none of the faces before it
	for i := range int64(8) {
		differ.Mul(differ, big.NewRat(100-i, 100))
	}
	// 60d10 show each of m neighbouring faces, of which there are 11-m, in so many ways as there are surjections.
	all, ways := new(big.Int).Exp(big.NewInt(10), big.NewInt(60), nil), new(big.Int)
	for m := int64(1); m <= 10; m++ {
		for k := range m + 1 {
			n := new(big.Int).Exp(big.NewInt(m-k), big.NewInt(60), nil)
			n.Mul(n, new(big.Int).Binomial(m, k)).Mul(n, big.NewInt((11-m)*(1-2*(k%2))))
			ways.Add(ways, n)
		}
	}
	closed := new(big.Rat).SetFrac(ways, all)
	for text, want := range map[string]*big.Rat{
		`dice: d: {die: 100, count: 8}, let: s: "sort(d)", output: n: "range(7).exists(i, s[i] == s[i + 1]) ? 0 : 1"`:     differ,
		`dice: d: {die: 100, count: 8}, let: s: "sort(d)", output: n: "range(7).all(i, s[i] < s[i + 1]) ? 1 : 0"`:         differ,
		`dice: d: {die: 10, count: 60}, let: s: "sort(d)", output: n: "range(59).all(i, s[i + 1] <= s[i] + 1) ? 1 : 0"`:   closed,
		`dice: d: {die: 10, count: 60}, let: s: "sort(d)", output: n: "range(59).exists(i, s[i + 1] - 1 > s[i]) ? 0 : 1"`: closed,
	} {
		p := gameOf(t, text)
		compareExact(t, text, exactOf(t, p, "r", "n"), map[int64]*big.Rat{0: new(big.Rat).Sub(big.NewRat(1, 1), want), 1: want})
		if work := workOf(t, p, "r", 0); work > 600_000 {
			t.Errorf("%s takes %d states", text, work)
		}
	}
}
