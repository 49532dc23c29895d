package runtime

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A decoder reads JSON by a reader, in one pass, into slots: grammar, UTF-8, names, types and bounds are all judged.
// The slots of the value grow on a stack, because the elements of a list are contiguous and those of the lists in them
// lie elsewhere.
type decoder struct {
	data  []byte
	pos   int
	frame *vmFrame
	stack []int64
	text  []byte // of a string with escapes

	presets []byte // the defaults that are being read, the one in the other
	pin     bool   // the character that was read last is pinned to a revision
}

// newDecoder makes a decoder whose lists and strings lie in a frame.
func newDecoder(f *vmFrame) *decoder { return &decoder{frame: f} }

// decodeTo reads one root into the frame's slots from base on.
func (d *decoder) decodeTo(r *reader, data []byte, base int) error {
	slots, err := d.decodeSlots(r, data)
	copy(d.frame.slots[base:], slots)
	return err
}

// decodeDefaults reads the default of a member that has one into the frame's slots from base on. The compiler has checked
// that it fits.
func (d *decoder) decodeDefault(m *member, base int) error {
	d.stack = d.stack[:0]
	to := d.reserve(m.reader.slots)
	if err := d.fill(m.reader, m.Default, to); err != nil {
		return err
	}
	copy(d.frame.slots[base:], d.stack[to:to+m.reader.slots])
	return nil
}

// decodeSlots reads one root, and gives the slots of its record until the next one is read.
func (d *decoder) decodeSlots(r *reader, data []byte) ([]int64, error) {
	d.data, d.pos, d.stack = data, 0, d.stack[:0]
	d.pin = d.pin && r.pin == "" // what a character said holds while the rest is read
	at := d.reserve(r.slots)
	err := d.value(r, at)
	if err == nil {
		d.blanks()
		if d.pos < len(d.data) {
			err = d.wrong("there is more text after the value")
		}
	}
	if err != nil {
		return nil, d.finish(r, err)
	}
	return d.stack[at : at+r.slots], nil
}

func (d *decoder) reserve(n int) int {
	at := len(d.stack)
	d.stack = slices.Grow(d.stack, n)[:at+n]
	clear(d.stack[at:])
	return at
}

func (d *decoder) blanks() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// peek is the first byte of what comes next, 0 at the end.
func (d *decoder) peek() byte {
	d.blanks()
	if d.pos == len(d.data) {
		return 0
	}
	return d.data[d.pos]
}

// take consumes a byte of the grammar, if it is what comes next. Mostly no blanks stand before it.
func (d *decoder) take(c byte) bool {
	if d.pos < len(d.data) && d.data[d.pos] == c {
		d.pos++
		return true
	}
	return d.takeLater(c)
}

func (d *decoder) takeLater(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.pos++
	return true
}

// value reads what comes next into the stack's slots from at on.
func (d *decoder) value(r *reader, at int) *InputError {
	switch r.shape.Kind {
	case plan.Int:
		return d.int(r, at)
	case plan.Double:
		return d.double(r, at)
	case plan.Bool:
		return d.bool(at)
	case plan.String:
		return d.string(r, at)
	case plan.List:
		return d.list(r, at)
	case plan.Map:
		return d.entries(r, at)
	}
	return d.record(r, at)
}

// number consumes a number of JSON's grammar; whole tells that it has neither fraction nor exponent.
func (d *decoder) number(kind plan.Kind) (text []byte, whole bool, err *InputError) {
	d.blanks()
	start := d.pos
	if d.pos < len(d.data) && d.data[d.pos] == '-' {
		d.pos++
	}
	first := d.pos
	if d.digits() == 0 {
		d.pos = start
		return nil, false, d.expected(kind)
	}
	if d.data[first] == '0' && d.pos > first+1 {
		return nil, false, d.wrong("a number does not begin with 0")
	}
	whole = true
	if d.pos < len(d.data) && d.data[d.pos] == '.' {
		whole = false
		d.pos++
		if d.digits() == 0 {
			return nil, false, d.wrong("digits must follow the point")
		}
	}
	if d.pos < len(d.data) && d.data[d.pos]|0x20 == 'e' {
		whole = false
		d.pos++
		if d.pos < len(d.data) && (d.data[d.pos] == '+' || d.data[d.pos] == '-') {
			d.pos++
		}
		if d.digits() == 0 {
			return nil, false, d.wrong("digits must follow the exponent's e")
		}
	}
	return d.data[start:d.pos], whole, nil
}

