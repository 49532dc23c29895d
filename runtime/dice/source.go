package dice

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/spell"
)

// A Draw is one face that is asked for.
//
// It is filled by whoever rolls and used for one face after the other; a Source keeps nothing of
// it. Count and Seen tell of the roll that the face is part of, for the sources that must know
// (FindLacks, distinct dice).
type Draw struct {
	Die   *plan.Die
	Index []int32 // the iterations of the loops around the die, outermost first
	Faces int64   // at least 1
	Count int64   // how many dice are rolled together, without those that are rolled again or on
	Seen  []int64 // of a distinct die: the faces that have fallen already
	Again bool    // of a vm.Frame: the die has fallen already, and is rolled again or on
}

// A Source gives faces in the order in which they fall.
type Source interface {
	// Face gives one face. A Source that cannot give it says why with an *Error.
	Face(d *Draw) (int64, error)
	// Rest tells, once all dice are rolled, of faces that were given but never fell.
	Rest() error
}

// An Error is a face that was given too many, too few, or that the die does not have.
type Error struct {
	ID       string // of the die; empty when the faces of all dice were given in one list
	Position int    // 1-based, in the list that was given
	Missing  bool   // the face is needed and was not given
	Msg      string
}

// IsMissing reports whether an error is that of a face that is needed and was not given.
func IsMissing(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Missing
}

func (e *Error) Error() string {
	if e.ID == "" {
		return e.Msg
	}
	return e.ID + ": " + e.Msg
}

// AppendID appends the id of a die, each [*] of which becomes the iteration of its loop: "strikes[2].roll".
// The id in the plan is "strikes[*].roll"; with the index 2 it is the id under which faces are
// given and shown.
func AppendID(buf []byte, id string, index []int32) []byte {
	for _, i := range index {
		before, after, found := strings.Cut(id, "[*]")
		if !found {
			break
		}
		buf = append(append(buf, before...), '[')
		buf = append(strconv.AppendInt(buf, int64(i), 10), ']')
		id = after
	}
	return append(buf, id...)
}

// id returns the draw's die as given dice address it.
func (d *Draw) id() string { return string(AppendID(nil, d.Die.ID, d.Index)) }

// faceOf returns the number of a face that was given by the number on it, if it can fall here. Of several faces with the
// same number it is the first, among those that differ the first that has not fallen.
func (d *Draw) faceOf(given int64, position int) (face int64, err error) {
	if d.Die.Shows != nil {
		return d.faceShowing(given, position)
	}
	face = given
	if face == 0 {
		face = d.Die.Zero
	}
	switch {
	case face < 1 || face > d.Faces:
		msg := fmt.Sprintf("face %d given is %d, but the die shows 1 to %d", position, given, d.Faces)
		return 0, &Error{ID: d.id(), Position: position, Msg: msg}
	case d.isSpent(face):
		msg := fmt.Sprintf("face %d given is %d again, but no face falls twice", position, given)
		return 0, &Error{ID: d.id(), Position: position, Msg: msg}
	}
	return face, nil
}

// faceShowing is faceOf for a die whose faces do not show their numbers.
func (d *Draw) faceShowing(given int64, position int) (face int64, err error) {
	spent := 0
	for i, v := range d.Die.Shows {
		switch {
		case v != given:
		case d.isSpent(int64(i) + 1):
			spent++
		default:
			return int64(i) + 1, nil
		}
	}
	msg := fmt.Sprintf("face %d given is %d", position, given)
	switch spent {
	case 0:
		msg += ", but the die shows " + ListShown(d.Die.Shows)
	case 1:
		msg += " again, but no face falls twice"
	default:
		msg += fmt.Sprintf(" again, and all %d of them have fallen", spent)
	}
	return 0, &Error{ID: d.id(), Position: position, Msg: msg}
}

// isSpent reports whether a face cannot fall any more.
func (d *Draw) isSpent(face int64) bool { return d.Die.Distinct && slices.Contains(d.Seen, face) }

// ListShown returns the numbers on faces, each once: "-1, 0 or 1".
func ListShown(shows []int64) string {
	var words []string
	for _, v := range slices.Compact(slices.Sorted(slices.Values(shows))) {
		words = append(words, strconv.FormatInt(v, 10))
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// A Flat gives the faces of a list, one after the other.
type Flat struct {
	faces []int64
	next  int
}

// FromList returns a Source of faces in the order in which they fall.
func FromList(faces []int64) *Flat { return &Flat{faces: faces} }

// Face implements Source.
func (f *Flat) Face(d *Draw) (int64, error) {
	if f.next == len(f.faces) {
		msg := fmt.Sprintf("too few faces: %d given, and another is needed", len(f.faces))
		return 0, &Error{ID: d.id(), Position: f.next + 1, Missing: true, Msg: msg}
	}
	given := f.faces[f.next]
	f.next++
	return d.faceOf(given, f.next)
}

// Rest implements Source.
func (f *Flat) Rest() error {
	if f.next == len(f.faces) {
		return nil
	}
	return &Error{Position: f.next + 1, Msg: fmt.Sprintf("too many faces: %d given, but %d fell", len(f.faces), f.next)}
}

// Rewind makes the first face the next one again.
func (f *Flat) Rewind() { f.next = 0 }

// A Named gives each die the faces that stand under its id.
type Named struct {
	piles map[string]*Flat
	key   []byte // of the last die, kept so that asking allocates nothing
}

// ByID returns a Source of faces by the id of their die.
func ByID(faces map[string][]int64) *Named {
	n := &Named{piles: make(map[string]*Flat, len(faces))}
	for id, list := range faces {
		n.piles[id] = FromList(list)
	}
	return n
}

// Face implements Source.
func (n *Named) Face(d *Draw) (int64, error) {
	n.key = AppendID(n.key[:0], d.Die.ID, d.Index)
	pile, ok := n.piles[string(n.key)]
	if !ok {
		return 0, &Error{ID: d.id(), Position: 1, Missing: true, Msg: "no face is given for this die" +
			n.guessMeant(d.id())}
	}
	return pile.Face(d)
}

// guessMeant says which id may be meant for a die that no face is given for: that of the die within its use or its element,
// or a misspelt one.
func (n *Named) guessMeant(id string) string {
	var idle, own []string
	for given, pile := range n.piles {
		switch {
		case pile.next > 0:
		case lastStep(given) == lastStep(id):
			own = append(own, given)
		default:
			idle = append(idle, given)
		}
	}
	near := spell.Nearest(id, idle)
	if len(own) > 0 {
		near = slices.Min(own)
	}
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; are those of %q meant", near)
}

// lastStep returns the id of a die without the uses in which it falls: roll of strike[1].roll.
func lastStep(id string) string { return id[strings.LastIndexByte(id, '.')+1:] }

// Rest implements Source. Of several dice it names the first in alphabetical order.
func (n *Named) Rest() error {
	var first *Error
	for id, pile := range n.piles {
		if pile.Rest() != nil && (first == nil || id < first.ID) {
			first = pile.leftOf(id)
		}
	}
	if first == nil {
		return nil
	}
	return first
}

// leftOf returns the error of faces of a die that are left over.
func (f *Flat) leftOf(id string) *Error {
	if f.next == 0 {
		return &Error{ID: id, Position: 1, Msg: "faces are given, but no such die falls"}
	}
	return &Error{ID: id, Position: f.next + 1,
		Msg: fmt.Sprintf("too many faces: %d given, but %d fell", len(f.faces), f.next)}
}
