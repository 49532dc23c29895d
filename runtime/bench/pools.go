package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	rules "github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A poolProblem is a problem of dice pools that icepool answers too, as an author writes it: the body of a rule, or an
// expression.
type poolProblem struct {
	name, body, expression string
	// procedure is the body of a procedure, of which one event happens until an end; the answer is the mean number of them.
	procedure string
	// goal is what it may take in ms, as probabilities; exactGoal as fractions. 0 where nothing was asked for.
	goal, exactGoal float64
	// icepool is its time in ms where Python or a copy of it is missing: that of icepool 2.2.2 in Python 3.12.1, the time
	// of the processor (AMD EPYC) for the first call, best of three, with the evaluator of icepool/pools.py. Where that
	// takes over a second (1000d6, 100d100, 100d20kh50) it is the time on the clock of an earlier run.
	icepool float64
}

const scores = `use: a: {rule: "ability", each: e: "range(6)"}, `

func poolProblems() []poolProblem {
	sets := `output: best: "max(range(1, 11).map(h, r.count(f, f == h) > 0 ? r.count(f, f == h) * 100 + h : 0))"`
	cancel := `output: best: "max(range(1, 7).map(h, a.count(f, f == h) > d.count(f, f == h) ? h : 0))"`
	hand := `dice: hand: {die: 52, count: 5, distinct: true}, `
	sizes := listText([]int{12, 12, 12, 10, 10, 10, 8, 8, 8, 6, 6, 6})
	unlike := `dice: {a: pool: ` + sizes + `, b: pool: ` + sizes + `}, `
	return []poolProblem{
		{name: "sets_6d10", body: `dice: r: {die: 10, count: 6}, ` + sets, goal: 0.5, icepool: 5.6},
		{name: "sets_10d10", body: `dice: r: {die: 10, count: 10}, ` + sets, goal: 1.5, icepool: 11},
		{
			name: "counts_100d10", icepool: 966,
			body: `dice: r: {die: 10, count: 100}, output: best: "max(counts(r, 1, 10))"`,
		},
		{
			name: "straight_100d10", icepool: 679,
			body: `dice: r: {die: 10, count: 100}
				let: c: "counts(r, 1, 10)"
				output: n: "max(range(1, 11).map(m, range(11 - m).exists(a, min(c.slice(a, a + m)) > 0) ? m : 0))"`,
		},
		{name: "cards_greatest", body: hand + `output: n: "max(hand)"`, icepool: 7.7},
		{name: "cards_second", body: hand + `output: n: "sort(hand)[1]"`, icepool: 12.4},
		{name: "cards_sum", body: hand + `output: n: "sum(hand)"`, icepool: 27.1},
		{
			name: "cards_sum_13", icepool: 80.4,
			body: `dice: hand: {die: 52, count: 13, distinct: true}, output: n: "sum(hand)"`,
		},
		{
			name: "cards_three_of_13", icepool: 11.9,
			body: `dice: hand: {die: 52, count: 13, distinct: true}, output: n: "sum(sort(hand).slice(10, 13))"`,
		},
		{
			name: "coins_changes", icepool: 81,
			body: `dice: coins: {die: 2, count: 100}, output: n: "range(99).count(i, coins[i] != coins[i + 1])"`,
		},
		{
			name: "pairs_8d6", goal: 0.3, icepool: 3.9,
			body: `dice: r: {die: 6, count: 8}, output: n: "range(1, 7).sum(h, div_floor(r.count(f, f == h), 2))"`,
		},
		{
			name: "two_sets_9d6", goal: 0.3, icepool: 4.8,
			body: `dice: r: {die: 6, count: 9}
				let: s: "sort(range(1, 7).map(h, r.count(f, f == h)))"
				output: {a: "s[5]", b: "s[4]"}`,
		},
		{
			name: "straight_8d10", goal: 0.3, icepool: 7.2,
			body: `dice: r: {die: 10, count: 8}
				output: n: "max(range(1, 11).map(m, range(1, 12 - m).exists(a, range(a, a + m).all(h, h in r)) ? m : 0))"`,
		},
		{name: "scores_sum", body: scores + `output: n: "a.sum(x, x.total)"`, goal: 1, icepool: 4.8},
		{name: "scores_best", body: scores + `output: n: "max(a.map(x, x.total))"`, goal: 1, icepool: 2.9},
		{name: "scores_any", body: scores + `output: any: "a.exists(x, x.total >= 17)"`, goal: 1, icepool: 4},
		{name: "scores_third", body: scores + `output: n: "sort(a.map(x, x.total))[3]"`, goal: 1, icepool: 6.7},
		{name: "scores_sorted", body: scores + `output: all: "sort(a.map(x, x.total))"`, goal: 60, icepool: 603},
		{name: "aces", body: hand + `output: n: "hand.count(c, c <= 4)"`, goal: 0.2, icepool: 2.5},
		{
			name: "flush", goal: 0.2, icepool: 2.7,
			body: hand + `output: n: "max(range(4).map(s, hand.count(c, div_floor(c - 1, 13) == s)))"`,
		},
		{
			name: "poker", goal: 0.2, icepool: 4.8,
			body: hand + `output: n: "sort(range(13).map(r, hand.count(c, (c - 1) % 13 == r))).slice(8, 13)"`,
		},
		{
			name: "lands", goal: 0.2, icepool: 2.6,
			body: `dice: hand: {die: 60, count: 7, distinct: true}, output: n: "hand.count(c, c <= 24)"`,
		},
		{
			name: "risk_12_11", goal: 10, icepool: 225,
			body: `dice: {a: {die: 6, count: 12}, d: {die: 6, count: 11}}
				let: {x: "sort(a)", y: "sort(d)"}
				output: net: "range(11).sum(i, x[11 - i] > y[10 - i] ? 1 : -1)"`,
		},
		{name: "cancel_4_3", body: `dice: {a: {die: 6, count: 4}, d: {die: 6, count: 3}}, ` + cancel, goal: 0.5,
			icepool: 8.1},
		{name: "cancel_11_11", body: `dice: {a: {die: 6, count: 11}, d: {die: 6, count: 11}}, ` + cancel, goal: 8,
			icepool: 167},
		{name: "20d20kh10", expression: "20d20kh10", goal: 5, icepool: 37},
		{name: "100d20kh50", expression: "100d20kh50", goal: 100, exactGoal: 300, icepool: 5243},
		{
			name: "ten_again_50", goal: 10, icepool: 229, // to depth 19
			body: `dice: d: {die: 10, count: 50, explode: on: 10}, ` +
				`output: n: "d.sum(f, div_floor(f, 10) + (f % 10 >= 8 ? 1 : 0))"`,
		},
		{name: "6d10!k3", expression: "6d10!k3", icepool: 165}, // to depth 19, as the next two
		{name: "10d10!k5", expression: "10d10!k5", goal: 10, icepool: 481},
		{name: "5d10!k3", expression: "5d10!k3", goal: 10, icepool: 156},
		{
			name: "cortex", goal: 0.4, icepool: 4.3,
			body: `dice: {a: die: 12, b: die: 10, c: die: 8, d: die: 8, e: die: 6}
				output: n: "sum(sort([a, b, c, d, e].map(f, f > 1 ? f : 0)).slice(3, 5))"`,
		},
		{
			name: "best_of_three_3d6", goal: 0.4, icepool: 1.5,
			body: `dice: {a: {die: 6, count: 3}, b: {die: 6, count: 3}, c: {die: 6, count: 3}}
				output: n: "max([sum(a), sum(b), sum(c)])"`,
		},
		{
			name: "bonus_d100", goal: 0.4, icepool: 3.2,
			body: `dice: {units: die: 10, tens: {die: 10, count: 2}}
				let: all: "tens.map(t, t % 10 * 10 + units % 10)"
				output: n: "min(all.map(x, x == 0 ? 100 : x))"`,
		},
		{
			name: "unlike_two_40", icepool: 8.8,
			body: `dice: a: pool: ` + listText(slices.Repeat([]int{4, 6, 8, 10, 12}, 8)) + `
				output: n: "sum(sort(a).slice(38, 40))"`,
		},
		{
			name: "unlike_two_12_12", icepool: 6.6,
			body: unlike + `output: n: "sum(sort(a).slice(10, 12)) > sum(sort(b).slice(10, 12))"`,
		},
		{
			name: "unlike_net_12_12", icepool: 1312,
			body: unlike + `let: {x: "sort(a)", y: "sort(b)"}, output: n: "range(12).sum(i, x[i] > y[i] ? 1 : -1)"`,
		},
		{
			name: "risk_20_20", icepool: 2400,
			body: `dice: {a: {die: 6, count: 20}, d: {die: 6, count: 20}}
				let: {x: "sort(a)", y: "sort(d)"}
				output: net: "range(20).sum(i, x[i] > y[i] ? 1 : -1)"`,
		},
		{
			name: "rank_of_20", icepool: 20,
			body: namedDice(20) + `output: n: "` + namesOf(1, 20) + `.count(v, v > d0)"`,
		},
		{
			name: "order_of_4", icepool: 740,
			body: namedDice(4) + `output: order: "range(4).sort_by(i, -` + namesOf(0, 4) + `[i])"`,
		},
		{
			name: "medians_8", icepool: 3.9,
			body: `dice: {` + eachOf(0, 8, "p%d: {die: 6, count: 5}") + `}, output: n: "max([` +
				eachOf(0, 8, "sort(p%d)[2]") + `])"`,
		},
		{
			name: "third_of_200", icepool: 91,
			body: `dice: d: {die: 20, count: 200}, output: n: "sort(d)[197]"`,
		},
		{
			name: "series_40", icepool: 3.8,
			body: `dice: s: {roll: "1d6+1", repeat: 40}, output: n: "s.count(x, x >= 5)"`,
		},
		{name: "1000d6", expression: "1000d6", icepool: 33964},
		{name: "100d100", expression: "100d100", icepool: 27900},
	}
}

