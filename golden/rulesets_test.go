package golden_test

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// books says how much each document states, so that no statement is lost from a list unseen.
var books = map[string]struct{ statements, examples int }{
	"haze":      {88, 37},
	"hybrid":    {123, 98},
	"supermen":  {156, 59},
	"tempestas": {50, 33},
	"zones":     {76, 50},
}

// A corpus is a ruleset with everything that holds it.
type corpus struct {
	dir        string // in the module: golden/<ruleset>
	files      fs.FS
	plan       *plan.Plan
	cases      []*golden.Case
	statements []golden.Statement
}

// TestRulesets holds every ruleset that ships to its book.
func TestRulesets(t *testing.T) {
	files := os.DirFS("..")
	shipped := shippedNames(t, files)
	if want := slices.Sorted(maps.Keys(books)); !slices.Equal(shipped, want) {
		t.Errorf("rules.cue ships %v, the books are %v", shipped, want)
	}
	for _, name := range shipped {
		t.Run(name, func(t *testing.T) {
			c := &corpus{dir: path.Join("golden", name), files: files}
			c.load(t, name)
			t.Run("cases", c.testCases)
			t.Run("statements", c.testStatements)
			t.Run("names", c.testNames)
			t.Run("repeats", c.testRepeats)
			t.Run("ours", c.testOurs)
			t.Run("carried_out", c.testCarriedOut)
			t.Run("characters", c.testCharacters)
		})
	}
}

func shippedNames(t *testing.T, files fs.FS) []string {
	var diags diag.List
	var out []string
	for _, r := range load.Release(load.Source{FS: files}, &diags) {
		out = append(out, r.Name)
	}
	slices.Sort(out)
	return out
}

// load compiles the ruleset for coverage and reads its cases and its statements.
func (c *corpus) load(t *testing.T, name string) {
	plans, diags := compiler.Release(load.Source{FS: c.files}, compiler.Options{Cover: true, Functions: true}, name)
	for _, d := range diags {
		t.Error(d.String())
	}
	if len(plans) != 1 {
		t.FailNow()
	}
	c.plan = plans[0]
	if err := plan.Verify(c.plan); err != nil {
		t.Fatal(err)
	}
	var err error
	if c.cases, err = golden.Load(c.files, c.dir, c.dir); err != nil {
		t.Error(err)
	}
	if c.statements, err = golden.LoadStatements(c.files, c.dir, c.dir); err != nil {
		t.Fatal(err)
	}
}

func (c *corpus) testCases(t *testing.T) {
	program := runtime.New(c.plan)
	for _, x := range c.cases {
		if x.Recorded {
			t.Errorf("%s is recorded: what ships is held by its book alone", x.File)
		}
		t.Run(x.Name, func(t *testing.T) {
			for _, problem := range golden.Run(program, x).Problems {
				t.Errorf("%s:%v", x.File, problem)
			}
		})
	}
}

// testStatements counts what the list has.
func (c *corpus) testStatements(t *testing.T) {
	statements, examples := 0, 0
	for _, s := range c.statements {
		if !strings.HasPrefix(s.ID, c.plan.Ruleset+".") {
			t.Errorf("%s/statements.txt:%d: %s is not of this ruleset", c.dir, s.Line, s.ID)
		}
		if !s.Example {
			statements++
			continue
		}
		examples++
	}
	if want := books[c.plan.Ruleset]; statements != want.statements || examples != want.examples {
		t.Errorf("%s/statements.txt lists %d statements and %d examples, the book has %d and %d",
			c.dir, statements, examples, want.statements, want.examples)
	}
}

// testNames wants no definition to cover what is not to be carried out, and every erratum that a case names to be defined.
func (c *corpus) testNames(t *testing.T) {
	kinds := map[string]string{}
	for _, s := range c.statements {
		kinds[s.ID] = s.Kind
	}
	for _, e := range c.plan.Entries {
		for _, id := range e.Covers {
			if kinds[id] != "" {
				t.Errorf("%s: %s covers %s, which statements.txt calls a %s", diag.PlaceString(e.Place), e.ID, id, kinds[id])
			}
		}
	}
	for _, x := range c.cases {
		if x.Erratum != "" && !slices.ContainsFunc(c.plan.Errata, func(e plan.Erratum) bool { return e.ID == x.Erratum }) {
			t.Errorf("%s: there is no erratum %s", x.File, x.Erratum)
		}
	}
}