func (d *decoder) digits() int {
	start := d.pos
	for d.pos < len(d.data) && '0' <= d.data[d.pos] && d.data[d.pos] <= '9' {
		d.pos++
	}
	return d.pos - start
}

// short consumes a whole number of at most seven digits, if that is what comes next without blanks.
func (d *decoder) short() (v int64, ok bool) {
	if d.pos+wordBytes > len(d.data) {
		return 0, false
	}
	v, n := shortInt(binary.LittleEndian.Uint64(d.data[d.pos:]))
	d.pos += n
	return v, n > 0
}

// shortInt is the whole number with which a word of text begins, and how many bytes it has: none when it does not end in
// the word, or is otherwise not what JSON allows. No branch depends on its digits, which no processor can foresee.
func shortInt(word uint64) (v int64, size int) {
	minus := int64(0)
	if byte(word) == '-' {
		minus = 1
	}
	word >>= 8 * minus
	n, v := leadingDigits(word)
	next := byte(word >> (8 * n))
	if size = n + int(minus); n == 0 || size >= wordBytes || byte(word) == '0' && n > 1 || next == '.' || next|0x20 == 'e' {
		return 0, 0
	}
	return (v ^ -minus) + minus, size
}

// leadingDigits are how many digits a word of text begins with, and the number that they are. All digits of the word are
// computed with at once.
func leadingDigits(word uint64) (n int, v int64) {
	const every = 0x0101010101010101
	t := word ^ '0'*every
	n = bits.TrailingZeros64((t+(0x7f-9)*every|t)&(0x80*every)) / 8 // only above a byte that is no digit may one be wrong
	if n == 0 {
		return 0, 0
	}
	t <<= 64 - 8*n // the missing digits before the first become 0
	t = (t*10 + t>>8) & 0x00ff00ff00ff00ff
	t = (t*100 + t>>16) & 0x0000ffff0000ffff
	return n, int64((t*10000 + t>>32) & 0xffffffff)
}

func (d *decoder) int(r *reader, at int) *InputError {
	start := d.pos
	if n, ok := d.short(); ok {
		d.stack[at] = n
		if r.quick.int(n) {
			return nil
		}
		return d.bounds(r.shape, float64(n), d.data[start:d.pos])
	}
	return d.longInt(r, at)
}

// longInt reads a whole number of any length.
func (d *decoder) longInt(r *reader, at int) *InputError {
	text, whole, err := d.number(plan.Int)
	switch {
	case err != nil:
		return err
	case !whole:
		return d.misfit(d.pos-len(text), "must be a whole number, not %s", text)
	}
	n, ok := parseInt(text)
	if !ok {
		return d.misfit(d.pos-len(text), "%s is too large a number", text)
	}
	d.stack[at] = n
	return d.bounds(r.shape, float64(n), text)
}

// parseInt reads a whole number of JSON's grammar.
func parseInt(text []byte) (int64, bool) {
	if len(text) > 18 {
		n, err := strconv.ParseInt(string(text), 10, 64)
		return n, err == nil
	}
	digits := text
	if text[0] == '-' {
		digits = text[1:]
	}
	n := int64(0)
	for _, c := range digits {
		n = n*10 + int64(c-'0')
	}
	if text[0] == '-' {
		n = -n
	}
	return n, true
}

func (d *decoder) double(r *reader, at int) *InputError {
	if v, end, ok := d.shortDouble(); ok && r.quick.double(v) {
		d.pos = end
		d.stack[at] = builtin.Bits(v)
		return nil
	}
	text, _, err := d.number(plan.Double)
	if err != nil {
		return err
	}
	v, bad := strconv.ParseFloat(string(text), 64)
	if bad != nil {
		return d.misfit(d.pos-len(text), "%s is too large a number", text)
	}
	d.stack[at] = builtin.Bits(v)
	return d.bounds(r.shape, v, text)
}

// shortDouble reads a number of at most seven digits before the point and as many behind it, if that is what comes next
// without blanks, and tells where it ends. The digits and the power of ten are exact, so that dividing them rounds once,
// as is right.
func (d *decoder) shortDouble() (v float64, end int, ok bool) {
	pos, minus := d.pos, d.pos < len(d.data) && d.data[d.pos] == '-'
	if minus {
		pos++
	}
	n, all := d.digitsAt(pos)
	if n == 0 || n == wordBytes || n > 1 && d.data[pos] == '0' {
		return 0, 0, false
	}
	pos += n
	power := 1.0
	if d.data[pos] == '.' {
		k, decimals := d.digitsAt(pos + 1)
		if k == 0 || k == wordBytes {
			return 0, 0, false
		}
		pos += 1 + k
		power = powers[k]
		all = all*int64(power) + decimals
	}
	if d.data[pos]|0x20 == 'e' {
		return 0, 0, false
	}
	if v = float64(all) / power; minus {
		v = -v
	}
	return v, pos, true
}

