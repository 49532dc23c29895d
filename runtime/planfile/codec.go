package planfile

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A codec writes or reads: every part is described once, by a method that does the one or the other. Reading stops at
// the first part that is wrong, and allocates nothing that the bytes left could not fill.
//
// A codec serves one part, in one direction. Of the fields behind pos, said, types, ids and bad are
// of reading; numbers, typed, known, spelt and move are of writing. depth is of both, and counts pointers
// and values within each other.
type codec struct {
	writing bool
	buf     []byte
	text    string // of what is read, so that strings share it
	pos     int
	bad     string                // what is wrong
	said    []string              // the strings that were read
	numbers map[string]uint64     // of the strings that were written: one more than their index in said
	types   []*plan.Type          // the types that were read
	typed   map[string]uint64     // of the types that were written: one more than their index in types
	known   map[*plan.Type]uint64 // likewise, of those that have been looked up: a signature takes long to write
	spelt   map[*plan.Type]string // the signatures of types, which are those of every part
	ids     []plan.ID             // what is left of the block from which operands are taken
	depth   int
	move    func(*plan.Place) // what is done to each place before it is written; nil for nothing
}

// newWriter writes a part.
func newWriter() *codec {
	return &codec{writing: true, numbers: map[string]uint64{}, typed: map[string]uint64{},
		known: map[*plan.Type]uint64{}, spelt: map[*plan.Type]string{}}
}

// beginPart makes a writer write another part, for which nothing has been written before.
func (c *codec) beginPart() {
	c.buf = c.buf[:0]
	clear(c.numbers)
	clear(c.typed)
	clear(c.known)
}

// signatureOf spells a type out, once for a pointer.
func (c *codec) signatureOf(t *plan.Type) string {
	s, ok := c.spelt[t]
	if !ok {
		s = t.Signature()
		c.spelt[t] = s
	}
	return s
}

// newReader reads a part, whose bytes nobody changes any more.
func newReader(part []byte) *codec {
	const perString = 32 // bytes, about: said seldom grows
	return &codec{buf: part, text: unsafe.String(unsafe.SliceData(part), len(part)),
		said: make([]string, 0, len(part)/perString)}
}

func (c *codec) fail(why string) {
	if c.bad == "" {
		c.bad = why
	}
}

func (c *codec) uint(v uint64) uint64 {
	if c.writing {
		c.buf = binary.AppendUvarint(c.buf, v)
		return v
	}
	if c.bad != "" {
		return 0
	}
	if c.pos < len(c.buf) && c.buf[c.pos] < 0x80 { // as most are
		c.pos++
		return uint64(c.buf[c.pos-1])
	}
	v, n := binary.Uvarint(c.buf[c.pos:])
	if n <= 0 {
		c.fail("a number does not end")
		return 0
	}
	c.pos += n
	return v
}

func (c *codec) int(v int64) int64 {
	u := c.uint(uint64(v)<<1 ^ uint64(v>>63))
	return int64(u>>1) ^ -int64(u&1)
}

// number writes or reads an integer of any type.
//
// Signed numbers are zigzag varints, as in protocol buffers: 0, -1, 1, -2 are 0, 1, 2, 3, so that
// small numbers of either sign take one byte. A number that the field's type cannot hold is an
// error and never cut off.
func number[T ~int | ~int32 | ~int64 | ~uint8 | ~uint16](c *codec, p *T) {
	v := c.int(int64(*p))
	if !c.writing {
		*p = T(v)
		if int64(*p) != v {
			c.fail("a number is out of range")
		}
	}
}

func (c *codec) bool(p *bool) {
	var v uint64
	if *p {
		v = 1
	}
	v = c.uint(v)
	if !c.writing {
		*p = v == 1
		if v > 1 {
			c.fail("a truth is neither 0 nor 1")
		}
	}
}

// bits writes or reads 8 bytes.
func (c *codec) bits(v uint64) uint64 {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, v)
		return v
	}
	if c.bad != "" || c.pos+8 > len(c.buf) {
		c.fail("a number does not end")
		return 0
	}
	v = binary.LittleEndian.Uint64(c.buf[c.pos:])
	c.pos += 8
	return v
}

