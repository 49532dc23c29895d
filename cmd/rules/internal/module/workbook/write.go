package workbook

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Writer writes a workbook, sheet by sheet and row by row. Its first error is that of Close.
type Writer struct {
	archive *zip.Writer
	part    io.Writer // of the sheet that is being written
	sheets  []string
	rows    int
	err     error
}

// NewWriter returns a writer of a workbook.
func NewWriter(w io.Writer) *Writer { return &Writer{archive: zip.NewWriter(w)} }

// AddSheet begins a sheet. Its name is cut to what the format takes, and stands in the workbook once.
func (w *Writer) AddSheet(name string) {
	w.endSheet()
	w.sheets, w.rows = append(w.sheets, name[:min(len(name), MaxSheetName)]), 0
	w.beginPart(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(w.sheets)))
	w.print(`<worksheet xmlns="%s"><sheetData>`, mainSpace)
}

func (w *Writer) endSheet() {
	if len(w.sheets) > 0 {
		w.print(`</sheetData></worksheet>`)
	}
}

// AddRow appends a row to the sheet. Cells of the kind Number have texts that are numbers in decimal, all others have texts.
func (w *Writer) AddRow(cells []Cell) {
	w.rows++
	w.print(`<row r="%d">`, w.rows)
	for c, x := range cells {
		place := CellName(w.rows-1, c)
		switch {
		case x.Text == "":
		case x.Kind == Number:
			w.print(`<c r="%s"><v>%s</v></c>`, place, x.Text)
		default:
			w.print(`<c r="%s" t="inlineStr"><is><t xml:space="preserve">`, place)
			w.printText(x.Text)
			w.print(`</t></is></c>`)
		}
	}
	w.print(`</row>`)
}

// The namespaces and kinds of parts of the format, transitional.
const (
	mainSpace    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	packageSpace = "http://schemas.openxmlformats.org/package/2006/"
	kindSpace    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	contentType  = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// Close writes what the sheets share.
func (w *Writer) Close() error {
	w.endSheet()
	w.beginPart("xl/workbook.xml")
	w.print(`<workbook xmlns="%s" xmlns:r="%s"><sheets>`, mainSpace, kindSpace)
	for i, name := range w.sheets {
		w.print(`<sheet name="`)
		w.printText(name)
		w.print(`" sheetId="%d" r:id="rId%[1]d"/>`, i+1)
	}
	w.print(`</sheets></workbook>`)
	w.beginPart("xl/_rels/workbook.xml.rels")
	w.print(`<Relationships xmlns="%srelationships">`, packageSpace)
	for i := range w.sheets {
		w.print(`<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1, kindSpace)
	}
	w.print(`</Relationships>`)
	w.beginPart("_rels/.rels")
	w.print(`<Relationships xmlns="%srelationships"><Relationship Id="rId1" Type="%s/officeDocument" `+
		`Target="xl/workbook.xml"/></Relationships>`, packageSpace, kindSpace)
	w.beginPart("[Content_Types].xml")
	w.print(`<Types xmlns="%scontent-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.`+
		`relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="%ssheet.main+xml"/>`, packageSpace, contentType)
	for i := range w.sheets {
		w.print(`<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1, contentType)
	}
	w.print(`</Types>`)
	if err := w.archive.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}

func (w *Writer) beginPart(name string) {
	if w.err == nil {
		w.part, w.err = w.archive.Create(name)
	}
	w.print(xml.Header)
}

func (w *Writer) print(format string, values ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.part, format, values...)
	}
}

// printText writes a text in which XML needs escapes, and the format its own.
func (w *Writer) printText(text string) {
	if w.err == nil {
		w.err = xml.EscapeText(w.part, []byte(escape(text)))
	}
}

// escape returns a string with the escapes of the format for characters that XML has not, and for each "_" that would begin
// an escape. Whether it would, depends on what is written behind it, so the string is escaped from its end.
func escape(text string) string {
	pieces, behind := []string{}, ""
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		piece := text[len(text)-size:]
		text = text[:len(text)-size]
		isControl := r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF
		if isControl || r == '_' && beginsEscape().MatchString("_"+behind) {
			piece = fmt.Sprintf("_x%04X_", r)
		}
		pieces = append(pieces, piece)
		behind = (piece + behind)[:min(len(piece)+len(behind), len("x0000_"))]
	}
	slices.Reverse(pieces)
	return strings.Join(pieces, "")
}