var powers = [wordBytes]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// digitsAt are how many digits stand at a place, and the number that they are; wordBytes digits when there are more,
// none when the text ends before so many bytes.
func (d *decoder) digitsAt(pos int) (n int, v int64) {
	if pos+wordBytes > len(d.data) {
		return 0, 0
	}
	return leadingDigits(binary.LittleEndian.Uint64(d.data[pos:]))
}

// bounds judges a number. Bounds are below 2^53, so comparing an integer as a double never errs.
func (d *decoder) bounds(s *plan.Shape, v float64, text []byte) *InputError {
	if b := s.Min; b != nil && (v < b.Value || b.Open && v == b.Value) {
		return d.misfit(d.pos-len(text), "must be %s %v, not %s", choose(b.Open, "more than", "at least"), b.Value, text)
	}
	if b := s.Max; b != nil && (v > b.Value || b.Open && v == b.Value) {
		return d.misfit(d.pos-len(text), "must be %s %v, not %s", choose(b.Open, "less than", "at most"), b.Value, text)
	}
	for _, b := range s.Not {
		if v == b.Value {
			return d.misfit(d.pos-len(text), "must not be %s", text)
		}
	}
	return nil
}

func choose(c bool, yes, no string) string {
	if c {
		return yes
	}
	return no
}

func (d *decoder) bool(at int) *InputError {
	d.blanks()
	switch rest := d.data[d.pos:]; {
	case len(rest) >= 4 && string(rest[:4]) == "true":
		d.pos += 4
		d.stack[at] = 1
	case len(rest) >= 5 && string(rest[:5]) == "false":
		d.pos += 5
		d.stack[at] = 0
	default:
		return d.expected(plan.Bool)
	}
	return nil
}

func (d *decoder) string(r *reader, at int) *InputError {
	d.blanks()
	start := d.pos
	text, err := d.quoted(plan.String)
	if err != nil {
		return err
	}
	switch {
	case r.words != nil:
		return d.choice(r, text, start, at)
	case !r.unread:
		d.stack[at] = d.frame.intern(text)
	}
	return nil
}

// choice takes a string for one of a list.
func (d *decoder) choice(r *reader, text []byte, start, at int) *InputError {
	choice := r.words.Find(text)
	if choice < 0 {
		return d.notOne(start, "must be", string(text), r.shape.Enum)
	}
	d.stack[at] = r.enum[choice]
	return nil
}

// quoted reads a string; the bytes are valid until the next string with escapes is read.
func (d *decoder) quoted(kind plan.Kind) ([]byte, *InputError) {
	if !d.take('"') {
		return nil, d.expected(kind)
	}
	start := d.pos
	d.plain()
	switch {
	case d.pos == len(d.data):
		return nil, d.wrong("a string does not end")
	case d.data[d.pos] == '"':
		d.pos++
		return d.data[start : d.pos-1], nil
	}
	return d.escaped(start)
}

// plain consumes what stands for itself in a string: all before its end, an escape, a control character, or a code point
// beyond ASCII.
func (d *decoder) plain() {
	const every = 0x0101010101010101
	for ; d.pos+wordBytes <= len(d.data); d.pos += wordBytes {
		word := binary.LittleEndian.Uint64(d.data[d.pos:])
		quote, escape := word^'"'*every, word^'\\'*every
		// Only above a byte that is one of these may another be taken for one.
		ends := ((quote-every)&^quote | (escape-every)&^escape | (word-' '*every)&^word | word) & (0x80 * every)
		if ends != 0 {
			d.pos += bits.TrailingZeros64(ends) / 8
			return
		}
	}
	for d.pos < len(d.data) {
		if c := d.data[d.pos]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return
		}
		d.pos++
	}
}

