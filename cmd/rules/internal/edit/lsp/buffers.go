package lsp

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"time"
)

// buffers are the files of a module with the texts of an editor's buffers instead of those that are opened. It does not
// change: a change makes another one.
//
// It is a file system, so that what reads cases and statements reads the screen without knowing of
// editors. Only files are replaced and never directories: a buffer that was never saved is opened by
// its name, and does not appear in a listing.
type buffers struct {
	files fs.FS             // as saved
	texts map[string]string // by path in the module
}

// withText returns the buffers with another text of a file.
func (b buffers) withText(name, text string) buffers {
	texts := maps.Clone(b.texts)
	texts[name] = text
	return buffers{b.files, texts}
}

// withoutText returns the buffers without a text of a file: it is read as it was saved.
func (b buffers) withoutText(name string) buffers {
	texts := maps.Clone(b.texts)
	delete(texts, name)
	return buffers{b.files, texts}
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
