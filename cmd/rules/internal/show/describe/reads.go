package describe

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A readFinder gathers what graphs read of the character, and what each die is for.
//
// Slots and not fields are marked, because needs speak of slots; fields collects them again. A
// field counts as read when any of its slots is, also the one that says whether it is there.
type readFinder struct {
	plan *plan.Plan
	read []bool // of the slots of the character
}

func newReadFinder(p *plan.Plan) *readFinder {
	return &readFinder{p, make([]bool, p.Character.Slots())}
}

// add notes the fields that a body reads, under any options. It returns the readers of each die's faces.
func (f *readFinder) add(b plan.Body) (dice [][]schedule.Reader) {
	opt := schedule.Options{Roots: b.Slots(), Shapes: b.Shapes}
	// All faces count as given, so that what remains unknown is what is read of the records.
	given := schedule.Given{Dice: make([]bool, len(b.Graph.Dice))}
	for i := range given.Dice {
		given.Dice[i] = true
	}
	needs, err := schedule.FindNeeds(f.plan, b.Graph, opt, given)
	if err != nil { // it is too large to schedule: then all counts as read
		for i := range f.read {
			f.read[i] = true
		}
		return nil
	}
	for _, r := range needs.Reads {
		if r.Leaf.Root == plan.CharacterRoot {
			f.read[r.Leaf.Offset] = true
		}
	}
	return needs.Dice
}

// fields are the fields of the character that are read, and the names of others that every character must have.
func (f *readFinder) fields() (read []Field, others []string) {
	out := *f.plan.Character
	out.Fields = nil
	at := 0
	for i := range f.plan.Character.Fields {
		m := &f.plan.Character.Fields[i]
		n := m.Shape.Slots()
		// An optional field has one slot more, before its value, which says whether it is there.
		// The order of slots is that of the fields, which plan.Shape fixes.
		if m.Optional {
			n++
		}
		switch {
		case slices.Contains(f.read[at:at+n], true):
			out.Fields = append(out.Fields, *m)
		case !m.Optional && m.Default == "":
			others = append(others, m.Name)
		}
		at += n
	}
	return FieldsOf(&out), others
}

// namePurposes returns the purposes of a die: the outputs and dice that need its faces, and then the requirements.
func namePurposes(by []schedule.Reader) (out []string) {
	// Requirements come last: a reader wants to know what a die is rolled for, and then what may
	// forbid it.
	for _, isRequirement := range []bool{false, true} {
		for _, r := range by {
			if r.Kind != schedule.CheckReader && isRequirement == (r.Kind == schedule.RequireReader) {
				out = append(out, strings.TrimPrefix(r.String(), "output "))
			}
		}
	}
	return out
}
