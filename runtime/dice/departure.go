package dice

import "fmt"

// A Departure is a part of a notation that means one thing in a ruleset, and another at the command line and in most
// programs: there a die that explodes adds dice of its own, and d66 is two dice read as digits. What a ruleset says stays
// what it is, for its answers are published, until its author writes it another way.
type Departure struct {
	Offset int // of the group, in code points
	Here   string
	Advice string // how each of the two meanings is written
}

// Departures lists the groups whose meaning depends on where they are read.
func (e *Expression) Departures() []Departure {
	var out []Departure
	for i := range e.Terms {
		t := &e.Terms[i]
		chosen := t.Keep < t.Count || t.Success != nil || t.Least > 1
		switch {
		case t.Count == 0:
		case t.Die.Explode.Among(int64(t.Faces)) && !t.OneDie && chosen:
			out = append(out, Departure{t.Offset,
				"a die and what it explodes into are one die here, and each a die of its own in " +
					"\"rules roll\" and most programs",
				"write !! for one die; dice of their own are a source of their own, with a " +
					"count that reads this one: {die: 6, count: \"roll.count(f, f == 6)\"}"})
		case t.Die.Shows == nil && (t.Faces == 66 || t.Faces == 666):
			out = append(out, Departure{t.Offset,
				fmt.Sprintf("d%d is a die of %d faces here, and six-sided dice read as digits "+
					"in \"rules roll\"", t.Faces, t.Faces),
				fmt.Sprintf("write {die: %d} for %d faces; for digits roll d6 for each, and "+
					"add 10 * tens + ones", t.Faces, t.Faces)})
		}
	}
	return out
}
