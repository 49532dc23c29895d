package golden_test

import (
	"os"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
)

// TestGames holds the small modules of other games under golden/games, which show what the language can say: they have no
// problem, every case passes and takes every branch, every table is held a second time, and every game has exact odds that
// were counted by hand.
func TestGames(t *testing.T) {
	files := os.DirFS("games")
	plans, diags := compiler.Release(load.Source{FS: files}, compiler.Options{Analyse: true, Cover: true})
	for _, d := range diags {
		t.Error(d.String())
	}
	if len(plans) == 0 {
		t.Fatal("there are no games")
	}
	for _, p := range plans {
		t.Run(p.Ruleset, func(t *testing.T) {
			cases, err := golden.Load(files, "golden/"+p.Ruleset, p.Ruleset)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(cases, func(c *golden.Case) bool { return c.Kind == golden.OddsCase }) {
				t.Error("no case has odds")
			}
			report := golden.Test(p, cases, nil)
			for _, r := range report.Results {
				for _, problem := range r.Problems {
					t.Errorf("%s:%v", r.Case.File, problem)
				}
			}
			for _, id := range report.Tables {
				t.Errorf("no case holds the table %s", id)
			}
			for _, b := range report.Branches {
				if b.Times == 0 {
					t.Errorf("%s: %s: no case takes the branch %s", diag.PlaceString(b.Place), b.Name, b.What)
				}
			}
		})
	}
}
