package rulebook_test

import (
	"os"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
	"github.com/tabletop-rules/rules/golden/gametest"
)

// TestBooksAreWhole makes the books of all rulesets that ship: each definition stands in one chapter, chapters of rulings
// stand last, and whatever Names lists is found.
func TestBooksAreWhole(t *testing.T) {
	files := os.DirFS("../../../../..")
	for _, p := range gametest.ShippedPlans(t) {
		b := rulebook.New(p, files)
		if got, want := len(b.All()), len(p.Entries)+len(p.Readings)+len(p.Errata); got != want {
			t.Errorf("%s: %d definitions in chapters, not %d", p.Ruleset, got, want)
		}
		for _, name := range b.Names() {
			if len(b.Named(name)) == 0 {
				t.Errorf("%s: nothing is named %s", p.Ruleset, name)
			}
		}
		rulings, examples := 0, 0
		for _, d := range b.All() {
			if rulebook.IsRuling(d.Kind) && len(d.Rulings) > 0 {
				t.Errorf("%s: ruling %s has rulings of its own", p.Ruleset, d.ID)
			}
			rulings += len(d.Rulings)
			if d.Example != nil {
				examples++
			}
		}
		if rulings == 0 || examples == 0 {
			t.Errorf("%s: %d rulings and %d examples stand beside definitions", p.Ruleset, rulings, examples)
		}
		if p.Ruleset == "hybrid" {
			var names []string
			for _, c := range b.Chapters {
				names = append(names, c.Name)
			}
			if chapters := names[:6]; !slices.IsSorted(chapters) || chapters[5] != "ch7_skills" {
				t.Errorf("%s: the chapters are %q", p.Ruleset, names)
			}
		}
		alone := func(c *rulebook.Chapter) bool {
			return !slices.ContainsFunc(c.Definitions, func(d *rulebook.Definition) bool { return !rulebook.IsRuling(d.Kind) })
		}
		if i := slices.IndexFunc(b.Chapters, alone); i >= 0 {
			for _, c := range b.Chapters[i:] {
				if !alone(c) {
					t.Errorf("%s: chapter %s stands behind chapters of nothing but rulings", p.Ruleset, c.Name)
				}
			}
		}
	}
}

func TestSelectKeepsWhatIsWanted(t *testing.T) {
	b := rulebook.New(gametest.ShippedPlan(t, "tempestas"), os.DirFS("../../../../.."))
	var got []string
	for _, d := range b.Select(rulebook.Filter{Kinds: []string{"table"}, Words: []string{"DIFFICULTY"}}) {
		got = append(got, d.Kind+" "+d.ID)
	}
	if !slices.Equal(got, []string{"table difficulty"}) {
		t.Errorf("tables about difficulty: got %q", got)
	}
	for _, d := range b.Select(rulebook.Filter{Chapter: "testing"}) {
		if d.In != "testing" {
			t.Errorf("chapter testing: got %s of chapter %s", d.ID, d.In)
		}
	}
}
