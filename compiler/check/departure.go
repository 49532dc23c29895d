package check

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A departure is a part of a notation that means one thing in a ruleset, and another at the command line and in most
// programs: there a die that explodes adds dice of its own, and d66 is two dice read as digits. What a ruleset says stays
// what it is, for its answers are published, until its author writes it another way.
type departure struct {
	offset int // of the group, in code points
	here   string
	advice string // how each of the two meanings is written
}

// departuresOf lists the groups whose meaning depends on where they are read.
func departuresOf(e *dice.Expression) []departure {
	var out []departure
	for i := range e.Terms {
		t := &e.Terms[i]
		chosen := t.Keep < t.Count || t.Success != nil || t.Least > 1
		switch {
		case t.Count == 0:
		case t.Die.Explode.Among(int64(t.Faces)) && !t.OneDie && chosen:
			out = append(out, departure{t.Offset,
				"a die and what it explodes into are one die here, and each a die of its own in " +
					"\"rules roll\" and most programs",
				fmt.Sprintf("write !! for one die; for dice of their own write a list, {die: %d, count: %d, "+
					"explode: {on: %s, into: \"dice\"}}, and a formula for what counts of it",
					t.Faces, t.Count, writtenBand(t.Die.Explode, int64(t.Faces)))})
		case t.Die.Shows == nil && (t.Faces == 66 || t.Faces == 666):
			out = append(out, departure{t.Offset,
				fmt.Sprintf("d%d is a die of %d faces here, and six-sided dice read as digits "+
					"in \"rules roll\"", t.Faces, t.Faces),
				fmt.Sprintf("write {die: %d} for %d faces; for digits roll d6 for each, and "+
					"add 10 * tens + ones", t.Faces, t.Faces)})
		}
	}
	return out
}

// writtenBand writes a band of so many faces, at least one of which lies in it, as the on of a struct: 6, ">=5", "max".
func writtenBand(b plan.Band, faces int64) string {
	switch {
	case b.Hi >= faces && b.Lo == faces:
		return `"max"`
	case b.Lo == b.Hi:
		return fmt.Sprint(b.Lo)
	}
	return fmt.Sprintf("%q", b.String())
}
