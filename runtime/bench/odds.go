package main

import (
	"fmt"
	"io/fs"
	"math"
	"strings"
	"time"

	rules "github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/bench/record"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A chance is a use of a rule of which the odds are asked.
type chance struct {
	name, title string
	program     *rt.Program
	rule        string
	options     map[string]string
	character   []byte
	input       []byte
}

// counted are cases of shipped rules that roll in few enough ways to be counted.
var counted = []struct{ name, ruleset, golden string }{
	{"tempestas_opposed", "tempestas", "both_heroic_draw_one"},
	{"zones_pool", "zones", "pool_stress"},
	{"supermen_compare", "supermen", "history_compared_theirs"},
	{"hybrid_hit", "hybrid", "hit_armored"},
}

// oddsFigures are what exact odds take, beside all ways one by one and beside a million samples, through the same plan.
func oddsFigures([]record.Input) (out []row, err error) {
	if err := oddsAgree(); err != nil {
		return nil, err
	}
	list, err := chances()
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		rows, err := c.measure()
		if err != nil {
			return nil, fmt.Errorf("odds of %s: %w", c.name, err)
		}
		out = append(out, rows...)
	}
	return out, nil
}

// oddsAgree wants that of every use.
func oddsAgree() error {
	list, err := chances()
	if err != nil {
		return err
	}
	for _, c := range list {
		if err := c.agree(); err != nil {
			return fmt.Errorf("odds of %s: %w", c.name, err)
		}
	}
	return nil
}

// chances are the reference record with its two rolls as dice, and the cases.
func chances() ([]*chance, error) {
	p, err := record.Rolled()
	if err != nil {
		return nil, err
	}
	character, err := (&record.Generate(1, 5)[0]).Character()
	if err != nil {
		return nil, err
	}
	out := []*chance{{
		name: "reference", title: "the reference record with 2d100", program: rt.New(p), rule: "blow", character: character,
		input: []byte("{}"),
	}}
	for _, a := range counted {
		c, err := caseOf(a.ruleset, a.golden)
		if err != nil {
			return nil, err
		}
		c.name, c.title = a.name, a.ruleset+" "+c.rule
		out = append(out, c)
	}
	return out, nil
}

// caseOf is the use of a rule in a case.
func caseOf(ruleset, name string) (*chance, error) {
	plans, diags := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{}, ruleset)
	if plans == nil {
		return nil, fmt.Errorf("%s does not compile: %v", ruleset, diags)
	}
	dir, err := fs.Sub(rules.Files, "golden/"+ruleset)
	if err != nil {
		return nil, err
	}
	cases, err := golden.Load(dir, ".", "")
	if err != nil {
		return nil, err
	}
	for _, c := range cases {
		if strings.TrimSuffix(c.Name, ".txtar") == name {
			return &chance{program: rt.New(plans[0]), rule: c.Subject, options: c.Options, character: c.Character,
				input: c.Input}, nil
		}
	}
	return nil, fmt.Errorf("there is no case %s of %s", name, ruleset)
}

// prepare is the rule as odds and as an evaluation, and the question.
func (c *chance) prepare() (*eliminate.Rule, *rt.Rule, odds.Question, error) {
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = c.character, c.input
	o, err := eliminate.NewRule(vm.NewImage(c.program.Plan()), c.rule, rt.Choice{Options: c.options})
	if err != nil {
		return nil, nil, q, err
	}
	rule, err := c.program.Rule(c.rule, rt.Choice{Options: c.options})
	return o, rule, q, err
}

// measure times the three.
func (c *chance) measure() ([]row, error) {
	o, rule, q, err := c.prepare()
	if err != nil {
		return nil, err
	}
	exact, err := best(200, func() error { _, err := o.Odds(q); return err })
	if err != nil {
		return nil, err
	}
	ways, err := best(3, func() error { return c.count(rule, nil) })
	if err != nil {
		return nil, err
	}
	sampled, err := best(3, func() error { return c.sample(rule, samples/100) })
	if err != nil {
		return nil, err
	}
	return []row{
		{"odds_" + c.name, "exact odds of " + c.title, "µs", exact.Seconds() * 1e6},
		{"odds_" + c.name + "_all_ways", "all ways of " + c.title + " one by one, to exact odds", "times",
			ratio(ways, exact)},
		{"odds_" + c.name + "_samples", "a million samples of " + c.title + ", to exact odds", "times",
			100 * ratio(sampled, exact)},
	}, nil
}

const samples = 1_000_000

func ratio(a, b time.Duration) float64 { return a.Seconds() / b.Seconds() }

// agree wants the odds to be what all ways, one by one, give.
func (c *chance) agree() error {
	o, rule, q, err := c.prepare()
	if err != nil {
		return err
	}
	want := map[string]float64{}
	if err := c.count(rule, want); err != nil {
		return err
	}
	j, err := o.Odds(q)
	if err != nil {
		return err
	}
	for _, x := range j.Outcomes() {
		var key strings.Builder
		for _, v := range x.Values {
			key.WriteString(v.String() + " ")
		}
		if math.Abs(want[key.String()]-x.P) > 1e-9 {
			return fmt.Errorf("%s has probability %v, but %v of all ways", key.String(), x.P, want[key.String()])
		}
		delete(want, key.String())
	}
	if len(want) > 0 {
		return fmt.Errorf("%v of all ways have no probability", want)
	}
	return nil
}

// count evaluates the rule for every way in which the dice fall, and adds up how likely what comes of it is.
func (c *chance) count(rule *rt.Rule, into map[string]float64) error {
	w := &odometer{}
	for more := true; more; more = w.advance() {
		sheet, err := rule.Eval(rt.Request{Character: c.character, Input: c.input, Source: w})
		if err != nil {
			return err
		}
		if into == nil {
			continue
		}
		var key strings.Builder
		for i := range sheet.Output.Len() {
			key.WriteString(sheet.Output.At(i).String() + " ")
		}
		into[key.String()] += w.likely()
	}
	return nil
}

// sample evaluates the rule with faces that are drawn.
func (c *chance) sample(rule *rt.Rule, times int) error {
	source := dice.FromSeed(1, 0, 0)
	for range times {
		if _, err := rule.Eval(rt.Request{Character: c.character, Input: c.input, Source: source}); err != nil {
			return err
		}
	}
	return nil
}

// An odometer is a source of faces that shows every way in which dice can fall, one evaluation after the other.
type odometer struct {
	faces, of []int64
	next      int
}

func (w *odometer) Face(d *dice.Draw) (int64, error) {
	if w.next == len(w.faces) {
		w.faces, w.of = append(w.faces, 1), append(w.of, d.Faces)
	}
	w.next++
	return w.faces[w.next-1], nil
}

func (w *odometer) Rest() error { return nil }

func (w *odometer) likely() float64 {
	p := 1.0
	for _, n := range w.of {
		p /= float64(n)
	}
	return p
}

// advance goes on to the next way, if there is one.
func (w *odometer) advance() bool {
	w.next = 0
	for k := len(w.faces) - 1; k >= 0; k-- {
		if w.faces[k] < w.of[k] {
			w.faces[k]++
			w.faces, w.of = w.faces[:k+1], w.of[:k+1]
			return true
		}
	}
	return false
}
