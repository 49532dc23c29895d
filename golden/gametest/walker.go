package gametest

import (
	"errors"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// A Walker is a source of faces that shows, one evaluation after the other, every way in which the dice can fall. The zero
// Walker is at the first way.
type Walker struct {
	faces []int64 // of this evaluation
	of    []int64 // of each, the faces its die has
	next  int
	short bool // a chain was cut off
}

// longest is how many faces of one evaluation are followed.
const longest = 40

// ErrShort ends an evaluation that goes on with faces that are too many, or too improbable.
var ErrShort = errors.New("too many faces")

// Face shows the next face. Its error is ErrShort.
func (w *Walker) Face(d *dice.Draw) (int64, error) {
	if w.next == len(w.faces) {
		if w.P() < 1e-7 || w.next == longest {
			w.short = true
			return 0, ErrShort
		}
		w.faces, w.of = append(w.faces, 1), append(w.of, d.Faces)
	}
	// Of a distinct die a face stands for the n-th that has not fallen yet.
	face := w.faces[w.next]
	if d.Die.Distinct {
		w.of[w.next] = d.Faces - int64(len(d.Seen))
		face = unseen(face, d.Seen)
	}
	w.next++
	return face, nil
}

// unseen returns the n-th face that has not fallen.
func unseen(n int64, seen []int64) int64 {
	for face := int64(1); ; face++ {
		fallen := false
		for _, s := range seen {
			fallen = fallen || s == face
		}
		if !fallen {
			if n--; n == 0 {
				return face
			}
		}
	}
}

// Rest reports that nothing is left over: a walker shows any face that is asked for.
func (w *Walker) Rest() error { return nil }

// Faces returns those of this evaluation, as far as it has come, to be read only.
func (w *Walker) Faces() []int64 { return w.faces[:w.next] }

// Short reports whether this evaluation was ended.
func (w *Walker) Short() bool { return w.short }

// Ways returns one divided by the probability of the faces of this evaluation, as long as all its dice are fair.
func (w *Walker) Ways() *big.Int {
	out := big.NewInt(1)
	for _, n := range w.of {
		out.Mul(out, big.NewInt(n))
	}
	return out
}

// P returns the probability of the faces of this evaluation.
func (w *Walker) P() float64 {
	p := 1.0
	for _, n := range w.of {
		p /= float64(n)
	}
	return p
}

// Advance goes on to the next way; it reports whether there is one.
func (w *Walker) Advance() bool {
	w.next, w.short = 0, false
	for k := len(w.faces) - 1; k >= 0; k-- {
		if w.faces[k] < w.of[k] {
			w.faces[k]++
			w.faces, w.of = w.faces[:k+1], w.of[:k+1]
			return true
		}
	}
	return false
}