// eachOf is a text for each number from one up to another.
func eachOf(from, to int, format string) string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprintf(format, i))
	}
	return strings.Join(out, ", ")
}

// namedDice are so many dice of twenty faces with names of their own, d0 and on.
func namedDice(count int) string { return "dice: {" + eachOf(0, count, "d%d: die: 20") + "}, " }

// namesOf is the list of some of them.
func namesOf(from, to int) string { return "[" + eachOf(from, to, "d%d") + "]" }

// listText is a list of numbers as a ruleset writes it.
func listText(numbers []int) string { return strings.ReplaceAll(fmt.Sprint(numbers), " ", ", ") }

// A poolTime is what a problem takes, in ms.
type poolTime struct {
	*poolProblem
	floats, fractions float64
	peer              float64 // icepool's time
	measured          bool    // in this run, on this machine
	refused           error   // a budget; nil when it was answered
}

// measurePools answers every problem as probabilities and as fractions, beside icepool. The means must agree.
func measurePools() (out []poolTime, err error) {
	problems := slices.Concat(poolProblems(), familyProblems(), loopProblems())
	program, err := poolGame(problems)
	if err != nil {
		return nil, err
	}
	peer := runIcepool()
	for i := range problems {
		p := &problems[i]
		t := poolTime{poolProblem: p, peer: p.icepool}
		if answer, ok := peer[p.name]; ok {
			t.peer, t.measured = answer.Ms, true
		}
		for exact, ms := range map[bool]*float64{false: &t.floats, true: &t.fractions} {
			answer, err := p.prepare(program, exact)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			var mean float64
			took, err := bestWithin(20, time.Second, func() (err error) { mean, err = answer(); return err })
			if _, tooMuch := errors.AsType[*odds.BudgetError](err); tooMuch {
				t.refused = err
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			if want := peer[p.name].mean(); t.measured && math.Abs(mean-want) > 1e-9*(1+math.Abs(want)) {
				return nil, fmt.Errorf("%s: the mean is %v, but icepool's is %v", p.name, mean, want)
			}
			*ms = took.Seconds() * 1e3
		}
		out = append(out, t)
	}
	return out, nil
}

// poolFigures are what problems of dice pools take, as probabilities and as fractions, beside icepool.
func poolFigures([]record.Input) (out []row, err error) {
	times, err := measurePools()
	if err != nil {
		return nil, err
	}
	for _, t := range times {
		if t.refused != nil {
			continue
		}
		for _, kind := range []struct {
			suffix, title string
			ms            float64
		}{{"", "probabilities", t.floats}, {"_exact", "fractions", t.fractions}} {
			name := "pool_" + t.name + kind.suffix
			title := fmt.Sprintf("icepool (%.3g ms) to %s, %s", t.peer, t.name, kind.title)
			out = append(out,
				row{name, t.name + ", " + kind.title, "ms", kind.ms},
				row{name + "_icepool", title, "times", t.peer / kind.ms})
		}
	}
	return out, nil
}

// printPools prints the problems of dice pools as a table: what they take, what they may take, and icepool beside them.
func printPools(out io.Writer) error {
	times, err := measurePools()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| problem | ms | goal | fractions, ms | goal | icepool, ms | icepool to ours | to fractions |")
	fmt.Fprintln(out, "|---|--:|--:|--:|--:|--:|--:|--:|")
	var ratios []float64
	refused := 0
	for _, t := range times {
		if t.refused != nil {
			refused++
			fmt.Fprintf(out, "| %s | refused | | | | %.3g | | |\n| | %v | | | | | | |\n", t.name, t.peer, t.refused)
			continue
		}
		kept := ""
		if !t.measured {
			kept = " (kept)"
		}
		fmt.Fprintf(out, "| %s | %.3g | %s | %.3g | %s | %.3g%s | %.3g | %.3g |\n", t.name, t.floats, goalText(t.goal),
			t.fractions, goalText(t.exactGoal), t.peer, kept, t.peer/t.floats, t.peer/t.fractions)
		ratios = append(ratios, t.peer/t.floats, t.peer/t.fractions)
	}
	slices.Sort(ratios)
	least, median := ratios[0], ratios[len(ratios)/2]
	fmt.Fprintf(out, "\nThe least ratio is %.3g, the median %.3g.\n", least, median)
	verdict := "reached"
	if least <= 1 || median < 20 || refused > 0 {
		verdict = "missed"
	}
	fmt.Fprintf(out, "Goal: every problem faster than icepool, twenty times on the median, none refused that it answers: "+
		"%s (%d of %d refused).\n\n", verdict, refused, len(times))
	return nil
}

func goalText(ms float64) string {
	if ms == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g", ms)
}

// prepare makes the question of a problem. Its answer is the mean of the sum of all numbers that come out.
func (p *poolProblem) prepare(program *rt.Program, exact bool) (func() (float64, error), error) {
	if p.expression != "" {
		e, err := dice.ParseExpression(p.expression)
		answer := notation.ComputeTotal
		if exact {
			answer = notation.ComputeTotalExactly
		}
		return func() (float64, error) {
			d, err := answer(e)
			if err != nil {
				return 0, err
			}
			mean := 0.0
			for i, p := range d.P {
				mean += p * float64(d.Lo+int64(i))
			}
			return mean, nil
		}, err
	}
	if p.procedure != "" {
		return p.prepareLoop(program, exact)
	}
	r, err := eliminate.NewRule(vm.NewImage(program.Plan()), p.name, rt.Choice{})
	q := odds.Question{Exact: exact}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	return func() (mean float64, err error) {
		j, err := r.Odds(q)
		if err != nil {
			return 0, err
		}
		for _, o := range j.Outcomes() {
			for _, v := range o.Values {
				mean += o.P * total(v)
			}
		}
		return mean, nil
	}, err
}

// total adds up the numbers in a value; true counts as 1.
func total(v rt.Value) (sum float64) {
	switch v.Kind() {
	case plan.Int, plan.Bool:
		return float64(v.Int())
	}
	for i := range v.Len() {
		sum += total(v.At(i))
	}
	return sum
}

// poolGame compiles the problems as rules of a small game.
func poolGame(problems []poolProblem) (*rt.Program, error) {
	var text strings.Builder
	text.WriteString("package pools\n\nimport \"github.com/tabletop-rules/rules/schema\"\n\nschema.#Ruleset\n")
	text.WriteString("id: \"pools\"\ntitle: \"Pools\"\nsource: book: \"Pools\"\n#Character: {}\n")
	text.WriteString(`rules: ability: {cite: "-", dice: d: {die: 6, count: 4}, output: total: "sum(sort(d).slice(1, 4))"}` +
		"\n")
	for _, p := range problems {
		if p.body != "" {
			fmt.Fprintf(&text, "rules: %q: {cite: \"-\", %s}\n", p.name, p.body)
		}
		if p.procedure != "" {
			fmt.Fprintf(&text, "procedures: %q: {cite: \"-\", %s}\n", p.name, p.procedure)
		}
	}
	files := fstest.MapFS{"tables/pools/pools.cue": {Data: []byte(text.String())}}
	for _, name := range []string{"cue.mod/module.cue", "schema/schema.cue"} {
		data, err := fs.ReadFile(rules.Files, name)
		if err != nil {
			return nil, err
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	p, diags := compiler.Directory(load.Source{FS: files}, "tables/pools", compiler.Options{})
	if p == nil {
		return nil, fmt.Errorf("the pools do not compile: %v", diags)
	}
	return rt.New(p), nil
}
