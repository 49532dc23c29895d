package golden_test

import (
	"errors"
	"flag"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/js"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// generatedSeeds is for long runs: from how many seeds the faces of each case are drawn.
var generatedSeeds = flag.Int("seeds", 4, "compare generated rules with faces from so many seeds for each case")

// A generatedCorpus is the rules of a ruleset as JavaScript, and requests with the answers of the interpreter.
type generatedCorpus struct {
	plan     *plan.Plan
	program  *runtime.Program
	dir      string
	choices  map[string]string // the directory of each choice of options
	requests []jstest.Request
	want     []string
	called   []string
}

// TestCasesInJavaScript plays every case of a rule with the interpreter and with the rule in JavaScript, with the faces of
// the case and with faces of seeds, and wants the same sheet, or the same error, byte for byte.
func TestCasesInJavaScript(t *testing.T) {
	jstest.Node(t)
	for _, p := range gametest.ShippedPlans(t) {
		t.Run(p.Ruleset, func(t *testing.T) {
			c := &generatedCorpus{plan: p, program: runtime.New(p), dir: t.TempDir(), choices: map[string]string{}}
			for _, gc := range gametest.Cases(t, p.Ruleset) {
				if p.Rule(gc.Subject) != nil && (gc.Kind == golden.RuleCase || gc.Kind == golden.OddsCase) {
					c.addCase(t, gc)
				}
			}
			c.compare(t)
		})
	}
}

// addCase adds the requests of a case.
func (c *generatedCorpus) addCase(t *testing.T, gc *golden.Case) {
	choice := runtime.Choice{Options: gc.Options}
	r, err := c.program.Rule(gc.Subject, choice)
	if err != nil {
		t.Fatal(err)
	}
	module := path.Join(c.moduleDir(t, choice), js.ModuleName(gc.Subject)+".js")
	export, q := js.ExportName(gc.Subject), gc.Request()
	if gc.Kind == golden.RuleCase {
		c.add(gc.Name, module, export, r, q)
	}
	for seed := range uint64(*generatedSeeds) {
		drawn := q
		drawn.Throw = dice.DrawnFrom(seed)
		c.add(fmt.Sprint(gc.Name, ", seed ", seed), module, export, r, drawn)
	}
}

// moduleDir returns the directory of the modules for a choice, which it writes when it is asked for first.
func (c *generatedCorpus) moduleDir(t *testing.T, choice runtime.Choice) string {
	key := fmt.Sprint(choice.Options)
	if dir, ok := c.choices[key]; ok {
		return dir
	}
	values, err := c.plan.OptionValues(plan.Choice{Options: choice.Options})
	if err != nil {
		t.Fatal(err)
	}
	var rules []*plan.Rule
	for i := range c.plan.Rules {
		rules = append(rules, &c.plan.Rules[i])
	}
	dir := fmt.Sprint("choice", len(c.choices))
	jstest.Write(t, filepath.Join(c.dir, dir), js.Generate(c.plan, values, rules))
	c.choices[key] = dir
	return dir
}

// add adds a request with the answer of the interpreter.
func (c *generatedCorpus) add(called, module, export string, r *runtime.Rule, q runtime.Request) {
	out := jstest.Request{Module: module, Rule: export, Character: string(q.Character), Input: string(q.Input)}
	switch {
	case q.Seed != nil:
		out.Seed = fmt.Sprint(*q.Seed)
	case q.Dice.List != nil:
		out.Dice = q.Dice.List
	case q.Dice.ByID != nil:
		out.Dice = q.Dice.ByID
	}
	c.requests, c.called, c.want = append(c.requests, out), append(c.called, called), append(c.want, answerOfRule(r, q))
}

// answerOfRule returns the sheet of a request, or the kind and the message of its error.
func answerOfRule(r *runtime.Rule, q runtime.Request) string {
	s, err := r.Eval(q)
	if err == nil {
		return string(s.AppendJSON(nil))
	}
	kind := "?"
	switch {
	case is[*runtime.Refused](err):
		kind = "Refused"
	case is[*runtime.Failure](err):
		kind = "Failure"
	case is[*runtime.InputError](err):
		kind = "InputError"
	case is[*dice.Error](err):
		kind = "DiceError"
	}
	return kind + ": " + err.Error()
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// aLongNumber matches a number that arithmetic may carry beyond 2^53, where JavaScript gives up.
var aLongNumber = regexp.MustCompile(`[1-9]\d{14}`)

// compare compares the answers of the modules with those of the interpreter.
func (c *generatedCorpus) compare(t *testing.T) {
	got := jstest.Answers(t, c.dir, c.requests)
	bad, kinds := 0, map[string]int{}
	for i, want := range c.want {
		kinds[strings.SplitN(strings.TrimPrefix(got[i], "{"), ":", 2)[0]]++
		q := &c.requests[i]
		if got[i] == want || strings.HasPrefix(got[i], "Beyond: ") && aLongNumber.MatchString(q.Character+q.Input) {
			continue
		}
		if bad++; bad <= 10 {
			t.Errorf("%s, %s:\n got %s\nwant %s", q.Module, c.called[i], got[i], want)
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d answers differ", bad, len(got))
	}
	t.Logf("%d requests, by how their answers begin: %v", len(got), kinds)
}
