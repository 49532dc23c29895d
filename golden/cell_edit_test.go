package golden_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// TestCellsAreEditedAsByHomebrews edits cells in compiled plans, and by homebrews that replace the same cells: both answer
// alike. So WithCell reaches everything of a table that a plan has.
func TestCellsAreEditedAsByHomebrews(t *testing.T) {
	module := load.Source{FS: os.DirFS("..")}
	for _, p := range gametest.ShippedPlans(t) {
		edited := map[bool]int{} // whether the table has two keys: cells
		for i := range p.Tables {
			cells := p.CellsOf(p.Tables[i].ID)
			isChart := p.Across(&p.Tables[i]) != nil
			perKind := portion.Of(1, 3)
			for k := len(cells) / 3; k < len(cells) && edited[isChart] < perKind; k += len(cells)/perKind + 1 {
				if c := cells[k]; c.Type.Kind == plan.Int && editBoth(t, module, p, &c, false) {
					edited[isChart]++
				}
			}
		}
		if edited[false] == 0 {
			t.Errorf("%s: no cell was edited", p.Ruleset)
		}
	}
}

// manyTables is a ruleset with tables of all kinds, each of which a rule reads.
const manyTables = `package game
import "github.com/tabletop-rules/rules/schema"
schema.#Ruleset
id: "game"
title: "A game"
source: book: "A book"
_t: cite: "T"
#Character: {}
tables: {
	keyed: {_t, keyed: {a: {i: 1, d: 1.5, b: true, s: "x"}, "b, c": {i: 3, d: 0.5, b: false, s: "y"}}}
	bands: {_t, bands: [{on: [0, 2.5], i: 1, s: "x"}, {on: [3, 9], i: 5, s: "y"}]}
	steps: {_t, gives: "d", steps: [{from: 0, d: 0.25}, {above: 5, d: 2.5}, {from: 7.5, d: 4.5}]}
	words: {_t, columns: ["a", "b"], rows: {a: [1, 2], b: [3, 4]}}
	bands_by_bands: {_t, columns: [1, [2, 5]], rows: [{on: [0, 2], cells: [1.5, 2.5]}, {on: 3, cells: [3.5, 4.5]}]}
	steps_by_steps: {_t, columns: [{from: 0}, {above: 3.5}], rows: [{from: 0, cells: ["x", "y"]}, {above: 2, cells: ["z", "x"]}]}
	words_by_bands: {_t, columns: [[1, 2], [3, 5]], rows: {a: [true, false], b: [false, true]}}
	bands_by_words: {_t, columns: ["a", "b"], rows: [{on: [0, 2], cells: [1, 2]}, {on: 3, cells: [3, 4]}]}
	steps_by_words: {_t, columns: ["a", "b"], rows: [{from: 0, cells: [1, 2]}, {from: 3, cells: [3, 4]}]}
}
rules: read: {
	_t
	#Input: {word: "a" | "b", row!: int & >=0 & <=3, column!: int & >=1 & <=5}
	let: key: "input.word == 'a' ? 'a' : 'b, c'"
	output: {
		keyed_i: "keyed(key).i", keyed_d: "keyed(key).d", keyed_b: "keyed(key).b", keyed_s: "keyed(key).s"
		bands_i: "bands(input.row).i", bands_s: "bands(input.row).s"
		steps: "steps(input.row + input.column)"
		words: "words(input.word, 'b')", words_a: "words('b', input.word)"
		bands_by_bands: "bands_by_bands(input.row, input.column)", steps_by_steps: "steps_by_steps(input.row, input.column)"
		words_by_bands: "words_by_bands(input.word, input.column)", bands_by_words: "bands_by_words(input.row, input.word)"
		steps_by_words: "steps_by_words(input.row, input.word)"
	}
}
`

