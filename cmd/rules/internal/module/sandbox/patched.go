package sandbox

import (
	"bytes"
	"io/fs"
	"path"
	"time"
)

// A patchedFS is a tree in which some files have another text.
type patchedFS struct {
	fs.FS
	files map[string][]byte
}

// Open implements fs.FS.
func (f patchedFS) Open(name string) (fs.File, error) {
	data, ok := f.files[name]
	if !ok {
		return f.FS.Open(name)
	}
	return &patchedFile{Reader: bytes.NewReader(data), name: path.Base(name)}, nil
}

// A patchedFile is a file in memory, and what is known of it.
type patchedFile struct {
	*bytes.Reader
	name string
}

// Stat implements fs.File.
func (f *patchedFile) Stat() (fs.FileInfo, error) { return f, nil }

// Close implements fs.File.
func (f *patchedFile) Close() error { return nil }

// Name implements fs.FileInfo.
func (f *patchedFile) Name() string { return f.name }

// Mode implements fs.FileInfo.
func (f *patchedFile) Mode() fs.FileMode { return 0o444 }

// ModTime implements fs.FileInfo.
func (f *patchedFile) ModTime() time.Time { return time.Time{} }

// IsDir implements fs.FileInfo.
func (f *patchedFile) IsDir() bool { return false }

// Sys implements fs.FileInfo.
func (f *patchedFile) Sys() any { return nil }
