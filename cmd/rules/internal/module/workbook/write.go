package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// MostName is how many characters the name of a sheet may have.
const MostName = 31

// mostText is how many characters a cell may have.
const mostText = 32_767

// A Sheet is one to be written.
type Sheet struct {
	Name string
	Rows [][]Value
}

// A Value is that of a cell: a number, or else a text, which no program takes for a formula.
type Value struct {
	Text     string
	Number   float64 // finite
	IsNumber bool
}

const (
	officeNames  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageNames = "http://schemas.openxmlformats.org/package/2006"
	sheetNames   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	sheetTypes   = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// Write writes a workbook of sheets, whose names differ and are those of identifiers. The same sheets are the same bytes.
func Write(to io.Writer, sheets []Sheet) error {
	var types, list, relations bytes.Buffer
	for i, s := range sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1,
			sheetTypes)
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%[2]d"/>`, s.Name, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1,
			officeNames)
	}
	archive := zip.NewWriter(to)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", `<Types xmlns="` + packageNames + `/content-types"><Default Extension="rels" ContentType="` +
			`application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` +
			sheetTypes + `sheet.main+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + packageNames + `/relationships"><Relationship Id="rId1" ` +
			`Type="` + officeNames + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="` + sheetNames + `" xmlns:r="` + officeNames + `"><sheets>` + list.String() +
			`</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageNames + `/relationships">` + relations.String() +
			`</Relationships>`},
	} {
		if err := writePart(archive, part.name, []byte(part.text)); err != nil {
			return err
		}
	}
	for i, s := range sheets {
		text, err := s.partText()
		if err == nil {
			err = writePart(archive, fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), text)
		}
		if err != nil {
			return err
		}
	}
	return archive.Close()
}

func writePart(archive *zip.Writer, name string, text []byte) error {
	w, err := archive.Create(name) // without the time, which would be another one each time
	if err == nil {
		_, err = w.Write(append([]byte(xml.Header), text...))
	}
	return err
}

// partText returns the part of a sheet. Its texts stand in their cells, and not in a part of their own: programs read both.
func (s *Sheet) partText() ([]byte, error) {
	out := new(bytes.Buffer)
	fmt.Fprintf(out, `<worksheet xmlns="%s"><sheetData>`, sheetNames)
	for r, row := range s.Rows {
		fmt.Fprintf(out, `<row r="%d">`, r+1)
		for c, v := range row {
			name := CellName(c, r)
			switch {
			case v.IsNumber:
				fmt.Fprintf(out, `<c r="%s"><v>%s</v></c>`, name, strconv.FormatFloat(v.Number, 'g', -1, 64))
			case utf8.RuneCountInString(v.Text) > mostText:
				return nil, fmt.Errorf("%s!%s: a cell of a workbook has at most %d characters", s.Name, name, mostText)
			case v.Text != "":
				fmt.Fprintf(out, `<c r="%s" t="inlineStr"><is><t xml:space="preserve">`, name)
				if err := xml.EscapeText(out, []byte(escapeText(v.Text))); err != nil {
					return nil, err
				}
				out.WriteString(`</t></is></c>`)
			}
		}
		out.WriteString(`</row>`)
	}
	out.WriteString(`</sheetData></worksheet>`)
	return out.Bytes(), nil
}
