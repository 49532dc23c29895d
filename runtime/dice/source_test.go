package dice_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The vectors come from a second implementation of chacha8rand and of the method, written from their descriptions.
func TestSeededVectors(t *testing.T) {
	for _, c := range []struct {
		seed, record, event uint64
		faces               int64
		want                []int64
	}{
		{1, 0, 0, 6, []int64{2, 2, 4, 3, 4, 3, 1, 1}},
		{1, 0, 0, 100, []int64{27, 25, 61, 41, 52, 50}},
		{1, 2, 0, 100, []int64{44, 90, 81, 12, 87, 1}},
		{1, 0, 3, 100, []int64{81, 39, 10, 70, 92, 32}},
		{math.MaxUint64, 0, 0, 10, []int64{8, 4, 4, 4, 10, 2, 7, 3}},
		// A quarter of the draws is rejected.
		{7, 7, 7, 3 << 61, []int64{1430335033902200597, 3401087280327447074, 6161068371931069676, 6119850220942169700,
			1371716572047267879, 5819252519322522631}},
	} {
		s := dice.FromSeed(9, 9, 9)
		s.Reset(c.seed, c.record, c.event)
		if got := draw(t, s, &plan.Die{}, c.faces, len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("seed %d, record %d, event %d, d%d: got %v, want %v", c.seed, c.record, c.event, c.faces, got, c.want)
		}
	}
}

// Past 124 words the stream takes a new key.
func TestSeededGoesOn(t *testing.T) {
	got := draw(t, dice.FromSeed(0, 0, 0), &plan.Die{}, 20, 130)
	if want := []int64{15, 10, 3, 1, 18, 17}; !slices.Equal(got[124:], want) {
		t.Errorf("faces 124 to 129: got %v, want %v", got[124:], want)
	}
}

func TestSeededDistinct(t *testing.T) {
	got := draw(t, dice.FromSeed(3, 0, 0), &plan.Die{Distinct: true}, 52, 52)
	slices.Sort(got)
	for i, face := range got {
		if face != int64(i)+1 {
			t.Fatalf("a deck that is drawn to its end has %v", got)
		}
	}
}

