package workbook

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Kind is what the value of a cell is.
type Kind byte

// The kinds of values.
const (
	Text   Kind = iota
	Number      // as the program wrote it, 1.1000000000000001
	Truth       // true or false
	Day         // a day or an hour: mostly a number, that of days since 1900, which its format shows as a date
)

// A Cell is one of a row.
type Cell struct {
	Column  int // counted from 0
	Kind    Kind
	Text    string // the value; "" of a cell without one
	Formula string // of a cell whose formula was never computed; "=" where another cell has its text
}

// xmlCell is a cell as the part of a sheet has it.
type xmlCell struct {
	Name    string    `xml:"r,attr"`
	Style   int       `xml:"s,attr"`
	Type    string    `xml:"t,attr"`
	Formula *string   `xml:"f"`
	Value   *string   `xml:"v"`
	Text    *richText `xml:"is"`
}

// richText is a text of which parts may look differently. How it is pronounced, rPh, is left out.
type richText struct {
	Text string `xml:"t"`
	Runs []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

func (t *richText) String() string {
	out := t.Text
	for _, r := range t.Runs {
		out += r.Text
	}
	return unescape(out)
}

// readTexts reads the shared strings.
func (w *Workbook) readTexts(part string) error {
	return w.forEach(part, func(d *xml.Decoder, start xml.StartElement) error {
		if start.Name.Local != "si" {
			return nil
		}
		var t richText
		err := d.DecodeElement(&t, &start)
		w.texts = append(w.texts, t.String())
		return err
	})
}

// readStyles reads which styles of cells show a number as a day.
func (w *Workbook) readStyles(part string) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := w.decodePart(part, &styles); err != nil {
		return err
	}
	custom := map[int]string{}
	for _, f := range styles.Formats {
		custom[f.ID] = f.Code
	}
	for _, c := range styles.Cells {
		code, isCustom := custom[c.Format]
		w.days = append(w.days, isCustom && showsDay(code) || !isCustom && isDayFormat(c.Format))
	}
	return nil
}

// isDayFormat reports whether a number format that is built in shows days or hours.
func isDayFormat(n int) bool {
	return n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58
}

// showsDay reports whether a number format has letters of a date outside quotations, brackets and escapes.
func showsDay(code string) bool {
	return strings.ContainsAny(strings.ToLower(literals().ReplaceAllString(code, "")), "ymdhs")
}

var literals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"[^"]*"|\[[^\]]*\]|[\\_*].|(?i:general)`)
})

// ReadSheet reads a sheet of the workbook: it calls a function with each row that has cells, counted from 0, in their
// order, until one returns an error, which is the error of reading. The cells are those of the next row after the call.
// merged are the ranges of merged cells, A1:B2.
func (w *Workbook) ReadSheet(name string, do func(row int, cells []Cell) error) (merged []string, err error) {
	part := w.partOf[name]
	last := -1
	var cells []Cell
	var refused error // of the function
	err = w.forEach(part, func(d *xml.Decoder, start xml.StartElement) error {
		switch start.Name.Local {
		case "row":
			var row xmlRow
			if err := d.DecodeElement(&row, &start); err != nil {
				return err
			}
			n := row.Number - 1
			if row.Number == 0 {
				n = last + 1
			}
			if n <= last || n >= lastRow {
				return fmt.Errorf("row %d cannot follow row %d", n+1, last+1)
			}
			last = n
			read, err := w.readCells(cells[:0], n, row.Cells)
			if err == nil {
				cells = read
				refused = do(n, read)
				err = refused
			}
			return err
		case "mergeCell":
			for _, a := range start.Attr {
				if a.Name.Local == "ref" {
					merged = append(merged, a.Value)
				}
			}
		}
		return nil
	})
	if refused != nil {
		return nil, refused
	}
	return merged, err
}

// xmlRow is a row as the part of a sheet has it; its number, counted from 1, may be left out.
type xmlRow struct {
	Number int       `xml:"r,attr"`
	Cells  []xmlCell `xml:"c"`
}

// readCells appends the cells of a row.
func (w *Workbook) readCells(out []Cell, row int, given []xmlCell) ([]Cell, error) {
	last := -1
	for i := range given {
		c := &given[i]
		column := last + 1
		if c.Name != "" {
			named, at, ok := ParseCell(c.Name)
			if !ok || at != row || named <= last {
				return nil, fmt.Errorf("row %d has no place for a cell %q", row+1, c.Name)
			}
			column = named
		}
		last = column
		kind, text, err := w.valueOf(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", CellName(column, row), err)
		}
		cell := Cell{Column: column, Kind: kind, Text: text}
		if c.Formula != nil && c.Value == nil {
			cell.Formula = "=" + strings.TrimPrefix(*c.Formula, "=")
		}
		out = append(out, cell)
	}
	return out, nil
}

// valueOf returns the value of a cell.
func (w *Workbook) valueOf(c *xmlCell) (Kind, string, error) {
	text := ""
	if c.Value != nil {
		text = *c.Value
	}
	switch {
	case c.Text != nil:
		return Text, c.Text.String(), nil
	case text == "":
		return Text, "", nil
	}
	switch c.Type {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 || n >= len(w.texts) {
			return Text, "", fmt.Errorf("the workbook has no text %q", text)
		}
		return Text, w.texts[n], nil
	case "str": // of a formula
		return Text, unescape(text), nil
	case "b":
		return Truth, strconv.FormatBool(isTrue(strings.TrimSpace(text))), nil
	case "e":
		return Text, text, nil
	case "d":
		return Day, text, nil
	}
	if c.Style >= 0 && c.Style < len(w.days) && w.days[c.Style] {
		return Day, text, nil
	}
	return Number, text, nil
}

// DayOf returns the day that a number of days stands for. It is not ok for one that no program shows.
func (w *Workbook) DayOf(days float64) (time.Time, bool) {
	const most = 2_958_466 // the first day of the year 10000
	if !(days >= 0 && days < most) {
		return time.Time{}, false
	}
	first := time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	switch {
	case w.from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days >= 60: // the numbers have a 29 February 1900, which there was not
		days--
	}
	return first.AddDate(0, 0, int(days)), true
}
