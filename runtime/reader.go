package runtime

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A reader is a shape prepared for reading: where each part of a value goes in its slots.
type reader struct {
	shape   *plan.Shape
	root    string
	slots   int
	members []member
	elem    *reader
	stride  int
	enum    []int64 // symbols of shape.Enum
	pin     string  // of a character: the revision that it may be pinned to
}

// A member is a record's field: its first slot, which is its presence when it is optional.
type member struct {
	*plan.Member
	at     int
	reader *reader
	lead   []byte // how the member mostly begins: its name in quotes and a colon
	symbol int64  // of its name, -1 when the plan has none
}

// newReader prepares a shape.
func newReader(root string, s *plan.Shape, symbol func(string) int64) *reader {
	r := &reader{shape: s, root: root}
	for _, e := range s.Enum {
		r.enum = append(r.enum, symbol(e))
	}
	if s.Elem != nil {
		r.elem = newReader(root, s.Elem, symbol)
		r.stride = r.elem.slots
	}
	if s.Kind == plan.Map {
		r.stride++
	}
	at := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		m := member{
			Member: f, at: at, reader: newReader(root, f.Shape, symbol),
			lead: appendName(nil, f.Name), symbol: symbol(f.Name),
		}
		r.members = append(r.members, m)
		at += m.reader.slots + m.presence()
	}
	r.slots = 1
	if s.Kind == plan.Record {
		r.slots = at
	}
	return r
}

func (m *member) presence() int {
	if m.Optional {
		return 1
	}
	return 0
}

// find is the index of a member, trying first the one that is next in the author's order.
func (r *reader) find(name []byte, next int) int {
	if next < len(r.members) && r.members[next].Name == string(name) {
		return next
	}
	return slices.IndexFunc(r.members, func(m member) bool { return m.Name == string(name) })
}
