package book

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestNewText gives back every place that it was made from, and keeps one run for each stretch without a gap.
func TestNewText(t *testing.T) {
	at := func(line, col int) plan.Place { return plan.Place{File: "f", Line: line, Col: col} }
	for _, c := range []struct {
		name   string
		text   string
		places []plan.Place
		runs   int
	}{
		{"one line", "a+b", []plan.Place{at(3, 5), at(3, 6), at(3, 7), at(3, 8)}, 1},
		{"an escape", "a\"b", []plan.Place{at(3, 5), at(3, 6), at(3, 8), at(3, 9)}, 2},
		{"two lines", "a\nb", []plan.Place{at(3, 5), at(3, 6), at(4, 2), at(4, 3)}, 2},
		{"empty", "", []plan.Place{at(1, 1)}, 1},
	} {
		text := NewText(c.text, c.places)
		if len(text.Runs) != c.runs || text.Place != c.places[0] {
			t.Errorf("%s: %d runs from %v", c.name, len(text.Runs), text.Place)
		}
		for i, want := range c.places {
			if got := text.At(i); got != want {
				t.Errorf("%s: offset %d is at %v, want %v", c.name, i, got, want)
			}
		}
	}
	alone := Text{S: "1 + 2", Place: at(7, 1)}
	if got := alone.At(4); got != at(7, 1) {
		t.Errorf("a text without runs stands at %v", got)
	}
}