func TestSeededAllocatesNothing(t *testing.T) {
	s, d := dice.FromSeed(1, 0, 0), &dice.Draw{Die: &plan.Die{}, Faces: 6}
	if n := testing.AllocsPerRun(100, func() { s.Reset(1, 2, 3); s.Face(d) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// draw takes faces that must come.
func draw(t *testing.T, s dice.Source, die *plan.Die, faces int64, n int) (got []int64) {
	t.Helper()
	for range n {
		face, err := s.Face(&dice.Draw{Die: die, Faces: faces, Seen: got})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, face)
	}
	return got
}

// A step of a test asks for a face, or, without a die, for the rest.
type step struct {
	die   *plan.Die
	index []int32
	faces int64
	seen  []int64
	want  int64
	err   string
}

func TestGivenFaces(t *testing.T) {
	roll, again := &plan.Die{ID: "roll"}, &plan.Die{ID: "strikes[*].again"}
	cards := &plan.Die{ID: "cards", Distinct: true}
	deck := &plan.Die{ID: "deck", Distinct: true, Shows: []int64{2, 0, 2, 1}}
	named := func() dice.Source {
		return dice.ByID(map[string][]int64{"roll": {5, 9}, "strikes[1].again": {3}, "zeal": {1}})
	}
	for _, c := range []struct {
		name  string
		from  dice.Source
		steps []step
	}{
		{"in order", dice.FromList([]int64{5, 100}), []step{
			{die: roll, faces: 6, want: 5}, {die: again, index: []int32{1}, faces: 100, want: 100}, {},
		}},
		{"too many in order", dice.FromList([]int64{5, 1, 2}), []step{
			{die: roll, faces: 6, want: 5}, {err: "too many faces: 3 given, but 1 fell"},
		}},
		{"too few in order", dice.FromList([]int64{5}), []step{
			{die: roll, faces: 6, want: 5},
			{die: again, index: []int32{2}, faces: 6, err: "strikes[2].again: too few faces: 1 given, and another is needed"},
		}},
		{"too great", dice.FromList([]int64{7}), []step{
			{die: roll, faces: 6, err: "roll: face 1 given is 7, but the die shows 1 to 6"},
		}},
		{"zero", dice.FromList([]int64{0}), []step{
			{die: roll, faces: 6, err: "roll: face 1 given is 0, but the die shows 1 to 6"},
		}},
		{"twice", dice.FromList([]int64{4, 4}), []step{
			{die: cards, faces: 6, want: 4},
			{die: cards, faces: 6, seen: []int64{4}, err: "cards: face 2 given is 4 again, but no face falls twice"},
		}},
		{"cards alike", dice.FromList([]int64{2, 2, 2}), []step{
			{die: deck, faces: 4, want: 1}, {die: deck, faces: 4, seen: []int64{1}, want: 3},
			{die: deck, faces: 4, seen: []int64{1, 3}, err: "deck: face 3 given is 2 again, and all 2 of them have fallen"},
		}},
		{"by id", dice.ByID(map[string][]int64{"roll": {5}, "strikes[1].again": {3}}), []step{
			{die: again, index: []int32{1}, faces: 6, want: 3}, {die: roll, faces: 6, want: 5}, {},
		}},
		{"unknown id", named(), []step{{die: again, index: []int32{0}, faces: 6,
			err: "strikes[0].again: no face is given for this die; are those of \"strikes[1].again\" meant"}}},
		{"too few by id", named(), []step{
			{die: again, index: []int32{1}, faces: 6, want: 3},
			{die: again, index: []int32{1}, faces: 6, err: "strikes[1].again: too few faces: 1 given, and another is needed"},
		}},
		{"too many by id", named(), []step{
			{die: roll, faces: 6, want: 5}, {err: "roll: too many faces: 2 given, but 1 fell"},
		}},
		{"never fell", named(), []step{
			{die: roll, faces: 6, want: 5}, {die: roll, faces: 9, want: 9},
			{err: "strikes[1].again: faces are given, but no such die falls"},
		}},
	} {
		for i, s := range c.steps {
			got, err := s.ask(c.from)
			if said := message(err); said != s.err {
				t.Errorf("%s: step %d: got error %q, want %q", c.name, i, said, s.err)
			} else if err == nil && got != s.want {
				t.Errorf("%s: step %d: got %d, want %d", c.name, i, got, s.want)
			}
		}
	}
}

func (s *step) ask(from dice.Source) (int64, error) {
	if s.die == nil {
		return 0, from.Rest()
	}
	return from.Face(&dice.Draw{Die: s.die, Index: s.index, Faces: s.faces, Seen: s.seen})
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestAppendID(t *testing.T) {
	for _, c := range []struct {
		id    string
		index []int32
		want  string
	}{
		{"roll", nil, "roll"},
		{"strikes[*].roll", []int32{2}, "strikes[2].roll"},
		{"a[*].b[*].c", []int32{0, 11}, "a[0].b[11].c"},
	} {
		if got := string(dice.AppendID(nil, c.id, c.index)); got != c.want {
			t.Errorf("%s%v: got %s, want %s", c.id, c.index, got, c.want)
		}
	}
}

func TestNamedAllocatesNothing(t *testing.T) {
	const runs = 100
	s := dice.ByID(map[string][]int64{"a[7].roll": slices.Repeat([]int64{3}, 1+runs)}) // one to warm up
	d := &dice.Draw{Die: &plan.Die{ID: "a[*].roll"}, Index: []int32{7}, Faces: 6}
	n := testing.AllocsPerRun(runs, func() {
		if face, _ := s.Face(d); face != 3 {
			t.Fatal("another face")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSeededFace(b *testing.B) {
	s, d := dice.FromSeed(1, 0, 0), &dice.Draw{Die: &plan.Die{}, Faces: 6}
	for b.Loop() {
		s.Face(d)
	}
}

// TestNamedGuessesTheDieThatIsMeant gives faces under an id that no die has: that of the die within its use, or a misspelt
// one.
func TestNamedGuessesTheDieThatIsMeant(t *testing.T) {
	for _, c := range []struct {
		given []string
		die   string
		want  string
	}{
		{[]string{"roll"}, "blow.roll", `no face is given for this die; are those of "roll" meant`},
		{[]string{"blow.roll"}, "roll", `no face is given for this die; are those of "blow.roll" meant`},
		{[]string{"b.roll", "a.roll", "blow.rol"}, "blow.roll", `no face is given for this die; are those of "a.roll" meant`},
		{[]string{"rol"}, "roll", `no face is given for this die; are those of "rol" meant`},
		{[]string{"harm"}, "blow.roll", "no face is given for this die"},
	} {
		faces := map[string][]int64{}
		for _, id := range c.given {
			faces[id] = []int64{1}
		}
		_, err := dice.ByID(faces).Face(&dice.Draw{Die: &plan.Die{ID: c.die}, Faces: 6})
		if e, ok := errors.AsType[*dice.Error](err); !ok || e.Msg != c.want {
			t.Errorf("%v for %s: got %v, want %s", c.given, c.die, err, c.want)
		}
	}
}
