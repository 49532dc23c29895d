package overlay_test

import (
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// valued has columns of fractions, of whole numbers and of lists, and an output that an option chooses.
const valued = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset
id:    "game"
title: "A game"
source: book: "A book"
#Character: {}
options: taste: {cite: "Taste", values: {mild: "one", hot: "two"}}
tables: item: {
	cite: "Items"
	keyed: {
		rope: {weight: 0.1, cost: 1, tags: ["long"]}
		tent: {weight: 7, cost: 20, tags: []}
		anvil: {weight: 1e21, cost: 300, tags: ["heavy", "iron"]}
		none: {weight: 0, cost: 0, tags: []}
	}
}
tables: dose: {cite: "Doses", columns: ["few", "many"], rows: {salt: [1, 2], oil: [3, 4]}}
rules: buy: {
	cite: "Items"
	#Input: {what!: string @key(item), spice!: string @key(dose)}
	output: {
		weight: "item(input.what).weight", cost: "item(input.what).cost", tags: "item(input.what).tags"
		dose: option: taste: {mild: "dose(input.spice, 'few')", hot: "dose(input.spice, 'many')"}
	}
}
`

// applyValued applies homebrews to valued.
func applyValued(body string) (*plan.Plan, []diag.Diagnostic) {
	return compiler.Homebrew(entryOfSource("rules.cue", release, "game/game.cue", valued), "game",
		[]load.Source{brew("house", body)}, compiler.Options{})
}

// TestExpectedNumbers compares what is expected with what stands there as numbers, however they are written, and the arms of
// a choice in any order.
func TestExpectedNumbers(t *testing.T) {
	for _, c := range []struct {
		body    string
		applies bool
	}{
		{`replace: tables: item: rows: tent: weight: {expect: 7, with: 8}`, true},
		{`replace: tables: item: rows: tent: weight: {expect: 7.0, with: 8}`, true},
		{`replace: tables: item: rows: tent: weight: {expect: 7.00000000000000000001, with: 8}`, false},
		{`replace: tables: item: rows: rope: weight: {expect: 0.10, with: 8}`, true},
		{`replace: tables: item: rows: rope: weight: {expect: 1e-1, with: 8}`, true},
		{`replace: tables: item: rows: rope: weight: {expect: 0.01, with: 8}`, false},
		{`replace: tables: item: rows: none: weight: {expect: 0.0, with: 8}`, true},
		{`replace: tables: item: rows: none: weight: {expect: 0, with: 8}`, true},
		{`replace: tables: item: rows: anvil: weight: {expect: 1000000000000000000000.0, with: 8}`, true},
		{`replace: tables: item: rows: anvil: weight: {expect: 1E+21, with: 8}`, true},
		{`replace: tables: item: rows: anvil: weight: {expect: 1000000000000000000001.0, with: 8}`, false},
		{`replace: tables: item: rows: anvil: cost: {expect: 300.0, with: 8}`, true},
		{`replace: tables: item: rows: anvil: cost: {expect: 30, with: 8}`, false},
		{`replace: tables: item: rows: rope: tags: {expect: ["long "], with: []}`, false},
		{`replace: rules: buy: output: dose: {
			expect: option: taste: {hot: "dose(input.spice, 'many')", mild: "dose(input.spice, 'few')"}, with: "1"}`, true},
		{`replace: rules: buy: output: dose: {
			expect: option: taste: {mild: "dose(input.spice, 'many')", hot: "dose(input.spice, 'few')"}, with: "1"}`, false},
	} {
		p, said := applyValued(c.body)
		if !c.applies && (len(said) != 1 || said[0].Code != "overlay-moved") || c.applies && p == nil {
			t.Errorf("%s: applies is not %v: %v", c.body, c.applies, said)
		}
	}
}

// TestRowsWithEmptyLists takes rows with lists that are all empty, as the table's own rows say what is in them.
func TestRowsWithEmptyLists(t *testing.T) {
	for _, body := range []string{
		`extend: tables: item: keyed: pole: {weight: 1, cost: 2, tags: []}`,
		`extend: tables: item: keyed: {pole: {weight: 1.5, cost: 2, tags: []}, bag: {weight: 2, cost: 1, tags: []}}`,
	} {
		if p, said := applyValued(body); p == nil {
			t.Errorf("%s: %v", body, said)
		}
	}
	_, said := applyValued(`extend: tables: item: keyed: rope: {weight: 0.1, cost: 2, tags: []}`)
	if len(said) != 1 || said[0].Code != "overlay-silent" {
		t.Errorf("a row that is there already: %v", said)
	}
	_, said = applyValued(`add: tables: bag: {cite: "Bags", keyed: a: {tags: []}}`)
	if len(said) == 0 || said[0].Code != "table-type" {
		t.Errorf("a new table of empty lists: %v", said)
	}
}
