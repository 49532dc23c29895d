package oddspage

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

// TestBulk checks which values of too many are listed, and that nothing is left out of few.
func TestBulk(t *testing.T) {
	for _, c := range []struct {
		dice         string
		most         int
		from, to     int64
		below, above string
	}{
		{"2d6", 11, 2, 12, "", ""},
		{"2d6", 3, 6, 8, "4 below 6, together 27.7778%", "4 above 8, together 27.7778%"},
		{"d20", 5, 1, 5, "", "15 above 5, together 75.0000%"},
		{"5d6kh1", 2, 5, 6, "4 below 5, together 13.1687%", ""},
	} {
		n, err := dice.ParseNotation(c.dice)
		if err != nil {
			t.Fatal(err)
		}
		r, err := notation.Compute(n)
		if err != nil {
			t.Fatal(err)
		}
		m := r.Results[0]
		b := BulkOf(MergeValues(m), c.most, m)
		first, last := b.Values[0], b.Values[len(b.Values)-1]
		if odds.Compare(first, jsonio.IntValue(c.from)) != 0 || odds.Compare(last, jsonio.IntValue(c.to)) != 0 ||
			b.Below != c.below || b.Above != c.above {
			t.Errorf("%s, %d: %s to %s, %q, %q", c.dice, c.most, first, last, b.Below, b.Above)
		}
	}
}
