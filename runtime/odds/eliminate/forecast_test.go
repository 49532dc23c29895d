package eliminate_test

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const sevenDice = `dice: {a: die: 20, b: die: 20, c: die: 20, d: die: 20, e: die: 20, f: die: 20, g: die: 20}, `

// tooLarge are questions that take more than the default budget, as people ask them.
var tooLarge = []string{
	// all of many dice, in some form
	sevenDice + `output: n: "[a, b, c, d, e, f, g]"`,
	sevenDice + `output: n: "range(7).map(i, [a, b, c, d, e, f, g][i] * 2)"`,
	sevenDice + `output: n: "a + 31 * (b + 31 * (c + 31 * (d + 31 * (e + 31 * (f + 31 * g)))))"`,
	`dice: d: {die: 100, count: 6}, output: n: "d[0] * d[1] * d[2] * d[3] * d[4] * d[5] % 1000003"`,
	`dice: d: {die: 6, count: 12}, output: n: "d"`,
	`dice: d: {die: 20, count: 20}, output: n: "sort(d)"`,
	`dice: d: {die: 10, count: 20}, output: n: "counts(d, 1, 10)"`,
	`dice: d: {die: 10, count: 40}, output: n: "counts(d, 1, 10)"`,
	`dice: d: {die: 10, count: 40}, output: n: "range(1, 11).map(h, d.count(f, f == h))"`,
	`dice: d: {die: 10, count: 5, explode: on: 10}, output: n: "d.slice(0, 4).map(f, f * f)"`,
	`dice: d: {die: 10, count: 6, explode: on: 10}, output: n: "sort(d)"`,
	// hands of cards
	`dice: h: {die: 52, count: 13, distinct: true}, output: n: "sort(h)"`,
	`dice: h: {die: 52, count: 7, distinct: true}, output: n: "h"`,
	`dice: h: {die: 52, count: 7, distinct: true}, output: n: "range(6).count(i, h[i] + 1 == h[i + 1])"`,
	`dice: h: {die: 52, count: 13, distinct: true}
		output: n: "range(4).map(s, h.filter(c, (c - 1) % 4 == s).sum(c, c))"`,
	// results of a rule
	`use: a: {rule: "one", each: e: "range(12)"}, output: n: "sort(a.map(x, x.total))"`,
	`use: a: {rule: "one", each: e: "range(20)"}, output: n: "a.map(x, x.total)"`,
	// orders of many named dice
	`dice: {` + eachOf(9, "d%d: die: 20") + `}, output: n: "range(9).sort_by(i, -[` + eachOf(9, "d%d") + `][i])"`,
	`dice: {` + eachOf(12, "d%d: die: 20") + `}, output: n: "range(12).sort_by(i, -[` + eachOf(12, "d%d") + `][i])"`,
	// sorted dice that are compared
	`dice: {` + eachOf(4, "p%d: {die: 20, count: 5}") + `}
		output: n: "range(5).sum(i, sort(p0)[i] > max([sort(p1)[i], sort(p2)[i], sort(p3)[i]]) ? 1 : 0)"`,
	`dice: {` + eachOf(3, "p%d: {die: 12, count: 6}") + `}
		output: n: "range(6).map(i, max([sort(p0)[i], sort(p1)[i], sort(p2)[i]]))"`,
	// dice in their order
	`dice: d: {die: 20, count: 60}, output: n: "range(55).count(i, d[i] < d[i + 5])"`,
	`dice: d: {die: 10, count: 20}, output: n: "range(10).map(i, d[i] * d[i + 10])"`,
	`dice: d: {die: 6, count: 30}, output: n: "range(30).map(i, d[i] > 3)"`,
	// many sums at once
	`dice: {` + eachOf(6, "p%d: {die: 10, count: 5}") + `}, output: n: "[` + eachOf(6, "sum(p%d)") + `]"`,
	`dice: {` + eachOf(6, "p%d: {die: 10, count: 5}") + `}, output: {` + eachOf(6, `s%d: "sum(p%[1]d)"`) + `, all: "` +
		strings.ReplaceAll(eachOf(6, "sum(p%d)"), ",", " +") + `"}`,
	// sums of some of the dice, which merge slowly
	`dice: d: {die: 100, count: 20}, output: n: "sum(d.filter(x, x > 40)) * 1000 + sum(d.filter(x, x % 2 == 0))"`,
	`dice: d: {die: 50, count: 60}, output: n: "[sum(d.filter(x, x > 25)), sum(d.filter(x, x <= 25))]"`,
	`dice: d: {die: 100, count: 30}, output: n: "[sum(d), d.sum(x, x * x)]"`,
	// folds of one list
	`dice: d: {die: 100, count: 12}, output: n: "d.sum(x, x * x * x) % 1000003"`,
	`dice: d: {die: 20, count: 30}, output: n: "d.fold(x, s, 1, s * x % 100003)"`,
	`dice: d: {die: 100, count: 50}, output: n: "sort(d).slice(0, 25).sum(x, x * x)"`,
	// dice of which each state makes a pool anew
	`dice: {c: {die: 12, count: 12}, d: {die: 10, count: 12}}, output: n: "[sum(c), sum(d), c.count(x, x in d)]"`,
	// cards that are sorted
	`dice: h: {die: 52, count: 10, distinct: true}, output: n: "sort(h)"`,
}

