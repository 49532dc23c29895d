package runtime

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/partial"
)

// A Request is one use of a rule, of the start of a procedure or of an event, whole or in part. It is a value, and its
// JSON is all that has to be kept between a need and its answer.
//
// For Ask, a field that is not known is absent or null. One that may be absent (an optional one, one with a default, an
// open key of a map) is asked for as well, unless it is Accepted.
type Request struct {
	Character json.RawMessage `json:"character,omitempty"` // empty for {}; of an event: none, for its play has one
	Input     json.RawMessage `json:"input,omitempty"`     // empty for {}
	// Accepted are paths ("input.difficulty", "character") at which, and below which, absent means absent for Ask: the
	// default holds.
	Accepted []string `json:"accepted,omitempty"`
	dice.Throw
	Roll   bool        `json:"-"` // for Ask: dice without given faces are drawn from the Seed and not asked for
	Record uint64      `json:"-"` // the number among the records of a batch, which keys the draws
	Source dice.Source `json:"-"` // in place of the Throw: dice of one's own, for one evaluation
	Trace  bool        `json:"-"`
}

// Answer adds the answer to a need. The value of a field is JSON; none accepts its absence or its default. That of a die is
// a face. Whether the answer fits is judged when it is asked on.
func (q *Request) Answer(n *ask.Need, value json.RawMessage) error {
	switch {
	case n.Kind == ask.Die:
		var face int64
		if err := json.Unmarshal(value, &face); err != nil {
			return &dice.Error{ID: n.Die, Position: n.Number, Msg: fmt.Sprintf("%s is no face", value)}
		}
		q.addFace(n.Die, face, faceNumber(n, face))
		return nil
	case len(value) == 0 && n.Required:
		return &jsonio.InputError{Root: n.Path, Msg: "must be given"}
	case len(value) == 0:
		q.Accepted = append(slices.Clip(q.Accepted), n.Path)
		return nil
	}
	root, to := n.Path, &q.Input
	if end := strings.IndexAny(root, ".["); end >= 0 {
		root = root[:end]
	}
	if root == "character" {
		to = &q.Character
	}
	text, err := partial.With(root, *to, n.Path, value)
	if err == nil {
		*to = text
	}
	return err
}

// LetFall answers the need of a face with the one that the seed draws.
func (q *Request) LetFall(n *ask.Need) { q.addFace(n.Die, n.Drawn, 0) }

// addFace adds a face to those of its die, and its number to those that were given; 0 for one that was drawn.
func (q *Request) addFace(die string, face, number int64) {
	q.Dice.ByID = q.Dice.ByID.With(die, face)
	if q.Seed != nil {
		q.Given = q.Given.With(die, number)
	}
}

// faceNumber returns the number of a face that is given by the number on it, of several the first that can fall; 0 if the die
// has no such face.
func faceNumber(n *ask.Need, shown int64) int64 {
	switch {
	case n.Shows != nil:
		for i, s := range n.Shows {
			if face := int64(i) + 1; s == shown && !slices.Contains(n.Fallen, face) {
				return face
			}
		}
		return 0
	case shown == 0:
		return n.Zero
	}
	return shown
}
