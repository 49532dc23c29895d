package compiler_test

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/analyse"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/compiler/overlay"
	"github.com/tabletop-rules/rules/compiler/words"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// TestWhatIsCheckedIsLowered lowers the examples of all diagnostics, good and bad, without asking lint:
// what check has no error for has a plan that can be executed, and it is the plan that the compiler gives.
func TestWhatIsCheckedIsLowered(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	modules := map[string]map[string]string{}
	for _, p := range diag.Pages() {
		modules["bad "+string(p.Code)] = page(&p, p.Bad)
		modules["good "+string(p.Code)] = page(&p, p.Good)
	}
	cases, err := filepath.Glob(diagCases + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range cases {
		if !portion.Takes(i, 2) {
			continue
		}
		files := map[string]string{}
		for _, f := range parsedArchive(t, path).Files {
			if f.Name != wantName {
				files[f.Name] = string(f.Data)
			}
		}
		modules[filepath.Base(path)] = files
	}
	lowered := 0
	for name, files := range modules {
		lowered += holdUnlinted(t, name, load.Source{FS: gameTree(t, files)})
	}
	// Each page has a good example.
	if pages := len(diag.Pages()); lowered < pages {
		t.Errorf("%d plans were made of the examples of %d pages", lowered, pages)
	}
}

// holdUnlinted lowers the rulesets of a module, or its ruleset in the directory game, and says how many. The module in
// the directory house is a homebrew of it.
func holdUnlinted(t *testing.T, name string, source load.Source) (lowered int) {
	t.Helper()
	var diags diag.List
	var homebrews []*book.Homebrew
	var houses []load.Source
	if _, err := fs.Stat(source.FS, "house/cue.mod/module.cue"); err == nil {
		house, err := fs.Sub(source.FS, "house")
		if err != nil {
			t.Fatal(err)
		}
		houses = append(houses, load.Source{FS: house, Name: "house"})
		if h := load.Homebrew(houses[0], &diags); h != nil {
			homebrews = append(homebrews, h)
		}
	}
	var releases []*book.Release
	if _, err := fs.Stat(source.FS, "rules.cue"); err == nil {
		releases = load.Release(source, &diags)
	} else if b := load.Directory(source, "game", &diags); b != nil {
		releases = append(releases, &book.Release{Name: b.ID, Rules: b})
	}
	plans := map[string]*plan.Plan{}
	for _, r := range releases {
		overlay.Apply(r.Rules, r.Revision.S, homebrews, &diags)
		load.CheckRows(r.Rules, &diags)
		check.CheckRulings(r.Rules, r.Rulings, &diags)
		typed := check.Check(r.Rules, &diags)
		if diags.Failed() {
			return 0
		}
		rulings := map[string]string{}
		for _, x := range r.Rulings {
			rulings[x.Option] = x.Value.S
		}
		p := lowerRuleset(t, name, typed, lower.Options{Revision: r.Revision.S, Rulings: rulings})
		p.Words = words.Make(r.Rules, p, &diags)
		if analyse.CheckDecisions(p, &diags); diags.Failed() {
			return 0
		}
		plans[r.Rules.ID] = p
	}
	for id, mine := range plans {
		if p := compiled(source, id, houses); p == nil {
			t.Errorf("%s: ruleset %s is refused, and check has no error", name, id)
		} else if !bytes.Equal(planfile.Write(p, nil), planfile.Write(mine, nil)) {
			t.Errorf("%s: ruleset %s has another plan without lint", name, id)
		}
	}
	return len(plans)
}

// compiled is the plan that the compiler makes of a ruleset of a module; nil when it finds an error.
func compiled(source load.Source, id string, houses []load.Source) *plan.Plan {
	var p *plan.Plan
	switch _, err := fs.Stat(source.FS, "rules.cue"); {
	case len(houses) > 0:
		p, _ = compiler.Homebrew(source, id, houses, compiler.Options{})
	case err != nil:
		p, _ = compiler.Directory(source, "game", compiler.Options{})
	default:
		plans, _ := compiler.Release(source, compiler.Options{})
		i := slices.IndexFunc(plans, func(p *plan.Plan) bool { return p.Ruleset == id })
		if i >= 0 {
			p = plans[i]
		}
	}
	return p
}

// lowerRuleset lowers a ruleset, and says which one it was when that panics.
func lowerRuleset(t *testing.T, name string, typed *check.Ruleset, o lower.Options) *plan.Plan {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%s: check has no error, and lowering panics: %v", name, r)
		}
	}()
	p := lower.Ruleset(typed, o)
	if err := plan.Verify(p); err != nil {
		t.Errorf("%s: check has no error, and the plan is not one: %v", name, err)
	}
	return p
}
