package golden_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var update = flag.Bool("update", false, "rewrite the diagnostics that homebrews want")

// TestHomebrews holds the homebrews that ship as examples: one of a ruleset has no problem and is held by cases, the other
// has the problems in its want.txt.
func TestHomebrews(t *testing.T) {
	dirs, err := filepath.Glob("homebrew/*")
	if err != nil {
		t.Fatal(err)
	}
	good, bad := map[string]int{}, map[string]int{}
	for _, dir := range dirs {
		ruleset, _, _ := strings.Cut(filepath.Base(dir), "_")
		t.Run(filepath.Base(dir), func(t *testing.T) {
			p, said := brewed(t, dir, ruleset)
			if _, err := os.Stat(filepath.Join(dir, "golden")); err == nil {
				good[ruleset]++
				played(t, dir, p, said)
				return
			}
			bad[ruleset]++
			mistaken(t, filepath.Join(dir, "want.txt"), said)
		})
	}
	for ruleset := range books {
		if good[ruleset] == 0 || bad[ruleset] == 0 {
			t.Errorf("%s has %d good homebrews and %d with mistakes", ruleset, good[ruleset], bad[ruleset])
		}
	}
}

// brewed compiles a ruleset with a homebrew, and gives what is said of that.
func brewed(t *testing.T, dir, ruleset string) (*plan.Plan, []diag.Diagnostic) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	module := load.Source{FS: os.DirFS("..")}
	house := load.Source{FS: root.FS(), Name: filepath.Base(dir)}
	o := compiler.Options{Analyse: true, Cover: true, Functions: true}
	p, diags := compiler.Homebrew(module, ruleset, []load.Source{house}, o)
	var own []diag.Diagnostic
	for _, d := range diags {
		if strings.Contains(d.String(), house.Name+"/") {
			own = append(own, d)
		}
	}
	return p, own
}

// played wants every case to pass, and every branch of the homebrew to be taken by one.
func played(t *testing.T, dir string, p *plan.Plan, said []diag.Diagnostic) {
	for _, d := range said {
		t.Error(d.String())
	}
	if p == nil {
		t.FailNow()
	}
	cases, err := golden.Load(os.DirFS(dir), "golden", dir)
	if err != nil {
		t.Fatal(err)
	}
	report := golden.Test(p, cases, nil).Of(p, func(file string) bool { return strings.HasPrefix(file, filepath.Base(dir)+"/") })
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
}

// mistaken wants what is said to be what a file has.
func mistaken(t *testing.T, file string, said []diag.Diagnostic) {
	var got strings.Builder
	for _, d := range said {
		got.WriteString(d.String() + "\n")
	}
	want, err := os.ReadFile(file)
	if *update {
		err = os.WriteFile(file, []byte(got.String()), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !*update && string(want) != got.String() || len(said) < 3 {
		t.Errorf("got:\n%swant:\n%s", got.String(), want)
	}
}
