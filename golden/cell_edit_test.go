package golden_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// TestCellsAreEditedAsByHomebrews edits cells in compiled plans, and by homebrews that replace the same cells: both answer
// alike. So nothing of a table is anywhere in a plan but in its cells.
func TestCellsAreEditedAsByHomebrews(t *testing.T) {
	perRuleset := portion.Of(1, 2)
	module := load.Source{FS: os.DirFS("..")}
	for _, p := range gametest.ShippedPlans(t) {
		var cells []plan.Cell
		for i := range p.Tables {
			for _, c := range p.CellsOf(p.Tables[i].ID) {
				// A homebrew names a cell of a record by more than a column.
				if c.Type.Kind == plan.Int && strings.Count(c.Name, ".") == 2 {
					cells = append(cells, c)
				}
			}
		}
		edited := 0
		for i := len(cells) / 7; i < len(cells) && edited < perRuleset; i += len(cells)/perRuleset + 1 {
			c := cells[i]
			old, err := strconv.Atoi(p.CellText(&c))
			if err != nil {
				t.Fatal(err)
			}
			mine, err := p.WithCell(&c, strconv.Itoa(old+1))
			if err != nil {
				t.Fatal(err)
			}
			steps := strings.Split(c.Name, ".")
			house := fmt.Sprintf("package house\nimport \"github.com/tabletop-rules/rules/schema\"\nschema.#Homebrew\n"+
				"id: \"house\"\ntitle: \"House\"\nruleset: %q\nreplace: tables: %q: rows: %q: %q: {expect: %d, with: %d}\n",
				p.Ruleset, steps[0], steps[1], steps[2], old, old+1)
			theirs, diags := compiler.Homebrew(module, p.Ruleset, []load.Source{{Name: "house", FS: fstest.MapFS{
				"cue.mod/module.cue": {Data: []byte("module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n")},
				"house.cue":          {Data: []byte(house)},
			}}}, compiler.Options{})
			if theirs == nil {
				// The author has bounds for the column, or computes a cell, or a formula needs the old value.
				t.Logf("%s %s: %v", p.Ruleset, c.Name, diags)
				continue
			}
			edited++
			for _, d := range compare.Compare(mine, theirs, schedule.Normal).Answers {
				t.Errorf("%s: with %s = %d the homebrew answers otherwise: %+v", p.Ruleset, c.Name, old+1, d)
			}
			if same := compare.Compare(p, mine, schedule.Normal); len(same.Definitions) == 0 {
				t.Errorf("%s: nothing differs with %s = %d", p.Ruleset, c.Name, old+1)
			}
		}
		if edited == 0 {
			t.Errorf("%s: no cell of %d was edited", p.Ruleset, len(cells))
		}
	}
}
