package golden_test

import (
	"os"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
)

// TestPublished holds what papers and textbooks print of games that come back to states in which they were, under
// golden/published: craps, Chutes and Ladders, Pig, Risk, ruin, coupons, runs of a coin, dice alike, and blackjack's
// dealer.
func TestPublished(t *testing.T) {
	files := os.DirFS("published")
	plans, diags := compiler.Release(load.Source{FS: files}, compiler.Options{Analyse: true})
	for _, d := range diags {
		t.Error(d.String())
	}
	if len(plans) != 1 {
		t.Fatal("the games do not compile")
	}
	cases, err := golden.Load(files, "golden/classics", "classics")
	if err != nil {
		t.Fatal(err)
	}
	const least = 30
	if len(cases) < least {
		t.Errorf("%d cases, want at least %d", len(cases), least)
	}
	for _, r := range golden.Test(plans[0], cases, nil).Results {
		for _, problem := range r.Problems {
			t.Errorf("%s:%v", r.Case.File, problem)
		}
	}
}
