package jsonio

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Encoder writes JSON, part by part: it is the sink that every sheet is written by. Ints stand without, doubles with a
// fraction or an exponent. Text is written as it is, but for quotes, backslashes and control characters.
type Encoder struct {
	buf       []byte
	comma     bool   // something stands before, in the same list or object
	notNumber string // the first double for which JSON has no number; empty when there was none
}

// NewEncoder makes an encoder that appends one value to buf.
func NewEncoder(buf []byte) *Encoder { return &Encoder{buf: buf} }

// Bytes returns the JSON written so far, behind the earlier contents of the buffer.
func (e *Encoder) Bytes() []byte { return e.buf }

// NotANumber names the first double for which JSON has no number, which was written as a string; empty when there was none.
func (e *Encoder) NotANumber() string { return e.notNumber }

// separate begins a value, or a member's name.
func (e *Encoder) separate() {
	if e.comma {
		e.buf = append(e.buf, ',')
	}
	e.comma = true
}

// Int writes a whole number.
func (e *Encoder) Int(v int64) {
	e.separate()
	e.buf = appendInt(e.buf, v)
}

// Uint writes a whole number that may be greater than an int.
func (e *Encoder) Uint(v uint64) {
	e.separate()
	e.buf = strconv.AppendUint(e.buf, v, 10)
}

// Double writes the shortest number that reads back the same.
func (e *Encoder) Double(v float64) {
	e.separate()
	if e.notNumber == "" && !isFinite(v) {
		e.notNumber = strconv.FormatFloat(v, 'g', -1, 64)
	}
	e.buf = appendDouble(e.buf, v)
}

// Bool writes a truth.
func (e *Encoder) Bool(v bool) {
	e.separate()
	e.buf = strconv.AppendBool(e.buf, v)
}

// Text writes a string.
func (e *Encoder) Text(v string) {
	e.separate()
	e.buf = appendString(e.buf, v)
}

// Null writes a value that there is not.
func (e *Encoder) Null() {
	e.separate()
	e.buf = append(e.buf, "null"...)
}

// Raw writes a value that is JSON already.
func (e *Encoder) Raw(text []byte) {
	e.separate()
	e.buf = append(e.buf, text...)
}

// BeginList begins a list.
func (e *Encoder) BeginList() { e.begin('[') }

// EndList ends a list.
func (e *Encoder) EndList() { e.end(']') }

// BeginObject begins the object of a map or a record.
func (e *Encoder) BeginObject(plan.Kind) { e.begin('{') }

// EndObject ends an object.
func (e *Encoder) EndObject() { e.end('}') }

func (e *Encoder) begin(bracket byte) {
	e.separate()
	e.buf = append(e.buf, bracket)
	e.comma = false
}

func (e *Encoder) end(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.comma = true
}

// Name writes the name of a member, whose value must follow.
func (e *Encoder) Name(name string) {
	e.separate()
	e.buf = appendName(e.buf, name)
	e.comma = false
}

// TextMember writes a member whose value is a string.
func (e *Encoder) TextMember(name, text string) {
	e.Name(name)
	e.Text(text)
}

// RawMember writes a member whose value is JSON already.
func (e *Encoder) RawMember(name string, text []byte) {
	e.Name(name)
	e.Raw(text)
}

// TextListMember writes a member whose value is a list of strings.
func (e *Encoder) TextListMember(name string, list []string) {
	e.Name(name)
	e.BeginList()
	for _, text := range list {
		e.Text(text)
	}
	e.EndList()
}

// IntListMember writes a member whose value is a list of whole numbers.
func (e *Encoder) IntListMember(name string, list []int64) {
	e.Name(name)
	e.BeginList()
	for _, v := range list {
		e.Int(v)
	}
	e.EndList()
}

// appendInt appends an int. A small one is written without asking for its sign, which no processor can foresee.
//
// The minus is always written, and for a number that is not negative the digits are written over
// it: n -= sign moves behind it only when sign is -1. Five bytes are written whatever the length,
// which is why so much room must be left.
func appendInt(buf []byte, v int64) []byte {
	n, sign := len(buf), v>>63
	size := uint64((v ^ sign) - sign)
	if size >= uint64(len(small)) || cap(buf)-n < 5 {
		return strconv.AppendInt(buf, v, 10)
	}
	buf = buf[:n+5]
	buf[n] = '-'
	n -= int(sign)
	digits := small[size]
	binary.LittleEndian.PutUint32(buf[n:], digits)
	return buf[:n+int(digits>>24)]
}

// small numbers are those of up to three digits: the first digit is in the lowest byte, how many there are in the highest.
var small = func() (out [1000]uint32) {
	for v := range out {
		text := strconv.Itoa(v)
		for i, digit := range text {
			out[v] |= uint32(digit) << (8 * i)
		}
		out[v] |= uint32(len(text)) << 24
	}
	return out
}()

// appendDouble appends the shortest number that reads back the same.
func appendDouble(buf []byte, v float64) []byte {
	if out, ok := appendThousandths(buf, v); ok {
		return out
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.AppendQuote(buf, strconv.FormatFloat(v, 'g', -1, 64))
	}
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	start := len(buf)
	buf = strconv.AppendFloat(buf, v, format, -1, 64)
	for _, c := range buf[start:] {
		if c == '.' || c == 'e' {
			return buf
		}
	}
	return append(buf, ".0"...)
}

// appendThousandths appends a double that a number of at most three decimals and fifteen digits reads as. No two numbers
// of so few digits read as the same double, so that this one, without the zeros at its end, is the shortest.
//
// A decimal of at most 15 digits survives the way to a double and back (DBL_DIG of IEEE 754
// doubles), so n/1000 == v shows that the decimal is n/1000. Most doubles of rules are such:
// halves, tenths, percents.
func appendThousandths(buf []byte, v float64) (out []byte, ok bool) {
	n := int64(float64(v*1000) + math.Copysign(0.5, v))
	if n <= -1e15 || n >= 1e15 || math.Float64bits(float64(n)/1000) != math.Float64bits(v) {
		return buf, false
	}
	if n < 0 {
		buf, n = append(buf, '-'), -n
	}
	buf = appendInt(buf, n/1000)
	d := n % 1000
	buf = append(buf, '.', byte('0'+d/100), byte('0'+d/10%10), byte('0'+d%10))
	switch {
	case d%100 == 0:
		return buf[:len(buf)-2], true
	case d%10 == 0:
		return buf[:len(buf)-1], true
	}
	return buf, true
}

const hexDigits = "0123456789abcdef"

// appendString appends a string in quotes.
func appendString[T string | []byte](buf []byte, s T) []byte {
	buf = append(buf, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf || c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		buf = append(buf, s[start:i]...)
		switch c {
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\n':
			buf = append(buf, '\\', 'n')
		case '\t':
			buf = append(buf, '\\', 't')
		default:
			buf = append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(buf, s[start:]...), '"')
}

// appendName appends the name of a member and the colon behind it.
func appendName[T string | []byte](buf []byte, name T) []byte {
	return append(appendString(buf, name), ':')
}
