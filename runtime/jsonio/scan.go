package jsonio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Decoder reads JSON by a schema, in one pass, into slots: grammar, UTF-8, names, types and bounds are all judged.
// The slots of the value grow on a stack, because the elements of a list are contiguous and those of the lists in them
// lie elsewhere.
//
// The methods of this file know the grammar of JSON and no schema; those of decoder.go read values by a schema.
//
// data and pos are the text and how far it is read. stack grows while values are read, and its
// slices may move: positions in it are kept as numbers and never as pointers. A Decoder is used for
// one text after the other and by one goroutine.
type Decoder struct {
	data  []byte
	pos   int
	frame *vm.Frame
	stack []int64
	text  []byte // of a string with escapes

	// Partial reads records of which parts are made up: bounds that fields set for each other are not judged.
	Partial bool

	presets []byte // the defaults that are being read, the one in the other
	pins    Pins   // of the character that was read last, or that is being read
	name    int    // where the name begins that was read last
}

// NewDecoder makes a decoder whose lists and strings lie in a frame.
func NewDecoder(f *vm.Frame) *Decoder { return &Decoder{frame: f} }

func (d *Decoder) skipBlanks() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// peek returns the first byte of the next token, 0 at the end.
func (d *Decoder) peek() byte {
	d.skipBlanks()
	if d.pos == len(d.data) {
		return 0
	}
	return d.data[d.pos]
}

// takeByte consumes a byte of the grammar, and reports whether it came next. Mostly no blanks stand before it.
func (d *Decoder) takeByte(c byte) bool {
	if d.pos < len(d.data) && d.data[d.pos] == c {
		d.pos++
		return true
	}
	return d.takeByteLater(c)
}

func (d *Decoder) takeByteLater(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.pos++
	return true
}

// readNumber consumes a number of JSON's grammar; whole tells that it has neither fraction nor exponent.
func (d *Decoder) readNumber(kind plan.Kind) (text []byte, whole bool, err *InputError) {
	d.skipBlanks()
	start := d.pos
	if d.pos < len(d.data) && d.data[d.pos] == '-' {
		d.pos++
	}
	first := d.pos
	if d.skipDigits() == 0 {
		d.pos = start
		return nil, false, d.typeError(kind)
	}
	if d.data[first] == '0' && d.pos > first+1 {
		return nil, false, d.grammarError("a number does not begin with 0")
	}
	whole = true
	if d.pos < len(d.data) && d.data[d.pos] == '.' {
		whole = false
		d.pos++
		if d.skipDigits() == 0 {
			return nil, false, d.grammarError("digits must follow the point")
		}
	}
	if d.pos < len(d.data) && d.data[d.pos]|0x20 == 'e' {
		whole = false
		d.pos++
		if d.pos < len(d.data) && (d.data[d.pos] == '+' || d.data[d.pos] == '-') {
			d.pos++
		}
		if d.skipDigits() == 0 {
			return nil, false, d.grammarError("digits must follow the exponent's e")
		}
	}
	return d.data[start:d.pos], whole, nil
}

