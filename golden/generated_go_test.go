package golden_test

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/emit/golang"
	"github.com/tabletop-rules/rules/runtime/emit/golang/gotest"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// compiledGo is for long runs: which rulesets are compiled as Go packages. All of them take minutes.
var (
	compiledGo = flag.String("compiled-go", "tempestas", "compare rules in Go of a ruleset, of the generated corpus, or of all")
	standalone = flag.Bool("standalone-go", false, "compile Go packages that hold what they need of the kernel")
)

// goPackages writes packages of one program. Each has the rules of which anything is asked.
type goPackages struct {
	program *gotest.Program
	of      map[string]*goPackage
}

type goPackage struct {
	plan   *plan.Plan
	values []int
	asked  []string // ids of rules
}

func (x goPackages) write(_ *testing.T, name string, p *plan.Plan, values []int) {
	x.of[name] = &goPackage{plan: p, values: values}
}

func (x goPackages) moduleOf(name, id string) (module, export string) {
	if p := x.of[name]; !slices.Contains(p.asked, id) {
		p.asked = append(p.asked, id)
	}
	return name, id
}

func (x goPackages) answers(t *testing.T, requests []jstest.Request) []string {
	return gotest.Answers(t, x.program, requests)
}

// build compiles the program.
func (x goPackages) build(t *testing.T) {
	for name, p := range x.of {
		rules, procedures := definitionsOf(p.plan)
		rules = slices.DeleteFunc(rules, func(r *plan.Rule) bool { return !slices.Contains(p.asked, r.ID) })
		procedures = slices.DeleteFunc(procedures, func(d *plan.Procedure) bool { return !slices.Contains(p.asked, d.ID) })
		of := golang.Package{Name: name, IsStandalone: *standalone}
		files, names, err := golang.Generate(p.plan, p.values, of, rules, procedures)
		if err != nil {
			t.Fatal(err)
		}
		x.program.AddAnswering(t, of, p.plan, files, names)
	}
	x.program.Build(t)
}

// TestCasesInGo plays every case, records that are made up, and requests with mistakes, with the interpreter and with the rule
// in Go, all of whose packages are compiled once.
func TestCasesInGo(t *testing.T) {
	packages := goPackages{gotest.NewProgram(t), map[string]*goPackage{}}
	var corpora []*generatedCorpus
	for _, p := range gametest.ShippedPlans(t) {
		if *compiledGo != p.Ruleset && *compiledGo != "all" {
			continue
		}
		c := newCorpus(packages, p)
		c.addCases(t)
		c.addMadeUp(t, rand.New(rand.NewPCG(*madeUpSeed, 0)), gametest.Cases(t, p.Ruleset), *madeUp)
		c.addMistakes(t, rand.New(rand.NewPCG(*mistakeSeed, 0)), *mistakes)
		corpora = append(corpora, c)
	}
	packages.build(t)
	for _, c := range corpora {
		t.Run(c.plan.Ruleset, func(t *testing.T) { c.compare(t) })
	}
}

// TestStructsAreCheckedByFields finds no struct of the shipped rulesets that is always written as JSON and read to be checked.
func TestStructsAreCheckedByFields(t *testing.T) {
	always := regexp.MustCompile(`func (check\w+\(v \*\w+\) error \{\n\treturn schemaOf|fits\w+\(v \*\w+\) bool \{\n\treturn false)`)
	for _, p := range gametest.ShippedPlans(t) {
		values, err := p.OptionValues(plan.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		rules, procedures := definitionsOf(p)
		files, _, err := golang.Generate(p, values, golang.Package{Name: p.Ruleset}, rules, procedures)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if found := always.FindString(f.Text); found != "" {
				t.Errorf("%s, %s: %s", p.Ruleset, f.Name, found)
			}
		}
	}
}
