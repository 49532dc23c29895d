package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// readAll returns the cells of a sheet that have a value or a formula, by their names.
func readAll(w *Workbook, sheet string) (cells map[string]Cell, merged []string, err error) {
	cells = map[string]Cell{}
	merged, err = w.ReadSheet(sheet, func(row int, of []Cell) error {
		for _, c := range of {
			if c.Text != "" || c.Formula != "" {
				cells[CellName(c.Column, row)] = Cell{Kind: c.Kind, Text: c.Text, Formula: c.Formula}
			}
		}
		return nil
	})
	return cells, merged, err
}

const limit = 1 << 20

// TestReadsWhatItWrites reads back what is written.
func TestReadsWhatItWrites(t *testing.T) {
	rows := [][]Value{
		{{Text: "name"}, {Text: "x"}}, {{Text: " _x000D_ \r\n\t\x01<&>"}, {Number: -0.1, IsNumber: true}},
		{{Text: "=1+1"}, {Number: 1e21, IsNumber: true}}, {}, {{Text: ""}, {Text: "龍"}},
	}
	var data, again bytes.Buffer
	sheets := []Sheet{{"first", rows}, {"second", [][]Value{{{Number: 7, IsNumber: true}}}}}
	if err := errors.Join(Write(&data, sheets), Write(&again, sheets)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data.Bytes(), again.Bytes()) {
		t.Error("the same sheets are other bytes")
	}
	w, err := Open(data.Bytes(), limit)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := readAll(w, "first")
	if err != nil || got["A2"].Text != " _x000D_ \r\n\t\x01<&>" || got["B2"] != (Cell{Kind: Number, Text: "-0.1"}) || len(got) != 7 {
		t.Errorf("what was written is read as %+v, %v", got, err)
	}
	long := []Sheet{{"long", [][]Value{{{Text: strings.Repeat("é", mostText+1)}}}}}
	if err := Write(&data, long); err == nil || !strings.Contains(err.Error(), "long!A1: a cell of a workbook has at most") {
		t.Errorf("a text that is too long: got %v", err)
	}
}

const (
	rels  = `<Relationships xmlns="x">%s</Relationships>`
	rel   = `<Relationship Id="%s" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/%s" Target="%s"/>`
	sheet = `<worksheet><sheetData>%s</sheetData></worksheet>`
)

