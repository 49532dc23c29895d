// Package workbook reads and writes workbooks of spreadsheet programs, XLSX, as far as a table needs them: the values of
// cells, which cells are merged, and which ranges have a name.
//
// A workbook is a ZIP archive of parts in XML (ECMA-376, part 1, 5th edition). A part names others by identifiers, which a
// part of relationships beside it resolves:
//
//	_rels/.rels ─ officeDocument ─> xl/workbook.xml                   names of sheets and of ranges, each sheet's identifier
//	xl/_rels/workbook.xml.rels ─┬─ worksheet ─> xl/worksheets/*.xml   rows of cells, merged cells
//	                            ├─ sharedStrings ─> …                 texts, which cells name by their position
//	                            └─ styles ─> …                        formats of numbers: a date is a number, shown as one
//
// Nothing is computed: the value of a formula is what its program kept beside it. Charts, links, macros and protection are
// not looked at. Parts are read as streams, so that a sheet takes no more memory than what is kept of its rows.
package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// A Workbook is an archive whose sheets can be read.
type Workbook struct {
	Sheets []string // their names, in the order of the workbook
	Names  []Name

	parts    map[string]*zip.File // by their names in small letters
	partOf   map[string]string    // of each sheet
	texts    []string             // the shared strings
	days     []bool               // of each style of cells, whether it shows a number as a day or an hour
	from1904 bool                 // days are counted from 1904, and not from 1900
	left     int64                // bytes that may still be unpacked
}

// A Name is a range that has a name, or anything else that has one: RefersTo is Sheet!$A$1:$C$7, or a formula.
type Name struct {
	Name     string `xml:"name,attr"`
	RefersTo string `xml:",chardata"`
}

// ErrTooLarge is why a workbook is refused that has more bytes than the limit when it is unpacked.
var ErrTooLarge = errors.New("it is too large")

// errProtected is why a file is refused that is no archive, but the container of an encrypted one, or of the format before.
var errProtected = errors.New("it is protected by a password, or in the format of Excel 97: save it without, as .xlsx")

// containerMark begins a compound file, in which encrypted workbooks are.
const containerMark = "\xd0\xcf\x11\xe0"

// Open reads everything but the sheets, which ReadSheet reads. No more than limit bytes are unpacked of all parts together.
func Open(data []byte, limit int64) (*Workbook, error) {
	if bytes.HasPrefix(data, []byte(containerMark)) {
		return nil, errProtected
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	w := &Workbook{parts: map[string]*zip.File{}, partOf: map[string]string{}, left: limit}
	for _, f := range archive.File {
		w.parts[partKey(f.Name)] = f
	}
	root, err := w.relationships("", "officeDocument")
	if err != nil {
		return nil, err
	}
	if len(root) == 0 {
		return nil, errors.New("the archive has no workbook")
	}
	if err := w.readMain(root[0].Target); err != nil {
		return nil, err
	}
	return w, nil
}

// partKey returns the name under which a part is kept: some programs write other capitals or backslashes.
func partKey(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// readMain reads the part that lists the sheets, and those that it relates to.
func (w *Workbook) readMain(part string) error {
	var main struct {
		Properties struct {
			From1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"` // r:id; a sheet's own number is sheetId
		} `xml:"sheets>sheet"`
		Names []Name `xml:"definedNames>definedName"`
	}
	if err := w.decodePart(part, &main); err != nil {
		return err
	}
	sheets, err := w.relationships(part, "worksheet")
	if err != nil {
		return err
	}
	for _, s := range main.Sheets {
		// others are of charts
		if k := slices.IndexFunc(sheets, func(r relationship) bool { return r.ID == s.ID }); k >= 0 {
			w.Sheets = append(w.Sheets, s.Name)
			w.partOf[s.Name] = sheets[k].Target
		}
	}
	if len(w.Sheets) == 0 {
		return errors.New("it has no sheet with cells")
	}
	w.from1904 = isTrue(main.Properties.From1904)
	isReserved := func(n Name) bool { return strings.HasPrefix(n.Name, "_xlnm.") } // areas to print
	w.Names = slices.DeleteFunc(main.Names, isReserved)
	if err := w.readRelated(part, "sharedStrings", w.readTexts); err != nil {
		return err
	}
	return w.readRelated(part, "styles", w.readStyles)
}

// readRelated reads the parts of a kind that a part relates to.
func (w *Workbook) readRelated(part, kind string, read func(part string) error) error {
	related, err := w.relationships(part, kind)
	for i := 0; err == nil && i < len(related); i++ {
		err = read(related[i].Target)
	}
	return err
}

func isTrue(text string) bool { return text == "1" || strings.EqualFold(text, "true") }

// A relationship is what a part relates to.
type relationship struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"` // a part, once it is read
}

// relationships returns those of a kind that a part has, in the order of the archive; those of the archive itself for "".
func (w *Workbook) relationships(part, kind string) (out []relationship, err error) {
	var related struct {
		All []relationship `xml:"Relationship"`
	}
	directory, name := path.Split(part)
	if err := w.decodePart(directory+"_rels/"+name+".rels", &related); err != nil {
		return nil, err
	}
	for _, r := range related.All {
		if path.Base(r.Type) != kind { // the address before it differs between the two editions of the format
			continue
		}
		if r.Target = strings.ReplaceAll(r.Target, `\`, "/"); !strings.HasPrefix(r.Target, "/") {
			r.Target = directory + r.Target
		}
		r.Target = path.Clean(strings.TrimPrefix(r.Target, "/"))
		out = append(out, r)
	}
	return out, nil
}

// openPart returns what a part holds, unpacked.
func (w *Workbook) openPart(part string) (io.ReadCloser, error) {
	f := w.parts[partKey(part)]
	if f == nil {
		return nil, fmt.Errorf("the archive has no part %s", part)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", part, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{&limited{r, &w.left}, r}, nil
}

// limited reads no more bytes than are left to all that is read.
type limited struct {
	from io.Reader
	left *int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if *l.left -= int64(n); *l.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

// decodePart reads the whole of a part.
func (w *Workbook) decodePart(part string, into any) error {
	r, err := w.openPart(part)
	if err != nil {
		return err
	}
	defer r.Close()
	return partError(part, xml.NewDecoder(r).Decode(into))
}

// partError says in which part an error is.
func partError(part string, err error) error {
	if err == nil || errors.Is(err, ErrTooLarge) {
		return err
	}
	return fmt.Errorf("%s: %w", part, err)
}

// forEach calls a function with the start of each element of a part, which may read the element from the decoder.
func (w *Workbook) forEach(part string, do func(*xml.Decoder, xml.StartElement) error) error {
	r, err := w.openPart(part)
	if err != nil {
		return err
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if start, ok := token.(xml.StartElement); ok && err == nil {
			err = do(d, start)
		}
		if err != nil {
			return partError(part, err)
		}
	}
}
