package tuning_test

import (
	"math/big"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// dieOf returns the law of a die, whose faces are numbers from low to high.
func dieOf(low, high int64) *tuning.Law {
	m := &odds.Marginal{Den: big.NewInt(high - low + 1)}
	for face := low; face <= high; face++ {
		m.Values, m.P, m.N = append(m.Values, jsonio.IntValue(face)), append(m.P, 0), append(m.N, big.NewInt(1))
	}
	return tuning.LawOf(m)
}

// TestLawsAreCompared compares dice. Of the 24 faces of a d6 and a d4, 0+1+2+3+4+4 are greater and 4 are the same; the other
// way round 0+1+2+3 are greater. Of two dice of n faces one is greater with (n-1)/2n, which takes n steps and not n².
func TestLawsAreCompared(t *testing.T) {
	for _, c := range []struct {
		name          string
		a, b          *tuning.Law
		greater, same *big.Rat
		dominance     tuning.Dominance
	}{
		{"d6 and d4", dieOf(1, 6), dieOf(1, 4), big.NewRat(14, 24), big.NewRat(4, 24), tuning.FirstOrder},
		{"d4 and d6", dieOf(1, 4), dieOf(1, 6), big.NewRat(6, 24), big.NewRat(4, 24), tuning.NoDominance},
		{"3 or 4 and d6", dieOf(3, 4), dieOf(1, 6), big.NewRat(5, 12), big.NewRat(2, 12), tuning.SecondOrder},
		{"apart", dieOf(7, 8), dieOf(1, 6), big.NewRat(1, 1), new(big.Rat), tuning.FirstOrder},
		{"large", dieOf(1, 6000), dieOf(1, 6000), big.NewRat(5999, 12000), big.NewRat(1, 6000), tuning.NoDominance},
	} {
		greater, same := c.a.Exceeds(c.b)
		if greater.Cmp(c.greater) != 0 || same.Cmp(c.same) != 0 {
			t.Errorf("%s: greater with %s and same with %s, want %s and %s", c.name, greater, same, c.greater, c.same)
		}
		if got := c.a.DominanceOver(c.b); got != c.dominance {
			t.Errorf("%s: dominance %d, want %d", c.name, got, c.dominance)
		}
	}
}
