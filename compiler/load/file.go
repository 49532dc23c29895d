package load

import (
	"io/fs"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A file is the text of a file that the author wrote.
type file struct {
	name string
	text string
	bad  int // the offset of the first thing in it that is no Unicode; -1 for none
}

// fileNamed is the text of a file by its name in diagnostics; empty when it cannot be read.
func (r *reader) fileNamed(name string) *file {
	if f, ok := r.files[name]; ok {
		return f
	}
	p := strings.TrimPrefix(strings.TrimPrefix(name, r.src.Name), "/")
	data, err := fs.ReadFile(r.src.FS, p)
	if err != nil {
		data = nil
	}
	f := &file{name: name}
	f.text, f.bad = decodeText(data)
	r.files[name] = f
	return f
}

// placeOf turns CUE's position, whose column counts bytes, into a place, whose column counts code points.
func (r *reader) placeOf(pos token.Pos) plan.Place {
	if !pos.IsValid() {
		return plan.Place{}
	}
	p := pos.Position()
	return plan.Place{File: p.Filename, Line: p.Line, Col: r.fileNamed(p.Filename).columnOf(p)}
}

func (f *file) columnOf(p token.Position) int {
	from := p.Offset - (p.Column - 1)
	if from < 0 || p.Offset > len(f.text) {
		return p.Column
	}
	return 1 + utf8.RuneCountInString(f.text[from:p.Offset])
}

// placesOf are the places of ascending byte offsets into a file, when the place of an offset not after the first is known.
func (f *file) placesOf(start plan.Place, from int, offs []int) []plan.Place {
	out := make([]plan.Place, len(offs))
	at := start
	for i, off := range offs {
		at = advancePlace(at, f.text[from:off])
		from = off
		out[i] = at
	}
	return out
}

// advancePlace is the place after a text that begins at a place.
func advancePlace(at plan.Place, text string) plan.Place {
	if n := strings.Count(text, "\n"); n > 0 {
		at.Line += n
		at.Col = 1
		text = text[strings.LastIndexByte(text, '\n')+1:]
	}
	at.Col += utf8.RuneCountInString(text)
	return at
}
