package eliminate_test

import (
	"errors"
	"math"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// hostile are rules whose odds would take too long or too much memory, each with the cause that is named.
var hostile = []struct{ name, body, cause, what string }{
	{"cards", `dice: hand: {die: 100, count: 20, distinct: true}, output: best: "sort(hand)"`, "die hand (game/r.cue:",
		"states"},
	{"ordered", `dice: hand: {die: 100, count: 20}, output: best: "hand"`, "die hand (game/r.cue:", "states"},
	{"explosions", `dice: {a: {die: 10, explode: on: 10}, b: {die: "min(a, 30) + 1", count: "min(a, 40)",
		explode: on: 1}}, output: all: "b"`, "die b (game/r.cue:", "states"},
	{"faces of faces", `dice: {a: die: 1000, b: die: "a * 1000"}, output: total: "b"`, "die b (game/r.cue:", "states"},
	{"huge", `dice: a: {die: "input.n * 1000000000000 + 2"}, output: total: "a"`, "die a (game/r.cue:", "faces"},
	{"long formula", `dice: a: die: 30000, output: sum: "range(1000).sum(x, (x * a) % 7 + range(30).sum(y, y * a % (x + 1)))"`,
		"die a (game/r.cue:", "states"},
	{"wide", `dice: a: {die: 6, count: 12}, output: {all: "a", twice: "a.map(x, x * 2)"}`, "die a (game/r.cue:", "states"},
}

// Nothing hangs: the cause is named before the budget is spent.
func TestHostileRules(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			p := gametest.Small(t, map[string]string{"r": `rules: r: {cite: "x", #Input: n: *1 | (int & >=0 & <=3), ` +
				c.body + "}"})
			r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			q := odds.Question{Budget: 200_000}
			q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
			for _, q.Exact = range []bool{false, true} {
				_, err := r.Odds(q)
				b, is := errors.AsType[*odds.BudgetError](err)
				if !is || !strings.HasPrefix(b.Subject, c.cause) || b.What != c.what || b.Needs <= b.Budget {
					t.Errorf("exact %v: got %v, want that %s takes too many %s", q.Exact, err, c.cause, c.what)
				}
				if !q.Exact && r.FormulaWork() > 2*q.Budget { // a forecast takes about as much as was spent before it
					t.Errorf("formulas took %d units of work where %d may be spent", r.FormulaWork(), q.Budget)
				}
			}
		})
	}
}

// The estimate is made before, and is never less than what is spent.
func TestEstimateIsNeverTooLow(t *testing.T) {
	for _, ruleset := range rulesets {
		p := gametest.Shipped(t, ruleset)
		for i, c := range cases(t, p) {
			if !portion.Takes(i, 3) {
				continue
			}
			r, err := eliminate.NewRule(vm.NewImage(p.Plan()), c.Subject, runtime.Choice{Options: c.Options})
			if err != nil {
				t.Fatal(err)
			}
			q := question(c)
			estimate, err := r.Estimate(q.Records)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			q.Budget = 300_000
			j, err := r.Odds(q)
			if _, tooMuch := errors.AsType[*odds.BudgetError](err); tooMuch && estimate.Most > float64(q.Budget) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v, but the estimate was %g", c.Name, err, estimate.Most)
			}
			if estimate.Most < float64(j.Spent) {
				t.Errorf("%s: %d was spent, more than %g", c.Name, j.Spent, estimate.Most)
			}
			t.Logf("%-40s spent %8d states %6d estimated %g", c.Name, j.Spent, j.States, estimate.Most)
		}
	}
}

