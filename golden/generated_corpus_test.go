package golden_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/vectors"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/golang/gotest"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// playedVectors is how many vectors of generated rulesets are played in other languages.
const playedVectors = 60

// TestCorpusInJavaScript plays vectors of rulesets that are made at random in JavaScript.
func TestCorpusInJavaScript(t *testing.T) {
	jstest.Node(t)
	for _, c := range corpora(t, func() target { return javaScript{t.TempDir()} }) {
		c.compare(t)
	}
}

// TestCorpusInGo plays them in Go, whose compiler takes a minute for it.
func TestCorpusInGo(t *testing.T) {
	if *compiledGo != "corpus" && *compiledGo != "all" {
		t.Skip("-compiled-go corpus compiles generated rulesets as Go packages")
	}
	packages := goPackages{gotest.NewProgram(t), map[string]*goPackage{}}
	all := corpora(t, func() target { return packages })
	packages.build(t)
	for _, c := range all {
		c.compare(t)
	}
}

// corpora makes a corpus of vectors and gives those of each ruleset to a target.
func corpora(t *testing.T, newTarget func() target) (out []*generatedCorpus) {
	t.Helper()
	plans := map[string]*plan.Plan{}
	made, err := vectors.MakeCorpus(playedVectors, 1, func(source string) *plan.Plan {
		plans[source] = gametest.CompileSource(source)
		return plans[source]
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range made.Rulesets {
		p := plans[r.Source]
		p.Ruleset = fmt.Sprint("game", r.Seed)
		c := newCorpus(newTarget(), p)
		c.isWild = true
		for _, v := range r.Vectors {
			c.addVector(t, v)
		}
		out = append(out, c)
	}
	return out
}

// addVector adds the request of a vector that is no question of odds.
func (c *generatedCorpus) addVector(t *testing.T, v vectors.Vector) {
	choice := runtime.Choice{Options: v.Options}
	throwFrom := func(text json.RawMessage) (out dice.Throw) {
		if len(text) > 0 {
			if err := json.Unmarshal(text, &out.Dice); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	q := runtime.Request{Character: v.Character, Input: v.Input, Throw: throwFrom(v.Dice)}
	switch v.Kind {
	case vectors.Rule:
		r, err := c.program.Rule(v.Subject, choice)
		if err != nil {
			t.Fatal(err)
		}
		module, export := c.moduleOf(t, choice, v.Subject)
		c.add(v.ID, module, export, r, q)
	case vectors.Procedure:
		var steps []runtime.Step
		for _, e := range v.Events {
			steps = append(steps, runtime.Step{Event: e.Event, Input: e.Input, Throw: throwFrom(e.Dice)})
		}
		c.addPlay(t, v.ID, v.Subject, choice, q, steps)
	}
}
