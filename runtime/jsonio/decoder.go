package jsonio

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// DecodeTo reads one root into the frame's slots from base on.
func (d *Decoder) DecodeTo(r *Schema, data []byte, base int) error {
	slots, err := d.DecodeSlots(r, data)
	copy(d.frame.Slots()[base:], slots)
	return err
}

// DecodeDefault reads the default of a member that has one into the frame's slots from base on. The
// compiler has checked that it fits.
func (d *Decoder) DecodeDefault(m *Member, base int) error {
	d.stack = d.stack[:0]
	to := d.reserve(m.Schema.Slots)
	if err := d.readDefault(m.Schema, m.Default, to); err != nil {
		return err
	}
	copy(d.frame.Slots()[base:], d.stack[to:to+m.Schema.Slots])
	return nil
}

// DecodeSlots reads one root, and gives the slots of its record until the next one is read.
func (d *Decoder) DecodeSlots(r *Schema, data []byte) ([]int64, error) {
	d.data, d.pos, d.stack = data, 0, d.stack[:0]
	at := d.reserve(r.Slots)
	err := d.readRoot(r, at)
	if err == nil {
		d.skipBlanks()
		if d.pos < len(d.data) {
			err = d.grammarError("there is more text after the value%s", foreignAdvice(d.data[d.pos:]))
		}
	}
	if err != nil {
		return nil, d.finishError(r, err)
	}
	return d.stack[at : at+r.Slots], nil
}

// readRoot reads a root. What the character that is played says of its pins holds while the rest is read.
func (d *Decoder) readRoot(r *Schema, at int) *InputError {
	if r.pins == nil || r.Root != rootNames[plan.CharacterRoot] {
		return d.readValue(r, at)
	}
	d.pins = Pins{}
	return d.readRecord(r, at)
}

func (d *Decoder) reserve(n int) int {
	at := len(d.stack)
	d.stack = slices.Grow(d.stack, n)[:at+n]
	clear(d.stack[at:])
	return at
}

// readValue reads the next value into the stack's slots from at on.
func (d *Decoder) readValue(r *Schema, at int) *InputError {
	switch r.Shape.Kind {
	case plan.Int:
		return d.readInt(r, at)
	case plan.Double:
		return d.readDouble(r, at)
	case plan.Bool:
		return d.readBool(at)
	case plan.String:
		return d.readString(r, at)
	case plan.List:
		return d.readList(r, at)
	case plan.Map:
		return d.readMap(r, at)
	}
	if r.pins != nil {
		return d.readOther(r, at)
	}
	return d.readRecord(r, at)
}

// readShortInt consumes a whole number of at most seven digits, and reports whether one came next without blanks.
func (d *Decoder) readShortInt() (v int64, ok bool) {
	if d.pos+wordBytes > len(d.data) {
		return 0, false
	}
	v, n := parseShortInt(binary.LittleEndian.Uint64(d.data[d.pos:]))
	d.pos += n
	return v, n > 0
}

