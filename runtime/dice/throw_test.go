package dice_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestThrowTable throws a d6, two more and two fudge dice in every way of which the essay has a line. The stream of the
// seed 1 begins 2 2 4 3 4 as faces of d6 (Seeded). A die of three faces takes the same third of the range as two faces of
// a d6: 3 and 4 are its second, which shows 0.
func TestThrowTable(t *testing.T) {
	seed := uint64(1)
	drawn := dice.Rolls{{ID: "a", Faces: []int64{2}}, {ID: "b", Faces: []int64{2, 4}}, {ID: "c", Faces: []int64{0, 0}}}
	byID := dice.Rolls{{ID: "c", Faces: []int64{0, -1}}, {ID: "b", Faces: []int64{6}}}
	mixed := dice.Rolls{{ID: "a", Faces: []int64{2}}, {ID: "b", Faces: []int64{6, 4}}, {ID: "c", Faces: []int64{0, -1}}}
	// The shown 0 is the second face of a fudge die and -1 the first: numbers tell a given 0 from a drawn face.
	origin := dice.Rolls{{ID: "a", Faces: []int64{0}}, {ID: "b", Faces: []int64{6, 0}}, {ID: "c", Faces: []int64{2, 1}}}
	list := []int64{6, 2, 3, 1, -1}
	given := dice.Rolls{{ID: "a", Faces: []int64{6}}, {ID: "b", Faces: []int64{2, 3}}, {ID: "c", Faces: []int64{1, -1}}}
	for _, x := range []struct {
		name      string
		throw     dice.Throw
		want      dice.Rolls
		wantSeed  *uint64
		wantGiven dice.Rolls
	}{
		{"list", dice.Fallen(list...), given, nil, nil},
		{"by id", dice.FallenByID(given), given, nil, nil},
		{"seed", dice.DrawnFrom(seed), drawn, &seed, nil},
		{"by id and seed", dice.Throw{Dice: dice.Faces{ByID: byID}, Seed: &seed}, mixed, &seed, origin},
		{"all by id and seed", dice.Throw{Dice: dice.Faces{ByID: given}, Seed: &seed}, given, nil, nil},
		{"none by id and seed", dice.Throw{Dice: dice.Faces{ByID: dice.Rolls{}}, Seed: &seed}, drawn, &seed, nil},
		{"numbers and seed", dice.Throw{Given: origin, Seed: &seed}, mixed, &seed, origin},
		{"by id, numbers and seed", dice.Throw{Dice: dice.Faces{ByID: mixed}, Given: origin, Seed: &seed}, mixed, &seed,
			origin},
	} {
		for range 2 { // a throw may be used again
			source, err := x.throw.NewSource(0, 0)
			if err != nil {
				t.Fatalf("%s: %v", x.name, err)
			}
			got := throwAll(t, source)
			gotSeed, gotGiven := x.throw.Report(source, got)
			if !reflect.DeepEqual(got, x.want) || gotSeed != x.wantSeed && *gotSeed != *x.wantSeed ||
				!reflect.DeepEqual(gotGiven, x.wantGiven) {
				t.Errorf("%s: %v, seed %v, given %v; want %v, %v, %v", x.name, got, gotSeed, gotGiven, x.want, x.wantSeed,
					x.wantGiven)
			}
		}
	}
}

// throwAll lets a d6, two more and two fudge dice fall.
func throwAll(t *testing.T, from dice.Source) (out dice.Rolls) {
	t.Helper()
	for _, x := range []struct {
		die   plan.Die
		faces int64
		count int
	}{{plan.Die{ID: "a"}, 6, 1}, {plan.Die{ID: "b"}, 6, 2}, {plan.Die{ID: "c", Shows: []int64{-1, 0, 1}}, 3, 2}} {
		for range x.count {
			face, err := from.Face(&dice.Draw{Die: &x.die, Faces: x.faces, Count: int64(x.count)})
			if err != nil {
				t.Fatal(err)
			}
			out = out.With(x.die.ID, x.die.Shown(face))
		}
	}
	if err := from.Rest(); err != nil {
		t.Error(err)
	}
	return out
}

