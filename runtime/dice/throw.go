package dice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// # Chance as a value
//
// A Source is used up by the evaluation that reads it. Whoever asks twice, to explain a refusal, to count missing faces or
// to play again, would need a function that makes sources. A Throw is a value in its place: it says how the dice of one
// evaluation fall, and gives as many sources as are asked for, all of the same faces.
//
//	Dice    Seed  Given   faces that fall                      the sheet reports
//	-       -     -       none: a die that falls is an error   -
//	a list  -     -       those of the list                    -
//	by id   -     -       those of their die                   -
//	-       x     -       drawn                                the seed, if a die fell
//	by id   x     -       given where there is one, or drawn   the seed if one was drawn, given if both happened
//	-       x     x       likewise, by numbers of faces        likewise
//	by id   x     x       those of their die                   likewise: Given says which were drawn
//	a list  x             an error: the place of a face in a list depends on the faces that are drawn before it
//
// Faces by id have two forms because a die may show 0, which in Given means "drawn".

// Faces are faces as the dice show them: a list in the order in which they fall, or lists by the id of their die. In JSON
// they are a list or an object. The zero Faces says nothing of any die; an empty list says that no die falls.
type Faces struct {
	List []int64 // nil if ByID counts
	ByID Rolls   // nil if List counts
}

// IsZero reports whether nothing is said of any die.
func (f Faces) IsZero() bool { return f.List == nil && f.ByID == nil }

// MarshalJSON implements json.Marshaler.
func (f Faces) MarshalJSON() ([]byte, error) {
	if f.ByID != nil {
		return f.ByID.MarshalJSON()
	}
	return json.Marshal(f.List)
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Faces) UnmarshalJSON(data []byte) error {
	switch {
	case bytes.HasPrefix(data, []byte("[")):
		*f = Faces{List: []int64{}}
		if json.Unmarshal(data, &f.List) == nil {
			return nil
		}
	case bytes.HasPrefix(data, []byte("{")):
		*f = Faces{ByID: Rolls{}}
		if json.Unmarshal(data, &f.ByID) == nil {
			return f.ByID.checkIDs()
		}
	case string(data) == "null":
		return nil
	}
	return &ThrowError{Msg: fmt.Sprintf("%s are no faces: they are a list, [5, 2], or lists by the id of their die, "+
		`{"roll": [8]}`, data)}
}

// checkIDs refuses rolls in which an id stands twice.
func (f Rolls) checkIDs() error {
	for i := range f {
		if slices.ContainsFunc(f[:i], func(r Roll) bool { return r.ID == f[i].ID }) {
			return &ThrowError{Msg: fmt.Sprintf("the faces of %s stand twice", f[i].ID)}
		}
	}
	return nil
}

// A Throw says how the dice of one evaluation fall. It is a value: it may be used any number of times, and the same faces
// fall each time. Its JSON members are those of a sheet and of a receipt.
//
// Without a Seed all faces are given. With one, the faces that are not given are drawn; each face uses up its draw, given
// or not, so that giving one never changes the others. The zero Throw has no faces.
type Throw struct {
	Dice Faces   `json:"dice,omitzero"`
	Seed *uint64 `json:"seed,omitempty"`
	// Given holds numbers of faces, from 1 whatever they show, and 0 for each that is drawn. Beside Dice it says which of
	// these were given and which were drawn.
	Given Rolls `json:"given,omitempty"`
}

// Fallen returns a throw of faces in the order in which they fall.
func Fallen(faces ...int64) Throw {
	if faces == nil {
		faces = []int64{}
	}
	return Throw{Dice: Faces{List: faces}}
}

// FallenByID returns a throw of faces by the id of their die.
func FallenByID(faces Rolls) Throw {
	if faces == nil {
		faces = Rolls{}
	}
	return Throw{Dice: Faces{ByID: faces}}
}

// DrawnFrom returns a throw that draws all faces from a seed.
func DrawnFrom(seed uint64) Throw { return Throw{Seed: &seed} }

// IsZero reports whether the throw says nothing of any face.
func (t *Throw) IsZero() bool { return t.Dice.IsZero() && t.Seed == nil && t.Given == nil }

// A ThrowError reports a throw whose members contradict each other, or a text that is none.
type ThrowError struct{ Msg string }

// Error implements error.
func (e *ThrowError) Error() string { return e.Msg }

// NewSource returns the faces of one evaluation, from the first on. The numbers of the record and of the event key the
// draws from the seed. Its error is a *ThrowError.
func (t *Throw) NewSource(record, event uint64) (Source, error) {
	switch {
	case t.Seed == nil && t.Given != nil && t.Dice.ByID == nil:
		return nil, &ThrowError{"given says which faces a seed does not draw: it needs a seed"}
	case t.Dice.List != nil && t.Seed != nil:
		return nil, &ThrowError{"faces in a list go with no seed: give them by the id of their die"}
	case t.Dice.List != nil:
		return FromList(t.Dice.List), nil
	case t.Dice.ByID != nil && (t.Seed == nil || t.Given != nil):
		return ByID(t.Dice.ByID.ByID()), nil
	case t.Seed == nil:
		return FromList(nil), nil
	}
	seeded := FromSeed(*t.Seed, record, event)
	switch {
	case t.Dice.ByID != nil:
		return Mix(t.Dice.ByID.ByID(), seeded), nil
	case t.Given != nil:
		return MixAgain(t.Given.ByID(), seeded), nil
	}
	return seeded, nil
}