// A list that is read in its order is refused at once, with a form that works; read by counts it is answered.
func TestRefusalNamesAForm(t *testing.T) {
	p := gametest.Small(t, map[string]string{
		"one": `rules: one: {cite: "x", #Input: n: *1 | (int & >=0 & <=20), dice: d: {die: 6, count: 4},
			output: {total: "sum(d) * (input.n + 1)", least: "min(d)"}}`,
		"r": `rules: r: {cite: "x"
			use: u: {rule: "one", each: e: "range(12)", input: n: "e"}
			output: all: "u.map(x, x.total)"
		}`,
		"listed": `rules: listed: {cite: "x", dice: d: {die: 20, count: 12}, output: {all: "d", most: "max(d)"}}`,
	})
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	for rule, advice := range map[string]string{"r": "", "listed": "read them sorted"} {
		r, err := eliminate.NewRule(vm.NewImage(p.Plan()), rule, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Odds(q)
		b, is := errors.AsType[*odds.BudgetError](err)
		if !is || !strings.Contains(b.Advice, advice) || b.Needs < odds.DefaultBudget {
			t.Errorf("%s: got %v, want a refusal that says %q", rule, err, advice)
			continue
		}
		if spent := r.Spent(); spent > odds.DefaultBudget/20 {
			t.Errorf("%s: refused only after %d states", rule, spent)
		}
	}
}

// Lists that would not fit are refused before the first is made.
func TestListsAreRefusedUnmade(t *testing.T) {
	p := gametest.Small(t, map[string]string{"r": `rules: r: {cite: "x", dice: hand: {die: 52, count: 4, distinct: true}
		output: {first: "sum(hand.slice(0, 2))", last: "sum(hand.slice(2, 4))"}
	}`})
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	_, err = r.Odds(q)
	goruntime.ReadMemStats(&after)
	const lists = 52 * 51 * 50 * 49
	if b, is := errors.AsType[*odds.BudgetError](err); !is || math.Round(b.Needs) != 4*lists ||
		b.What != "numbers in memory" {
		t.Errorf("got %v, want that %d numbers do not fit", err, 4*lists)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("refused only after %d bytes", took)
	}
}

// A question that nobody waits for any more ends with its first piece of work, and the rule answers the next one.
func TestStoppedQuestionEnds(t *testing.T) {
	p := gametest.Small(t, map[string]string{
		"r": `rules: r: {cite: "x", dice: d: {die: 6, count: 2}, output: total: "sum(d)"}`,
	})
	r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	close(stop)
	q := odds.Question{Stop: stop}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	if _, err := r.Odds(q); !errors.Is(err, odds.ErrStopped) {
		t.Errorf("stopped: %v", err)
	}
	q.Stop = nil
	if _, err := r.Odds(q); err != nil {
		t.Error(err)
	}
}

// A plan whose die lists fewer faces than it rolls, as only a file can, is refused: a chain may come to more than is
// listed.
func TestUnlistedFacesAreRefused(t *testing.T) {
	p, _ := gametest.Compile(t, map[string]string{"r": `rules: r: {cite: "x"
		dice: d: {faces: [1, 2, 5], explode: on: "max"}
		output: total: "d"
	}`})
	p.Rules[0].Graph.Dice[0].Shows = []int64{1, 2}
	r, err := eliminate.NewRule(vm.NewImage(runtime.New(p).Plan()), "r", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	for _, q.Exact = range []bool{false, true} {
		if _, err := r.Odds(q); err == nil || !strings.HasSuffix(err.Error(), "3 faces are rolled, but 2 are listed") {
			t.Errorf("exact %v: got %v", q.Exact, err)
		}
	}
}

// TestRefusalForgetsEarlierQuestions wants a question that takes too much to be refused in the same words whether its dice
// have been made for an earlier one or not.
func TestRefusalForgetsEarlierQuestions(t *testing.T) {
	const body = `dice: {pool: {die: 5, count: 3, distinct: true}, other: {die: 3, explode: {on: 3, times: 1}}}
		output: {least: "sort(pool)[0] + other", most: "sum(sort(pool).slice(1, 3))"}`
	p := gametest.Small(t, map[string]string{"r": `rules: r: {cite: "x", ` + body + "}"})
	refuse := func(budgets ...int64) (err error) {
		r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		for _, budget := range budgets {
			q := odds.Question{Budget: budget, Exact: true}
			q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
			_, err = r.Odds(q)
		}
		return err
	}
	refused := 0
	for budget := int64(1); budget < 60; budget++ {
		alone, again := refuse(budget), refuse(1_000_000, budget)
		if alone != nil {
			refused++
		}
		if (alone == nil) != (again == nil) || alone != nil && alone.Error() != again.Error() {
			t.Errorf("within %d: %v, and after another question %v", budget, alone, again)
		}
	}
	if refused == 0 {
		t.Error("no question is refused")
	}
}
