package planfile

import (
	"encoding/binary"
	"math"
	"strings"
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

// newWriter returns a writer of a part.
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

// signatureOf returns the text of a type, which is spelled out once for a pointer.
func (c *codec) signatureOf(t *plan.Type) string {
	s, ok := c.spelt[t]
	if !ok {
		s = t.Signature()
		c.spelt[t] = s
	}
	return s
}

// newReader returns a reader of a part, whose bytes nobody changes any more.
func newReader(part []byte) *codec {
	const perString = 32 // bytes, about: said seldom grows
	return &codec{buf: part, text: unsafe.String(unsafe.SliceData(part), len(part)),
		said: make([]string, 0, len(part)/perString)}
}

func (c *codec) failWith(why string) {
	if c.bad == "" {
		c.bad = why
	}
}

func (c *codec) codeUint(v uint64) uint64 {
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
		c.failWith("a number does not end")
		return 0
	}
	c.pos += n
	return v
}

func (c *codec) codeInt(v int64) int64 {
	u := c.codeUint(uint64(v)<<1 ^ uint64(v>>63))
	return int64(u>>1) ^ -int64(u&1)
}

// codeNumber writes or reads an integer of any type.
//
// Signed numbers are zigzag varints, as in protocol buffers: 0, -1, 1, -2 are 0, 1, 2, 3, so that
// small numbers of either sign take one byte. A number that the field's type cannot hold is an
// error and never cut off.
func codeNumber[T ~int | ~int32 | ~int64 | ~uint8 | ~uint16](c *codec, p *T) {
	v := c.codeInt(int64(*p))
	if !c.writing {
		*p = T(v)
		if int64(*p) != v {
			c.failWith("a number is out of range")
		}
	}
}

func (c *codec) codeBool(p *bool) {
	var v uint64
	if *p {
		v = 1
	}
	v = c.codeUint(v)
	if !c.writing {
		*p = v == 1
		if v > 1 {
			c.failWith("a truth is neither 0 nor 1")
		}
	}
}

// codeBits writes or reads 8 bytes.
func (c *codec) codeBits(v uint64) uint64 {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, v)
		return v
	}
	if c.bad != "" || c.pos+8 > len(c.buf) {
		c.failWith("a number does not end")
		return 0
	}
	v = binary.LittleEndian.Uint64(c.buf[c.pos:])
	c.pos += 8
	return v
}

func (c *codec) codeFloat(p *float64) { *p = math.Float64frombits(c.codeBits(math.Float64bits(*p))) }

// codeString writes or reads a string. Within a part each stands once: 0 and the string, where it stands first, and
// then its number. Numbers begin anew in each part, because a part must be readable alone.
func (c *codec) codeString(p *string) {
	known := c.codeUint(c.numbers[*p])
	switch {
	case known == 0:
		c.newString(p)
	case c.writing:
	case known > uint64(len(c.said)):
		c.failWith("a string is none of those before it")
	default:
		*p = c.said[known-1]
	}
}

// newString writes or reads a string that has not stood in the part.
func (c *codec) newString(p *string) {
	n := int(c.codeUint(uint64(len(*p))))
	if c.writing {
		c.numbers[*p] = uint64(len(c.numbers) + 1)
		c.buf = append(c.buf, *p...)
		return
	}
	if c.bad != "" || n < 0 || n > len(c.buf)-c.pos {
		c.failWith("a string does not end")
		return
	}
	*p = c.text[c.pos : c.pos+n]
	c.said = append(c.said, *p)
	c.pos += n
}