// TestThrowRefuses holds the throws that say nothing of what falls, and what is said of them.
func TestThrowRefuses(t *testing.T) {
	seed := uint64(1)
	var zero dice.Throw
	source, err := zero.NewSource(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Face(&dice.Draw{Die: &plan.Die{ID: "a"}, Faces: 6}); !dice.IsMissing(err) {
		t.Errorf("the zero throw gives a face: %v", err)
	}
	for _, x := range []struct {
		throw dice.Throw
		want  string
	}{
		{dice.Throw{Dice: dice.Faces{List: []int64{3}}, Seed: &seed},
			"faces in a list go with no seed: give them by the id of their die"},
		{dice.Throw{Given: dice.Rolls{{ID: "a", Faces: []int64{3}}}},
			"given says which faces a seed does not draw: it needs a seed"},
	} {
		var wrong *dice.ThrowError
		if _, err := x.throw.NewSource(0, 0); !errors.As(err, &wrong) || wrong.Msg != x.want {
			t.Errorf("%v: %v, want %s", x.throw, err, x.want)
		}
	}
}

// TestParseThrow reads faces in all spellings, and writes them in one.
func TestParseThrow(t *testing.T) {
	for text, want := range map[string]string{
		"5 2": "5,2", "5,2": "5,2", " 5, 2 ": "5,2", "5": "5", "-1 0": "-1,0", "[5, 2]": "5,2", "": "", "[]": "",
		"roll=8": "roll=8", "roll=8 damage=6,2": "roll=8 damage=6,2", `{"roll": [8]}`: "roll=8", "roll.0=5": "roll.0=5",
		"strikes[2].roll=5": "strikes[2].roll=5", "a=": "a=", "{}": "",
		"seed 7": "seed 7", "a=3 seed 7": "a=3 seed 7", "3 seed 7": "3 seed 7",
		`{"roll": [8]} seed 7`: "roll=8 seed 7", "[5, 2] seed 7": "5,2 seed 7",
	} {
		got, err := dice.ParseThrow(text)
		if err != nil || got.Text() != want {
			t.Errorf("%q: %q, %v, want %q", text, got.Text(), err, want)
		}
	}
	for text, want := range map[string]string{
		"5,x": `"x" is no face`, "5 x": `"x" is no face`, "5,,2": `a face is missing beside a comma: dice that have names stand apart by blanks, a=3 b=4`, "a=3 4": `"4" is not id=faces`,
		"=3": `"=3" is not id=faces`, "a=3 a=4": "the faces of a stand twice", "a=3;4": `"3;4" is no face`,
		"seed x": "seed x: a seed is a whole number from 0", "7 seed": `"seed" is no face`,
		"{} seed x":            "seed x: a seed is a whole number from 0",
		`{"a": [1], "a": [2]}`: "the faces of a stand twice",
		`[5, "x"]`:             `[5, "x"] are no faces: they are a list, [5, 2], or lists by the id of their die, {"roll": [8]}`,
		"[5":                   "[5 is no JSON: unexpected end of JSON input",
	} {
		if _, err := dice.ParseThrow(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if empty, err := dice.ParseThrow(""); err != nil || empty.IsZero() {
		t.Errorf("an empty text is a throw without faces, not one that says nothing: %v", err)
	}
}

// TestThrowJSON reads a throw from the members of a sheet, and writes the same.
func TestThrowJSON(t *testing.T) {
	for _, text := range []string{`{}`, `{"dice":[5,2]}`, `{"dice":[]}`, `{"dice":{}}`, `{"dice":{"b":[8],"a":[0]},"seed":7}`,
		`{"dice":{"a":[3],"b":[5]},"seed":7,"given":{"a":[3],"b":[0]}}`} {
		var x dice.Throw
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got, err := json.Marshal(x); err != nil || string(got) != text {
			t.Errorf("%s, %v, want %s", got, err, text)
		}
	}
	var null dice.Throw
	if err := json.Unmarshal([]byte(`{"dice": null}`), &null); err != nil || !null.IsZero() {
		t.Errorf("null says something: %v, %v", null, err)
	}
}