// archive returns a workbook of one sheet called s, written by hand, in which parts are replaced, or left out where they are
// "-".
func archive(t testing.TB, rows string, parts map[string]string) []byte {
	all := map[string]string{
		"_rels/.rels": fmt.Sprintf(rels, fmt.Sprintf(rel, "a", "officeDocument", "/xl/book.xml")),
		"xl/book.xml": `<workbook xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships"><sheets>` +
			`<sheet name="chart" sheetId="1" r:id="c"/><sheet name="s" sheetId="2" r:id="b"/></sheets></workbook>`,
		"xl/_rels/book.xml.rels": fmt.Sprintf(rels, fmt.Sprintf(rel, "b", "worksheet", "../xl/s.xml")+
			fmt.Sprintf(rel, "c", "chartsheet", "c.xml")+fmt.Sprintf(rel, "t", "sharedStrings", "t.xml")),
		"xl/s.xml": fmt.Sprintf(sheet, rows),
		"xl/t.xml": `<sst><si><t>zero</t></si><si><r><t>o</t></r><r><t>ne</t></r><rPh><t>wan</t></rPh></si></sst>`,
	}
	for name, text := range parts {
		if _, known := all[name]; !known {
			t.Fatalf("%s is no part", name)
		}
		all[name] = text
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range all {
		if text == "-" {
			continue
		}
		part, err := w.Create(strings.ToUpper(strings.ReplaceAll(name, "/", `\`)))
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestForms reads what the format admits and few programs write.
func TestForms(t *testing.T) {
	data := archive(t, `<row><c><v>1</v></c><c t="s"><v>1</v></c></row><row r="3"><c r="c3" t="str"><f>A1&amp;""</f><v></v></c>`+
		`<c t="d"><v>2026-01-03</v></c><c t="b"><v>true</v></c><c t="e"><v>#N/A</v></c><c t="b"/><c><f t="shared" si="0"/></c>`+
		`<c t="inlineStr"><is><t>a_x0041_</t></is></c></row><row><c><f>=B1</f></c></row>`, nil)
	w, err := Open(data, limit)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := readAll(w, "s")
	if want := map[string]Cell{
		"A1": {Kind: Number, Text: "1"}, "B1": {Text: "one"}, "D3": {Kind: Day, Text: "2026-01-03"}, "E3": {Kind: Truth, Text: "true"},
		"F3": {Text: "#N/A"}, "H3": {Formula: "="}, "I3": {Text: "aA"}, "A4": {Formula: "=B1"},
	}; err != nil || !reflect.DeepEqual(got, want) || !slices.Equal(w.Sheets, []string{"s"}) {
		t.Errorf("got %+v of %q, %v", got, w.Sheets, err)
	}
}

// TestDays holds the days that numbers stand for, of which the years before March 1900 are wrong by one in all programs.
func TestDays(t *testing.T) {
	for days, want := range map[float64]string{0: "1899-12-31", 1: "1900-01-01", 59: "1900-02-28", 61: "1900-03-01",
		46025.75: "2026-01-03", 2958465: "9999-12-31"} {
		if day, ok := new(Workbook).DayOf(days); !ok || day.Format(time.DateOnly) != want {
			t.Errorf("%v: got %v, want %s", days, day, want)
		}
	}
	if day, ok := (&Workbook{from1904: true}).DayOf(1); !ok || day.Format(time.DateOnly) != "1904-01-02" {
		t.Errorf("from 1904: got %v", day)
	}
	for _, days := range []float64{-1, 2958466} {
		if _, ok := new(Workbook).DayOf(days); ok {
			t.Errorf("%v is a day", days)
		}
	}
	for code, want := range map[string]bool{`d/\ mmm;@`: true, `0.0"days"`: false, `[Red]General\d`: false, "h:mm": true, "0.00": false} {
		if showsDay(code) != want {
			t.Errorf("%s shows a day: %v", code, !want)
		}
	}
}

// TestRefusals holds what is said of archives that are no workbooks.
func TestRefusals(t *testing.T) {
	noText := map[string]string{"xl/t.xml": "-"}
	nowhere := map[string]string{"xl/_rels/book.xml.rels": fmt.Sprintf(rels, fmt.Sprintf(rel, "b", "worksheet", "nowhere.xml"))}
	noSheet := map[string]string{"xl/_rels/book.xml.rels": fmt.Sprintf(rels, "")}
	for want, data := range map[string][]byte{
		"protected by a password":                []byte(containerMark + "..."),
		"not a valid zip file":                   []byte("PK\x03\x04"),
		"no part _rels/.rels":                    archive(t, "", map[string]string{"_rels/.rels": "-"}),
		"the archive has no workbook":            archive(t, "", map[string]string{"_rels/.rels": fmt.Sprintf(rels, "")}),
		"xl/book.xml: XML syntax error":          archive(t, "", map[string]string{"xl/book.xml": "<workbook>"}),
		"row 1 cannot follow row 2":              archive(t, `<row r="2"/><row r="1"/>`, nil),
		"row 2000000 cannot follow row 0":        archive(t, `<row r="2000000"/>`, nil),
		`row 2 has no place for a cell "A1"`:     archive(t, `<row r="2"><c r="A1"/></row>`, nil),
		`row 1 has no place for a cell "A1"`:     archive(t, `<row><c r="B1"/><c r="A1"/></row>`, nil),
		`row 1 has no place for a cell "XFE1"`:   archive(t, `<row><c r="XFE1"/></row>`, nil),
		`B1: the workbook has no text "2"`:       archive(t, `<row><c r="B1" t="s"><v>2</v></c></row>`, nil),
		"xl/s.xml: XML syntax error":             archive(t, `<row><c>`, nil),
		"it is too large":                        archive(t, strings.Repeat("<row/>", limit), nil),
		"it has no sheet":                        archive(t, "", noSheet),
		"parsing \"x\": invalid syntax":          archive(t, `<row r="x"/>`, nil),
		"the archive has no part xl/t.xml":       archive(t, "", noText),
		"the archive has no part xl/nowhere.xml": archive(t, "", nowhere),
	} {
		w, err := Open(data, limit)
		if err == nil && len(w.Sheets) > 0 {
			_, _, err = readAll(w, "s")
		}
		if got := fmt.Sprint(err); !strings.Contains(got, want) {
			t.Errorf("got %s, want %q", got, want)
		}
	}
	stop := errors.New("enough")
	w, err := Open(archive(t, "<row/><row/>", nil), limit)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	if _, err := w.ReadSheet("s", func(int, []Cell) error { rows++; return stop }); err != stop || rows != 1 {
		t.Errorf("got %v after %d rows", err, rows)
	}
}

// TestCellNames goes to names of cells and back.
func TestCellNames(t *testing.T) {
	for name, want := range map[string][2]int{"A1": {0, 0}, "Z9": {25, 8}, "AA10": {26, 9}, "ZZ1": {701, 0}, "AAA1": {702, 0},
		"XFD1048576": {lastColumn - 1, lastRow - 1}} {
		if column, row, ok := ParseCell(name); !ok || column != want[0] || row != want[1] || CellName(column, row) != name {
			t.Errorf("%s: got %d, %d, %v, which is %s", name, column, row, ok, CellName(column, row))
		}
	}
	for _, name := range []string{"", "A", "1", "A0", "XFE1", "A1048577", "A1:B2", "$A$1", "AAAA1"} {
		if _, _, ok := ParseCell(name); ok {
			t.Errorf("%q is a cell", name)
		}
	}
}

// FuzzSheet reads the part of a sheet that anybody may have written: no cell twice, none outside, and in order.
func FuzzSheet(f *testing.F) {
	f.Add(`<row><c><v>1</v></c><c t="s"><v>1</v></c></row>`)
	f.Add(`<row r="3"><c r="B3" t="inlineStr"><is><r><t>x</t></r></is></c></row>`)
	f.Fuzz(func(t *testing.T, rows string) {
		w, err := Open(archive(t, rows, nil), limit)
		if err != nil {
			t.Fatal(err)
		}
		last := -1
		_, _ = w.ReadSheet("s", func(row int, cells []Cell) error {
			if row <= last || row >= lastRow {
				t.Errorf("row %d follows row %d", row, last)
			}
			last = row
			before := -1
			for _, c := range cells {
				if c.Column <= before || c.Column >= lastColumn {
					t.Errorf("column %d follows column %d", c.Column, before)
				}
				before = c.Column
			}
			return nil
		})
	})
}
