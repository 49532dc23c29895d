package main

import (
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"

	rules "github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A poolProblem is a problem of dice pools that icepool answers too, as an author writes it: the body of a rule, or an
// expression.
//
// icepool is its time in ms, of icepool 2.2.2 in Python 3.12, the first call, best of three, on two cores of a busy
// machine (an evaluator written by hand for each problem). It is kept here and not measured again; a ratio below 2 says
// nothing.
type poolProblem struct {
	name, body, expression string
	icepool                float64
}

const scores = `use: a: {rule: "ability", each: e: "range(6)"}, `

func poolProblems() []poolProblem {
	sets := `output: best: "max(range(1, 11).map(h, r.count(f, f == h) > 0 ? r.count(f, f == h) * 100 + h : 0))"`
	cancel := `output: best: "max(range(1, 7).map(h, a.count(f, f == h) > d.count(f, f == h) ? h : 0))"`
	hand := `dice: hand: {die: 52, count: 5, distinct: true}, `
	return []poolProblem{
		{name: "sets_6d10", body: `dice: r: {die: 10, count: 6}, ` + sets, icepool: 5.3},
		{name: "sets_10d10", body: `dice: r: {die: 10, count: 10}, ` + sets, icepool: 13},
		{
			name: "pairs_8d6", icepool: 3.1,
			body: `dice: r: {die: 6, count: 8}, output: n: "range(1, 7).sum(h, div_floor(r.count(f, f == h), 2))"`,
		},
		{
			name: "two_sets_9d6", icepool: 4.3,
			body: `dice: r: {die: 6, count: 9}
				let: s: "sort(range(1, 7).map(h, r.count(f, f == h)))"
				output: {a: "s[5]", b: "s[4]"}`,
		},
		{
			name: "straight_8d10", icepool: 6.8,
			body: `dice: r: {die: 10, count: 8}
				output: n: "max(range(1, 11).map(m, range(1, 12 - m).exists(a, range(a, a + m).all(h, h in r)) ? m : 0))"`,
		},
		{name: "scores_sum", body: scores + `output: n: "a.sum(x, x.total)"`, icepool: 4},
		{name: "scores_any", body: scores + `output: any: "a.exists(x, x.total >= 17)"`, icepool: 4},
		{name: "scores_third", body: scores + `output: n: "sort(a.map(x, x.total))[3]"`, icepool: 5.7},
		{name: "scores_sorted", body: scores + `output: all: "sort(a.map(x, x.total))"`, icepool: 804},
		{name: "aces", body: hand + `output: n: "hand.count(c, c <= 4)"`, icepool: 0.85},
		{name: "flush", body: hand + `output: n: "max(range(4).map(s, hand.count(c, div_floor(c - 1, 13) == s)))"`, icepool: 1.4},
		{
			name: "poker", icepool: 3.9,
			body: hand + `output: n: "sort(range(13).map(r, hand.count(c, (c - 1) % 13 == r))).slice(8, 13)"`,
		},
		{
			name: "lands", icepool: 0.87,
			body: `dice: hand: {die: 60, count: 7, distinct: true}, output: n: "hand.count(c, c <= 24)"`,
		},
		{name: "cancel_4_3", body: `dice: {a: {die: 6, count: 4}, d: {die: 6, count: 3}}, ` + cancel, icepool: 9},
		{name: "cancel_11_11", body: `dice: {a: {die: 6, count: 11}, d: {die: 6, count: 11}}, ` + cancel, icepool: 278},
		{
			name: "ten_again_50", icepool: 557, // to depth 19
			body: `dice: d: {die: 10, count: 50, explode: on: 10}, output: n: "d.sum(f, div_floor(f, 10) + (f % 10 >= 8 ? 1 : 0))"`,
		},
		{
			name: "cortex", icepool: 2.7,
			body: `dice: {a: die: 12, b: die: 10, c: die: 8, d: die: 8, e: die: 6}
				output: n: "sum(sort([a, b, c, d, e].map(f, f > 1 ? f : 0)).slice(3, 5))"`,
		},
		{
			name: "best_of_three_3d6", icepool: 0.45,
			body: `dice: {a: {die: 6, count: 3}, b: {die: 6, count: 3}, c: {die: 6, count: 3}}
				output: n: "max([sum(a), sum(b), sum(c)])"`,
		},
		{name: "20d20kh10", expression: "20d20kh10", icepool: 67},
		{name: "100d20kh50", expression: "100d20kh50", icepool: 5243},
		{name: "10d10!k5", expression: "10d10!k5", icepool: 1075}, // to depth 19
		{name: "1000d6", expression: "1000d6", icepool: 33964},
	}
}

// poolFigures are what problems of dice pools take, as probabilities and as fractions, beside icepool.
func poolFigures([]record.Input) (out []row, err error) {
	problems := poolProblems()
	program, err := poolGame(problems)
	if err != nil {
		return nil, err
	}
	for i := range problems {
		p := &problems[i]
		for _, exact := range []bool{false, true} {
			answer, err := p.prepare(program, exact)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			took, err := best(20, answer)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			name, kind := "pool_"+p.name, "probabilities"
			if exact {
				name, kind = name+"_exact", "fractions"
			}
			ms := took.Seconds() * 1e3
			out = append(out,
				row{name, p.name + ", " + kind, "ms", ms},
				row{name + "_icepool", fmt.Sprintf("icepool (%.3g ms) to %s, %s", p.icepool, p.name, kind), "times", p.icepool / ms})
		}
	}
	return out, nil
}

// prepare makes the question of a problem.
func (p *poolProblem) prepare(program *rt.Program, exact bool) (func() error, error) {
	if p.expression != "" {
		e, err := dice.ParseExpression(p.expression)
		answer := odds.OfExpression
		if exact {
			answer = odds.Fractions
		}
		return func() error { _, err := answer(e); return err }, err
	}
	r, err := odds.NewRule(program, p.name, rt.Choice{})
	q := odds.Question{Exact: exact}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	return func() error {
		j, err := r.Odds(q)
		if err == nil {
			j.Outcomes()
		}
		return err
	}, err
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