// codeList writes or reads a list; a nil list and an empty one are the same.
func codeList[T any](c *codec, p *[]T, each func(*T)) {
	n := c.codeCount(len(*p))
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

// codeCount writes or reads the length of a list, each element of which takes at least a byte.
//
// So a length that is larger than the bytes that are left is refused before room is made for it: a file of a hundred bytes
// cannot make its reader allocate gigabytes.
func (c *codec) codeCount(n int) int {
	n = int(c.codeUint(uint64(n)))
	if !c.writing && (n < 0 || n > len(c.buf)-c.pos) {
		c.failWith("a list is longer than the file")
		return 0
	}
	return n
}

func codeNumbers[T ~int | ~int32 | ~int64 | ~uint8 | ~uint16](c *codec, p *[]T) {
	codeList(c, p, func(v *T) { codeNumber(c, v) })
}

// codeIDs writes or reads ids as one string, with commas between them: no id has one.
func (c *codec) codeIDs(p *[]string) {
	text := strings.Join(*p, ",")
	if c.codeString(&text); !c.writing && text != "" {
		*p = strings.Split(text, ",")
	}
}

func (c *codec) codeStrings(p *[]string) { codeList(c, p, c.codeString) }
func (c *codec) codeFloats(p *[]float64) { codeList(c, p, c.codeFloat) }
func (c *codec) codeTruths(p *[]bool)    { codeList(c, p, c.codeBool) }
func (c *codec) codeOperands(p *[]plan.ID) {
	n := c.codeCount(len(*p))
	if !c.writing {
		*p = c.takeOperands(n)
	}
	for i := range *p {
		codeNumber(c, &(*p)[i])
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

// codeOptional writes or reads the value behind a pointer, or that the pointer is nil.
func codeOptional[T any](c *codec, p **T, each func(*T)) {
	there := *p != nil
	c.codeBool(&there)
	if !there || c.bad != "" {
		return
	}
	if c.depth++; c.depth > plan.MaxDepth {
		c.failWith("types are nested too deeply")
		return
	}
	if *p == nil {
		*p = new(T)
	}
	each(*p)
	c.depth--
}

func (c *codec) codePlace(p *plan.Place) {
	if c.move != nil {
		c.move(p)
	}
	c.codeString(&p.File)
	codeNumber(c, &p.Line)
	codeNumber(c, &p.Col)
}

// codeType writes or reads a type, or that there is none. Within a part each stands once, behind those that it is made
// of; then its number.
func (c *codec) codeType(p **plan.Type) {
	known := uint64(0)
	if c.writing && *p != nil {
		if known = c.known[*p]; known == 0 {
			known = c.typed[c.signatureOf(*p)]
			c.known[*p] = known
		}
	}
	switch known = c.codeUint(known); {
	case known == 0:
		c.newType(p)
	case c.writing:
	case known > uint64(len(c.types)):
		c.failWith("a type is none of those before it")
	default:
		*p = c.types[known-1]
	}
}

// newType writes or reads a type that has not stood in the part, or that there is none.
// A type's number is given when it ends, after those of the types in it, by both directions alike.
func (c *codec) newType(p **plan.Type) {
	codeOptional(c, p, func(t *plan.Type) {
		codeNumber(c, &t.Kind)
		codeNumber(c, &t.Key)
		c.codeType(&t.Elem)
		codeList(c, &t.Fields, c.codeField)
		c.codeBool(&t.Character)
		c.codeStrings(&t.Enum)
		c.codeBool(&t.Unordered)
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

func (c *codec) codeField(f *plan.Field) {
	c.codeString(&f.Name)
	c.codeType(&f.Type)
	c.codeBool(&f.Optional)
	c.codeBool(&f.Fallible)
}

func (c *codec) codeShape(s *plan.Shape) {
	codeNumber(c, &s.Kind)
	c.codePlace(&s.Place)
	codeOptional(c, &s.Min, c.codeBound)
	codeOptional(c, &s.Max, c.codeBound)
	codeList(c, &s.Not, c.codeBound)
	codeList(c, &s.Limits, c.limit)
	c.codeStrings(&s.Enum)
	c.codeString(&s.KeyOf)
	codeOptional(c, &s.Elem, c.codeShape)
	codeNumber(c, &s.MinItems)
	codeNumber(c, &s.MaxItems)
	c.codeStrings(&s.Keys)
	codeList(c, &s.Fields, c.codeMember)
	c.codeBool(&s.Character)
}

func (c *codec) codeBound(b *plan.Bound) {
	c.codeFloat(&b.Value)
	c.codeBool(&b.Open)
}

func (c *codec) limit(l *plan.Limit) {
	c.codeBool(&l.Upper)
	c.codeBool(&l.Open)
	codeList(c, &l.Sum, func(path *[]string) { c.codeStrings(path) })
	c.codeFloat(&l.Plus)
}

func (c *codec) codeMember(m *plan.Member) {
	c.codeString(&m.Name)
	c.codeString(&m.Doc)
	codeOptional(c, &m.Shape, c.codeShape)
	c.codeBool(&m.Optional)
	c.codeString(&m.Default)
	c.codePlace(&m.Place)
}

// codeNames writes or reads the parts to which the other parts refer.
func (c *codec) codeNames(p *plan.Plan) {
	for _, s := range []*string{&p.Ruleset, &p.Title, &p.Doc, &p.Book, &p.Author, &p.Revision} {
		c.codeString(s)
	}
	c.codeStrings(&p.Overlays)
	c.codeStrings(&p.Symbols)
	codeNumbers(c, &p.Consts)
	codeList(c, &p.Types, c.codeType)
}

func (c *codec) codeCitations(p *plan.Plan) {
	codeList(c, &p.Entries, c.codeEntry)
	codeList(c, &p.Readings, c.codeReading)
}

func (c *codec) codeOption(o *plan.Option) {
	c.codeString(&o.ID)
	c.codeStrings(&o.Values)
	codeNumbers(c, &o.Symbols)
	codeNumber(c, &o.Default)
	codeNumber(c, &o.Book)
}

func (c *codec) codeTable(t *plan.Table) {
	c.codeString(&t.ID)
	codeNumber(c, &t.Kind)
	c.codeType(&t.Row)
	codeNumbers(c, &t.Keys)
	c.codeFloats(&t.Lo)
	c.codeFloats(&t.Hi)
	c.codeTruths(&t.Above)
	codeNumbers(c, &t.Order)
	codeNumbers(c, &t.Cells)
	c.codeBool(&t.Bounded)
	c.codeFloat(&t.OverMin)
	c.codeFloat(&t.OverMax)
}

func (c *codec) codeRule(r *plan.Rule) {
	c.codeString(&r.Cite)
	codeOptional(c, &r.Input, c.codeShape)
	c.codeGraph(&r.Graph)
}

// codeFunction writes or reads a function, whose part is that of all functions, and so does not name it.
func (c *codec) codeFunction(r *plan.Rule) {
	c.codeString(&r.ID)
	c.codeRule(r)
}

func (c *codec) codeProcedure(d *plan.Procedure) {
	c.codeString(&d.Cite)
	codeOptional(c, &d.Input, c.codeShape)
	codeOptional(c, &d.State, c.codeShape)
	c.codeGraph(&d.Start)
	codeList(c, &d.Events, c.codeEvent)
	c.codeStrings(&d.Ends)
	c.codeGraph(&d.Close)
	c.codeBool(&d.Changes)
}

func (c *codec) codeEvent(e *plan.Event) {
	c.codeString(&e.ID)
	c.codeString(&e.Cite)
	codeOptional(c, &e.Input, c.codeShape)
	c.codeGraph(&e.Graph)
}

// codeGraph has the terms as bytes, which only traces decode.
func (c *codec) codeGraph(g *plan.Graph) {
	codeList(c, &g.Nodes, c.codeNode)
	codeList(c, &g.Blocks, func(b *plan.Block) {
		c.codeOperands(&b.Nodes)
		c.codeOperands(&b.Results)
	})
	codeList(c, &g.Leaves, func(l *plan.Leaf) {
		codeNumber(c, &l.Root)
		codeNumber(c, &l.Offset)
	})
	codeList(c, &g.Sites, c.codeSite)
	codeList(c, &g.Dice, c.codeDie)
	codeList(c, &g.Requires, c.codeRequire)
	codeList(c, &g.Decisions, c.codeDecision)
	codeList(c, &g.Names, c.codeNamed)
	codeList(c, &g.Branches, c.codeBranch)
	c.codeValue(&g.Outputs)
	codeList(c, &g.Next, c.codeValue)
	c.codeValue(&g.When)
	codeList(c, &g.Ends, c.codeValue)
	c.codeBytes(&g.Terms)
}

func (c *codec) codeDecision(d *plan.Decision) {
	codeNumber(c, &d.Root)
	c.codeString(&d.Path)
	c.codeStrings(&d.After)
	codeNumber(c, &d.Dice)
	c.codeValue(&d.When)
	c.codeValue(&d.Least)
	c.codeValue(&d.Most)
	c.codePlace(&d.Place)
}

func (c *codec) codeNode(n *plan.Node) {
	codeNumber(c, &n.Op)
	codeNumber(c, &n.Kind)
	c.codeOperands(&n.Args)
	codeNumber(c, &n.Imm)
	codeNumber(c, &n.Site)
}

func (c *codec) codeSite(s *plan.Site) {
	c.codePlace(&s.Place)
	c.codeString(&s.Name)
	c.codeString(&s.Cite)
	c.codeString(&s.Text)
}

func (c *codec) codeDie(d *plan.Die) {
	c.codeString(&d.ID)
	c.codePlace(&d.Place)
	c.codeBool(&d.List)
	c.codeBool(&d.Distinct)
	c.codeBand(&d.Again)
	c.codeBool(&d.Once)
	c.codeBand(&d.Explode)
	codeNumber(c, &d.Times)
	codeNumber(c, &d.Most)
	c.codeOperands(&d.Loops)
	codeNumbers(c, &d.Shows)
	codeNumber(c, &d.Zero)
}

func (c *codec) codeBand(b *plan.Band) {
	codeNumber(c, &b.Lo)
	codeNumber(c, &b.Hi)
}

func (c *codec) codeRequire(r *plan.Require) {
	c.codeString(&r.Message)
	c.codePlace(&r.Place)
	c.codeString(&r.Name)
	c.codeString(&r.Cite)
	c.codeBool(&r.Early)
}

func (c *codec) codeNamed(n *plan.Named) {
	c.codeString(&n.Name)
	codeNumber(c, &n.Kind)
	c.codeValue(&n.Value)
	c.codePlace(&n.Place)
	c.codeString(&n.Formula)
	c.codeString(&n.Cite)
	codeNumber(c, &n.Option)
	c.codeStrings(&n.Overlays)
}

func (c *codec) codeBranch(b *plan.Branch) {
	c.codePlace(&b.Place)
	c.codeString(&b.Name)
	c.codeString(&b.What)
}

func (c *codec) codeValue(v *plan.Value) {
	c.codeType(&v.Type)
	codeNumber(c, &v.ID)
	codeNumber(c, &v.Fault)
	codeNumber(c, &v.Present)
	if c.depth++; c.depth > plan.MaxDepth {
		c.failWith("values are nested too deeply")
		return
	}
	codeList(c, &v.Fields, c.codeValue)
	c.depth--
}

func (c *codec) codeEntry(e *plan.Entry) {
	codeNumber(c, &e.Kind)
	c.codeString(&e.ID)
	c.codePlace(&e.Place)
	c.codeString(&e.Cite)
	c.codeString(&e.Doc)
	c.codeStrings(&e.Covers)
	codeList(c, &e.Lines, c.codeLine)
	codeList(c, &e.Values, c.codeLine)
	codeList(c, &e.Rows, c.codePlace)
	c.codeIDs(&e.Overlays)
}

func (c *codec) codeLine(l *plan.Line) {
	c.codeString(&l.Part)
	c.codeString(&l.Name)
	c.codeString(&l.Text)
	c.codePlace(&l.Place)
}

func (c *codec) codeReading(r *plan.Reading) {
	for _, s := range []*string{&r.ID, &r.Cite, &r.Question, &r.Ruled, &r.Rejected, &r.Why} {
		c.codeString(s)
	}
	c.codePlace(&r.Place)
}

func (c *codec) codeErratum(e *plan.Erratum) {
	for _, s := range []*string{&e.ID, &e.Cite, &e.Printed, &e.Ruled, &e.Why, &e.Option} {
		c.codeString(s)
	}
	c.codePlace(&e.Place)
}