// escaped reads the rest of a string that has escapes or code points beyond ASCII.
func (d *decoder) escaped(start int) ([]byte, *InputError) {
	d.text = append(d.text[:0], d.data[start:d.pos]...)
	for d.pos < len(d.data) {
		switch c := d.data[d.pos]; {
		case c == '"':
			d.pos++
			return d.text, nil
		case c == '\\':
			if err := d.escape(); err != nil {
				return nil, err
			}
		case c < ' ':
			return nil, d.wrong("a string has the control character %U; write it as an escape", c)
		case c < utf8.RuneSelf:
			from := d.pos
			d.plain()
			d.text = append(d.text, d.data[from:d.pos]...)
		default:
			r, n := utf8.DecodeRune(d.data[d.pos:])
			if r == utf8.RuneError && n == 1 {
				return nil, d.wrong("the text is not UTF-8")
			}
			d.text = append(d.text, d.data[d.pos:d.pos+n]...)
			d.pos += n
		}
	}
	return nil, d.wrong("a string does not end")
}

const (
	escapes = `"\/bfnrt`
	meaning = "\"\\/\b\f\n\r\t"
)

func (d *decoder) escape() *InputError {
	d.pos++
	if d.pos == len(d.data) {
		return d.wrong("a string does not end")
	}
	c := d.data[d.pos]
	if i := strings.IndexByte(escapes, c); i >= 0 {
		d.text = append(d.text, meaning[i])
		d.pos++
		return nil
	}
	if c != 'u' {
		return d.wrong("%q is no escape", `\`+string(rune(c)))
	}
	d.pos++
	r, err := d.hex()
	if err != nil {
		return err
	}
	if 0xd800 <= r && r < 0xe000 {
		if r, err = d.surrogate(r); err != nil {
			return err
		}
	}
	d.text = utf8.AppendRune(d.text, r)
	return nil
}

// surrogate reads the second half of a pair.
func (d *decoder) surrogate(first rune) (rune, *InputError) {
	if first >= 0xdc00 || d.pos+1 >= len(d.data) || d.data[d.pos] != '\\' || d.data[d.pos+1] != 'u' {
		return 0, d.wrong("half a surrogate pair stands alone")
	}
	d.pos += 2
	second, err := d.hex()
	if err != nil {
		return 0, err
	}
	if second < 0xdc00 || second >= 0xe000 {
		return 0, d.wrong("half a surrogate pair stands alone")
	}
	return 0x10000 + (first-0xd800)<<10 + (second - 0xdc00), nil
}

func (d *decoder) hex() (rune, *InputError) {
	if d.pos+4 > len(d.data) {
		return 0, d.wrong("four digits must follow \\u")
	}
	n, err := strconv.ParseUint(string(d.data[d.pos:d.pos+4]), 16, 16)
	if err != nil {
		return 0, d.wrong("four digits must follow \\u")
	}
	d.pos += 4
	return rune(n), nil
}

func (d *decoder) list(r *reader, at int) *InputError {
	if !d.take('[') {
		return d.expected(plan.List)
	}
	base, n := len(d.stack), 0
	for !d.take(']') {
		if n > 0 && !d.take(',') {
			return d.wrong("a comma or ] must follow an element, not %s", d.next())
		}
		if n == r.shape.MaxItems {
			return d.wrong("must have at most %d elements", r.shape.MaxItems)
		}
		if err := d.value(r.elem, d.reserve(r.stride)); err != nil {
			return err.under("[" + strconv.Itoa(n) + "]")
		}
		n++
	}
	if n < r.shape.MinItems {
		return d.wrong("must have at least %d elements, not %d", r.shape.MinItems, n)
	}
	d.stack[at] = d.span(base, n)
	return nil
}

// span moves the slots of n elements from the stack to the arena.
func (d *decoder) span(base, n int) int64 {
	offset := len(d.frame.arena)
	d.frame.arena = append(d.frame.arena, d.stack[base:]...)
	d.stack = d.stack[:base]
	return int64(offset)<<32 | int64(n)
}

// name reads the name of a member and the colon after it.
func (d *decoder) name(n int) ([]byte, *InputError) {
	if n > 0 && !d.take(',') {
		return nil, d.wrong("a comma or } must follow a value, not %s", d.next())
	}
	if d.peek() != '"' {
		return nil, d.wrong("a name in quotes is expected, not %s", d.next())
	}
	return d.quoted(plan.String)
}

func (d *decoder) colon(name string) *InputError {
	if !d.take(':') {
		return d.wrong("a colon must follow the name %q, not %s", name, d.next())
	}
	return nil
}

func (d *decoder) record(r *reader, at int) *InputError {
	if !d.take('{') {
		return d.expected(plan.Record)
	}
	here := d.reserve(seenSlots(len(r.members)))
	fields, err := d.fields(r, at, here)
	if err == nil && fields < len(r.members) {
		err = d.absent(r, at, here)
	}
	d.stack = d.stack[:here]
	return err
}

// fields reads the members of a record up to its end, and tells how many of them are fields.
func (d *decoder) fields(r *reader, at, here int) (fields int, err *InputError) {
	for n, next := 0, 0; ; n++ {
		read := d.ahead(r, at, here, next, n)
		n, next, fields = n+read, next+read, fields+read
		i := d.upcoming(r, next, n, here)
		if i < 0 {
			if d.take('}') {
				return fields, nil
			}
			if i, err = d.which(r, n, here); err != nil {
				return 0, err
			}
		}
		if i >= 0 {
			m := &r.members[i]
			seen(d.stack[here:]).add(i)
			if err := d.member(m, at); err != nil {
				return 0, err.under(key(m.Name))
			}
			next = i + 1
			fields++
		}
	}
}

// ahead reads as many members as stand there as most do: next in the author's order, with a short name and a short whole
// number. There may be a blank on either side of a name.
func (d *decoder) ahead(r *reader, at, here, next, n int) (read int) {
	const room = 4 * wordBytes // more than the name, the number and what is between them have
	data, pos, known, slots := d.data, d.pos, seen(d.stack[here:]), d.stack[at:]
	for ; next+read < len(r.members) && pos+room <= len(data); read++ {
		m := &r.members[next+read]
		p := pos
		if n+read > 0 {
			if data[p] != ',' {
				break
			}
			p++
		}
		if data[p] == ' ' {
			p++
		}
		if !m.short || !m.lead.begins(data[p:], binary.LittleEndian.Uint64(data[p:])) || known.has(next+read) {
			break
		}
		p += len(m.lead.text)
		if data[p] == ' ' {
			p++
		}
		v, size := shortInt(binary.LittleEndian.Uint64(data[p:]))
		if size == 0 || !m.reader.quick.int(v) {
			break
		}
		slots[m.at] = v
		known.add(next + read)
		pos = p + size
	}
	d.pos = pos
	return read
}

// beside reads a member that is no field.
func (d *decoder) beside(r *reader, name []byte) *InputError {
	start := d.pos - len(name) - 2
	if r.pin != "" && string(name) == PinName {
		return d.pinned(r, start)
	}
	return d.unknown(start, string(name), r)
}

// which reads a name and the colon after it: that of the n-th member of an object. It is -1 when a member that is no
// field has been read.
func (d *decoder) which(r *reader, n, here int) (int, *InputError) {
	name, err := d.name(n)
	if err != nil {
		return 0, err
	}
	i := r.find(name)
	if i < 0 {
		return -1, d.beside(r, name)
	}
	m := &r.members[i]
	if seen(d.stack[here:]).has(i) {
		return 0, d.misfit(d.pos-len(name)-2, "stands here twice").under(key(m.Name))
	}
	if err := d.colon(m.Name); err != nil {
		return 0, err.under(key(m.Name))
	}
	return i, nil
}

// upcoming consumes how one of the next few members in the author's order begins, which is mostly what comes next, and a
// blank on either side; -1 when something else stands there.
func (d *decoder) upcoming(r *reader, next, n, here int) int {
	const few = 4
	pos := d.pos
	if n > 0 {
		if pos == len(d.data) || d.data[pos] != ',' {
			return -1
		}
		pos++
	}
	if pos < len(d.data) && d.data[pos] == ' ' {
		pos++
	}
	rest := d.data[pos:]
	if len(rest) < wordBytes {
		return -1
	}
	first := binary.LittleEndian.Uint64(rest)
	for i := next; i < min(next+few, len(r.members)); i++ {
		lead := &r.members[i].lead
		if lead.begins(rest, first) && !seen(d.stack[here:]).has(i) {
			d.pos = pos + len(lead.text)
			if d.pos < len(d.data) && d.data[d.pos] == ' ' {
				d.pos++
			}
			return i
		}
	}
	return -1
}

func (d *decoder) member(m *member, at int) *InputError {
	at += m.at
	if m.Optional {
		d.stack[at] = 1
		at++
	}
	return d.value(m.reader, at)
}

// absent gives the fields that were not there their defaults.
func (d *decoder) absent(r *reader, at, here int) *InputError {
	for i := range r.members {
		m := &r.members[i]
		switch {
		case m.Optional || seen(d.stack[here:]).has(i):
		case m.Default == "":
			return d.wrong("is missing").under(key(m.Name))
		default:
			if err := d.preset(m, at+m.at); err != nil {
				return err.under(key(m.Name))
			}
		}
	}
	return nil
}

// preset gives a member its default.
func (d *decoder) preset(m *member, at int) *InputError {
	if m.plain {
		d.stack[at] = m.preset
		return nil
	}
	return d.fill(m.reader, m.Default, at)
}

// fill reads a default.
func (d *decoder) fill(r *reader, text string, at int) *InputError {
	data, pos, before := d.data, d.pos, len(d.presets)
	d.presets = append(d.presets, text...)
	d.data, d.pos = d.presets[before:], 0
	err := d.value(r, at)
	d.presets = d.presets[:before]
	d.data, d.pos = data, pos
	return err
}

// entries reads a map: its entries sorted by key.
func (d *decoder) entries(r *reader, at int) *InputError {
	if !d.take('{') {
		return d.expected(plan.Map)
	}
	here := d.reserve(seenSlots(len(r.members)))
	base, n := len(d.stack), 0
	for next := 0; ; n++ {
		i := d.upcoming(r, next, n, here)
		if i < 0 && d.take('}') {
			break
		}
		if err := d.entry(r, i, n, here); err != nil {
			return err
		}
		next = i + 1
	}
	more, err := d.named(r, here)
	if err != nil {
		return err
	}
	n += more
	if n > mostKeys(r.shape) {
		return d.wrong("must have at most %d keys", mostKeys(r.shape))
	}
	if err := d.sortEntries(r, base, n); err != nil {
		return err
	}
	d.stack[at] = d.span(base, n)
	d.stack = d.stack[:here]
	return nil
}

func mostKeys(s *plan.Shape) int {
	if s.MaxItems > 0 {
		return min(s.MaxItems, plan.MaxKeys)
	}
	return plan.MaxKeys
}

// entry reads the n-th entry of a map: that of the i-th member, of which the beginning has been read, or, when i is -1,
// of any key.
func (d *decoder) entry(r *reader, i, n, here int) *InputError {
	symbol, of := int64(0), r.elem
	if i < 0 {
		name, err := d.name(n)
		if err != nil {
			return err
		}
		if i = r.find(name); i < 0 && r.keys != nil && r.keys.Find(name) < 0 {
			return d.notKey(r, name)
		}
		symbol = d.frame.intern(name)
		if err := d.colon(d.frame.text(symbol)); err != nil {
			return err.under(key(d.frame.text(symbol)))
		}
	} else {
		symbol = d.symbolOf(&r.members[i])
	}
	if i >= 0 {
		of = r.members[i].reader
		seen(d.stack[here:]).add(i)
	}
	at := d.reserve(r.stride)
	d.stack[at] = symbol
	if err := d.value(of, at+1); err != nil {
		return err.under(key(d.frame.text(symbol)))
	}
	return nil
}

// symbolOf is the symbol of a member's name.
func (d *decoder) symbolOf(m *member) int64 {
	if m.symbol < 0 {
		return d.frame.intern([]byte(m.Name))
	}
	return m.symbol
}

// named adds the keys that have a default and were not there, and misses those that have none.
func (d *decoder) named(r *reader, here int) (added int, err *InputError) {
	for i := range r.members {
		m := &r.members[i]
		if m.Optional || seen(d.stack[here:]).has(i) {
			continue
		}
		if m.Default == "" {
			return 0, d.wrong("is missing").under(key(m.Name))
		}
		at := d.reserve(r.stride)
		d.stack[at] = d.symbolOf(m)
		if err := d.preset(m, at+1); err != nil {
			return 0, err.under(key(m.Name))
		}
		added++
	}
	return added, nil
}

// sortEntries puts entries in the order of their keys, by insertion: files mostly have them so.
func (d *decoder) sortEntries(r *reader, base, n int) *InputError {
	entry := func(i int) []int64 { return d.stack[base+i*r.stride : base+(i+1)*r.stride] }
	for i := 1; i < n; i++ {
		for k := i; k > 0; k-- {
			a, b := entry(k-1), entry(k)
			order := strings.Compare(d.frame.text(a[0]), d.frame.text(b[0]))
			if order == 0 {
				return d.wrong("stands here twice").under(key(d.frame.text(a[0])))
			}
			if order < 0 {
				break
			}
			for j := range a {
				a[j], b[j] = b[j], a[j]
			}
		}
	}
	return nil
}
