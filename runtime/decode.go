package runtime

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A decoder reads JSON by a reader, in one pass, into slots: grammar, UTF-8, names, types and bounds are all judged.
// The slots of the value grow on a stack, because the elements of a list are contiguous and those of the lists in them
// lie elsewhere.
type decoder struct {
	data  []byte
	pos   int
	frame *Frame
	stack []int64
	text  []byte // of a string with escapes

	presets []byte // the defaults that are being read, the one in the other
	pin     bool   // the character that was read last is pinned to a revision
}

// decode reads one root into the frame's slots from base on.
func (f *Frame) decode(r *reader, data []byte, base int) error {
	slots, err := f.decodeSlots(r, data)
	copy(f.slots[base:], slots)
	return err
}

// decodeSlots reads one root, and gives the slots of its record until the next one is read.
func (f *Frame) decodeSlots(r *reader, data []byte) ([]int64, error) {
	d := &f.decoder
	d.data, d.pos, d.frame, d.stack = data, 0, f, d.stack[:0]
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
	for range n {
		d.stack = append(d.stack, 0)
	}
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

// take consumes a byte of the grammar, if it is what comes next.
func (d *decoder) take(c byte) bool {
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

// short consumes a whole number of few digits, if that is what comes next without blanks.
func (d *decoder) short() (v int64, ok bool) {
	const most = 18 // digits that always fit
	rest := d.data[d.pos:min(len(d.data), d.pos+most)]
	i := 0
	if len(rest) > 0 && rest[0] == '-' {
		i = 1
	}
	first := i
	for ; i < len(rest) && '0' <= rest[i] && rest[i] <= '9'; i++ {
		v = v*10 + int64(rest[i]-'0')
	}
	if i == first || i == len(rest) || rest[first] == '0' && i > first+1 || rest[i] == '.' || rest[i]|0x20 == 'e' {
		return 0, false
	}
	d.pos += i
	if first == 1 {
		v = -v
	}
	return v, true
}

func (d *decoder) int(r *reader, at int) *InputError {
	start := d.pos
	if n, ok := d.short(); ok {
		d.stack[at] = n
		return d.bounds(r.shape, float64(n), d.data[start:d.pos])
	}
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
	text, whole, err := d.number(plan.Double)
	if err != nil {
		return err
	}
	var v float64
	if n, ok := parseInt(text); whole && ok && len(text) < 16 && n != 0 {
		v = float64(n)
	} else {
		var bad error
		if v, bad = strconv.ParseFloat(string(text), 64); bad != nil {
			return d.misfit(d.pos-len(text), "%s is too large a number", text)
		}
	}
	d.stack[at] = int64(math.Float64bits(v))
	return d.bounds(r.shape, v, text)
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
	symbol := d.frame.intern(text)
	if r.enum != nil && !slices.Contains(r.enum, symbol) {
		return d.notOne(start, "must be", string(text), r.shape.Enum)
	}
	d.stack[at] = symbol
	return nil
}

// quoted reads a string; the bytes are valid until the next string with escapes is read.
func (d *decoder) quoted(kind plan.Kind) ([]byte, *InputError) {
	if !d.take('"') {
		return nil, d.expected(kind)
	}
	start := d.pos
	for ; d.pos < len(d.data); d.pos++ {
		switch c := d.data[d.pos]; {
		case c == '"':
			d.pos++
			return d.data[start : d.pos-1], nil
		case c == '\\' || c >= utf8.RuneSelf:
			return d.escaped(start)
		case c < ' ':
			return nil, d.wrong("a string has the control character %U; write it as an escape", c)
		}
	}
	return nil, d.wrong("a string does not end")
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
			d.text = append(d.text, c)
			d.pos++
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
	seen := d.reserve(len(r.members))
	for n, next := 0, 0; !d.take('}'); n++ {
		i, err := d.which(r, next, n, seen)
		switch {
		case err != nil:
			return err
		case i < 0:
			continue
		}
		m := &r.members[i]
		d.stack[seen+i] = 1
		if err := d.member(m, at); err != nil {
			return err.under(key(m.Name))
		}
		next = i + 1
	}
	err := d.absent(r, at, seen)
	d.stack = d.stack[:seen]
	return err
}

// beside reads a member that is no field.
func (d *decoder) beside(r *reader, name []byte) *InputError {
	start := d.pos - len(name) - 2
	if r.pin != "" && string(name) == PinName {
		return d.pinned(r, start)
	}
	return d.unknown(start, string(name), r)
}

// which reads a name and the colon after it: that of the n-th member of an object, mostly the next one in the author's order. It is
// -1 when a member that is no field has been read.
func (d *decoder) which(r *reader, next, n, seen int) (int, *InputError) {
	if i := d.upcoming(r, next, n, seen); i >= 0 {
		return i, nil
	}
	name, err := d.name(n)
	if err != nil {
		return 0, err
	}
	i := r.find(name, next)
	if i < 0 {
		return -1, d.beside(r, name)
	}
	m := &r.members[i]
	if d.stack[seen+i] != 0 {
		return 0, d.misfit(d.pos-len(name)-2, "stands here twice").under(key(m.Name))
	}
	if err := d.colon(m.Name); err != nil {
		return 0, err.under(key(m.Name))
	}
	return i, nil
}

// upcoming consumes how one of the next few members mostly begins; -1 when something else stands there.
func (d *decoder) upcoming(r *reader, next, n, seen int) int {
	const few = 4
	rest := d.data[d.pos:]
	if n > 0 {
		if len(rest) == 0 || rest[0] != ',' {
			return -1
		}
		rest = rest[1:]
	}
	for i := next; i < min(next+few, len(r.members)); i++ {
		if lead := r.members[i].lead; d.stack[seen+i] == 0 && len(rest) >= len(lead) && string(rest[:len(lead)]) == string(lead) {
			d.pos = len(d.data) - len(rest) + len(lead)
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
func (d *decoder) absent(r *reader, at, seen int) *InputError {
	for i := range r.members {
		m := &r.members[i]
		switch {
		case d.stack[seen+i] != 0 || m.Optional:
		case m.Default == "":
			return d.wrong("is missing").under(key(m.Name))
		default:
			if err := d.fill(m.reader, m.Default, at+m.at); err != nil {
				return err.under(key(m.Name))
			}
		}
	}
	return nil
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
	base, n := len(d.stack), 0
	for !d.take('}') {
		name, err := d.name(n)
		if err != nil {
			return err
		}
		if err := d.entry(r, name); err != nil {
			return err
		}
		n++
	}
	more, err := d.named(r, base)
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
	return nil
}

func mostKeys(s *plan.Shape) int {
	if s.MaxItems > 0 {
		return min(s.MaxItems, plan.MaxKeys)
	}
	return plan.MaxKeys
}

// entry reads the value of a key.
func (d *decoder) entry(r *reader, name []byte) *InputError {
	symbol := d.frame.intern(name)
	i := r.find(name, 0)
	if i < 0 && r.shape.Keys != nil && !slices.Contains(r.shape.Keys, string(name)) {
		words := append([]string(nil), r.shape.Keys...)
		for _, m := range r.members {
			if !slices.Contains(words, m.Name) {
				words = append(words, m.Name)
			}
		}
		return d.notOne(d.pos-len(name)-2, "a key must be", string(name), words)
	}
	of := r.elem
	if i >= 0 {
		of = r.members[i].reader
	}
	at := d.reserve(r.stride)
	d.stack[at] = symbol
	label := d.frame.text(symbol)
	if err := d.colon(label); err != nil {
		return err.under(key(label))
	}
	if err := d.value(of, at+1); err != nil {
		return err.under(key(label))
	}
	return nil
}

// named adds the keys that have a default and were not there, and misses those that have none.
func (d *decoder) named(r *reader, base int) (added int, err *InputError) {
	end := len(d.stack)
	for i := range r.members {
		m := &r.members[i]
		symbol := m.symbol
		if symbol < 0 {
			symbol = d.frame.intern([]byte(m.Name))
		}
		if d.hasEntry(base, end, r.stride, symbol) || m.Optional {
			continue
		}
		if m.Default == "" {
			return 0, d.wrong("is missing").under(key(m.Name))
		}
		at := d.reserve(r.stride)
		d.stack[at] = symbol
		if err := d.fill(m.reader, m.Default, at+1); err != nil {
			return 0, err.under(key(m.Name))
		}
		added++
	}
	return added, nil
}

func (d *decoder) hasEntry(base, end, stride int, symbol int64) bool {
	for at := base; at < end; at += stride {
		if d.stack[at] == symbol {
			return true
		}
	}
	return false
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