// testOurs wants every case of an example that the book works without all of its numbers to say which are ours. A case of
// no example needs no such word: there the sheet, the input and the faces are always ours.
func (c *corpus) testOurs(t *testing.T) {
	incomplete := map[string]bool{}
	for _, s := range c.statements {
		incomplete[s.ID] = s.Ours
	}
	word := regexp.MustCompile(`\bours\b`)
	for _, x := range c.cases {
		i := slices.IndexFunc(x.Covers, func(id string) bool { return incomplete[id] })
		if i >= 0 && x.Kind != golden.TableCase && !word.MatchString(x.Text) {
			t.Errorf("%s: the book has not all of the numbers of %s, and the case does not say which are ours", x.File, x.Covers[i])
		}
	}
}

// testCarriedOut wants a definition and a passing case for every statement that computes something, a case for every
// example and every table, and nothing else to be covered.
func (c *corpus) testCarriedOut(t *testing.T) {
	report := golden.Test(c.plan, c.cases, c.statements)
	for _, what := range report.Unlisted {
		t.Errorf("%s, which statements.txt does not list", what)
	}
	for _, id := range report.Examples {
		t.Errorf("no passing case shows the example %s", id)
	}
	for _, id := range report.Tables {
		t.Errorf("no table case holds table %s", id)
	}
	by := map[string][]string{}
	for _, e := range c.plan.Entries {
		for _, id := range e.Covers {
			by[id] = append(by[id], e.ID)
		}
	}
	for _, id := range report.Statements {
		if by[id] == nil {
			t.Errorf("%s: no definition covers it", id)
		} else {
			t.Errorf("%s: no passing case names it and evaluates %s", id, strings.Join(by[id], " or "))
		}
	}
	c.testBranches(t, report)
}

func (c *corpus) testBranches(t *testing.T, report *golden.Report) {
	open := len(report.Branches) - report.Taken()
	if open == 0 {
		return
	}
	t.Errorf("cases leave %d branches open", open)
	for _, b := range report.Branches {
		if b.Times == 0 {
			t.Errorf("%s: %s: %s is never taken", diag.PlaceString(b.Place), b.Name, b.What)
		}
	}
}

// testCharacters evaluates the characters that ship, each with its inputs: <character>.json, <character>_<rule>.json,
// <character>_<procedure>.json and <character>_<procedure>_events.json.
func (c *corpus) testCharacters(t *testing.T) {
	names, err := fs.Glob(c.files, path.Join(c.dir, "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no character", c.dir)
	}
	program := runtime.New(c.plan)
	left := map[string]bool{}
	for _, f := range names {
		left[strings.TrimSuffix(path.Base(f), ".json")] = true
	}
	for _, name := range slices.SortedFunc(maps.Keys(left), func(a, b string) int { return cmp.Compare(len(a), len(b)) }) {
		if strings.Contains(name, "_") {
			continue
		}
		delete(left, name)
		for _, id := range program.RuleNames() {
			if left[name+"_"+id] {
				delete(left, name+"_"+id)
				c.evaluate(t, program, name, id)
			}
		}
		for _, id := range program.ProcedureNames() {
			if left[name+"_"+id] {
				delete(left, name+"_"+id)
				delete(left, name+"_"+id+"_events")
				c.proceed(t, program, name, id)
			}
		}
	}
	for name := range left {
		t.Errorf("%s/%s.json is the input of no rule or procedure", c.dir, name)
	}
}

func (c *corpus) read(t *testing.T, name string) []byte {
	data, err := fs.ReadFile(c.files, path.Join(c.dir, name+".json"))
	if err != nil {
		t.Error(err)
	}
	return data
}

func (c *corpus) request(t *testing.T, character, input string) runtime.Request {
	return runtime.Request{
		Character: c.read(t, character), Input: c.read(t, input), Throw: dice.DrawnFrom(1),
	}
}

func (c *corpus) evaluate(t *testing.T, program *runtime.Program, character, rule string) {
	r, err := program.Rule(rule, runtime.Choice{})
	if err == nil {
		_, err = r.Eval(c.request(t, character, character+"_"+rule))
	}
	if err != nil {
		t.Errorf("%s/%s_%s.json: %v", c.dir, character, rule, err)
	}
}

func (c *corpus) proceed(t *testing.T, program *runtime.Program, character, procedure string) {
	name := character + "_" + procedure
	d, err := program.Procedure(procedure, runtime.Choice{})
	if err != nil {
		t.Error(err)
		return
	}
	play, err := d.Start(c.request(t, character, name))
	if err != nil {
		t.Errorf("%s/%s.json: %v", c.dir, name, err)
		return
	}
	events, err := golden.ParseEvents(path.Join(c.dir, name+"_events.json"), c.read(t, name+"_events"))
	if err != nil {
		t.Error(err)
	}
	for i, e := range events {
		if err := play.Do(e, false); err != nil {
			t.Errorf("%s/%s_events.json: event %d, %s: %v", c.dir, name, i+1, e.Event, err)
			return
		}
	}
}
