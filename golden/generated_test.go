package golden_test

import (
	"errors"
	"flag"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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
var inJavaScript = flag.String("in-javascript", "tempestas", "compare rules in JavaScript of a ruleset, or of all")

var generatedSeeds = flag.Int("seeds", 2, "compare generated rules with faces from so many seeds for each case")

// A target is a language in which rules are generated.
type target interface {
	// write writes the rules of a plan for the values of its options into a module, or some in a directory, of this name.
	write(t *testing.T, name string, p *plan.Plan, values []int)
	// moduleOf returns the names of the module and of the export of a definition within what has been written.
	moduleOf(name, id string) (module, export string)
	// answers returns the answers to requests.
	answers(t *testing.T, requests []jstest.Request) []string
}

// javaScript writes modules below a directory.
type javaScript struct{ dir string }

func (x javaScript) write(t *testing.T, name string, p *plan.Plan, values []int) {
	rules, procedures := definitionsOf(p)
	jstest.Write(t, filepath.Join(x.dir, name), js.Generate(p, values, rules, procedures))
}

func (x javaScript) moduleOf(name, id string) (module, export string) {
	return path.Join(name, js.ModuleName(id)+".js"), js.ExportName(id)
}

func (x javaScript) answers(t *testing.T, requests []jstest.Request) []string {
	return jstest.Answers(t, x.dir, requests)
}

// definitionsOf returns the rules and procedures of a plan.
func definitionsOf(p *plan.Plan) (rules []*plan.Rule, procedures []*plan.Procedure) {
	for i := range p.Rules {
		rules = append(rules, &p.Rules[i])
	}
	for i := range p.Procedures {
		procedures = append(procedures, &p.Procedures[i])
	}
	return rules, procedures
}

// A generatedCorpus is the rules of a ruleset in another language, and requests with the answers of the interpreter.
type generatedCorpus struct {
	target   target
	plan     *plan.Plan
	program  *runtime.Program
	choices  map[string]string // the name of each choice of options
	requests []jstest.Request
	want     []string
	called   []string
	isWild   bool // formulas may carry numbers beyond 2^53, whatever they are given
}

// TestCasesInJavaScript plays every case of a rule with the interpreter and with the rule in JavaScript, with the faces of
// the case and with faces of seeds, and wants the same sheet, or the same error, byte for byte.
func TestCasesInJavaScript(t *testing.T) {
	jstest.Node(t)
	for _, p := range gametest.ShippedPlans(t) {
		if *inJavaScript != p.Ruleset && *inJavaScript != "all" {
			continue
		}
		t.Run(p.Ruleset, func(t *testing.T) {
			c := newCorpus(javaScript{t.TempDir()}, p)
			c.addCases(t)
			c.compare(t)
		})
	}
}

func newCorpus(target target, p *plan.Plan) *generatedCorpus {
	return &generatedCorpus{target: target, plan: p, program: runtime.New(p), choices: map[string]string{}}
}

// addCases adds the requests of all cases of the ruleset.
func (c *generatedCorpus) addCases(t *testing.T) {
	for _, gc := range gametest.Cases(t, c.plan.Ruleset) {
		switch {
		case gc.Kind == golden.ProcedureCase:
			c.addPlays(t, gc)
		case c.plan.Rule(gc.Subject) != nil && (gc.Kind == golden.RuleCase || gc.Kind == golden.OddsCase):
			c.addCase(t, gc)
		}
	}
}

// addCase adds the requests of a case.
func (c *generatedCorpus) addCase(t *testing.T, gc *golden.Case) {
	choice := runtime.Choice{Options: gc.Options}
	r, err := c.program.Rule(gc.Subject, choice)
	if err != nil {
		t.Fatal(err)
	}
	module, export := c.moduleOf(t, choice, gc.Subject)
	q := gc.Request()
	if gc.Kind == golden.RuleCase {
		c.add(gc.Name, module, export, r, q)
	}
	for seed := range uint64(*generatedSeeds) {
		drawn := q
		drawn.Throw = dice.DrawnFrom(seed)
		c.add(fmt.Sprint(gc.Name, ", seed ", seed), module, export, r, drawn)
	}
}

// addPlays adds the plays of a case: with its own faces, and with the faces of seeds for all its steps.
func (c *generatedCorpus) addPlays(t *testing.T, gc *golden.Case) {
	choice := runtime.Choice{Options: gc.Options}
	c.addPlay(t, gc.Name, gc.Subject, choice, gc.Request(), gc.Steps())
	for seed := range uint64(*generatedSeeds) {
		drawn, steps := gc.Request(), gc.Steps()
		drawn.Throw = dice.DrawnFrom(seed)
		for i := range steps {
			steps[i].Throw = dice.Throw{}
		}
		c.addPlay(t, fmt.Sprint(gc.Name, ", seed ", seed), gc.Subject, choice, drawn, steps)
	}
}

// addPlay adds one play of a procedure.
func (c *generatedCorpus) addPlay(t *testing.T, called, id string, choice runtime.Choice, q runtime.Request,
	steps []runtime.Step) {
	d, err := c.program.Procedure(id, choice)
	if err != nil {
		t.Fatal(err)
	}
	module, export := c.moduleOf(t, choice, id)
	out := jstest.Request{Module: module, Export: export, Character: string(q.Character), Input: string(q.Input),
		Throw: throwOf(q.Throw)}
	for _, s := range steps {
		out.Events = append(out.Events, jstest.Event{Event: s.Event, Input: string(s.Input), Throw: throwOf(s.Throw)})
	}
	play, err := d.Play(q, steps...)
	c.addAnswer(called, out, err, func() []byte { return play.AppendJSON(nil) })
}

// throwOf returns dice as the modules take them.
func throwOf(t dice.Throw) (out jstest.Throw) {
	if t.Seed != nil {
		out.Seed = fmt.Sprint(*t.Seed)
	}
	switch {
	case t.Dice.List != nil:
		out.Dice = t.Dice.List
	case t.Dice.ByID != nil:
		out.Dice = t.Dice.ByID
	}
	return out
}

// addAnswer adds a request with its wanted answer: the sheet, or the kind and the message of the error.
func (c *generatedCorpus) addAnswer(called string, q jstest.Request, err error, sheet func() []byte) {
	want := ""
	if err == nil {
		want = string(sheet())
	} else {
		want = kindOf(err) + ": " + err.Error()
	}
	c.requests, c.called, c.want = append(c.requests, q), append(c.called, called), append(c.want, want)
}

// moduleOf returns the module and the export of a definition for a choice, which is written when it is asked for first.
func (c *generatedCorpus) moduleOf(t *testing.T, choice runtime.Choice, id string) (module, export string) {
	key := fmt.Sprint(choice.Options)
	name, ok := c.choices[key]
	if !ok {
		values, err := c.plan.OptionValues(plan.Choice{Options: choice.Options})
		if err != nil {
			t.Fatal(err)
		}
		name = fmt.Sprint(c.plan.Ruleset, len(c.choices))
		c.target.write(t, name, c.plan, values)
		c.choices[key] = name
	}
	return c.target.moduleOf(name, id)
}

// add adds a request of a rule.
func (c *generatedCorpus) add(called, module, export string, r *runtime.Rule, q runtime.Request) {
	s, err := r.Eval(q)
	c.addAnswer(called, jstest.Request{Module: module, Export: export, Character: string(q.Character),
		Input: string(q.Input), Throw: throwOf(q.Throw)}, err, func() []byte { return s.AppendJSON(nil) })
}

// kindOf returns the kind of an error, by which modules name it.
func kindOf(err error) string {
	switch {
	case is[*runtime.Refused](err):
		return "Refused"
	case is[*runtime.Failure](err):
		return "Failure"
	case is[*runtime.InputError](err):
		return "InputError"
	case is[*dice.Error](err), is[*dice.ThrowError](err):
		return "DiceError"
	case is[*runtime.NotOffered](err):
		return "NotOffered"
	}
	return "?"
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// aLongNumber matches a number that arithmetic may carry beyond 2^53, where JavaScript gives up.
var aLongNumber = regexp.MustCompile(`[1-9]\d{14}|\de\+?[1-9]\d`)

// compare compares the answers of the modules with those of the interpreter.
func (c *generatedCorpus) compare(t *testing.T) {
	got := c.target.answers(t, c.requests)
	bad, kinds := 0, map[string]int{}
	for i, want := range c.want {
		kinds[strings.SplitN(strings.TrimPrefix(got[i], "{"), ":", 2)[0]]++
		q := &c.requests[i]
		isLong := c.isWild || aLongNumber.MatchString(q.Character+q.Input) ||
			slices.ContainsFunc(q.Events, func(e jstest.Event) bool { return aLongNumber.MatchString(e.Input) })
		if got[i] == want || isLong && strings.HasPrefix(got[i], "Beyond: ") {
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
