package golden

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestExamplesAreShownByWhatTheyAreAbout: naming an example is not enough.
func TestExamplesAreShownByWhatTheyAreAbout(t *testing.T) {
	about := newExampleSubjects([]Statement{
		{ID: "g.climb", Heading: "Climbing"},
		{ID: "g.swim", Heading: "Swimming"},
		{ID: "g.ex.wall", Heading: "Climbing, Walls", Example: true},
		{ID: "g.ex.both", Heading: "Climbing; Swimming", Example: true},
	})
	for _, c := range []struct {
		example string
		entry   plan.Entry
		want    bool
	}{
		{"g.ex.wall", plan.Entry{Cite: "Climbing, Walls"}, true},
		{"g.ex.wall", plan.Entry{Cite: "Falling; climbing"}, true},
		{"g.ex.wall", plan.Entry{Cite: "Falling", Covers: []string{"g.climb"}}, true},
		{"g.ex.wall", plan.Entry{Cite: "Falling", Covers: []string{"g.swim"}}, false},
		{"g.ex.wall", plan.Entry{Cite: "Swimming"}, false},
		{"g.ex.both", plan.Entry{Cite: "Swimming"}, true},
		{"unlisted", plan.Entry{Cite: "Swimming"}, true},
	} {
		if got := about.isShownBy(c.example, []*plan.Entry{&c.entry}); got != c.want {
			t.Errorf("%s by a definition of %q that covers %q: got %t", c.example, c.entry.Cite, c.entry.Covers, got)
		}
	}
	if about.isShownBy("g.ex.wall", nil) {
		t.Error("an example is shown by a case that evaluates nothing")
	}
}
