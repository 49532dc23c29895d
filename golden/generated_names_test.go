package golden_test

import (
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/golang"
	"github.com/tabletop-rules/rules/runtime/emit/golang/gotest"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
)

// TestTakenNamesInGo generates a ruleset whose names are those that the package has for things of its own.
func TestTakenNamesInGo(t *testing.T) {
	p := gametest.TakenNames(t)
	if *compiledGo == "all" {
		packages := goPackages{gotest.NewProgram(t), map[string]*goPackage{}}
		c := newCorpus(packages, p)
		c.addTakenNames(t)
		packages.build(t)
		c.compare(t)
		return
	}
	rules, procedures := definitionsOf(p)
	files, _, err := golang.Generate(p, nil, golang.Package{Name: "client"}, rules, procedures)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name] = f.Text
	}
	gametest.CheckNames(t, texts)
}

// TestTakenNamesInJavaScript plays them.
func TestTakenNamesInJavaScript(t *testing.T) {
	jstest.Node(t)
	c := newCorpus(javaScript{t.TempDir()}, gametest.TakenNames(t))
	c.addTakenNames(t)
	c.compare(t)
}

// addTakenNames adds a request of each rule, and a play of every event.
func (c *generatedCorpus) addTakenNames(t *testing.T) {
	q := runtime.Request{Character: []byte(`{"client":"way","input":2}`), Throw: dice.DrawnFrom(1),
		Input: []byte(`{"asked":{"distribution":3},"b":{"c":{"d":4}},"b_c":{"d":5},"row":"A","last":"d"}`)}
	for i := range c.plan.Rules {
		id := c.plan.Rules[i].ID
		r, err := c.program.Rule(id, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		module, export := c.moduleOf(t, runtime.Choice{}, id)
		c.add(id, module, export, r, q)
	}
	var steps []runtime.Step
	for _, e := range c.plan.Procedures[0].Events {
		steps = append(steps, runtime.Step{Event: e.ID, Input: []byte(`{"asked":{"by":2}}`)})
	}
	c.addPlay(t, "play", "play", runtime.Choice{}, runtime.Request{Throw: dice.DrawnFrom(1)}, steps)
}
