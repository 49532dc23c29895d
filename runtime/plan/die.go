package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plural"
)

// Limits of the faces of a die that are listed, which no ruleset exceeds: the compiler and the notation of dice check the
// same ones. With at most MaxChain faces in a chain, no sum of them overflows.
const (
	maxShown    = 1_000         // faces; dice.MaxShown
	maxFaceSize = 1_000_000_000 // of what a face shows, with either sign
)

// A Die is a source of faces as declared. Each of its dice is a chain: faces that are rolled again are forgotten, faces
// that explode stay and are rolled on.
type Die struct {
	// as given dice address it: "roll", "ours.roll"; "strikes[*].roll" within an each. The groups of one sum share it
	ID       string
	Place    Place
	List     bool // a list of dice
	Distinct bool
	Again    Band  // faces that are rolled again
	Once     bool  // ... but only once, whatever falls then; else until others fall
	Explode  Band  // faces that are rolled on, and added
	Times    int64 // how often at most; 0: without end, up to MaxChain faces
	Most     int64 // most dice that may be asked for; 0: no bound is declared
	Loops    []ID  // the loops around it, outermost first; their iterations fill the [*] of ID
	// Shows is what its faces show, by which they are given and listed; nil when each shows its number, from 1. What a face
	// counts the graph reads from its number, but of a die that explodes, if only on no face, what is shown is added.
	Shows []int64
	Zero  int64 // the face that is meant when 0 is given: 10 of a d10 on which it is printed so; 0 for none
}

// Shown returns the number on a face.
func (d *Die) Shown(face int64) int64 {
	if d.Shows == nil || face < 1 || face > int64(len(d.Shows)) {
		return face
	}
	return d.Shows[face-1]
}

// Alike returns the groups of faces with the same number, in the order of their first faces; nil if all differ. A graph
// reads only the numbers on faces. A die that adds the numbers has totals and not faces.
func (d *Die) Alike() (out [][]int64) {
	if d.AddsShown() {
		return nil
	}
	at := map[int64]int{}
	for i, shown := range d.Shows {
		k, ok := at[shown]
		if !ok {
			k = len(out)
			at[shown], out = k, append(out, nil)
		}
		out[k] = append(out[k], int64(i)+1)
	}
	if len(out) == len(d.Shows) {
		return nil
	}
	return out
}

// AddsShown reports whether the value of a chain is the sum of the numbers on its faces, and not of the numbers of the
// faces.
func (d *Die) AddsShown() bool { return d.Shows != nil && d.Explode != Band{} }

// Worth returns the contribution of a face to its chain.
func (d *Die) Worth(face int64) int64 {
	if d.AddsShown() {
		return d.Shown(face)
	}
	return face
}

// ShowsZero reports whether 0 may be given as a face.
func (d *Die) ShowsZero() bool { return d.Zero > 0 || slices.Contains(d.Shows, 0) }

// String returns the die's id, and how it is rolled.
func (d *Die) String() string {
	out := d.ID
	if d.Distinct {
		out += ", distinct"
	}
	if d.Again != (Band{}) {
		out += ", again " + d.Again.String()
	}
	if d.Once {
		out += " once"
	}
	if d.Explode != (Band{}) {
		out += ", explodes " + d.Explode.String()
	}
	if d.Times > 0 {
		out += " at most " + plural.Of(int(d.Times), "time")
	}
	if d.Shows != nil {
		out += fmt.Sprint(", shows ", d.Shows)
	}
	if d.Zero > 0 {
		out += fmt.Sprint(", 0 is ", d.Zero)
	}
	return out
}

// A Band is the numbers from Lo to Hi, both inside. The zero Band holds no face, for none is 0.
type Band struct{ Lo, Hi int64 }

// NoFace is a band that holds no face, and yet is not the zero Band.
var NoFace = Band{Lo: math.MinInt64, Hi: 0}

// Holds reports whether a number lies in the band.
func (b Band) Holds(n int64) bool { return b.Lo <= n && n <= b.Hi }

// String returns the band as a comparison: "6", "<=2", ">=9", "2..5".
func (b Band) String() string {
	switch {
	case b.Lo == b.Hi:
		return fmt.Sprint(b.Lo)
	case b.Lo == math.MinInt64:
		return fmt.Sprint("<=", b.Hi)
	case b.Hi == math.MaxInt64:
		return fmt.Sprint(">=", b.Lo)
	}
	return fmt.Sprintf("%d..%d", b.Lo, b.Hi)
}

// Among reports whether one of so many faces lies in the band.
func (b Band) Among(faces int64) bool { return max(1, b.Lo) <= min(faces, b.Hi) }
