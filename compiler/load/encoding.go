package load

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/parser"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// CUE reads UTF-8, and UTF-16 with a byte order mark. What is neither it replaces by U+FFFD without a word, so that a name
// or a formula would not be what the author typed; here that is an error. It counts positions in the decoded text, which is
// why a file's text is decoded here in the same way.

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

// checkFiles reports files in the directory of a package that CUE would pass over without a word, and text that is no
// Unicode; it tells whether there are none. What CUE's own conventions leave out (@if, _test.cue, _tool.cue, names that
// begin with "_" or ".") is left out here too.
func (r *reader) checkFiles(inst *build.Instance) bool {
	ok := true
	for _, f := range inst.BuildFiles {
		file := r.fileNamed(f.Filename)
		if file.bad >= 0 {
			at := advancePlace(plan.Place{File: file.name, Line: 1, Col: 1}, file.text[:file.bad])
			r.addf("cue-syntax", at, "", "this is no Unicode text").Repair = "save the file as UTF-8"
			ok = false
		}
	}
	for _, f := range inst.IgnoredFiles {
		name := path.Base(f.Filename)
		if path.Dir(f.Filename) != path.Clean(inst.Dir) || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		clause, err := parser.ParseFile(f.Filename, r.fileNamed(f.Filename).text, parser.PackageClauseOnly)
		if err != nil {
			continue // CUE reports it
		}
		at := plan.Place{File: f.Filename, Line: 1, Col: 1}
		switch pkg := clause.PackageName(); pkg {
		case inst.PkgName:
		case "":
			r.addf("no-package", at, "", "the file has no package clause, and so nothing of it is read").Repair =
				"begin it with package " + inst.PkgName
			ok = false
		default:
			d := r.addf("no-package", at, "",
				"the file is of package %s, and the others in %s of package %s", pkg, inst.Dir, inst.PkgName)
			d.Repair = "begin it with package " + inst.PkgName + ", or put it in a directory of its own"
			ok = false
		}
	}
	return ok
}