func (c *codec) float(p *float64) { *p = math.Float64frombits(c.bits(math.Float64bits(*p))) }

// string writes or reads a string. Within a part each stands once: 0 and the string, where it stands first, and then its
// number.
// Numbers begin anew in each part, because a part must be readable alone.
func (c *codec) string(p *string) {
	known := c.uint(c.numbers[*p])
	switch {
	case known == 0:
		c.newString(p)
	case c.writing:
	case known > uint64(len(c.said)):
		c.fail("a string is none of those before it")
	default:
		*p = c.said[known-1]
	}
}

// newString writes or reads a string that has not stood in the part.
func (c *codec) newString(p *string) {
	n := int(c.uint(uint64(len(*p))))
	if c.writing {
		c.numbers[*p] = uint64(len(c.numbers) + 1)
		c.buf = append(c.buf, *p...)
		return
	}
	if c.bad != "" || n < 0 || n > len(c.buf)-c.pos {
		c.fail("a string does not end")
		return
	}
	*p = c.text[c.pos : c.pos+n]
	c.said = append(c.said, *p)
	c.pos += n
}

// list writes or reads a list; a nil list and an empty one are the same.
func list[T any](c *codec, p *[]T, each func(*T)) {
	n := c.count(len(*p))
	if !c.writing && n > 0 {
		*p = make([]T, n)
	}
	for i := range *p {
		if c.bad != "" {
			return
		}
		each(&(*p)[i])
	}
}

// count is the length of a list, each element of which takes at least a byte.
// So a length that is larger than the bytes that are left is refused before room is made for it: a
// file of a hundred bytes cannot make its reader allocate gigabytes.
func (c *codec) count(n int) int {
	n = int(c.uint(uint64(n)))
	if !c.writing && (n < 0 || n > len(c.buf)-c.pos) {
		c.fail("a list is longer than the file")
		return 0
	}
	return n
}

func numbers[T ~int | ~int32 | ~int64 | ~uint8 | ~uint16](c *codec, p *[]T) {
	list(c, p, func(v *T) { number(c, v) })
}

func (c *codec) strings(p *[]string) { list(c, p, c.string) }
func (c *codec) floats(p *[]float64) { list(c, p, c.float) }
func (c *codec) truths(p *[]bool)    { list(c, p, c.bool) }
func (c *codec) operands(p *[]plan.ID) {
	n := c.count(len(*p))
	if !c.writing {
		*p = c.takeOperands(n)
	}
	for i := range *p {
		number(c, &(*p)[i])
	}
}

// takeOperands gives room for operands out of a block that many nodes share.
//
// A graph has thousands of nodes with two or three operands each: a slice of its own for each would
// be most of the allocations of reading. The capacity is cut to the length, so that an append
// cannot run into the next node's.
func (c *codec) takeOperands(n int) []plan.ID {
	if n == 0 {
		return nil
	}
	if n > len(c.ids) {
		c.ids = make([]plan.ID, max(n, 1<<10))
	}
	out := c.ids[:n:n]
	c.ids = c.ids[n:]
	return out
}

// optional writes or reads what a pointer points to, if it points to anything.
func optional[T any](c *codec, p **T, each func(*T)) {
	there := *p != nil
	c.bool(&there)
	if !there || c.bad != "" {
		return
	}
	if c.depth++; c.depth > plan.MaxDepth {
		c.fail("types are nested too deeply")
		return
	}
	if *p == nil {
		*p = new(T)
	}
	each(*p)
	c.depth--
}

func (c *codec) place(p *plan.Place) {
	if c.move != nil {
		c.move(p)
	}
	c.string(&p.File)
	number(c, &p.Line)
	number(c, &p.Col)
}

// typ writes or reads a type, or that there is none. Within a part each stands once, behind those that it is made of; then
// its number.
func (c *codec) typ(p **plan.Type) {
	known := uint64(0)
	if c.writing && *p != nil {
		if known = c.known[*p]; known == 0 {
			known = c.typed[c.signatureOf(*p)]
			c.known[*p] = known
		}
	}
	switch known = c.uint(known); {
	case known == 0:
		c.newType(p)
	case c.writing:
	case known > uint64(len(c.types)):
		c.fail("a type is none of those before it")
	default:
		*p = c.types[known-1]
	}
}

