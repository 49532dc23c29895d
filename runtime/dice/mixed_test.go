package dice_test

import (
	"slices"
	"strings"
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
		throw := dice.DrawnFrom(1)
		seed, given := throw.Report(m, nil)
		origin := given.ByID()
		if !slices.Equal(got, c.want) || (seed != nil) != c.drawn || (m.Rest() == nil) != c.ok ||
			!slices.Equal(origin["a"], c.a) || !slices.Equal(origin["b"], c.b) {
			t.Errorf("%v gives %v with the origin %v (%v)", c.given, got, origin, m.Rest())
		}
	}
	if _, err := dice.Mix(map[string][]int64{"a": {7}}, dice.FromSeed(1, 0, 0)).Face(draws[0]); err == nil {
		t.Error("a face that the die does not have is accepted")
	}
}

// TestFacesThatAreShown holds that faces are given by what they show, that 0 is a face where the die shows it, and that a
// mixed roll is repeated by what it says of its faces.
func TestFacesThatAreShown(t *testing.T) {
	fudge := &plan.Die{ID: "fudge", Shows: []int64{-1, 0, 1}}
	tens := &plan.Die{ID: "tens", Zero: 10}
	draws := []dice.Draw{{Die: fudge, Faces: 3}, {Die: fudge, Faces: 3}, {Die: fudge, Faces: 3}, {Die: tens, Faces: 10}}
	roll := func(from dice.Source) (faces []int64, err error) {
		for i := range draws {
			face, err := from.Face(&draws[i])
			if err != nil {
				return faces, err
			}
			faces = append(faces, face)
		}
		return faces, from.Rest()
	}
	faces, err := roll(dice.FromList([]int64{1, 0, -1, 0}))
	if want := []int64{3, 2, 1, 10}; err != nil || !slices.Equal(faces, want) {
		t.Fatalf("got %v, %v; want %v", faces, err, want)
	}
	if _, err := roll(dice.FromList([]int64{2})); err == nil ||
		!strings.Contains(err.Error(), "is 2, but the die shows -1, 0 or 1") {
		t.Errorf("a face 2: %v", err)
	}
	mixed := dice.Mix(map[string][]int64{"fudge": {0, -1}, "tens": {0}}, dice.FromSeed(1, 0, 0))
	faces, err = roll(mixed)
	if err != nil || faces[0] != 2 || faces[1] != 1 || faces[3] != 10 {
		t.Fatalf("mixed: %v, %v", faces, err)
	}
	origin := mixed.Origin().ByID()
	if want := []int64{2, 1, 0}; !slices.Equal(origin["fudge"], want) {
		t.Errorf("the faces of fudge came from %v, want %v", origin["fudge"], want)
	}
	again, err := roll(dice.MixAgain(origin, dice.FromSeed(1, 0, 0)))
	if err != nil || !slices.Equal(again, faces) {
		t.Errorf("again %v, %v; want %v", again, err, faces)
	}
}

// TestDistinctFacesThatAreShown holds that of several faces of a deck that show the same each can be given once.
func TestDistinctFacesThatAreShown(t *testing.T) {
	deck := &plan.Die{ID: "deck", Distinct: true, Shows: []int64{7, 7, 9}}
	from := dice.FromList([]int64{7, 7, 7})
	var seen []int64
	for _, want := range []int64{1, 2, 0} {
		face, err := from.Face(&dice.Draw{Die: deck, Faces: 3, Seen: seen})
		if face != want || (err != nil) != (want == 0) {
			t.Errorf("got %d, %v; want %d", face, err, want)
		}
		seen = append(seen, face)
	}
}

// TestCardsAlike holds that of cards which show the same the first that is left is taken, whether it is drawn or given: who is
// told face by face what a seed draws goes on as the seed does, and what was given by hand can be repeated.
func TestCardsAlike(t *testing.T) {
	deck := &plan.Die{ID: "deck", List: true, Distinct: true, Shows: []int64{2, 0, 2, 1, 2}}
	deal := func(from dice.Source, most int) (cards, shown []int64, err error) {
		for len(cards) < most {
			card, err := from.Face(&dice.Draw{Die: deck, Faces: 5, Count: 5, Seen: cards})
			if err != nil {
				return cards, shown, err
			}
			cards, shown = append(cards, card), append(shown, deck.Shown(card))
		}
		return cards, shown, nil
	}
	isNeverUnneeded := func(*plan.Die) bool { return false }
	for seed := range uint64(200) {
		_, want, err := deal(dice.FromSeed(seed, 0, 0), 5)
		if err != nil {
			t.Fatal(err)
		}
		for told := range want {
			p := dice.NewPreview(map[string][]int64{"deck": want[:told]}, dice.FromSeed(seed, 0, 0), isNeverUnneeded)
			if _, _, err := deal(p, 5); !dice.IsMissing(err) || p.Next != want[told] {
				t.Errorf("seed %d draws %v, and behind %v it would be %d (%v)", seed, want, want[:told], p.Next, err)
			}
		}
		m := dice.Mix(map[string][]int64{"deck": {2, 2}}, dice.FromSeed(seed, 0, 0))
		cards, _, err := deal(m, 4)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := deal(dice.MixAgain(m.Origin().ByID(), dice.FromSeed(seed, 0, 0)), 4)
		if err != nil || !slices.Equal(again, cards) {
			t.Errorf("seed %d gives the cards %v, and %v again (%v)", seed, cards, again, err)
		}
	}
}
