package jsonio

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Schema is a shape prepared for reading: where each part of a value goes in its slots.
//
// Slots are those of the whole value: 1 for everything but a record. elem and stride are of a list
// and a map, whose stride has the key's slot before the value's. It is made once for each root of a
// plan, is not changed afterwards (but by MarkUnread, before it is used), and is read by many
// goroutines.
type Schema struct {
	Shape   *plan.Shape
	Root    string
	Slots   int
	Members []Member
	elem    *Schema
	stride  int
	Enum    []int64         // symbols of shape.Enum
	words   *vm.SymbolTable // of shape.Enum; nil where there is none
	names   *vm.SymbolTable // of members; nil where there are none
	keys    *vm.SymbolTable // of shape.Keys; nil where there are none
	quick   fastRange
	limited []int    // of a record: the members with bounds that other members set
	unread  bool     // nothing reads the value: it is judged like any other, but its strings get no symbols
	pins    *pinning // of a character, also in an input: what it may name to be played by; nil of everything else
}

// A Member is a record's field: its first slot, which is its presence when it is optional.
type Member struct {
	*plan.Member
	At     int
	Schema *Schema
	lead   memberStart
	symbol int64 // of its name, -1 when the plan has none
	preset int64 // the slot of its default, if it is plain
	short  bool  // whether it is a whole number that must be there, with a short name
	// whether its default is there and needs no reading: a number, a truth, a word of the plan, a list of nothing
	plain bool
}

// NewSchema prepares a shape.
func NewSchema(root string, s *plan.Shape, symbol func(string) int64) *Schema {
	r := &Schema{Shape: s, Root: root, quick: newFastRange(s)}
	for _, e := range s.Enum {
		r.Enum = append(r.Enum, symbol(e))
	}
	if s.Enum != nil {
		r.words = vm.NewSymbolTable(s.Enum)
	}
	if s.Elem != nil {
		r.elem = NewSchema(root, s.Elem, symbol)
		r.stride = r.elem.Slots
	}
	if s.Kind == plan.Map {
		r.stride++
	}
	if s.Keys != nil {
		r.keys = vm.NewSymbolTable(s.Keys)
	}
	r.Slots = 1
	if at := r.addMembers(symbol); s.Kind == plan.Record {
		r.Slots = at
	}
	return r
}

// NewRootSchema returns the schema of a root of a plan: that of characters, wherever they stand, knows their pins.
func NewRootSchema(m *vm.Image, root plan.Root, s *plan.Shape) *Schema {
	r := NewSchema(rootNames[root], s, m.SymbolOf)
	pins := newPinning(m.Plan())
	r.pinCharacters(pins)
	if root == plan.CharacterRoot {
		r.pins = pins
	}
	return r
}

// pinCharacters lets the characters in a value name what they are played by.
func (r *Schema) pinCharacters(pins *pinning) {
	if r.Shape.Character {
		r.pins = pins
	}
	if r.elem != nil {
		r.elem.pinCharacters(pins)
	}
	for i := range r.Members {
		r.Members[i].Schema.pinCharacters(pins)
	}
}

var rootNames = [plan.NumRoots]string{plan.CharacterRoot: "character", plan.InputRoot: "input", plan.StateRoot: "state",
	plan.EventRoot: "event"}

// addMembers prepares the fields, and tells how many slots they have.
func (r *Schema) addMembers(symbol func(string) int64) (slots int) {
	r.Members = make([]Member, 0, len(r.Shape.Fields))
	var names []string
	for i := range r.Shape.Fields {
		f := &r.Shape.Fields[i]
		m := Member{Member: f, At: slots, Schema: NewSchema(r.Root, f.Shape, symbol), lead: newMemberStart(f.Name),
			symbol: symbol(f.Name)}
		m.short = f.Shape.Kind == plan.Int && !f.Optional && len(m.lead.text) <= 2*wordBytes
		m.preset, m.plain = plainDefault(f, m.Schema, symbol)
		r.Members, names = append(r.Members, m), append(names, f.Name)
		if f.Shape.Limits != nil {
			r.limited = append(r.limited, i)
		}
		slots += m.Schema.Slots + m.presenceSlots()
	}
	if names != nil {
		r.names = vm.NewSymbolTable(names)
	}
	return slots
}