// newType writes or reads a type that has not stood in the part, or that there is none.
// A type's number is given when it ends, after those of the types in it, by both directions alike.
func (c *codec) newType(p **plan.Type) {
	optional(c, p, func(t *plan.Type) {
		number(c, &t.Kind)
		number(c, &t.Key)
		c.typ(&t.Elem)
		list(c, &t.Fields, c.field)
		c.bool(&t.Character)
		c.strings(&t.Enum)
	})
	switch {
	case *p == nil:
	case c.writing:
		c.typed[c.signatureOf(*p)] = uint64(len(c.typed) + 1)
		c.known[*p] = uint64(len(c.typed))
	default:
		c.types = append(c.types, *p)
	}
}

func (c *codec) field(f *plan.Field) {
	c.string(&f.Name)
	c.typ(&f.Type)
	c.bool(&f.Optional)
	c.bool(&f.Fallible)
}

func (c *codec) shape(s *plan.Shape) {
	number(c, &s.Kind)
	c.place(&s.Place)
	optional(c, &s.Min, c.bound)
	optional(c, &s.Max, c.bound)
	list(c, &s.Not, c.bound)
	list(c, &s.Limits, c.limit)
	c.strings(&s.Enum)
	c.string(&s.KeyOf)
	optional(c, &s.Elem, c.shape)
	number(c, &s.MinItems)
	number(c, &s.MaxItems)
	c.strings(&s.Keys)
	list(c, &s.Fields, c.member)
	c.bool(&s.Character)
}

func (c *codec) bound(b *plan.Bound) {
	c.float(&b.Value)
	c.bool(&b.Open)
}

func (c *codec) limit(l *plan.Limit) {
	c.bool(&l.Upper)
	c.bool(&l.Open)
	list(c, &l.Sum, func(path *[]string) { c.strings(path) })
	c.float(&l.Plus)
}

func (c *codec) member(m *plan.Member) {
	c.string(&m.Name)
	c.string(&m.Doc)
	optional(c, &m.Shape, c.shape)
	c.bool(&m.Optional)
	c.string(&m.Default)
	c.place(&m.Place)
}

// names are what the other parts refer to.
func (c *codec) names(p *plan.Plan) {
	for _, s := range []*string{&p.Ruleset, &p.Title, &p.Doc, &p.Book, &p.Author, &p.Revision} {
		c.string(s)
	}
	c.strings(&p.Overlays)
	c.strings(&p.Symbols)
	numbers(c, &p.Consts)
	list(c, &p.Types, c.typ)
}

func (c *codec) citations(p *plan.Plan) {
	list(c, &p.Entries, c.entry)
	list(c, &p.Readings, c.reading)
}

func (c *codec) option(o *plan.Option) {
	c.string(&o.ID)
	c.strings(&o.Values)
	numbers(c, &o.Symbols)
	number(c, &o.Default)
	number(c, &o.Book)
}

func (c *codec) table(t *plan.Table) {
	c.string(&t.ID)
	number(c, &t.Kind)
	c.typ(&t.Row)
	numbers(c, &t.Keys)
	c.floats(&t.Lo)
	c.floats(&t.Hi)
	c.truths(&t.Above)
	numbers(c, &t.Order)
	numbers(c, &t.Cells)
	c.bool(&t.Bounded)
	c.float(&t.OverMin)
	c.float(&t.OverMax)
}

func (c *codec) rule(r *plan.Rule) {
	c.string(&r.Cite)
	optional(c, &r.Input, c.shape)
	c.graph(&r.Graph)
}

func (c *codec) procedure(d *plan.Procedure) {
	c.string(&d.Cite)
	optional(c, &d.Input, c.shape)
	optional(c, &d.State, c.shape)
	c.graph(&d.Start)
	list(c, &d.Events, c.event)
	c.strings(&d.Ends)
	c.graph(&d.Close)
	c.bool(&d.Changes)
}

func (c *codec) event(e *plan.Event) {
	c.string(&e.ID)
	c.string(&e.Cite)
	optional(c, &e.Input, c.shape)
	c.graph(&e.Graph)
}

