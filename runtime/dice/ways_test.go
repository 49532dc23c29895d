package dice_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestWays holds that every way comes once, in the order of an odometer, that the chances of all come to 1, and that given
// faces and faces that have fallen already are no branches.
func TestWays(t *testing.T) {
	roll := func(w *dice.Ways, ids ...string) (out []int64) {
		for _, id := range ids {
			die := &plan.Die{ID: id, Distinct: id == "card"}
			face, err := w.Face(&dice.Draw{Die: die, Faces: 3, Seen: out})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, face)
		}
		return out
	}
	for _, c := range []struct {
		dice  []string
		given map[string][]int64
		want  string
	}{
		{[]string{"a", "b"}, nil, "[[1 1] [1 2] [1 3] [2 1] [2 2] [2 3] [3 1] [3 2] [3 3]]"},
		{[]string{"a", "a"}, map[string][]int64{"a": {2}}, "[[2 1] [2 2] [2 3]]"},
		{[]string{"card", "card", "card"}, nil, "[[1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 1 2] [3 2 1]]"},
		{nil, nil, "[[]]"},
	} {
		w := dice.NewWays(c.given)
		var got [][]int64
		p := 0.0
		for {
			got = append(got, slices.Clone(roll(w, c.dice...)))
			p += w.P()
			if !w.Next() {
				break
			}
		}
		if fmt.Sprint(got) != c.want || math.Abs(p-1) > 1e-12 {
			t.Errorf("%v with %v fall as %v, with a chance of %g", c.dice, c.given, got, p)
		}
	}
	// The second die falls only when the first shows less than 3, and a face that the die does not have is refused.
	w := dice.NewWays(nil)
	var got []int64
	for {
		first := roll(w, "a")[0]
		if first < 3 {
			first = 10*first + roll(w, "b")[0]
		}
		if got = append(got, first); !w.Next() {
			break
		}
	}
	if want := []int64{11, 12, 13, 21, 22, 23, 3}; !slices.Equal(got, want) {
		t.Errorf("the ways are %v, not %v", got, want)
	}
	if _, err := dice.NewWays(map[string][]int64{"a": {4}}).Face(&dice.Draw{Die: &plan.Die{ID: "a"}, Faces: 3}); err == nil {
		t.Error("a d3 shows 4")
	}
}
