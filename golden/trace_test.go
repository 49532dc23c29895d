package golden_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// TestTracesGoToTheEnd traces every case of a rule that ships: the sheet stays what it is, each answer is told, and what
// rests on nothing is something given, an option, dice, or a formula without names.
func TestTracesGoToTheEnd(t *testing.T) {
	for _, p := range gametest.ShippedPlans(t) {
		cases, err := golden.Load(os.DirFS("."), p.Ruleset, p.Ruleset)
		if err != nil {
			t.Fatal(err)
		}
		program := runtime.New(p)
		told := 0
		for _, c := range cases {
			if c.Kind != golden.RuleCase {
				continue
			}
			rule, err := program.Rule(c.Subject, runtime.Choice{Options: c.Options})
			if err != nil {
				t.Fatal(err)
			}
			plain, err := rule.Eval(c.Request())
			if err != nil {
				continue
			}
			q := c.Request()
			q.Trace = true
			traced, err := rule.Eval(q)
			if err != nil {
				t.Errorf("%s/%s: traced: %v", p.Ruleset, c.Name, err)
				continue
			}
			told++
			steps := traced.Trace
			if traced.Trace = nil; string(traced.AppendJSON(nil)) != string(plain.AppendJSON(nil)) {
				t.Errorf("%s/%s: the sheet is another one when it is traced", p.Ruleset, c.Name)
			}
			requireAnswers(t, p.Ruleset+"/"+c.Name, traced, steps)
		}
		if told < 10 {
			t.Errorf("%s: %d cases show little", p.Ruleset, told)
		}
	}
}

// literal are formulas that read nothing.
var literal = regexp.MustCompile(`^(by [a-z._]+\n(.*\n?)*|[-+*/%<>=!?: 0-9.,\[\]]|true|false|'[^']*'|[a-z_]+\()*\)*$`)

func requireAnswers(t *testing.T, name string, sheet *runtime.Sheet, steps []*trace.Step) {
	t.Helper()
	answers := map[string]string{}
	for _, s := range steps {
		answers[s.Name] = s.Value.String()
		requireEnds(t, name, s)
	}
	for i, output := range sheet.Output.Names() {
		if want := sheet.Output.At(i).String(); answers[output] != want {
			t.Errorf("%s: the trace tells %s = %s, the sheet %s", name, output, answers[output], want)
		}
	}
}

func requireEnds(t *testing.T, name string, s *trace.Step) {
	t.Helper()
	for _, x := range s.From {
		requireEnds(t, name, x)
	}
	requireElements(t, name, s)
	if len(s.From) > 0 || s.Repeated {
		return
	}
	switch s.Kind {
	case trace.Given, trace.Option, trace.Dice, trace.Argument, trace.Table, trace.Walk, trace.Element:
	default:
		if !literal.MatchString(s.Formula) {
			t.Errorf("%s: the trace of %s %s stops at %q", name, s.Kind, s.Name, s.Formula)
		}
	}
}

// requireElements holds that as many elements decided as the value tells.
func requireElements(t *testing.T, name string, s *trace.Step) {
	t.Helper()
	if s.Kind != trace.Walk || s.Failure != "" || s.Repeated {
		return
	}
	if s.Walked == nil {
		t.Errorf("%s: the trace of what %s makes of a list has no elements", name, s.Name)
		return
	}
	want := -1
	switch {
	case s.Name == "exists" && s.Value.Bool(), s.Name == "all" && !s.Value.Bool():
		want = 1
	case s.Name == "filter" && s.Value.Len() > 0:
		want = s.Value.Len()
	case s.Name == "map" && s.Walked.Decided == s.Walked.Elements:
		want = s.Value.Len()
	}
	shown := 0
	for _, x := range s.From {
		if x.Kind != trace.Element {
			continue
		}
		shown++
		if holds := s.Name != "all" || s.Value.Bool(); want == 1 && s.Value.Kind() == plan.Bool && x.Value.Bool() != holds {
			t.Errorf("%s: %s of %s is %v", name, x.Name, s.Name, x.Value)
		}
	}
	if w := s.Walked; shown != w.Shown || want >= 0 && w.Decided != want || w.Decided > w.Elements {
		t.Errorf("%s: %s shows %d elements, %+v, the value is %v", name, s.Name, shown, *w, s.Value)
	}
}

// twoLists looks a name up in two tables and in two maps; of each kind the first has the sword.
const twoLists = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: {}

tables: {
	blades: {cite: "a", keyed: {dagger: d: 4, sword: d: 6}}
	guards: {cite: "b", keyed: {shield: d: 1, swords: d: 2}}
}
rules: {
	table: {cite: "c", #Input: name!: string, output: d: "blades(input.name).d + guards(input.name).d"}
	map: {
		cite: "d"
		#Input: {
			name!: string
			blades: [string]: int
			guards: [string]: int
		}
		output: d: "input.blades[input.name] + input.guards[input.name]"
	}
}
`

// TestMissedKeyIsOfTheLookUpThatFails wants the key that is near in what lacks it, not the same key in what has it.
func TestMissedKeyIsOfTheLookUpThatFails(t *testing.T) {
	program := runtime.New(compileText(t, twoLists))
	for name, input := range map[string]string{
		"table": `{"name":"sword"}`,
		"map":   `{"name":"sword","blades":{"sword":6},"guards":{"swords":2}}`,
	} {
		rule, err := program.Rule(name, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		q := runtime.Request{Input: []byte(input)}
		if _, err := rule.Eval(q); err == nil {
			t.Errorf("%s: the sword is found", name)
			continue
		}
		if why, err := rule.Explain(q); err != nil || why == nil || why.Near != "swords" {
			t.Errorf("%s: got %+v, %v, want the nearest key swords", name, why, err)
		}
	}
}
