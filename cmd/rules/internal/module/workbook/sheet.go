package workbook

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"
)

// Limits of a sheet, which the format sets.
const (
	MaxColumns   = 16_384
	MaxRows      = 1_048_576
	MaxSheetName = 31 // characters
)

// A Kind says what the text of a cell is.
type Kind uint8

// The kinds of cells.
const (
	Text   Kind = iota
	Number      // as its program wrote it
	Day         // the number of a day and of the time in it, which its format shows as a date or a time
	Date        // a date as text, 2026-01-03
	Truth       // "true" or "false"
	Error       // of a formula: #DIV/0!
)

// A Cell is one that has a text or a formula.
type Cell struct {
	Row, Column int // counted from 0
	Kind        Kind
	Text        string // of a formula, its value; "" when it has none yet
	Formula     string // without "="; "" of one that repeats the formula of another cell
	HasFormula  bool
}

// A Range is an area of a sheet, whose limits are counted from 0 and belong to it.
type Range struct{ Top, Left, Bottom, Right int }

// Read calls a function for each cell of a sheet, by its index, row by row, and returns the ranges whose cells are merged.
// Cells without a text and a formula are left out.
func (f *File) Read(sheet int, each func(Cell) error) (merged []Range, err error) {
	row, column := -1, -1 // of the last cell: programs may leave out where a cell stands when it follows that
	err = f.walk(f.sheets[sheet], map[string]func(*xml.Decoder, *xml.StartElement) error{
		"row": func(_ *xml.Decoder, start *xml.StartElement) error {
			row, column = row+1, -1
			if text := attribute(start, "r"); text != "" {
				n, err := strconv.Atoi(text)
				if err != nil || n <= row || n > MaxRows {
					return fmt.Errorf("row %q cannot stand behind row %d", text, row)
				}
				row = n - 1
			}
			return nil
		},
		"c": func(d *xml.Decoder, start *xml.StartElement) error {
			var x cell
			if err := d.DecodeElement(&x, start); err != nil {
				return err
			}
			column++
			if x.Place != "" {
				r, c, ok := ParseCell(x.Place)
				if !ok || r != row || c < column {
					return fmt.Errorf("the cell %q cannot stand behind column %d of row %d", x.Place, column, row+1)
				}
				column = c
			}
			out, err := f.cellOf(&x)
			if err != nil || out.Text == "" && !out.HasFormula {
				return err
			}
			out.Row, out.Column = row, column
			return each(out)
		},
		"mergeCell": func(_ *xml.Decoder, start *xml.StartElement) error {
			r, ok := ParseRange(attribute(start, "ref"))
			if !ok {
				return fmt.Errorf("merged cells have no range %q", attribute(start, "ref"))
			}
			merged = append(merged, r)
			return nil
		},
	})
	return merged, err
}

func attribute(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// A cell is one as its sheet writes it.
type cell struct {
	Place   string   `xml:"r,attr"`
	Style   int      `xml:"s,attr"`
	Type    string   `xml:"t,attr"`
	Value   string   `xml:"v"`
	Inline  richText `xml:"is"`
	Formula *string  `xml:"f"`
}

// cellOf returns what a cell says.
func (f *File) cellOf(x *cell) (out Cell, err error) {
	out.Text = x.Value
	switch x.Type {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(x.Value))
		if err != nil || i < 0 || i >= len(f.shared) {
			return out, fmt.Errorf("the cell %s has no shared string %q", x.Place, x.Value)
		}
		out.Text = f.shared[i]
	case "inlineStr":
		out.Text = x.Inline.String()
	case "str": // the value of a formula
		out.Text = unescape(x.Value)
	case "b":
		if out.Kind = Truth; x.Value != "" {
			out.Text = strconv.FormatBool(x.Value == "1" || strings.EqualFold(x.Value, "true"))
		}
	case "d":
		out.Kind = Date
	case "e":
		out.Kind = Error
	default:
		if out.Kind = Number; x.Style > 0 && x.Style < len(f.isDate) && f.isDate[x.Style] {
			out.Kind = Day
		}
	}
	if x.Formula != nil {
		out.HasFormula, out.Formula = true, strings.TrimPrefix(*x.Formula, "=")
	}
	return out, nil
}

// DateOf returns the date of a day, which is counted from 30 December 1899; before March 1900 programs differ by one. It
// reports whether the format has such a day.
func DateOf(day float64) (time.Time, bool) {
	const last = 2_958_465 // 31 December 9999
	if !(day >= 0 && day < last+1) {
		return time.Time{}, false
	}
	return time.Date(1899, 12, 30+int(day), 0, 0, 0, 0, time.UTC), true
}

// isDateFormat reports whether a number format that is built in shows days or hours.
func isDateFormat(id int) bool {
	return id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58
}

// showsDate reports whether a number format has letters of a date outside quotations, brackets and escapes.
func showsDate(format string) bool {
	return strings.ContainsAny(strings.ToLower(literalsOfFormat().ReplaceAllString(format, "")), "ymdhs")
}

var literalsOfFormat = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"[^"]*"|\[[^\]]*\]|[\\_*].|(?i:general)`)
})

// An escape is a unit of UTF-16 for which XML has no character, or "_" before what looks like an escape.
var (
	beginsEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^_x[0-9A-Fa-f]{4}_`) })
	escapes      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:_x[0-9A-Fa-f]{4}_)+`) })
)

// unescape returns a string without the escapes of the format: _x000D_ is a carriage return.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escapes().ReplaceAllStringFunc(text, func(run string) string {
		var units []uint16
		for unit := range slices.Chunk([]byte(run), len("_x0000_")) {
			n, _ := strconv.ParseUint(string(unit[2:6]), 16, 16)
			units = append(units, uint16(n))
		}
		return string(utf16.Decode(units))
	})
}

// ParseCell returns where a cell stands, counted from 0: row 6 and column 2 of C7.
func ParseCell(name string) (row, column int, ok bool) {
	letters := 0
	for letters < len(name) && letters < 4 {
		c := name[letters] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		column = 26*column + int(c-'A') + 1
		letters++
	}
	digits := name[letters:]
	row, err := strconv.Atoi(digits)
	if err != nil || letters == 0 || digits[0] < '1' || digits[0] > '9' || column > MaxColumns || row > MaxRows {
		return 0, 0, false
	}
	return row - 1, column - 1, true
}

// ParseRange returns a range of cells, or of one: A1:C7.
func ParseRange(text string) (r Range, ok bool) {
	first, last, isLong := strings.Cut(text, ":")
	if !isLong {
		last = first
	}
	var isCell bool
	if r.Top, r.Left, ok = ParseCell(first); ok {
		r.Bottom, r.Right, isCell = ParseCell(last)
	}
	return r, isCell && r.Top <= r.Bottom && r.Left <= r.Right
}

// CellName returns the name of a cell, counted from 0: C7 of row 6 and column 2.
func CellName(row, column int) string {
	var letters []byte
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		letters = append(letters, byte('A'+(n-1)%26))
	}
	slices.Reverse(letters)
	return string(letters) + strconv.Itoa(row+1)
}
