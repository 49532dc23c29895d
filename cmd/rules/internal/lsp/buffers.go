package lsp

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"time"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// buffers are the files of a module with the texts of an editor's buffers instead of those that are opened. It does not
// change: a change makes another one.
type buffers struct {
	files fs.FS             // as saved
	texts map[string]string // by path in the module
}

// with has another text of a file.
func (b buffers) with(name, text string) buffers {
	texts := maps.Clone(b.texts)
	texts[name] = text
	return buffers{b.files, texts}
}

// without has a file as it is saved.
func (b buffers) without(name string) buffers {
	texts := maps.Clone(b.texts)
	delete(texts, name)
	return buffers{b.files, texts}
}

// A view is what one answer is about: the buffers at one time, in the encoding of the client. It serves one goroutine.
type view struct {
	buffers
	encoding encoding
	version  int
	base     fs.FS                            // of the ruleset that a homebrew changes; nil for none
	baseFile func(name string) (string, bool) // see the server
	read     map[string]*textFile
}

// text is the text of a file; empty for one that cannot be read.
func (v *view) text(name string) *textFile {
	if t := v.read[name]; t != nil {
		return t
	}
	var files fs.FS = v.buffers
	file := name
	if inBase, ok := v.baseFile(name); ok {
		files, file = v.base, inBase
	}
	data, err := fs.ReadFile(files, file)
	if err != nil {
		data = nil
	}
	v.read[name] = newTextFile(string(data))
	return v.read[name]
}

// span is the range of some code points from a place on; of no code points, the word there.
func (v *view) span(at plan.Place, length int) span {
	return v.text(at.File).spanAt(at, length, v.encoding)
}

// Open implements fs.FS.
func (b buffers) Open(name string) (fs.File, error) {
	if text, ok := b.texts[name]; ok {
		return &bufferFile{bytes.NewReader([]byte(text)), bufferInfo{path.Base(name), int64(len(text))}}, nil
	}
	return b.files.Open(name)
}

// A bufferFile is a buffer that is read as a file.
type bufferFile struct {
	*bytes.Reader
	info bufferInfo
}

func (f *bufferFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *bufferFile) Close() error               { return nil }

// bufferInfo describes a buffer as a regular file.
type bufferInfo struct {
	name string
	size int64
}

func (i bufferInfo) Name() string       { return i.name }
func (i bufferInfo) Size() int64        { return i.size }
func (i bufferInfo) Mode() fs.FileMode  { return 0o444 }
func (i bufferInfo) ModTime() time.Time { return time.Time{} }
func (i bufferInfo) IsDir() bool        { return false }
func (i bufferInfo) Sys() any           { return nil }
