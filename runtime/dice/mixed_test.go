package dice_test

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestMixedKeepsTheOtherFaces gives single faces and wants all others to fall as they do without them: seed 1 draws 2 2 4
// 3.
func TestMixedKeepsTheOtherFaces(t *testing.T) {
	a, b := &plan.Die{ID: "a"}, &plan.Die{ID: "b", List: true}
	draws := []*dice.Draw{{Die: a, Faces: 6}, {Die: b, Faces: 6}, {Die: b, Faces: 6}, {Die: b, Faces: 6}}
	for _, c := range []struct {
		given     map[string][]int64
		want      []int64
		a, b      []int64 // the origin
		drawn, ok bool
	}{
		{nil, []int64{2, 2, 4, 3}, nil, nil, true, true},
		{map[string][]int64{"a": {5}}, []int64{5, 2, 4, 3}, []int64{5}, []int64{0, 0, 0}, true, true},
		{map[string][]int64{"b": {0, 6}}, []int64{2, 2, 6, 3}, []int64{0}, []int64{0, 6, 0}, true, true},
		{map[string][]int64{"a": {1}, "b": {1, 1, 1}}, []int64{1, 1, 1, 1}, nil, nil, false, true},
		{map[string][]int64{"b": {1, 1, 1, 1}}, []int64{2, 1, 1, 1}, []int64{0}, []int64{1, 1, 1}, true, false},
	} {
		m := dice.Mix(c.given, dice.FromSeed(1, 0, 0))
		var got []int64
		for _, d := range draws {
			face, err := m.Face(d)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, face)
		}
		_, origin := m.Origin()
		if !slices.Equal(got, c.want) || m.HasDrawn() != c.drawn || (m.Rest() == nil) != c.ok ||
			!slices.Equal(origin["a"], c.a) || !slices.Equal(origin["b"], c.b) {
			t.Errorf("%v gives %v with the origin %v (%v)", c.given, got, origin, m.Rest())
		}
	}
	if _, err := dice.Mix(map[string][]int64{"a": {7}}, dice.FromSeed(1, 0, 0)).Face(draws[0]); err == nil {
		t.Error("a face that the die does not have is accepted")
	}
}
