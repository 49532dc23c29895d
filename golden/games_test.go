package golden_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
)

// smallGames is the module of the games that hold a few constructs of theirs.
const smallGames = "games"

// TestGames holds the games under golden/games, which show what the language can say: the small ones in one module, and
// open games in one each. They have no problem, every case passes and takes every branch, every table is held a second
// time, and every game has exact odds that were counted by hand. An open game has a list of its document's statements, each
// of which a case shows.
func TestGames(t *testing.T) {
	modules, err := filepath.Glob("games/*/cue.mod")
	if err != nil || len(modules) == 0 {
		t.Fatalf("there are no open games: %v", err)
	}
	ids := map[string]bool{}
	for _, id := range testGames(t, smallGames) {
		ids[id] = true
	}
	for _, module := range modules {
		dir := filepath.Dir(module)
		if _, err := os.Stat(filepath.Join(dir, "NOTICE.md")); err != nil {
			t.Errorf("%s does not say whose game it is: %v", dir, err)
		}
		for _, id := range testGames(t, dir) {
			if ids[id] {
				t.Errorf("two games are called %s", id)
			}
			ids[id] = true
		}
	}
}

// testGames holds the games of a module, and returns their ids.
func testGames(t *testing.T, dir string) (ids []string) {
	files := os.DirFS(dir)
	plans, diags := compiler.Release(load.Source{FS: files}, compiler.Options{Analyse: true, Cover: true, Functions: true})
	for _, d := range diags {
		t.Error(d.String())
	}
	if len(plans) == 0 {
		t.Fatal("there are no games")
	}
	for _, p := range plans {
		ids = append(ids, p.Ruleset)
		t.Run(p.Ruleset, func(t *testing.T) {
			cases, err := golden.Load(files, "golden/"+p.Ruleset, p.Ruleset)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(cases, func(c *golden.Case) bool { return c.Kind == golden.OddsCase }) {
				t.Error("no case has odds")
			}
			var statements []golden.Statement
			if dir != smallGames {
				if statements, err = golden.LoadStatements(files, "golden/"+p.Ruleset, dir); err != nil {
					t.Fatal(err)
				}
			}
			report := golden.Test(p, cases, statements)
			for _, r := range report.Results {
				for _, problem := range r.Problems {
					t.Errorf("%s:%v", r.Case.File, problem)
				}
			}
			for _, id := range slices.Concat(report.Statements, report.Unlisted) {
				t.Errorf("statements.txt: %s", id)
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
	return ids
}
