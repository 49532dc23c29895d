package workbook

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// The last column and the last row that a sheet has, counted from 1: XFD, 1048576.
const (
	lastColumn = 1 << 14
	lastRow    = 1 << 20
)

// CellName returns the name of a cell, counted from 0: B7.
func CellName(column, row int) string {
	letters := ""
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		letters = string(rune('A'+(n-1)%26)) + letters
	}
	return letters + strconv.Itoa(row+1)
}

var cellName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z]{1,3})([1-9][0-9]{0,6})$`) })

// ParseCell returns the column and the row of a cell, counted from 0. It is not ok for a name of none.
func ParseCell(name string) (column, row int, ok bool) {
	m := cellName().FindStringSubmatch(name)
	if m == nil {
		return 0, 0, false
	}
	for _, letter := range strings.ToUpper(m[1]) {
		column = column*26 + int(letter-'A') + 1
	}
	row, err := strconv.Atoi(m[2])
	return column - 1, row - 1, err == nil && column <= lastColumn && row <= lastRow
}

// escape is a character of a text that XML cannot hold, or that programs write so.
var escape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_x([0-9A-Fa-f]{4})_`) })

// unescape returns a text in which characters stand for what was written in their place, _x000A_.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escape().ReplaceAllStringFunc(text, func(code string) string {
		n, _ := strconv.ParseUint(code[2:6], 16, 16) // four digits, as the pattern has it
		return string(rune(n))
	})
}

// escapeText returns a text as a cell holds it: without the characters that XML has not, and with what looks like an escape
// escaped itself.
func escapeText(text string) string {
	var out strings.Builder
	for _, r := range escape().ReplaceAllString(text, "_x005F_x${1}_") {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&out, "_x%04X_", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
