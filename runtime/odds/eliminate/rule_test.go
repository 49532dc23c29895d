package eliminate_test

import (
	"errors"
	"flag"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var rulesets = []string{"haze", "hybrid", "supermen", "tempestas", "zones"}

// cases are the cases of a ruleset that are about rules with dice.
func cases(t testing.TB, p *runtime.Program) (out []*golden.Case) {
	t.Helper()
	for _, c := range gametest.Cases(t, p.Plan().Ruleset) {
		if c.Kind == golden.RuleCase && len(ruleOf(p, c.Subject).Graph.Dice) > 0 && !refusesRecords(c) {
			out = append(out, c)
		}
	}
	return out
}

// refusesRecords reports whether a case expects that its character or its input is refused: no odds can be asked of it.
func refusesRecords(c *golden.Case) bool {
	return strings.HasPrefix(c.Refused, "character.") || strings.HasPrefix(c.Refused, "input.")
}

func ruleOf(p *runtime.Program, id string) *plan.Rule {
	for i := range p.Plan().Rules {
		if r := &p.Plan().Rules[i]; r.ID == id {
			return r
		}
	}
	return nil
}

// everyWay evaluates a rule for every way in which the dice can fall. It gives up, with ok false, when these are too many,
// at once when the first of them is so improbable that there must be several times as many.
func everyWay(t testing.TB, p *runtime.Program, c *golden.Case, limit int) (out map[string]float64, short float64,
	ok bool) {
	t.Helper()
	rule, err := p.Rule(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		t.Fatal(err)
	}
	out = map[string]float64{}
	w := &gametest.Walker{}
	for n := 0; ; n++ {
		if n == limit {
			return nil, 0, false
		}
		sheet, err := rule.Eval(runtime.Request{Character: c.Character, Input: c.Input, Source: w})
		switch {
		case n == 0 && w.P()*float64(limit) < .25:
			return nil, 0, false
		case w.Short():
			short += w.P()
		case err != nil:
			out[said(t, err)] += w.P()
		default:
			out[sheet.Output.String()] += w.P()
		}
		if !w.Advance() {
			return out, short, true
		}
	}
}

// said is an ending as a key.
func said(t testing.TB, err error) string {
	if r, ok := errors.AsType[*vm.Refused](err); ok {
		return "refused: " + r.Require.Message
	}
	if f, ok := errors.AsType[*vm.Failure](err); ok {
		return "failed: " + f.Error()
	}
	t.Fatal(err)
	return ""
}

// distribution is a joint distribution by the same keys.
func distribution(j *odds.Joint) (out map[string]float64, rest float64) {
	out = map[string]float64{}
	for _, o := range j.Outcomes() {
		key := "{"
		for i, v := range o.Values {
			if i > 0 {
				key += ","
			}
			key += `"` + j.Names[i] + `":` + v.String()
		}
		out[key+"}"] += o.P
	}
	for _, e := range j.Endings() {
		switch e.Kind {
		case odds.Refused:
			out["refused: "+e.Message] += e.P
		case odds.Failed:
			out["failed: "+e.Message] += e.P
		default:
			rest += e.P
		}
	}
	return out, rest
}

func question(c *golden.Case) (q odds.Question) {
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = c.Character, c.Input
	return q
}

var allWays = flag.Bool("all-ways", false, "compare every case of a rule in up to 12,000 ways, and not the first alone")

// Every case of every shipped rule with a small dice space has the distribution that all ways together give. Without -whole
// the first case of each rule is taken and one in four of the others, and one in three of those with many ways.
func TestRulesAgainstEveryWay(t *testing.T) {
	const few, many = 1_500, 12_000
	for _, ruleset := range rulesets {
		t.Run(ruleset, func(t *testing.T) {
			t.Parallel()
			p := gametest.Shipped(t, ruleset)
			compared, seen, skipped, large := 0, map[string]bool{}, map[string]bool{}, map[string]bool{}
			for i, c := range cases(t, p) {
				if seen[c.Subject] && !*allWays && !portion.Takes(i, 4) {
					continue
				}
				seen[c.Subject] = true
				want, short, ok := everyWay(t, p, c, few)
				if !ok && (*allWays || !large[c.Subject] && !testing.Short()) {
					if *allWays || portion.Takes(len(large), 3) {
						want, short, ok = everyWay(t, p, c, many)
					}
					large[c.Subject] = true
				}
				if !ok {
					skipped[c.Subject] = true
					continue
				}
				compared++
				r, err := eliminate.NewRule(vm.NewImage(p.Plan()), c.Subject, runtime.Choice{Options: c.Options})
				if err != nil {
					t.Errorf("%s: %v", c.Name, err)
					continue
				}
				q := question(c)
				for _, q.Exact = range []bool{false, true} {
					j, err := r.Odds(q)
					if err != nil {
						t.Errorf("%s: %v", c.Name, err)
						continue
					}
					compareWays(t, c.Name, j, want, short)
				}
			}
			t.Logf("%d cases; too many ways in cases of %v", compared, skipped)
		})
	}
}

func compareWays(t *testing.T, name string, j *odds.Joint, want map[string]float64, short float64) {
	t.Helper()
	got, rest := distribution(j)
	all := rest
	for key, p := range got {
		all += p
		if math.Abs(p-want[key]) > short+1e-9 {
			t.Errorf("%s: P(%.300s) = %v, want %v", name, key, p, want[key])
		}
	}
	for key, p := range want {
		if _, ok := got[key]; !ok && p > 1e-9 {
			t.Errorf("%s: P(%.300s) = 0, want %v", name, key, p)
		}
	}
	if math.Abs(all-1) > 1e-9 {
		t.Errorf("%s: everything has probability %v", name, all)
	}
	if j.Den != nil {
		sum := new(big.Int)
		for _, o := range j.Outcomes() {
			sum.Add(sum, o.N)
		}
		for _, e := range j.Endings() {
			sum.Add(sum, e.N)
		}
		if sum.Cmp(j.Den) != 0 {
			t.Errorf("%s: everything has %v of %v", name, sum, j.Den)
		}
	}
}

// tries is how many seeded draws are compared with a distribution.
const tries = 4_000

// Every shipped rule with dice, drawn from fixed seeds, falls as its exact distribution says, by a chi-squared test. Without
// -whole it is one rule in two.
func TestSeededDrawsFallAsTheOddsSay(t *testing.T) {
	for _, ruleset := range rulesets {
		t.Run(ruleset, func(t *testing.T) {
			t.Parallel()
			p := gametest.Shipped(t, ruleset)
			drawn := map[string]bool{}
			for _, c := range cases(t, p) {
				if drawn[c.Subject] {
					continue
				}
				r, err := eliminate.NewRule(vm.NewImage(p.Plan()), c.Subject, runtime.Choice{Options: c.Options})
				if err != nil {
					t.Fatal(err)
				}
				q := question(c)
				q.Budget = 300_000
				j, err := r.Odds(q)
				if _, tooMuch := errors.AsType[*odds.BudgetError](err); tooMuch {
					t.Logf("%s (case %s): %v", c.Subject, c.Name, err)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				drawn[c.Subject] = true
				if !portion.Takes(len(drawn), 2) {
					continue
				}
				got := draws(t, p, c)
				want, _ := distribution(j)
				chiSquared(t, c.Name, got, want)
			}
		})
	}
}

// draws counts what seeded evaluations give.
func draws(t *testing.T, p *runtime.Program, c *golden.Case) map[string]int {
	t.Helper()
	rule, err := p.Rule(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for record := range uint64(tries) {
		sheet, err := rule.Eval(runtime.Request{Character: c.Character, Input: c.Input,
			Throw: dice.DrawnFrom(2), Record: record})
		if err != nil {
			out[said(t, err)]++
			continue
		}
		out[sheet.Output.String()]++
	}
	return out
}

// chiSquared compares counts with what is expected, outcomes that are expected less than five times together as one. The
// limit is the one that a right distribution exceeds once in a million times (Wilson and Hilferty's approximation).
func chiSquared(t *testing.T, name string, got map[string]int, want map[string]float64) {
	t.Helper()
	x2, cells := 0.0, 0
	rareWant, rareGot := 0.0, 0
	for key := range got {
		if want[key] == 0 {
			t.Errorf("%s: %.300s falls, but has probability 0", name, key)
		}
	}
	for key, p := range want {
		if n := p * tries; n >= 5 {
			d := float64(got[key]) - n
			x2 += d * d / n
			cells++
		} else {
			rareWant += n
			rareGot += got[key]
		}
	}
	if rareWant > 0 {
		d := float64(rareGot) - rareWant
		x2 += d * d / max(rareWant, 5)
		cells++
	}
	if k := float64(cells - 1); k > 0 {
		limit := k * math.Pow(1-2/(9*k)+4.753*math.Sqrt(2/(9*k)), 3)
		if x2 > limit {
			t.Errorf("%s: chi-squared is %.1f over %d outcomes, more than %.1f", name, x2, cells, limit)
		}
	}
}

// BenchmarkOdds is one question to a prepared rule: the joint distribution of all its outputs, as rows. Beside it
// stand how long it takes to read the rows as values, and how many times longer than the question a million samples of
// the same plan take.
func BenchmarkOdds(b *testing.B) {
	for _, ruleset := range rulesets {
		p := gametest.Shipped(b, ruleset)
		seen := map[string]bool{}
		for _, c := range cases(b, p) {
			if seen[c.Subject] {
				continue
			}
			seen[c.Subject] = true
			r, err := eliminate.NewRule(vm.NewImage(p.Plan()), c.Subject, runtime.Choice{Options: c.Options})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := r.Odds(question(c)); err != nil {
				continue
			}
			rule, err := p.Rule(c.Subject, runtime.Choice{Options: c.Options})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(ruleset+"/"+c.Subject, func(b *testing.B) {
				begun, count := time.Now(), 0
				for b.Loop() {
					if _, err := r.Odds(question(c)); err != nil {
						b.Fatal(err)
					}
					count++
				}
				each := time.Since(begun).Seconds() / float64(count)
				b.ReportMetric(1e6*sample(b, rule, c)/each, "x-million-samples")
				b.ReportMetric(reading(b, r, c), "ns-to-read")
			})
		}
	}
}

// sample is how many seconds a seeded evaluation takes.
func sample(b *testing.B, rule *runtime.Rule, c *golden.Case) float64 {
	b.Helper()
	const times = 2_000
	source := dice.FromSeed(1, 0, 0)
	begun := time.Now()
	for range times {
		rule.Eval(runtime.Request{Character: c.Character, Input: c.Input, Source: source}) // a refusal is an answer too
	}
	return time.Since(begun).Seconds() / times
}

// reading is how many nanoseconds it takes to read the outcomes.
func reading(b *testing.B, r *eliminate.Rule, c *golden.Case) float64 {
	b.Helper()
	j, err := r.Odds(question(c))
	if err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	j.Outcomes()
	return float64(time.Since(begun).Nanoseconds())
}

// The tail of a die that explodes has its whole probability where it is met between the draws of a pool.
func TestTailBesidePool(t *testing.T) {
	const head = `cite: "x", #Input: n: *1 | (int & >=0 & <=3), dice: {x1: {die: 2, count: 3}, x2: {die: 2, explode: on: 2}}, `
	p := gametest.Small(t, map[string]string{
		"one": `rules: one: {` + head + `output: total: "sort(x1)[min(x2, 2)]"}`,
		"two": `rules: two: {` + head + `dice: x3: {die: 3, explode: on: 3}, output: total: "sort(x1)[min(x2, 2)] + min(x3, 4)"}`,
	})
	for _, id := range []string{"one", "two"} {
		rule, err := eliminate.NewExpandedRule(vm.NewImage(p.Plan()), id, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		j, err := rule.Odds(odds.Question{Records: odds.Records{plan.CharacterRoot: []byte("{}")}, Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		// A d2 goes on with probability 2^-64 after 64 faces, a d3 with 3^-41 after 41: the first that is less than 2^-64.
		want := big.NewRat(1, 1)
		want.SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 64))
		if id == "two" {
			other := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(3), big.NewInt(41), nil))
			both := new(big.Rat).Mul(want, other)
			want.Add(want, other).Sub(want, both)
		}
		got := new(big.Rat)
		for _, e := range j.Endings() {
			if e.Kind == odds.Unfollowed {
				got.Add(got, new(big.Rat).SetFrac(e.N, j.Den))
			}
		}
		if got.Cmp(want) != 0 {
			t.Errorf("%s: the tail has %v, want %v", id, got, want)
		}
	}
}
