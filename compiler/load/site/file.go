package site

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Files are the files of a module, by the names that diagnostics use. A text is read when it is first asked for.
type Files struct {
	fs.FS
	Name   string // a prefix of what diagnostics call a file; "" for none
	byName map[string]*File
}

// A File is the text of a file that the author wrote.
type File struct {
	Name string
	Text string
	Bad  int // the offset of the first thing in it that is no Unicode; -1 for none
}

// FSPath returns the path in the tree of a file that diagnostics call so.
func (s *Files) FSPath(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, s.Name), "/")
}

// FileNamed is the text of a file by its name in diagnostics; empty when it cannot be read.
// The name has the prefix of the source (Name) and the tree has not; the text is kept, for a
// file of a large table is asked for the column of each of its cells.
func (s *Files) FileNamed(name string) *File {
	if f, ok := s.byName[name]; ok {
		return f
	}
	data, err := fs.ReadFile(s.FS, s.FSPath(name))
	if err != nil {
		data = nil
	}
	f := &File{Name: name}
	f.Text, f.Bad = decodeText(data)
	s.byName[name] = f
	return f
}

// PlaceOf turns CUE's position, whose column counts bytes, into a place, whose column counts code points.
// For "é: 1" the colon is in byte column 3 and code point column 2. Editors count UTF-16 units;
// package lsp converts.
func (s *Files) PlaceOf(pos token.Pos) plan.Place {
	if !pos.IsValid() {
		return plan.Place{}
	}
	p := pos.Position()
	return plan.Place{File: p.Filename, Line: p.Line, Col: s.FileNamed(p.Filename).columnOf(p)}
}

func (f *File) columnOf(p token.Position) int {
	from := p.Offset - (p.Column - 1)
	if from < 0 || p.Offset > len(f.Text) {
		return p.Column
	}
	return 1 + utf8.RuneCountInString(f.Text[from:p.Offset])
}

// PlacesOf are the places of ascending byte offsets into a file, when the place of an offset not after the first is known.
func (f *File) PlacesOf(start plan.Place, from int, offs []int) []plan.Place {
	out := make([]plan.Place, len(offs))
	at := start
	for i, off := range offs {
		at = AdvancePlace(at, f.Text[from:off])
		from = off
		out[i] = at
	}
	return out
}

// AdvancePlace is the place after a text that begins at a place.
func AdvancePlace(at plan.Place, text string) plan.Place {
	if n := strings.Count(text, "\n"); n > 0 {
		at.Line += n
		at.Col = 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	at.Col += utf8.RuneCountInString(text)
	return at
}

// byteOrderMark is U+FEFF in UTF-8, which CUE drops before it counts.
const byteOrderMark = "\xef\xbb\xbf"

// decodeText is the text of a file, and the byte offset in it of the first thing that is no Unicode, -1 for none.
func decodeText(data []byte) (text string, bad int) {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return decodeUTF16(data[2:], binary.LittleEndian)
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decodeUTF16(data[2:], binary.BigEndian)
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	for at := 0; at < len(data); {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			return string(data), at
		}
		at += size
	}
	return string(data), -1
}

// decodeUTF16 returns text decoded as CUE does, unpaired surrogates being U+FFFD, and the offset of the first of these in
// the result.
func decodeUTF16(data []byte, order binary.ByteOrder) (text string, bad int) {
	var b strings.Builder
	bad = -1
	for len(data) >= 2 {
		c := rune(order.Uint16(data))
		data = data[2:]
		if utf16.IsSurrogate(c) {
			low := rune(0)
			if len(data) >= 2 {
				low = rune(order.Uint16(data))
			}
			if c = utf16.DecodeRune(c, low); c != utf8.RuneError {
				data = data[2:]
			} else if bad < 0 {
				bad = b.Len()
			}
		}
		b.WriteRune(c)
	}
	if len(data) > 0 && bad < 0 {
		bad = b.Len()
	}
	return b.String(), bad
}

// FileName is how diagnostics call a file of the tree.
func (s *Files) FileName(fsPath string) string {
	return path.Join(s.Name, strings.TrimPrefix(fsPath, "/"))
}

// TextOf returns an expression as the author wrote it; "..." of one that stands in no file.
func (s *Files) TextOf(x ast.Expr) string {
	if !x.Pos().IsValid() {
		return "..."
	}
	text := s.FileNamed(x.Pos().Filename()).Text
	from, to := x.Pos().Offset(), x.End().Offset()
	if from > to || to > len(text) {
		return "..."
	}
	return text[from:to]
}
