package builtin

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendDouble appends a double as CEL's string(double) writes it.
func AppendDouble(buf []byte, f float64) []byte { return strconv.AppendFloat(buf, f, 'g', -1, 64) }

// ParseInt returns the number of a text that CEL's int(string) accepts.
func ParseInt(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// ParseDouble returns the number of a text that CEL's double(string) accepts.
func ParseDouble(s string) (float64, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false
	}
	return f, true
}

// IndexOf returns the index of the first part in s, in code points; -1 when there is none.
func IndexOf(s, part string) int64 {
	i := strings.Index(s, part)
	if i < 0 {
		return -1
	}
	return int64(utf8.RuneCountInString(s[:i]))
}

// AppendLower appends s with the letters A to Z in lower case.
func AppendLower(buf []byte, s string) []byte { return appendCase(buf, s, 'A', 'Z') }

// AppendUpper appends s with the letters a to z in upper case.
func AppendUpper(buf []byte, s string) []byte { return appendCase(buf, s, 'a', 'z') }

// appendCase changes the case of the letters in a range of ASCII.
func appendCase(buf []byte, s string, first, last byte) []byte {
	for i := range len(s) {
		c := s[i]
		if first <= c && c <= last {
			c ^= 'a' ^ 'A'
		}
		buf = append(buf, c)
	}
	return buf
}
