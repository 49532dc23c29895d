package golden_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
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
	const least = 40
	if len(cases) < least {
		t.Errorf("%d cases, want at least %d", len(cases), least)
	}
	program := runtime.New(plans[0])
	for _, r := range golden.Test(plans[0], cases, nil).Results {
		for _, problem := range r.Problems {
			t.Errorf("%s:%v", r.Case.File, problem)
		}
		if r.Case.Subject == "dealer" {
			compareDealer(t, program, r.Case)
		}
	}
}

// compareDealer compares the chance of a bust with a recursion over what the dealer draws: of the tables in print some are
// cut off where others are rounded, and one has a misprint.
func compareDealer(t *testing.T, program *runtime.Program, c *golden.Case) {
	t.Helper()
	var input struct{ Shown int }
	if err := json.Unmarshal(c.Input, &input); err != nil {
		t.Fatal(err)
	}
	got, err := golden.ExactOdds(program, c, golden.OddsBudget)
	if err != nil {
		t.Fatal(err)
	}
	bust, err := strconv.ParseFloat(got.Get("ends").Get("bust").Text, 64)
	if err != nil {
		t.Fatal(err)
	}
	if want := chanceOfBust(input.Shown, input.Shown == 1); math.Abs(bust-want) > 1e-12 {
		t.Errorf("%s: a bust has the chance %v, by recursion %v", c.File, bust, want)
	}
}

// chanceOfBust returns how likely the dealer comes from a hard total beyond 21. With an ace a total from 7 to 11 counts 10
// more.
func chanceOfBust(hard int, hasAce bool) (chance float64) {
	switch {
	case hard > 21:
		return 1
	case hard >= 17, hasAce && hard >= 7 && hard <= 11:
		return 0
	}
	for card := 1; card <= 13; card++ {
		chance += chanceOfBust(hard+min(card, 10), hasAce || card == 1) / 13
	}
	return chance
}