// MarkUnread marks the fields in slots that nothing reads; slots are those of the value. The text of a character's name is
// judged, as a character must be one, but not interned, which would cost a hash and memory for each record of a batch that
// never asks for it.
func (r *Schema) MarkUnread(reads []bool) {
	for i := range r.Members {
		m := &r.Members[i]
		of := reads[m.At+m.presenceSlots():][:m.Schema.Slots]
		switch {
		case !slices.Contains(of, true):
			m.Schema.markAllUnread()
		case m.Shape.Kind == plan.Record:
			m.Schema.MarkUnread(of)
		}
	}
}

func (r *Schema) markAllUnread() {
	r.unread = true
	if r.elem != nil {
		r.elem.markAllUnread()
	}
	for i := range r.Members {
		r.Members[i].Schema.markAllUnread()
	}
}

func (m *Member) presenceSlots() int {
	if m.Optional {
		return 1
	}
	return 0
}

// findMember returns the index of the member of a name, -1 when there is none.
func (r *Schema) findMember(name []byte) int {
	if r.names == nil {
		return -1
	}
	return int(r.names.Find(name))
}

// plainDefault returns the slot of a default that needs no more than one.
func plainDefault(f *plan.Member, r *Schema, symbol func(string) int64) (bits int64, ok bool) {
	d := Decoder{data: []byte(f.Default)}
	switch kind := f.Shape.Kind; kind {
	case plan.Int:
		text, whole, err := d.readNumber(kind)
		if err != nil || !whole {
			return 0, false
		}
		bits, ok = parseInt(text)
		return bits, ok && r.quick.hasInt(bits)
	case plan.Bool:
		return builtin.Bool(f.Default == "true"), f.Default == "true" || f.Default == "false"
	case plan.String:
		text, err := d.readQuoted(kind)
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

// A memberStart is how a member mostly begins: its name in quotes and a colon.
// head is compared under mask, tail with the last eight bytes, which may overlap the head: two
// comparisons for up to sixteen bytes. Longer ones are compared as strings behind the head.
type memberStart struct {
	text       string
	head, mask uint64 // the first bytes, at most eight, and which bytes of a word they are
	tail       uint64 // the last eight of more
}

func newMemberStart(name string) memberStart {
	text := appendName(nil, name)
	l := memberStart{text: string(text), mask: math.MaxUint64}
	if n := len(text); n < wordBytes {
		l.mask >>= 8 * (wordBytes - n)
	} else {
		l.tail = binary.LittleEndian.Uint64(text[n-wordBytes:])
	}
	l.head = binary.LittleEndian.Uint64(append(text, make([]byte, wordBytes)...)) & l.mask
	return l
}

// isPrefixOf reports whether a text begins with the lead; first is the text's first eight bytes.
func (l *memberStart) isPrefixOf(text []byte, first uint64) bool {
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

// fastRange is the range of the numbers that fit a shape without a further look, as most do. It is empty where there is
// more to judge.
type fastRange struct {
	min, count uint64 // of ints: the least, and how many
	low, high  float64
}

func newFastRange(s *plan.Shape) fastRange {
	q := fastRange{low: 1}
	odd := s.Not != nil || s.Min != nil && s.Min.Open || s.Max != nil && s.Max.Open
	switch {
	case odd:
	case s.Kind == plan.Int:
		low, high := math.Ceil(boundOr(s.Min, -1<<53)), math.Floor(boundOr(s.Max, 1<<53))
		if low <= high {
			q.min = uint64(int64(low))
			q.count = uint64(int64(high)) - q.min + 1
		}
	case s.Kind == plan.Double:
		q.low, q.high = boundOr(s.Min, -math.MaxFloat64), boundOr(s.Max, math.MaxFloat64)
	}
	return q
}

func boundOr(b *plan.Bound, otherwise float64) float64 {
	if b == nil {
		return otherwise
	}
	return b.Value
}

func (q *fastRange) hasInt(v int64) bool { return uint64(v)-q.min < q.count }

func (q *fastRange) hasDouble(v float64) bool { return v >= q.low && v <= q.high }

// bitSet are bits in slots, one for each member.
type bitSet []int64

// bitSetSlots returns how many slots hold a bit for each of n members.
func bitSetSlots(n int) int { return (n + 63) / 64 }

func (s bitSet) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

func (s bitSet) add(i int) { s[i/64] |= 1 << (i % 64) }