// graph has the terms as bytes, which only traces decode.
func (c *codec) graph(g *plan.Graph) {
	list(c, &g.Nodes, c.node)
	list(c, &g.Blocks, func(b *plan.Block) {
		c.operands(&b.Nodes)
		c.operands(&b.Results)
	})
	list(c, &g.Leaves, func(l *plan.Leaf) {
		number(c, &l.Root)
		number(c, &l.Offset)
	})
	list(c, &g.Sites, c.site)
	list(c, &g.Dice, c.die)
	list(c, &g.Requires, c.require)
	list(c, &g.Decisions, c.decision)
	list(c, &g.Names, c.named)
	list(c, &g.Branches, c.branch)
	c.value(&g.Outputs)
	list(c, &g.Next, c.value)
	c.value(&g.When)
	list(c, &g.Ends, c.value)
	c.bytes(&g.Terms)
}

func (c *codec) decision(d *plan.Decision) {
	number(c, &d.Root)
	c.string(&d.Path)
	c.strings(&d.After)
	number(c, &d.Dice)
	c.value(&d.When)
	c.value(&d.Least)
	c.value(&d.Most)
	c.place(&d.Place)
}

func (c *codec) node(n *plan.Node) {
	number(c, &n.Op)
	number(c, &n.Kind)
	c.operands(&n.Args)
	number(c, &n.Imm)
	number(c, &n.Site)
}

func (c *codec) site(s *plan.Site) {
	c.place(&s.Place)
	c.string(&s.Name)
	c.string(&s.Cite)
	c.string(&s.Text)
}

func (c *codec) die(d *plan.Die) {
	c.string(&d.ID)
	c.place(&d.Place)
	c.bool(&d.List)
	c.bool(&d.Distinct)
	c.band(&d.Again)
	c.bool(&d.Once)
	c.band(&d.Explode)
	number(c, &d.Times)
	number(c, &d.Most)
	c.operands(&d.Loops)
	numbers(c, &d.Shows)
	number(c, &d.Zero)
}

func (c *codec) band(b *plan.Band) {
	number(c, &b.Lo)
	number(c, &b.Hi)
}

func (c *codec) require(r *plan.Require) {
	c.string(&r.Message)
	c.place(&r.Place)
	c.string(&r.Name)
	c.string(&r.Cite)
	c.bool(&r.Early)
}

func (c *codec) named(n *plan.Named) {
	c.string(&n.Name)
	number(c, &n.Kind)
	c.value(&n.Value)
	c.place(&n.Place)
	c.string(&n.Formula)
	c.string(&n.Cite)
	number(c, &n.Option)
	c.strings(&n.Overlays)
}

func (c *codec) branch(b *plan.Branch) {
	c.place(&b.Place)
	c.string(&b.Name)
	c.string(&b.What)
}

func (c *codec) value(v *plan.Value) {
	c.typ(&v.Type)
	number(c, &v.ID)
	number(c, &v.Fault)
	number(c, &v.Present)
	if c.depth++; c.depth > plan.MaxDepth {
		c.fail("values are nested too deeply")
		return
	}
	list(c, &v.Fields, c.value)
	c.depth--
}

func (c *codec) entry(e *plan.Entry) {
	number(c, &e.Kind)
	c.string(&e.ID)
	c.place(&e.Place)
	c.string(&e.Cite)
	c.string(&e.Doc)
	c.strings(&e.Covers)
	list(c, &e.Lines, c.line)
	list(c, &e.Values, c.line)
	list(c, &e.Rows, c.place)
	c.string(&e.Overlay)
}

func (c *codec) line(l *plan.Line) {
	c.string(&l.Part)
	c.string(&l.Name)
	c.string(&l.Text)
	c.place(&l.Place)
}

func (c *codec) reading(r *plan.Reading) {
	for _, s := range []*string{&r.ID, &r.Cite, &r.Question, &r.Ruled, &r.Rejected, &r.Why} {
		c.string(s)
	}
	c.place(&r.Place)
}

func (c *codec) erratum(e *plan.Erratum) {
	for _, s := range []*string{&e.ID, &e.Cite, &e.Printed, &e.Ruled, &e.Why, &e.Option} {
		c.string(s)
	}
	c.place(&e.Place)
}
