package golden_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/golang/gotest"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
)

// TestRecordsOfBatches gives records to a batch, and one by one with their numbers to the rule in Go and in JavaScript. Each
// has the same faces, and so the same sheet, byte for byte.
func TestRecordsOfBatches(t *testing.T) {
	jstest.Node(t)
	const seed = 7
	p := gametest.ShippedPlan(t, "tempestas")
	packages := goPackages{gotest.NewProgram(t), map[string]*goPackage{}}
	corpora := []*generatedCorpus{newCorpus(packages, p), newCorpus(javaScript{t.TempDir()}, p)}
	rule, err := corpora[0].program.Rule("test", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	input := []byte(`{"name": "navigation", "difficulty": "hard"}`)
	batch, err := rule.Batch(runtime.BatchOptions{Input: input, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	var characters [][]byte
	for i := range 100 {
		characters = append(characters, fmt.Appendf(nil, `{"skills": {"navigation": %d}}`, 45+i%50))
	}
	for _, c := range corpora {
		module, export := c.moduleOf(t, runtime.Choice{}, "test")
		next, stop := iter.Pull2(batch.All(slices.Values(characters)))
		for i, character := range characters {
			sheet, err, _ := next()
			c.addAnswer(fmt.Sprint("record ", i), jstest.Request{Module: module, Export: export, Character: string(character),
				Input: string(input), Throw: throwOf(dice.DrawnFrom(seed)), Record: uint64(i)}, err, func() []byte { return sheet })
		}
		stop()
	}
	packages.build(t)
	for _, c := range corpora {
		c.compare(t)
	}
}