// parseShortInt returns the whole number with which a word of text begins, and its length in bytes: 0 if it does not end in
// the word, or is otherwise no JSON. No branch depends on its digits, which no processor can foresee.
//
// The number must end within the word, with its sign at most seven digits: only then is it known that no digit, point or
// exponent follows. Its minus is applied without a branch: v ^ -1 + 1 is -v, and v ^ 0 + 0 is v.
func parseShortInt(word uint64) (v int64, size int) {
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

// leadingDigits returns how many digits a word of text begins with, and the number that they are. All digits of the word
// are computed with at once.
//
// The word is little-endian, so the first character is the lowest byte. For the text 1234, and
// more:
//
//	t ^= "00000000"      bytes 1 2 3 4 and then anything; a digit's byte is 0 to 9
//	n = 4                the first byte whose sum with 0x76 reaches 0x80 is no digit
//	t <<= 32             bytes 0 0 0 0 1 2 3 4
//	t*10 + t>>8          in every second byte two digits: 0 0 12 34
//	t*100 + t>>16        in every fourth four: 0 1234
//	t*10000 + t>>32      all eight: 1234
//
// (D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51,
// 2021, uses the same steps.)
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

func (d *Decoder) readInt(r *Schema, at int) *InputError {
	start := d.pos
	if n, ok := d.readShortInt(); ok {
		d.stack[at] = n
		if r.quick.hasInt(n) {
			return nil
		}
		return d.checkBounds(r.Shape, float64(n), d.data[start:d.pos])
	}
	return d.readLongInt(r, at)
}

// readLongInt reads a whole number of any length.
func (d *Decoder) readLongInt(r *Schema, at int) *InputError {
	text, whole, err := d.readNumber(plan.Int)
	switch {
	case err != nil:
		return err
	case !whole:
		return d.valueError(d.pos-len(text), "must be a whole number, not %s", text)
	}
	n, ok := parseInt(text)
	if !ok {
		return d.valueError(d.pos-len(text), "%s is too large a number", text)
	}
	d.stack[at] = n
	return d.checkBounds(r.Shape, float64(n), text)
}

func (d *Decoder) readDouble(r *Schema, at int) *InputError {
	if v, end, ok := d.readShortDouble(); ok && r.quick.hasDouble(v) {
		d.pos = end
		d.stack[at] = builtin.Bits(v)
		return nil
	}
	text, _, err := d.readNumber(plan.Double)
	if err != nil {
		return err
	}
	v, bad := strconv.ParseFloat(string(text), 64)
	if bad != nil {
		return d.valueError(d.pos-len(text), "%s is too large a number", text)
	}
	d.stack[at] = builtin.Bits(v)
	return d.checkBounds(r.Shape, v, text)
}

// readShortDouble returns a number of at most seven digits before the point and as many behind it, and its end; not ok if
// something else comes next. The digits and the power of ten are exact, so that dividing them rounds once, as is right.
//
// 14 digits are below 2^53, and powers of ten up to 10^7 are doubles: one division of exact operands is correctly rounded
// (W. Clinger, "How to read floating point numbers accurately", PLDI 1990, the fast path).
func (d *Decoder) readShortDouble() (v float64, end int, ok bool) {
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

// digitsAt returns how many digits stand at a place, and the number that they are; wordBytes digits when there are more,
// none when the text ends before so many bytes.
func (d *Decoder) digitsAt(pos int) (n int, v int64) {
	if pos+wordBytes > len(d.data) {
		return 0, 0
	}
	return leadingDigits(binary.LittleEndian.Uint64(d.data[pos:]))
}

// checkBounds judges a number. Bounds are below 2^53, so comparing an integer as a double never errs.
func (d *Decoder) checkBounds(s *plan.Shape, v float64, text []byte) *InputError {
	if b := s.Min; b != nil && (v < b.Value || b.Open && v == b.Value) {
		return d.valueError(d.pos-len(text), "must be %s %v, not %s", Choose(b.Open, "more than", "at least"), b.Value,
			text)
	}
	if b := s.Max; b != nil && (v > b.Value || b.Open && v == b.Value) {
		return d.valueError(d.pos-len(text), "must be %s %v, not %s", Choose(b.Open, "less than", "at most"), b.Value, text)
	}
	for _, b := range s.Not {
		if v != b.Value {
			continue
		}
		if list := s.ListChoices(); list != "" {
			return d.valueError(d.pos-len(text), "must be one of %s, not %s", list, text)
		}
		return d.valueError(d.pos-len(text), "must not be %s", text)
	}
	return nil
}

func Choose(c bool, yes, no string) string {
	if c {
		return yes
	}
	return no
}

func (d *Decoder) readBool(at int) *InputError {
	d.skipBlanks()
	switch rest := d.data[d.pos:]; {
	case len(rest) >= 4 && string(rest[:4]) == "true":
		d.pos += 4
		d.stack[at] = 1
	case len(rest) >= 5 && string(rest[:5]) == "false":
		d.pos += 5
		d.stack[at] = 0
	default:
		return d.typeError(plan.Bool)
	}
	return nil
}

func (d *Decoder) readString(r *Schema, at int) *InputError {
	d.skipBlanks()
	start := d.pos
	text, err := d.readQuoted(plan.String)
	if err != nil {
		return err
	}
	switch {
	case r.words != nil:
		return d.readChoice(r, text, start, at)
	case !r.unread:
		d.stack[at] = d.frame.Intern(text)
	}
	return nil
}

// readChoice takes a string for one of a list.
func (d *Decoder) readChoice(r *Schema, text []byte, start, at int) *InputError {
	choice := r.words.Find(text)
	if choice < 0 {
		return d.choiceError(start, "must be", string(text), r.Shape.Enum)
	}
	d.stack[at] = r.Enum[choice]
	return nil
}

func (d *Decoder) readList(r *Schema, at int) *InputError {
	if !d.takeByte('[') {
		return d.typeError(plan.List)
	}
	base, n := len(d.stack), 0
	for !d.takeByte(']') {
		if n > 0 && !d.takeByte(',') {
			return d.grammarError("a comma or ] must follow an element, not %s", d.describeNext(""))
		}
		if n == r.Shape.MaxItems {
			return d.grammarError("must have at most %s", plural.Of(r.Shape.MaxItems, "element"))
		}
		if err := d.readValue(r.elem, d.reserve(r.stride)); err != nil {
			return err.atStep("[" + strconv.Itoa(n) + "]")
		}
		n++
	}
	if n < r.Shape.MinItems {
		return d.grammarError("must have at least %s, not %d", plural.Of(r.Shape.MinItems, "element"), n)
	}
	d.stack[at] = d.storeSpan(base, n)
	return nil
}

// storeSpan moves the slots of n elements from the stack to the arena.
func (d *Decoder) storeSpan(base, n int) int64 {
	span := d.frame.Store(d.stack[base:], n)
	d.stack = d.stack[:base]
	return span
}

// readOther reads a character in an input, whose pins are not those of the one that is played.
func (d *Decoder) readOther(r *Schema, at int) *InputError {
	own := d.pins
	d.pins = Pins{}
	err := d.readRecord(r, at)
	d.pins = own
	return err
}

func (d *Decoder) readRecord(r *Schema, at int) *InputError {
	if !d.takeByte('{') {
		return d.typeError(plan.Record)
	}
	here := d.reserve(bitSetSlots(len(r.Members)))
	fields, err := d.readFields(r, at, here)
	if err == nil && fields < len(r.Members) {
		err = d.fillAbsent(r, at, here)
	}
	if err == nil && r.limited != nil && !d.Partial {
		if err = r.judgeOwnLimits(d.frame, d.stack[at:at+r.Slots]); err != nil {
			err.offset = d.pos - 1
		}
	}
	d.stack = d.stack[:here]
	return err
}

// readFields reads the members of a record up to its end, and tells how many of them are fields.
//
// Three ways in each round, from the fastest to the surest: as many short whole numbers in the
// author's order as stand there; the beginning of one of the next members, whatever its value; any
// name, by the hash table, which also is the one that reports a name that is unknown or stands
// twice. n counts members for the comma, fields those that the schema has.
func (d *Decoder) readFields(r *Schema, at, here int) (fields int, err *InputError) {
	for n, next := 0, 0; ; n++ {
		read := d.readAhead(r, at, here, next, n)
		n, next, fields = n+read, next+read, fields+read
		i := d.matchUpcoming(r, next, n, here)
		if i < 0 {
			if d.takeByte('}') {
				return fields, nil
			}
			if i, err = d.readFieldName(r, n, here); err != nil {
				return 0, err
			}
		}
		if i >= 0 {
			m := &r.Members[i]
			bitSet(d.stack[here:]).add(i)
			if err := d.readMember(m, at); err != nil {
				return 0, err.atStep(PathStep(m.Name))
			}
			next = i + 1
			fields++
		}
	}
}

// readAhead reads as many members as stand there as most do: next in the author's order, with a short name and a short
// whole number. There may be a blank on either side of a name.
//
// It changes d.pos only behind a whole member, so that whatever it does not understand is read
// again by the slow way. room bytes must be left, which saves a check of the end at each step: a
// lead of at most 16 bytes, a comma, two blanks, and the word of the number.
func (d *Decoder) readAhead(r *Schema, at, here, next, n int) (read int) {
	const room = 4 * wordBytes // more than the name, the number and what is between them have
	data, pos, known, slots := d.data, d.pos, bitSet(d.stack[here:]), d.stack[at:]
	for ; next+read < len(r.Members) && pos+room <= len(data); read++ {
		m := &r.Members[next+read]
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
		if !m.short || !m.lead.isPrefixOf(data[p:], binary.LittleEndian.Uint64(data[p:])) || known.has(next+read) {
			break
		}
		p += len(m.lead.text)
		if data[p] == ' ' {
			p++
		}
		v, size := parseShortInt(binary.LittleEndian.Uint64(data[p:]))
		if size == 0 || !m.Schema.quick.hasInt(v) {
			break
		}
		slots[m.At] = v
		known.add(next + read)
		pos = p + size
	}
	d.pos = pos
	return read
}

// readNoField reads a member that is no field.
func (d *Decoder) readNoField(r *Schema, name []byte) *InputError {
	start := d.name
	if r.pins != nil {
		if ok, err := d.readPins(r, string(name), start); ok {
			return err
		}
	}
	return d.unknownField(start, string(name), r)
}

// readFieldName reads a name and the colon after it: that of the n-th member of an object. It is -1 when a member that is
// no field has been read.
func (d *Decoder) readFieldName(r *Schema, n, here int) (int, *InputError) {
	name, err := d.readName(n)
	if err != nil {
		return 0, err
	}
	i := r.findMember(name)
	if i < 0 {
		return -1, d.readNoField(r, name)
	}
	m := &r.Members[i]
	if bitSet(d.stack[here:]).has(i) {
		return 0, d.valueError(d.name, "stands here twice").atStep(PathStep(m.Name))
	}
	if err := d.readColon(m.Name); err != nil {
		return 0, err.atStep(PathStep(m.Name))
	}
	return i, nil
}

// matchUpcoming consumes the beginning of one of the next few members in the author's order, which mostly comes next, and a
// blank on either side, and returns its number; -1 if something else stands there.
func (d *Decoder) matchUpcoming(r *Schema, next, n, here int) int {
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
	for i := next; i < min(next+few, len(r.Members)); i++ {
		lead := &r.Members[i].lead
		if lead.isPrefixOf(rest, first) && !bitSet(d.stack[here:]).has(i) {
			d.pos = pos + len(lead.text)
			if d.pos < len(d.data) && d.data[d.pos] == ' ' {
				d.pos++
			}
			return i
		}
	}
	return -1
}

func (d *Decoder) readMember(m *Member, at int) *InputError {
	at += m.At
	if m.Optional {
		d.stack[at] = 1
		at++
	}
	return d.readValue(m.Schema, at)
}

// fillAbsent gives the fields that were not there their defaults.
func (d *Decoder) fillAbsent(r *Schema, at, here int) *InputError {
	for i := range r.Members {
		m := &r.Members[i]
		switch {
		case m.Optional || bitSet(d.stack[here:]).has(i):
		case m.Default == "":
			return d.grammarError(MissingMsg).atStep(PathStep(m.Name))
		default:
			if err := d.fillPreset(m, at+m.At); err != nil {
				return err.atStep(PathStep(m.Name))
			}
		}
	}
	return nil
}

// fillPreset gives a member its default.
func (d *Decoder) fillPreset(m *Member, at int) *InputError {
	if m.plain {
		d.stack[at] = m.preset
		return nil
	}
	return d.readDefault(m.Schema, m.Default, at)
}

// readDefault reads a default.
// The text is appended to presets and read from there in place of the input: a default may have
// defaults in it, which lie behind it until it is read.
func (d *Decoder) readDefault(r *Schema, text string, at int) *InputError {
	data, pos, before := d.data, d.pos, len(d.presets)
	d.presets = append(d.presets, text...)
	d.data, d.pos = d.presets[before:], 0
	err := d.readValue(r, at)
	d.presets = d.presets[:before]
	d.data, d.pos = data, pos
	return err
}

// readMap reads a map: its entries sorted by key.
func (d *Decoder) readMap(r *Schema, at int) *InputError {
	if !d.takeByte('{') {
		return d.typeError(plan.Map)
	}
	here := d.reserve(bitSetSlots(len(r.Members)))
	base, n := len(d.stack), 0
	for next := 0; ; n++ {
		i := d.matchUpcoming(r, next, n, here)
		if i < 0 && d.takeByte('}') {
			break
		}
		if err := d.readEntry(r, i, n, here); err != nil {
			return err
		}
		next = i + 1
	}
	more, err := d.fillNamedKeys(r, here)
	if err != nil {
		return err
	}
	n += more
	if n > r.Shape.MostKeys() {
		return d.grammarError("must have at most %s", plural.Of(r.Shape.MostKeys(), "key"))
	}
	if err := d.sortEntries(r, base, n); err != nil {
		return err
	}
	d.stack[at] = d.storeSpan(base, n)
	d.stack = d.stack[:here]
	return nil
}

// readEntry reads the n-th entry of a map: that of the i-th member, of which the beginning has been read, or, when i is -1,
// of any key.
func (d *Decoder) readEntry(r *Schema, i, n, here int) *InputError {
	symbol, of := int64(0), r.elem
	if i < 0 {
		name, err := d.readName(n)
		if err != nil {
			return err
		}
		if i = r.findMember(name); i < 0 && r.keys != nil && r.keys.Find(name) < 0 {
			return d.keyError(r, name)
		}
		symbol = d.frame.Intern(name)
		if err := d.readColon(d.frame.Text(symbol)); err != nil {
			return err.atStep(PathStep(d.frame.Text(symbol)))
		}
	} else {
		symbol = d.symbolOf(&r.Members[i])
	}
	if i >= 0 {
		of = r.Members[i].Schema
		bitSet(d.stack[here:]).add(i)
	}
	at := d.reserve(r.stride)
	d.stack[at] = symbol
	if err := d.readValue(of, at+1); err != nil {
		return err.atStep(PathStep(d.frame.Text(symbol)))
	}
	return nil
}

// symbolOf returns the symbol of a member's name.
func (d *Decoder) symbolOf(m *Member) int64 {
	if m.symbol < 0 {
		return d.frame.Intern([]byte(m.Name))
	}
	return m.symbol
}

// fillNamedKeys adds the keys that have a default and were not there, and misses those that have none.
func (d *Decoder) fillNamedKeys(r *Schema, here int) (added int, err *InputError) {
	for i := range r.Members {
		m := &r.Members[i]
		if m.Optional || bitSet(d.stack[here:]).has(i) {
			continue
		}
		if m.Default == "" {
			return 0, d.grammarError(MissingMsg).atStep(PathStep(m.Name))
		}
		at := d.reserve(r.stride)
		d.stack[at] = d.symbolOf(m)
		if err := d.fillPreset(m, at+1); err != nil {
			return 0, err.atStep(PathStep(m.Name))
		}
		added++
	}
	return added, nil
}

// sortEntries puts entries in the order of their keys, by insertion: files mostly have them so.
//
// Insertion also finds a key that stands twice, as the equal ones come to stand beside each other.
// The bound of keys (plan.MaxKeys) is judged before it, since the cost is quadratic for a text in
// the worst order.
func (d *Decoder) sortEntries(r *Schema, base, n int) *InputError {
	entry := func(i int) []int64 { return d.stack[base+i*r.stride : base+(i+1)*r.stride] }
	for i := 1; i < n; i++ {
		for k := i; k > 0; k-- {
			a, b := entry(k-1), entry(k)
			order := strings.Compare(d.frame.Text(a[0]), d.frame.Text(b[0]))
			if order == 0 {
				return d.grammarError("stands here twice").atStep(PathStep(d.frame.Text(a[0])))
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
