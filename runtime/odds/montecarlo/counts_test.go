package montecarlo

import (
	"math"
	"strconv"
	"testing"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
)

// An end has the hindrances of its first play, whichever goroutine drew it.
func TestMergedEndsHaveTheHindrancesOfTheFirstPlay(t *testing.T) {
	countPlay := func(play uint64, cite string) *counts {
		c := newCounts()
		c.addEnd(play, markov.Stuck, []markov.Hindrance{{Kind: markov.When, Event: "turn", Cite: cite}}, 1)
		return c
	}
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		plays := [2]*counts{countPlay(3, "p. 3"), countPlay(70, "")}
		total := newCounts()
		for _, k := range order {
			total.merge(plays[k])
		}
		if len(total.ends) != 1 {
			t.Fatalf("there are %d ends", len(total.ends))
		}
		for _, e := range total.ends {
			if e.because[0].Cite != "p. 3" || e.byEvent[1] != 2 {
				t.Errorf("merged in the order %v it is %+v", order, e)
			}
		}
	}
}

// Outcomes are kept up to a number, and more of them are noted also where only all counts together have so many.
func TestOutcomesAreBounded(t *testing.T) {
	a, b := newCounts(), newCounts()
	for n := range maxOutcomes {
		a.addOutputs([]jsonio.Value{jsonio.TextValue(strconv.Itoa(n))})
	}
	b.addOutputs([]jsonio.Value{jsonio.TextValue("more")})
	for _, order := range [][]*counts{{a, b}, {b, a}} {
		total := newCounts()
		for _, c := range order {
			if total.merge(c); c.isOverfull {
				t.Errorf("%d outcomes are too many", len(c.outcomePlays))
			}
		}
		if !total.isOverfull || len(total.outcomePlays) != maxOutcomes {
			t.Errorf("%d outcomes are kept, and more came", len(total.outcomePlays))
		}
	}
}

// The plays for a distance are (1.96/2d)^2 rounded up, and more than a run may have where that is no number of plays.
func TestPlaysWithin(t *testing.T) {
	for distance, want := range map[float64]int{0.01: 9604, 0.5: 4, 1e-12: MaxPlays + 1, 0: MaxPlays + 1, -0.1: MaxPlays + 1,
		math.NaN(): MaxPlays + 1, math.SmallestNonzeroFloat64: MaxPlays + 1} {
		if got := PlaysWithin(distance); got != want {
			t.Errorf("within %v takes %d plays, want %d", distance, got, want)
		}
	}
}
