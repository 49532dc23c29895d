package judge_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// An oracle is the judge, or the answers that the judge gave when it was asked the same before: these are many times
// faster, so that a program can be compared again and again, with another fault each time.
type oracle struct {
	r       *judge.Ruleset
	text    string // read when the judge is first asked
	t       testing.TB
	written *gob.Encoder // where answers are written down; nil for nowhere
	read    *gob.Decoder // where they come from; nil for the judge
	heard   hash.Hash64  // of all that the program has answered
	worked  *[]int64     // how much work each answer took it
}

// tooMuch is the work of an answer that a budget does not allow.
const tooMuch = math.MaxInt64

// noteWork takes note of how much work something took the program.
func (o *oracle) noteWork(counts ...int64) { *o.worked = append(*o.worked, counts...) }

// noteCode takes note of how many instructions there are in a program.
func (o *oracle) noteCode(program *runtime.Program) {
	for _, body := range program.Plan().Bodies() {
		code, err := schedule.Default(program.Plan(), body, nil)
		if err != nil {
			o.t.Fatal(err)
		}
		o.noteWork(int64(len(code.Instructions)))
	}
}

// hear takes note of an answer of the program, to the letter.
func (o *oracle) hear(answer any, err error) {
	if text, isText := answer.([]byte); isText {
		_, _ = o.heard.Write(text)
		answer = nil
	}
	_, _ = fmt.Fprintf(o.heard, "%+v %v\n", answer, err)
}

// unheard returns the same oracle, by which nothing is heard of the program.
func (o *oracle) unheard() *oracle {
	x := *o
	x.heard = fnv.New64a()
	return &x
}

// A said is an answer as it is written down, with the faces that fell for it.
type said[T any] struct {
	Question uint64
	Value    T
	Err      error
	Fell     [][]int64
}

func registerAnswers() {
	for _, v := range []any{&judge.Refusal{}, &judge.Failure{}, &judge.Misfit{}, &judge.Misthrow{}, &judge.NotOffered{},
		&judge.Unjudged{}, &judge.Unfollowed{}, &judge.Conflict{}, json.Number(""), []any{}, map[string]any{}} {
		gob.Register(v)
	}
}

// errAnother is the difference of a program that leads to questions which nobody asked before.
type errAnother struct{ question string }

func (e errAnother) Error() string { return "another question than before: " + e.question }

// consult asks the judge, or looks its answer up. Faces that fall at random are those that fell before.
func consult[T any](o *oracle, question string, ask func(r *judge.Ruleset) (T, error), faces ...*randomFaces) (T, error) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(question))
	var x said[T]
	if o.read != nil {
		if err := o.read.Decode(&x); err != nil || x.Question != h.Sum64() {
			return x.Value, errAnother{question}
		}
		for i, f := range faces {
			f.fell = x.Fell[i]
		}
		return x.Value, x.Err
	}
	r, err := o.judge()
	if err != nil {
		return x.Value, err
	}
	x.Question = h.Sum64()
	x.Value, x.Err = ask(r)
	if o.written != nil {
		for _, f := range faces {
			x.Fell = append(x.Fell, f.fell)
		}
		if err := o.written.Encode(x); err != nil {
			o.t.Fatalf("%s: %v", question, err)
		}
	}
	return x.Value, x.Err
}

func (o *oracle) judge() (*judge.Ruleset, error) {
	if o.r != nil {
		return o.r, nil
	}
	r, err := readText(o.t, o.text)
	o.r = r
	return r, err
}

// An archive is a directory with the answers of the judge, a file for each seed of a ruleset.
type archive struct {
	dir    string
	writes bool
}

// openOracle returns the oracle of a seed, and the function that ends it.
func (a *archive) openOracle(t testing.TB, seed uint64) (*oracle, func()) {
	o := &oracle{t: t, heard: fnv.New64a(), worked: new([]int64)}
	if a == nil {
		return o, func() {}
	}
	registerAnswers()
	file := filepath.Join(a.dir, fmt.Sprint(seed))
	if !a.writes {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o.read = gob.NewDecoder(bytes.NewReader(text))
		return o, func() {}
	}
	var b bytes.Buffer
	o.written = gob.NewEncoder(&b)
	return o, func() {
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// withText returns the same oracle about another text.
func (o *oracle) withText(text string) *oracle {
	return &oracle{t: o.t, text: text, written: o.written, read: o.read, heard: o.heard, worked: o.worked}
}

func (o *oracle) evaluate(id string, q judge.Question, faces ...*randomFaces) (*judge.Sheet, error) {
	return consult(o, "evaluate "+aboutQuestion(id, q), func(r *judge.Ruleset) (*judge.Sheet, error) {
		return r.Evaluate(id, q)
	}, faces...)
}

// fits says what of the character and the input of a question is not as their fields say.
func (o *oracle) fits(id string, q judge.Question) error {
	_, err := consult(o, "fits "+aboutQuestion(id, q), func(r *judge.Ruleset) (bool, error) {
		asked, err := r.Ask(id, q)
		return asked != nil, err
	})
	return err
}

func (o *oracle) odds(id string, q judge.Question, most int) ([]judge.Chance, error) {
	return consult(o, "odds "+aboutQuestion(id, q), func(r *judge.Ruleset) ([]judge.Chance, error) {
		return r.Odds(id, q, most)
	})
}

func (o *oracle) course(id string, q judge.Question, moves []judge.Move, events, most int) ([]judge.Situation, error) {
	about := fmt.Sprintf("course %s %d %s", aboutQuestion(id, q), events, moves)
	return consult(o, about, func(r *judge.Ruleset) ([]judge.Situation, error) {
		return r.Course(id, q, moves, events, most)
	})
}

// A played is what the judge says of a procedure, as far as it was played.
type played struct {
	Play *judge.Play
	At   int
}

func (o *oracle) play(id string, q judge.Question, events []judge.Happening, faces ...*randomFaces) (*judge.Play, int,
	error) {
	about := "play " + aboutQuestion(id, q)
	for _, e := range events {
		about += fmt.Sprintf(" %s %s", e.Event, e.Input)
	}
	x, err := consult(o, about, func(r *judge.Ruleset) (played, error) {
		play, at, err := r.Play(id, q, events)
		return played{play, at}, err
	}, faces...)
	return x.Play, x.At, err
}

func (o *oracle) fillCharacter(character []byte, options map[string]string) (any, error) {
	return consult(o, fmt.Sprintf("fill %s %v", character, options), func(r *judge.Ruleset) (any, error) {
		return r.FillCharacter(character, options)
	})
}

// overlay returns the ruleset as homebrews change it.
func (o *oracle) overlay(homebrews []string) (string, error) {
	return consult(o, fmt.Sprintf("homebrews %q", homebrews), func(*judge.Ruleset) (string, error) {
		x, err := judge.NewOverlay(o.text)
		for _, h := range homebrews {
			if err == nil {
				err = x.Apply(h)
			}
		}
		if err != nil {
			return "", err
		}
		return x.Text(), nil
	})
}

func aboutQuestion(id string, q judge.Question) string {
	return fmt.Sprintf("%s %s %s %v %q", id, q.Character, q.Input, q.Options, q.Outputs)
}