// Report returns the seed and the given faces that a sheet reports of an evaluation with a source of the throw: the seed
// if a face was drawn from it, the given faces if others were drawn. faces are all that fell.
func (t *Throw) Report(from Source, faces Rolls) (seed *uint64, given Rolls) {
	switch from := from.(type) {
	case *Seeded:
		if len(faces) > 0 {
			seed = t.Seed
		}
	case *Mixed:
		if from.drawn {
			seed = t.Seed
		}
		return seed, from.Origin()
	default:
		if drawn, wasGiven := t.Given.has(func(face int64) bool { return face == 0 }),
			t.Given.has(func(face int64) bool { return face != 0 }); drawn {
			seed = t.Seed
			if wasGiven {
				given = t.Given
			}
		}
	}
	return seed, given
}

// has reports whether a predicate holds for any face.
func (f Rolls) has(is func(face int64) bool) bool {
	return slices.ContainsFunc(f, func(r Roll) bool { return slices.ContainsFunc(r.Faces, is) })
}

// seedWord stands before the seed in the text of a throw.
const seedWord = "seed"

// Text returns the throw as ParseThrow reads it: faces of a list with commas, others by the id of their die, and the
// seed behind them.
func (t *Throw) Text() string {
	var words []string
	if t.Dice.List != nil {
		words = append(words, joinFaces(t.Dice.List))
	}
	for _, r := range t.Dice.ByID {
		words = append(words, r.ID+"="+joinFaces(r.Faces))
	}
	if t.Seed != nil {
		words = append(words, seedWord, strconv.FormatUint(*t.Seed, 10))
	}
	return strings.Join(words, " ")
}

func joinFaces(faces []int64) string {
	text := make([]string, len(faces))
	for i, face := range faces {
		text[i] = strconv.FormatInt(face, 10)
	}
	return strings.Join(text, ",")
}

// ParseThrow reads faces as people write them: a list in the order in which they fall, "43,7" or "43 7"; lists by the id
// of their die, "roll=43 damage=6,2"; or the JSON of Faces. "seed 7" may stand behind them, or alone. An empty text gives
// no face of any die. Its error is a *ThrowError.
func ParseThrow(text string) (t Throw, err error) {
	text = strings.TrimSpace(text)
	words := strings.Fields(text)
	if n := len(words) - 2; n >= 0 && words[n] == seedWord {
		seed, err := strconv.ParseUint(words[n+1], 10, 64)
		if err != nil {
			return t, &ThrowError{fmt.Sprintf("seed %s: a seed is a whole number from 0", words[n+1])}
		}
		if t.Seed = &seed; n == 0 {
			return t, nil
		}
		text = strings.TrimSpace(text[:strings.LastIndex(text, seedWord)])
	}
	switch {
	case strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{"):
		err = json.Unmarshal([]byte(text), &t.Dice)
		if _, ok := err.(*ThrowError); err != nil && !ok {
			err = &ThrowError{Msg: fmt.Sprintf("%s is no JSON: %v", text, err)}
		}
		return t, err
	case strings.HasPrefix(text, seedWord+":"):
		return t, &ThrowError{fmt.Sprintf("a seed stands without a colon: %s%s", seedWord, text[len(seedWord)+1:])}
	case colonForEquals.get().MatchString(text):
		return t, &ThrowError{fmt.Sprintf("faces stand behind =: %s", colonForEquals.get().ReplaceAllString(text, "$1="))}
	case !strings.Contains(text, "="):
		t.Dice.List, err = parseFaces(text)
		return t, err
	}
	t.Dice.ByID = Rolls{}
	for word := range strings.FieldsSeq(text) {
		id, list, ok := strings.Cut(word, "=")
		if !ok || id == "" {
			return t, &ThrowError{fmt.Sprintf("%q is not id=faces", word)}
		}
		faces, err := parseFaces(list)
		if err != nil {
			return t, err
		}
		t.Dice.ByID = append(t.Dice.ByID, Roll{ID: id, Faces: faces})
	}
	return t, t.Dice.ByID.checkIDs()
}

// colonForEquals is the id of a die with a colon behind it.
var colonForEquals = lazy[*regexp.Regexp]{compute: func() *regexp.Regexp { return regexp.MustCompile(`\b([a-z_]\w*): *`) }}

// parseFaces reads faces between commas or blanks.
func parseFaces(text string) ([]int64, error) {
	out := []int64{}
	if text == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 {
			return nil, &ThrowError{"a face is missing beside a comma: dice that have names stand apart by blanks, a=3 b=4"}
		}
		for _, word := range words {
			face, err := strconv.ParseInt(word, 10, 64)
			if err != nil && strings.Contains(word, "=") {
				return nil, &ThrowError{"dice that have names stand apart by blanks, a=3 b=4, or have a --dice each"}
			}
			if err != nil {
				return nil, &ThrowError{fmt.Sprintf("%q is no face", word)}
			}
			out = append(out, face)
		}
	}
	return out, nil
}
