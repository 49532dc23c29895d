// Package workbook reads and writes the cells of workbooks in the format XLSX: the part of Office Open XML (ECMA-376,
// ISO/IEC 29500, transitional and strict) that holds a table.
//
// A workbook is an archive of parts in XML, which name each other in lists of relationships. Of a sheet the texts of its
// cells are read, which of them are truths, numbers, days and formulas, and which are merged; nothing is computed, and
// links, macros, pictures and styles but the formats of dates are not looked at. A sheet is read cell by cell, so that a
// caller can leave it when it is too large; the strings that sheets share are kept as a whole. XML of other encodings
// than UTF-8 is refused, and entities that a part declares are not expanded, as by package encoding/xml.
package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// A File is a workbook.
type File struct {
	Sheets []string // in their order
	Names  []Name
	parts  map[string]*zip.File // by their names in small letters
	limit  int64                // bytes of a part
	sheets []string             // the name of the part of each sheet
	shared []string             // strings
	isDate []bool               // of each style of cells, whether it shows a date or a time
}

// A Name stands for a formula, most often a range of a sheet.
type Name struct {
	Name     string `xml:"name,attr"`
	RefersTo string `xml:",chardata"`
}

// A TooLargeError is a workbook that is larger than its reader allows, when unpacked.
type TooLargeError struct{ Limit int64 }

// Error names the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("it is larger than %d bytes when unpacked", e.Limit)
}

// Open reads what the sheets of a workbook share. All parts together may have so many bytes when unpacked.
func Open(data []byte, limit int64) (*File, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	f := &File{parts: map[string]*zip.File{}, limit: limit}
	var size uint64
	for _, part := range archive.File {
		if size += part.UncompressedSize64; size > uint64(limit) || part.UncompressedSize64 > uint64(limit) {
			return nil, &TooLargeError{limit}
		}
		f.parts[partName("", part.Name)] = part
	}
	root, err := f.related("")
	if err != nil {
		return nil, err
	}
	main := "xl/workbook.xml"
	for _, r := range root {
		if r.is("officeDocument") {
			main = r.part
		}
	}
	related, err := f.related(main)
	if err != nil {
		return nil, err
	}
	return f, f.readBook(main, related)
}

// readBook reads the part that lists the sheets and names, and those that belong to all sheets.
func (f *File) readBook(main string, related map[string]relation) error {
	var book struct {
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
		Names []Name `xml:"definedNames>definedName"`
	}
	if err := f.decode(main, &book); err != nil {
		return err
	}
	f.Names = book.Names
	for _, s := range book.Sheets {
		part := ""
		for _, a := range s.Attrs {
			if a.Name.Local == "id" && a.Name.Space != "" { // of relationships, in one of two namespaces
				part = related[a.Value].part
			}
		}
		f.Sheets, f.sheets = append(f.Sheets, s.Name), append(f.sheets, part)
	}
	for _, id := range slices.Sorted(maps.Keys(related)) {
		r, err := related[id], error(nil)
		switch {
		case r.is("sharedStrings"):
			err = f.readShared(r.part)
		case r.is("styles"):
			err = f.readStyles(r.part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A relation is a part that another one refers to by an id.
type relation struct{ kind, part string }

// is reports whether a relation is of a kind, in one of the two namespaces of the format.
func (r relation) is(kind string) bool { return strings.HasSuffix(r.kind, "/"+kind) }

// related returns the parts that a part refers to, by their ids; those of the archive for the empty name.
func (f *File) related(part string) (map[string]relation, error) {
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if part == "" {
		name = "_rels/.rels"
	}
	out := map[string]relation{}
	if f.parts[name] == nil {
		return out, nil
	}
	var list struct {
		Relationships []struct {
			ID     string `xml:"Id,attr"`
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
			Mode   string `xml:"TargetMode,attr"`
		} `xml:"Relationship"`
	}
	err := f.decode(name, &list)
	for _, r := range list.Relationships {
		if r.Mode != "External" {
			out[r.ID] = relation{r.Type, partName(path.Dir(part), r.Target)}
		}
	}
	return out, err
}

// partName returns the name of a part that one in a directory refers to. Programs do not agree on separators and cases.
func partName(dir, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if !strings.HasPrefix(target, "/") {
		target = path.Join(dir, target)
	}
	return strings.ToLower(strings.TrimPrefix(path.Clean(target), "/"))
}

// open returns a part that is being unpacked. Its end is an error where it is longer than the archive says.
func (f *File) open(part string) (io.ReadCloser, error) {
	file := f.parts[part]
	if file == nil {
		return nil, fmt.Errorf("it has no part %s", part)
	}
	r, err := file.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", part, err)
	}
	return &limited{r, f.limit, f.limit}, nil
}

// limited refuses to read beyond a limit.
type limited struct {
	io.ReadCloser
	left, limit int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, &TooLargeError{l.limit}
	}
	return n, err
}

// decode reads a part as a whole.
func (f *File) decode(part string, into any) error {
	r, err := f.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := xml.NewDecoder(r).Decode(into); err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	return nil
}

// walk calls a function at the start of each element of a part that has one of some names. What the function reads of the
// part, the walk does not meet.
func (f *File) walk(part string, each map[string]func(*xml.Decoder, *xml.StartElement) error) error {
	r, err := f.open(part)
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
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
		start, isStart := token.(xml.StartElement)
		if !isStart || each[start.Name.Local] == nil {
			continue
		}
		if err := each[start.Name.Local](d, &start); err != nil {
			return err
		}
	}
}

// A richText is a string in runs of different looks. What tells how to pronounce it is not part of it.
type richText struct {
	Text string `xml:"t"`
	Runs []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

func (t *richText) String() string {
	var out strings.Builder
	out.WriteString(t.Text)
	for _, r := range t.Runs {
		out.WriteString(r.Text)
	}
	return unescape(out.String())
}

// readShared reads the strings that sheets share.
func (f *File) readShared(part string) error {
	return f.walk(part, map[string]func(*xml.Decoder, *xml.StartElement) error{
		"si": func(d *xml.Decoder, start *xml.StartElement) error {
			var t richText
			err := d.DecodeElement(&t, start)
			f.shared = append(f.shared, t.String())
			return err
		},
	})
}

// readStyles reads which styles of cells show dates.
func (f *File) readStyles(part string) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := f.decode(part, &styles); err != nil {
		return err
	}
	custom := map[int]string{}
	for _, x := range styles.Formats {
		custom[x.ID] = x.Code
	}
	for _, x := range styles.Cells {
		code, isCustom := custom[x.Format]
		f.isDate = append(f.isDate, isCustom && showsDate(code) || !isCustom && isDateFormat(x.Format))
	}
	return nil
}
