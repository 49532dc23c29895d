package safefile

import (
	"fmt"
	"io/fs"
	"os"
)

// MaxInTree is the size in bytes of the largest file of a directory that is read: a source, a case, a character.
const MaxInTree = 16 << 20

// Tree returns the tree of a directory. Nothing outside of the directory is read, whatever links stand in it, and nothing
// but regular files. A directory that cannot be opened says so when something in it is.
func Tree(dir string) fs.FS {
	// Opening a pipe as a root waits for somebody to write to it.
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return unopened{fmt.Errorf("%s is no directory", dir)}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return unopened{err}
	}
	return tree{root}
}

type tree struct{ root *os.Root }

// Open implements fs.FS.
func (t tree) Open(name string) (fs.File, error) {
	info, err := t.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return t.root.FS().Open(name)
	}
	if err := checkRegular(info, name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := t.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = checkRegular(info, name)
	}
	if err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &boundedFile{File: f, left: MaxInTree}, nil
}

// Stat implements fs.StatFS.
func (t tree) Stat(name string) (fs.FileInfo, error) { return fs.Stat(t.root.FS(), name) }

// ReadDir implements fs.ReadDirFS.
func (t tree) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(t.root.FS(), name) }

// checkRegular refuses a file that is no regular one within the size of a file of a tree.
func checkRegular(info fs.FileInfo, name string) error {
	if info.Mode()&fs.ModeNamedPipe != 0 {
		return errNotRegular
	}
	return checkKind(info, name, MaxInTree)
}

// errNotRegular is of a pipe where no stream is meant.
var errNotRegular = errorText("it is no regular file")

type errorText string

func (e errorText) Error() string { return string(e) }

// A boundedFile ends with an error when more is read than a file of a tree may have.
type boundedFile struct {
	*os.File
	left int64
}

// Read implements io.Reader.
func (f *boundedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if f.left -= int64(n); f.left < 0 {
		return n, tooLarge(f.Name(), MaxInTree)
	}
	return n, err
}

// unopened is a directory that cannot be opened.
type unopened struct{ why error }

// Open returns the reason.
func (u unopened) Open(string) (fs.File, error) { return nil, u.why }
