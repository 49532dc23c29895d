package runtime

import (
	"encoding/binary"
	"math"
	"strconv"
)

// appendInt appends an int. A small one is written without asking for its sign, which no processor can foresee.
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

func appendBool(buf []byte, bits int64) []byte {
	if bits != 0 {
		return append(buf, "true"...)
	}
	return append(buf, "false"...)
}

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
