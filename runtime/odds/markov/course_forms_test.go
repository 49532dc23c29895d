package markov_test

import (
	"math/big"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
)

// A course answers an event in the form that answers a rule with its dice: four pools of five dice, which are compared in
// order, are met pool by pool. Met face by face they take more than four million states.
func TestCourseTriesForms(t *testing.T) {
	const fight = `cite: "x"
	dice: {a: "5d6", b: "5d6", c: "5d6", d: "5d6"}
	let: {
		x: "sort(a)", y: "sort(b)", z: "sort(c)", w: "sort(d)"
		hits: "range(5).filter(i, x[i] > y[i] && x[i] > z[i] && x[i] > w[i]).size()"
	}
`
	p := gametest.Small(t, map[string]string{"brawl": `rules: fight: {
	` + fight + `
	output: n: "hits"
}
procedures: brawl: {
	cite: "x"
	#State: {hits: *0 | int, rounds: *0 | int}
	events: fight: {
		` + fight[len(`cite: "x"`):] + `
		next: {hits: "state.hits + hits", rounds: "state.rounds + 1"}
	}
	ends: done: "state.rounds == 3"
	output: hits: "state.hits"
}`})
	rule, err := eliminate.NewRule(vm.NewImage(p.Plan()), "fight", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	const budget = 2_000_000
	records := odds.Records{[]byte(`{"strength":3}`)}
	once, err := rule.Odds(odds.Question{Records: records, Exact: true, Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64]*big.Rat{0: big.NewRat(1, 1)}
	for range 3 {
		next := map[int64]*big.Rat{}
		for before, p := range want {
			for _, o := range once.Outcomes() {
				n := before + o.Values[0].Int()
				if next[n] == nil {
					next[n] = new(big.Rat)
				}
				next[n].Add(next[n], new(big.Rat).Mul(p, new(big.Rat).SetFrac(o.N, once.Den)))
			}
		}
		want = next
	}
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), "brawl", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	course, err := process.Course(odds.Question{Records: records, Exact: true, Budget: budget, Outputs: []string{"hits"}},
		markov.Policy{{Event: "fight"}}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range course.Outputs.Outcomes() {
		n := o.Values[0].Int()
		if p := new(big.Rat).SetFrac(o.N, course.Outputs.Den); want[n] == nil || p.Cmp(want[n]) != 0 {
			t.Errorf("%d hits have the chance %v, want %v", n, p, want[n])
		}
		delete(want, n)
	}
	if len(want) > 0 {
		t.Errorf("no chance of %v", want)
	}
}