func (d *Decoder) skipDigits() int {
	start := d.pos
	for d.pos < len(d.data) && '0' <= d.data[d.pos] && d.data[d.pos] <= '9' {
		d.pos++
	}
	return d.pos - start
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

// readQuoted reads a string; the bytes are valid until the next string with escapes is read.
func (d *Decoder) readQuoted(kind plan.Kind) ([]byte, *InputError) {
	if !d.takeByte('"') {
		return nil, d.typeError(kind)
	}
	start := d.pos
	d.skipPlain()
	switch {
	case d.pos == len(d.data):
		return nil, d.grammarError("a string does not end")
	case d.data[d.pos] == '"':
		d.pos++
		return d.data[start : d.pos-1], nil
	}
	return d.readEscaped(start)
}

// skipPlain consumes the plain characters of a string: all before its end, an escape, a control character, or a code point
// beyond ASCII.
//
// Eight bytes at once: (x - 0x01..01) &^ x has the high bit of each byte of x that is 0 (and perhaps of bytes above it), so
// after exclusive or with a repeated quote it finds quotes. Bytes below a blank and from 0x80 on are found in the same
// word.
func (d *Decoder) skipPlain() {
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

// readEscaped reads the rest of a string that has escapes or code points beyond ASCII.
func (d *Decoder) readEscaped(start int) ([]byte, *InputError) {
	d.text = append(d.text[:0], d.data[start:d.pos]...)
	for d.pos < len(d.data) {
		switch c := d.data[d.pos]; {
		case c == '"':
			d.pos++
			return d.text, nil
		case c == '\\':
			if err := d.readEscape(); err != nil {
				return nil, err
			}
		case c < ' ':
			return nil, d.grammarError("a string has the control character %U; write it as an escape", c)
		case c < utf8.RuneSelf:
			from := d.pos
			d.skipPlain()
			d.text = append(d.text, d.data[from:d.pos]...)
		default:
			r, n := utf8.DecodeRune(d.data[d.pos:])
			if r == utf8.RuneError && n == 1 {
				return nil, d.grammarError("the text is not UTF-8")
			}
			d.text = append(d.text, d.data[d.pos:d.pos+n]...)
			d.pos += n
		}
	}
	return nil, d.grammarError("a string does not end")
}

func (d *Decoder) readEscape() *InputError {
	d.pos++
	if d.pos == len(d.data) {
		return d.grammarError("a string does not end")
	}
	c := d.data[d.pos]
	if i := strings.IndexByte(escapes, c); i >= 0 {
		d.text = append(d.text, meaning[i])
		d.pos++
		return nil
	}
	if c != 'u' {
		return d.grammarError("%q is no escape", `\`+string(rune(c)))
	}
	d.pos++
	r, err := d.readHex()
	if err != nil {
		return err
	}
	if 0xd800 <= r && r < 0xe000 {
		if r, err = d.readSurrogate(r); err != nil {
			return err
		}
	}
	d.text = utf8.AppendRune(d.text, r)
	return nil
}

// readSurrogate reads the second half of a pair.
func (d *Decoder) readSurrogate(first rune) (rune, *InputError) {
	if first >= 0xdc00 || d.pos+1 >= len(d.data) || d.data[d.pos] != '\\' || d.data[d.pos+1] != 'u' {
		return 0, d.grammarError("half a surrogate pair stands alone")
	}
	d.pos += 2
	second, err := d.readHex()
	if err != nil {
		return 0, err
	}
	if second < 0xdc00 || second >= 0xe000 {
		return 0, d.grammarError("half a surrogate pair stands alone")
	}
	return 0x10000 + (first-0xd800)<<10 + (second - 0xdc00), nil
}

func (d *Decoder) readHex() (rune, *InputError) {
	if d.pos+4 > len(d.data) {
		return 0, d.grammarError("four digits must follow \\u")
	}
	n, err := strconv.ParseUint(string(d.data[d.pos:d.pos+4]), 16, 16)
	if err != nil {
		return 0, d.grammarError("four digits must follow \\u")
	}
	d.pos += 4
	return rune(n), nil
}

// readName reads the name of the n-th member of an object.
func (d *Decoder) readName(n int) ([]byte, *InputError) {
	if n > 0 && !d.takeByte(',') {
		return nil, d.grammarError("a comma or } must follow a value, not %s", d.describeNext(""))
	}
	if d.peek() != '"' {
		return nil, d.grammarError("a name in quotes is expected, not %s", d.describeNext(nameAdvice(d.peek(), n)))
	}
	d.name = d.pos
	return d.readQuoted(plan.String)
}

// nameAdvice returns the repair of a character that stands where the name of a member is expected, behind n others.
func nameAdvice(c byte, n int) string {
	switch {
	case c == '}' && n > 0:
		return ": leave out the comma behind the last value"
	case c == '\'':
		return ": JSON has double quotes"
	case 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || '0' <= c && c <= '9':
		return ": put the name in double quotes"
	}
	return ""
}

func (d *Decoder) readColon(name string) *InputError {
	if !d.takeByte(':') {
		return d.grammarError("a colon must follow the name %q, not %s", name, d.describeNext(""))
	}
	return nil
}

// wordBytes is how many bytes of a text are compared, or read as digits, at once.
const wordBytes = 8

const (
	escapes = `"\/bfnrt`
	meaning = "\"\\/\b\f\n\r\t"
)

// grammarError returns an error of the grammar, where reading stopped.
func (d *Decoder) grammarError(format string, args ...any) *InputError {
	return &InputError{Msg: fmt.Sprintf(format, args...), offset: d.pos}
}

// foreignAdvice returns the repair of a text that stands where JSON goes on, and has the form of another language; "" of
// any other text.
func foreignAdvice(rest []byte) string {
	for _, f := range [...]struct{ begin, advice string }{
		{"//", "JSON has no comments"}, {"/*", "JSON has no comments"}, {"#", "JSON has no comments"},
		{"“", `write ", and no curly quotes`}, {"”", `write ", and no curly quotes`}, {"„", `write ", and no curly quotes`},
		{"True", "write true"}, {"False", "write false"}, {"None", "leave the member out"}, {"+", "leave out the +"},
	} {
		if bytes.HasPrefix(rest, []byte(f.begin)) {
			return ": " + f.advice
		}
	}
	return ""
}

// AdviseSyntax returns the repair of a text that is not JSON at an offset, behind a colon; "" where there is none to tell.
func AdviseSyntax(data []byte, offset int) string {
	if offset < 0 || offset >= len(data) {
		return ""
	}
	if advice := foreignAdvice(data[offset:]); advice != "" {
		return advice
	}
	behind := bytes.TrimRight(data[:offset], " \t\r\n")
	switch c := data[offset]; {
	case (c == '}' || c == ']') && bytes.HasSuffix(behind, []byte(",")):
		return nameAdvice('}', 1)
	case c == '\'', bytes.HasSuffix(behind, []byte("{")) || bytes.HasSuffix(behind, []byte(",")):
		return nameAdvice(c, 0)
	}
	return ""
}

// valueError returns an error of a value that has been read, at its beginning.
func (d *Decoder) valueError(start int, format string, args ...any) *InputError {
	return &InputError{Msg: fmt.Sprintf(format, args...), offset: start}
}

// byteOrderMark is what some editors write before a text in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// typeError returns the error of a value of another type than the expected one.
func (d *Decoder) typeError(kind plan.Kind) *InputError {
	found, advice := "nothing", ""
	switch c := d.peek(); {
	case bytes.HasPrefix(d.data[d.pos:], byteOrderMark):
		found, advice = "a byte order mark", ": save the file as UTF-8 without one"
	case 'a' <= c && c <= 'z' && !startsConstant(d.data[d.pos:]):
		if found = "a word without quotes"; kind == plan.Record {
			advice = `: it is JSON, {"name": value, ...}`
		}
	case c == '"':
		found = "a string"
	case c == '{':
		found = "an object"
	case c == '[':
		found = "a list"
	case c == '-' || '0' <= c && c <= '9':
		found = "a number"
	case c == 't' || c == 'f':
		found = "true or false"
	case c == 'n':
		found, advice = "null", ": leave out what has no value"
	case d.pos < len(d.data):
		found = d.describeNext("")
	}
	return d.grammarError("must be %s, not %s%s", KindNames[kind], found, advice)
}

// startsConstant reports whether a text begins with a constant of JSON.
func startsConstant(text []byte) bool {
	return slices.ContainsFunc([]string{"true", "false", "null"},
		func(c string) bool { return bytes.HasPrefix(text, []byte(c)) })
}

// describeNext returns the next token in words, for messages about the grammar, and behind it the advice that is given, or
// else the repair of a text of another language.
func (d *Decoder) describeNext(advice string) string {
	if d.skipBlanks(); d.pos == len(d.data) {
		return "the end" + advice
	}
	if advice == "" {
		advice = foreignAdvice(d.data[d.pos:])
	}
	next, _ := utf8.DecodeRune(d.data[d.pos:])
	return strconv.QuoteRune(next) + advice
}

// IsEmpty reports whether a text is that of an object without members, or no text at all.
func IsEmpty(text []byte) bool {
	const blanks = " \t\r\n"
	inner, opens := bytes.CutPrefix(bytes.Trim(text, blanks), []byte("{"))
	inner, closes := bytes.CutSuffix(inner, []byte("}"))
	return len(text) == 0 || opens && closes && len(bytes.Trim(inner, blanks)) == 0
}
