package runtime

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
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
	enum    []int64      // symbols of shape.Enum
	words   *SymbolTable // of shape.Enum; nil where there is none
	names   *SymbolTable // of members; nil where there are none
	keys    *SymbolTable // of shape.Keys; nil where there are none
	quick   quick
	unread  bool   // nothing reads the value: it is judged like any other, but its strings get no symbols
	pin     string // of a character: the revision that it may be pinned to
}

// A member is a record's field: its first slot, which is its presence when it is optional.
type member struct {
	*plan.Member
	at     int
	reader *reader
	lead   lead
	symbol int64 // of its name, -1 when the plan has none
	preset int64 // the slot of its default, if it is plain
	short  bool  // whether it is a whole number that must be there, with a short name
	plain  bool  // whether its default is there and needs no reading: a number, a truth, a word of the plan, a list of nothing
}

// newReader prepares a shape.
func newReader(root string, s *plan.Shape, symbol func(string) int64) *reader {
	r := &reader{shape: s, root: root, quick: newQuick(s)}
	for _, e := range s.Enum {
		r.enum = append(r.enum, symbol(e))
	}
	if s.Enum != nil {
		r.words = NewSymbolTable(s.Enum)
	}
	if s.Elem != nil {
		r.elem = newReader(root, s.Elem, symbol)
		r.stride = r.elem.slots
	}
	if s.Kind == plan.Map {
		r.stride++
	}
	if s.Keys != nil {
		r.keys = NewSymbolTable(s.Keys)
	}
	r.slots = 1
	if at := r.addMembers(symbol); s.Kind == plan.Record {
		r.slots = at
	}
	return r
}

// addMembers prepares the fields, and tells how many slots they have.
func (r *reader) addMembers(symbol func(string) int64) (slots int) {
	r.members = make([]member, 0, len(r.shape.Fields))
	var names []string
	for i := range r.shape.Fields {
		f := &r.shape.Fields[i]
		m := member{Member: f, at: slots, reader: newReader(r.root, f.Shape, symbol), lead: newLead(f.Name), symbol: symbol(f.Name)}
		m.short = f.Shape.Kind == plan.Int && !f.Optional && len(m.lead.text) <= 2*wordBytes
		m.preset, m.plain = plainDefault(f, m.reader, symbol)
		r.members, names = append(r.members, m), append(names, f.Name)
		slots += m.reader.slots + m.presence()
	}
	if names != nil {
		r.names = NewSymbolTable(names)
	}
	return slots
}

// skip marks what lies in slots that nothing reads; slots are those of the value.
func (r *reader) skip(reads []bool) {
	for i := range r.members {
		m := &r.members[i]
		of := reads[m.at+m.presence():][:m.reader.slots]
		switch {
		case !slices.Contains(of, true):
			m.reader.skipAll()
		case m.Shape.Kind == plan.Record:
			m.reader.skip(of)
		}
	}
}

func (r *reader) skipAll() {
	r.unread = true
	if r.elem != nil {
		r.elem.skipAll()
	}
	for i := range r.members {
		r.members[i].reader.skipAll()
	}
}

func (m *member) presence() int {
	if m.Optional {
		return 1
	}
	return 0
}

// find is the index of the member of a name, -1 when there is none.
func (r *reader) find(name []byte) int {
	if r.names == nil {
		return -1
	}
	return int(r.names.Find(name))
}

// plainDefault is the slot of a default that needs no more than one.
func plainDefault(f *plan.Member, r *reader, symbol func(string) int64) (bits int64, ok bool) {
	d := decoder{data: []byte(f.Default)}
	switch kind := f.Shape.Kind; kind {
	case plan.Int:
		text, whole, err := d.number(kind)
		if err != nil || !whole {
			return 0, false
		}
		bits, ok = parseInt(text)
		return bits, ok && r.quick.int(bits)
	case plan.Bool:
		return builtin.Bool(f.Default == "true"), f.Default == "true" || f.Default == "false"
	case plan.String:
		text, err := d.quoted(kind)
		if err != nil {
			return 0, false
		}
		bits = symbol(string(text))
		return bits, bits >= 0 && (r.words == nil || r.words.Find(text) >= 0)
	case plan.List:
		return 0, f.Default == "[]" && f.Shape.MinItems == 0
	case plan.Map:
		return 0, f.Default == "{}" && f.Shape.Fields == nil
	}
	return 0, false
}

// A lead is how a member mostly begins: its name in quotes and a colon.
type lead struct {
	text       string
	head, mask uint64 // the first bytes, at most eight, and which bytes of a word they are
	tail       uint64 // the last eight of more
}

const wordBytes = 8

func newLead(name string) lead {
	text := appendName(nil, name)
	l := lead{text: string(text), mask: math.MaxUint64}
	if n := len(text); n < wordBytes {
		l.mask >>= 8 * (wordBytes - n)
	} else {
		l.tail = binary.LittleEndian.Uint64(text[n-wordBytes:])
	}
	l.head = binary.LittleEndian.Uint64(append(text, make([]byte, wordBytes)...)) & l.mask
	return l
}

// begins reports whether a text begins with the lead; first is the text's first eight bytes.
func (l *lead) begins(text []byte, first uint64) bool {
	if first&l.mask != l.head {
		return false
	}
	n := len(l.text)
	switch {
	case n <= wordBytes:
		return true
	case n > len(text):
		return false
	case n <= 2*wordBytes:
		return binary.LittleEndian.Uint64(text[n-wordBytes:n]) == l.tail
	}
	return string(text[:n]) == l.text
}

// quick is the range of the numbers that fit a shape without a further look, as most do. It is empty where there is more to
// judge.
type quick struct {
	min, count uint64 // of ints: the least, and how many
	low, high  float64
}

func newQuick(s *plan.Shape) quick {
	q := quick{low: 1}
	odd := s.Not != nil || s.Min != nil && s.Min.Open || s.Max != nil && s.Max.Open
	switch {
	case odd:
	case s.Kind == plan.Int:
		low, high := math.Ceil(limit(s.Min, -1<<53)), math.Floor(limit(s.Max, 1<<53))
		if low <= high {
			q.min = uint64(int64(low))
			q.count = uint64(int64(high)) - q.min + 1
		}
	case s.Kind == plan.Double:
		q.low, q.high = limit(s.Min, -math.MaxFloat64), limit(s.Max, math.MaxFloat64)
	}
	return q
}

func limit(b *plan.Bound, otherwise float64) float64 {
	if b == nil {
		return otherwise
	}
	return b.Value
}

func (q *quick) int(v int64) bool { return uint64(v)-q.min < q.count }

func (q *quick) double(v float64) bool { return v >= q.low && v <= q.high }

// seen are bits in slots, one for each member.
type seen []int64

// seenSlots is how many slots hold a bit for each of n members.
func seenSlots(n int) int { return (n + 63) / 64 }

func (s seen) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

func (s seen) add(i int) { s[i/64] |= 1 << (i % 64) }
