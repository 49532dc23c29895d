package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// pack returns an archive of parts, by their names.
func pack(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range parts {
		part, err := w.Create(name)
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

// Namespaces of the strict form.
const (
	strictSpace = "http://purl.oclc.org/ooxml/spreadsheetml/main"
	strictKind  = "http://purl.oclc.org/ooxml/officeDocument/relationships/"
)

// strictBook is a workbook of the strict form, with prefixes, absolute names and another main part, as some programs write.
func strictBook(sheet string) map[string]string {
	return map[string]string{
		"_rels/.rels": `<Relationships>` +
			`<Relationship Id="a" Type="` + strictKind + `officeDocument" Target="/Book/Main.xml"/>` +
			`<Relationship Id="b" Type="` + strictKind + `hyperlink" Target="http://x.invalid" TargetMode="External"/>` +
			`</Relationships>`,
		"book/main.xml": `<x:workbook xmlns:x="` + strictSpace + `" xmlns:k="` + strictKind + `">` +
			`<x:sheets><x:sheet name="Arms &amp; more" sheetId="9" k:id="s"/></x:sheets><x:definedNames>` +
			`<x:definedName name="near">'Arms &amp; more'!$A$1:$B$2</x:definedName></x:definedNames></x:workbook>`,
		"book/_rels/main.xml.rels": `<Relationships><Relationship Id="s" Type="` + strictKind + `worksheet" Target="sheet.xml"/>` +
			`<Relationship Id="t" Type="` + strictKind + `sharedStrings" Target="../strings.xml"/>` +
			`<Relationship Id="u" Type="` + strictKind + `styles" Target="styles.xml"/></Relationships>`,
		`Book\Sheet.xml`: sheet,
		"strings.xml": `<sst><si><t>plain</t></si><si>` +
			`<r><t xml:space="preserve">two </t></r><r><rPr><b/></rPr><t>runs</t></r>` +
			`<rPh><t>sound</t></rPh></si><si><t>_x0041__x005F_x0041__xD83D__xDE00_</t></si></sst>`,
		"book/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="&quot;d&quot;0"/>` +
			`<numFmt numFmtId="171" formatCode="yyyy\-mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>`,
	}
}

// TestRead reads all kinds of cells. Those without a place follow the one before.
func TestRead(t *testing.T) {
	const sheet = `<x:worksheet xmlns:x="` + strictSpace + `"><x:sheetData>
		<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c><x:c t="s"><x:v>2</x:v></x:c><x:c s="1"/></x:row>
		<x:row r="4"><x:c r="B4"><x:v>1.50</x:v></x:c><x:c s="1"><x:v>3</x:v></x:c><x:c r="E4" s="2"><x:v>3</x:v></x:c>
			<x:c s="3"><x:v>3</x:v></x:c></x:row>
		<x:row><x:c t="b"><x:v>1</x:v></x:c><x:c t="b"><x:v>false</x:v></x:c><x:c t="e"><x:f>1/0</x:f><x:v>#DIV/0!</x:v></x:c>
			<x:c t="d"><x:v>2026-01-03</x:v></x:c><x:c t="inlineStr"><x:is><x:t>in line</x:t></x:is></x:c>
			<x:c t="str"><x:f>A1</x:f><x:v>1.50</x:v></x:c><x:c><x:f t="shared" si="0"/></x:c></x:row>
		</x:sheetData><x:mergeCells><x:mergeCell ref="A1:B2"/></x:mergeCells></x:worksheet>`
	f, err := Open(pack(t, strictBook(sheet)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Arms & more"}; !reflect.DeepEqual(f.Sheets, want) {
		t.Errorf("sheets are %q, want %q", f.Sheets, want)
	}
	if want := []Name{{"near", "'Arms & more'!$A$1:$B$2"}}; !reflect.DeepEqual(f.Names, want) {
		t.Errorf("names are %q, want %q", f.Names, want)
	}
	got := map[string]Cell{}
	merged, err := f.Read(0, func(c Cell) error {
		place := CellName(c.Row, c.Column)
		c.Row, c.Column = 0, 0
		got[place] = c
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Range{{Bottom: 1, Right: 1}}; !reflect.DeepEqual(merged, want) {
		t.Errorf("merged are %v, want %v", merged, want)
	}
	want := map[string]Cell{
		"A1": {Text: "plain"}, "B1": {Text: "two runs"}, "C1": {Text: "A_x0041_\U0001F600"},
		"B4": {Kind: Number, Text: "1.50"}, "C4": {Kind: Day, Text: "3"}, "E4": {Kind: Number, Text: "3"},
		"F4": {Kind: Day, Text: "3"},
		"A5": {Kind: Truth, Text: "true"}, "B5": {Kind: Truth, Text: "false"},
		"C5": {Kind: Error, Text: "#DIV/0!", Formula: "1/0", HasFormula: true}, "D5": {Kind: Date, Text: "2026-01-03"},
		"E5": {Text: "in line"}, "F5": {Text: "1.50", Formula: "A1", HasFormula: true}, "G5": {Kind: Number, HasFormula: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestRefusals reads what is no workbook, or none that can be trusted.
func TestRefusals(t *testing.T) {
	const doctype = `<!DOCTYPE x [<!ENTITY a "b">]>`
	for cells, want := range map[string]string{
		`<row r="2"/><row r="2"/>`:                                `row "2" cannot stand behind row 2`,
		`<row r="1048577"/>`:                                      `row "1048577"`,
		`<row><c r="B1"/><c r="B1"/></row>`:                       `the cell "B1" cannot stand behind column 2 of row 1`,
		`<row><c r="A2"/></row>`:                                  `the cell "A2"`,
		`<row><c r="XFE1"/></row>`:                                `the cell "XFE1"`,
		`<row><c r="A1" t="s"><v>3</v></c></row>`:                 `the cell A1 has no shared string "3"`,
		`<row><c r="A1" t="s"><v>-1</v></c></row>`:                `the cell A1 has no shared string "-1"`,
		`<row/><mergeCells><mergeCell ref="B2:A1"/></mergeCells>`: `no range "B2:A1"`,
		`<row>`:                                "element <row> closed by </worksheet>",
		`<row/>`:                               "",
		`<row><c t="str"><v>&a;</v></c></row>`: "entity &a;",
	} {
		f, err := Open(pack(t, strictBook(doctype+"<worksheet>"+cells+"</worksheet>")), 1<<20)
		if err == nil {
			_, err = f.Read(0, func(Cell) error { return nil })
		}
		if got := fmt.Sprint(err); (err == nil) != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", cells, got, want)
		}
	}
	if _, err := Open([]byte("PK\x03\x04 and no more"), 1<<20); err == nil {
		t.Error("no archive is read")
	}
	if _, err := Open(pack(t, map[string]string{"a": "b"}), 1<<20); err == nil {
		t.Error("an archive without a workbook is read")
	}
	large, is := errors.AsType[*TooLargeError](func() error {
		_, err := Open(pack(t, strictBook(strings.Repeat(" ", 1<<20))), 1<<20)
		return err
	}())
	if !is || large.Limit != 1<<20 {
		t.Errorf("a large workbook: got %v", large)
	}
}

// TestPartsAreNoLargerThanTheySay alters the size that an archive says of a part.
func TestPartsAreNoLargerThanTheySay(t *testing.T) {
	sheet := "<worksheet>" + strings.Repeat(" ", 1<<20) + "</worksheet>"
	data := pack(t, strictBook(sheet))
	size, less := []byte{0x17, 0, 0x10, 0}, []byte{0x17, 0, 0, 0}
	if n := len(sheet); n != 0x100017 || !bytes.Contains(data, size) {
		t.Fatalf("the size %#x is not in the archive", n)
	}
	f, err := Open(bytes.ReplaceAll(data, size, less), 1<<19)
	if err == nil {
		_, err = f.Read(0, func(Cell) error { return nil })
	}
	if err == nil {
		t.Error("the part is read")
	}
}

// TestCellNames counts columns as 1 to 26, and 26 of them for each letter before.
func TestCellNames(t *testing.T) {
	for name, want := range map[string][2]int{
		"A1": {0, 0}, "Z9": {8, 25}, "AA10": {9, 26}, "AZ1": {0, 51}, "BA1": {0, 52}, "ZZ1": {0, 701}, "AAA1": {0, 702},
		"XFD1048576": {MaxRows - 1, MaxColumns - 1},
	} {
		if row, column, ok := ParseCell(name); !ok || row != want[0] || column != want[1] {
			t.Errorf("%s is row %d, column %d, %t; want %v", name, row, column, ok, want)
		}
		if got := CellName(want[0], want[1]); got != name {
			t.Errorf("%v is called %s, want %s", want, got, name)
		}
	}
	for _, name := range []string{"", "A", "1", "A0", "A01", "A-1", "A+1", "XFE1", "A1048577", "AAAA1", "A1 ", "Ä1"} {
		if row, column, ok := ParseCell(name); ok {
			t.Errorf("%q is row %d, column %d", name, row, column)
		}
	}
}

// FuzzWrite reads what was written.
func FuzzWrite(f *testing.F) {
	f.Add("axe", " a\tb\r\nc\x01 ")
	f.Add("_x0000_x0000_0", "_x0000\ufffe")
	f.Add("_x0041_", "_x005F__x0041_ <&>\"'\u00e4\ufffe")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		var out bytes.Buffer
		w := NewWriter(&out)
		for _, name := range []string{"first", "second"} {
			w.AddSheet(name)
			w.AddRow([]Cell{{Text: a}, {Text: b}})
			w.AddRow([]Cell{{}, {Kind: Number, Text: "-1.5"}})
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		book, err := Open(out.Bytes(), 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		if _, err := book.Read(1, func(c Cell) error { texts[CellName(c.Row, c.Column)] = c.Text; return nil }); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"B2": "-1.5"}
		for place, text := range map[string]string{"A1": a, "B1": b} {
			if text != "" {
				want[place] = text
			}
		}
		if !reflect.DeepEqual(texts, want) {
			t.Errorf("got %q, want %q", texts, want)
		}
	})
}

// FuzzOpen reads any bytes as the parts of a workbook: it ends with cells or with an error.
func FuzzOpen(f *testing.F) {
	f.Add(`<row r="2"><c r="B2" t="b"><v>1</v></c></row>`, "<si><t>a</t></si>")
	f.Fuzz(func(t *testing.T, rows, shared string) {
		parts := strictBook("<worksheet>" + rows + "</worksheet>")
		parts["strings.xml"] = "<sst>" + shared + "</sst>"
		book, err := Open(pack(t, parts), 1<<20)
		if err != nil {
			return
		}
		last := [2]int{-1, -1}
		_, err = book.Read(0, func(c Cell) error {
			at := [2]int{c.Row, c.Column}
			if c.Row < last[0] || c.Row == last[0] && c.Column <= last[1] {
				t.Errorf("%v stands behind %v", at, last)
			}
			last = at
			return nil
		})
		if err != nil && err.Error() == "" {
			t.Error("an error without a message")
		}
	})
}
