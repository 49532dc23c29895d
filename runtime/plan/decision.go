package plan

import (
	"slices"
	"strings"
)

// A Decision is a field of an input or an event that is decided when dice have fallen. What it may be is also a requirement
// of the graph; the values here are for whoever is asked.
type Decision struct {
	Root  Root
	Path  string   // below the root: "spend.speed"
	After []string // the dice and uses that it follows, as the author names them
	Dice  int32    // so many of the graph's dice have fallen then: the first ones
	// When is whether there is anything to decide, Least and Most are the bounds of a number; without an ID when not
	// declared.
	When, Least, Most Value
	Place             Place
}

// SlotsAt returns the slots of the field at a path of a record: from the first to before the last.
func (s *Shape) SlotsAt(path string) (from, to int32, ok bool) {
	for name := range strings.SplitSeq(path, ".") {
		at := slices.IndexFunc(s.Fields, func(m Member) bool { return m.Name == name })
		if s.Kind != Record || at < 0 || s.Fields[at].Optional {
			return 0, 0, false
		}
		for i := range s.Fields[:at] {
			if from += int32(s.Fields[i].Shape.Slots()); s.Fields[i].Optional {
				from++
			}
		}
		s = s.Fields[at].Shape
	}
	return from, from + int32(s.Slots()), true
}