// eachOf is a text for each of so many numbers from 0 on.
func eachOf(count int, format string) string {
	var out []string
	for i := range count {
		out = append(out, fmt.Sprintf(format, i))
	}
	return strings.Join(out, ", ")
}

// A question that takes too much is refused early: after a sixtieth of its budget, and after little was allocated.
func TestRefusedEarly(t *testing.T) {
	one := `rules: one: {cite: "x", dice: d: {die: 6, count: 4}, output: total: "sum(sort(d).slice(1, 4))"}`
	for _, body := range tooLarge {
		p := gametest.Small(t, map[string]string{"one": one, "r": `rules: r: {cite: "x", ` + body + "}"})
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
		if b, is := errors.AsType[*odds.BudgetError](err); !is || b.Needs <= b.Budget {
			t.Errorf("%s: got %v, want a refusal", body, err)
		}
		spent, took := r.Spent(), (after.TotalAlloc-before.TotalAlloc)/1e6
		if t.Logf("spent %d, %d MB: %s", spent, took, body); spent > odds.DefaultBudget/60 || took > 200 {
			t.Errorf("refused only after %d states and %d MB: %s", spent, took, body)
		}
	}
}

// A question is answered within the very budget that its answer takes: a forecast refuses nothing that can be answered.
func TestForecastsRefuseNothingElse(t *testing.T) {
	one := `rules: one: {cite: "x", dice: d: {die: 6, count: 4}, output: total: "sum(sort(d).slice(1, 4))"}`
	for _, body := range []string{
		`use: a: {rule: "one", each: e: "range(6)"}, output: n: "sort(a.map(x, x.total))"`,
		`dice: d: {die: 10, count: 10}, output: n: "counts(d, 1, 10)"`,
		`dice: {a: die: 30, b: die: 30, c: die: 30, d: die: 30}, output: n: "[a, b, c] + [d]"`,
		`dice: {` + eachOf(4, "p%d: {die: 6, count: 5}") + `}, output: {` + eachOf(4, `s%d: "sum(p%[1]d)"`) + `}`,
		`dice: d: {die: 10, count: 8}, output: n: "range(7).sum(i, d[i] * d[i + 1])"`,
		`dice: d: {die: 20, count: 12}, output: {n: "sum(sort(d).slice(8, 12))", all: "sum(d)"}`,
		`dice: d: {die: 160, count: 2}, output: n: "sum(d) * max(d)"`,
		`dice: d: {die: 100, count: 3}, output: n: "sum(d) * max(d)"`,
	} {
		p := gametest.Small(t, map[string]string{"one": one, "r": `rules: r: {cite: "x", ` + body + "}"})
		work := workOf(t, p, "r", 0)
		if again := workOf(t, p, "r", work); again != work {
			t.Errorf("%s: took %d states, then %d", body, work, again)
		}
		t.Logf("%d states: %s", work, body)
	}
}