// TestCellsOfAllKindsOfTables edits each cell of a ruleset with tables of all kinds in the plan and by a homebrew.
func TestCellsOfAllKindsOfTables(t *testing.T) {
	schema, err := fs.ReadFile(rules.Files, "schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	const release = "package rules\nimport (\n\"github.com/tabletop-rules/rules/schema\"\n" +
		"\"github.com/tabletop-rules/rules/tables/game\"\n)\nrulesets: [schema.#ID]: schema.#Release\n" +
		"rulesets: \"game\": {rules: game, revision: \"0.1.0\"}\n"
	module := load.Source{FS: fstest.MapFS{
		"cue.mod/module.cue":   {Data: []byte("module: \"github.com/tabletop-rules/rules@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"schema/schema.cue":    {Data: schema},
		"rules.cue":            {Data: []byte(release)},
		"tables/game/game.cue": {Data: []byte(manyTables)},
	}}
	plans, diags := compiler.Release(module, compiler.Options{}, "game")
	if plans == nil {
		t.Fatal(diags)
	}
	read := 0
	for i := range plans[0].Tables {
		for k, c := range plans[0].CellsOf(plans[0].Tables[i].ID) {
			if read++; portion.Takes(k, 3) && !editBoth(t, module, plans[0], &c, true) {
				t.Errorf("no homebrew replaces %s", c.Name)
			}
		}
	}
	if got := len(plans[0].CellsRead(&plans[0].Rule("read").Graph)); got != read {
		t.Errorf("the rule reads %d cells, not %d", got, read)
	}
}

// editBoth gives a cell another value in a plan and by a homebrew, and checks that both answer alike. It is false where no
// homebrew may do so: the author has bounds for the column, or computes a cell, or a formula needs the old value. Where a rule
// reads the cell an answer must differ.
func editBoth(t *testing.T, module load.Source, p *plan.Plan, c *plan.Cell, isRead bool) bool {
	t.Helper()
	steps := plan.SplitPath(c.Name)
	if len(steps) != 3 { // a homebrew names a cell of a record by more than a column
		return false
	}
	old := p.CellText(c)
	next := nextValue(t, c, old)
	mine, err := p.WithCell(c, next)
	if err != nil {
		t.Fatal(err)
	}
	house := fmt.Sprintf("package house\nimport \"github.com/tabletop-rules/rules/schema\"\nschema.#Homebrew\n"+
		"id: \"house\"\ntitle: \"House\"\nruleset: %q\nreplace: tables: %q: rows: %q: %q: {expect: %s, with: %s}\n",
		p.Ruleset, steps[0], steps[1], steps[2], old, next)
	theirs, diags := compiler.Homebrew(module, p.Ruleset, []load.Source{{Name: "house", FS: fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"house.cue":          {Data: []byte(house)},
	}}}, compiler.Options{})
	if theirs == nil {
		t.Logf("%s %s: %v", p.Ruleset, c.Name, diags)
		return false
	}
	for _, d := range compare.Compare(mine, theirs, schedule.Normal).Answers {
		t.Errorf("%s: with %s = %s the homebrew answers otherwise: %+v", p.Ruleset, c.Name, next, d)
	}
	if same := compare.Compare(p, mine, schedule.Normal); len(same.Definitions) == 0 || isRead && len(same.Answers) == 0 {
		t.Errorf("%s: nothing differs with %s = %s", p.Ruleset, c.Name, next)
	}
	return true
}

// nextValue returns another value of a cell as JSON.
func nextValue(t *testing.T, c *plan.Cell, old string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(old), &value); err != nil {
		t.Fatal(err)
	}
	switch v := value.(type) {
	case float64:
		if c.Type.Kind == plan.Int {
			return strconv.Itoa(int(v) + 1)
		}
		return strconv.FormatFloat(v+1, 'f', 1, 64)
	case bool:
		return strconv.FormatBool(!v)
	}
	for _, word := range c.Type.Enum {
		if word != value {
			return strconv.Quote(word)
		}
	}
	t.Fatalf("%s has no other word than %s", c.Name, old)
	return ""
}
