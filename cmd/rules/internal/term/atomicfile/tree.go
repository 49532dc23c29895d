package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Lock lets one program at a time change a directory, which is made if it is not there.
func Lock(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Clean(dir), 0o777); err != nil {
		return nil, err
	}
	return lockedfile.MutexAt(filepath.Join(dir, ".releases.lock")).Lock()
}

// WriteTree writes a directory of files, by their paths with slashes, that is there whole or not at all: under another
// name beside it, and then renamed. A directory that is there already is replaced. No system can do that in one step, so
// when the machine stops between two renames the old directory stands there as .NAME.old.
func (d Disk) WriteTree(name string, files map[string][]byte) (err error) {
	parent, base := filepath.Split(filepath.Clean(name))
	parent = filepath.Clean(parent)
	part, err := os.MkdirTemp(parent, "."+base+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(part))
		}
	}()
	if err := d.fillTree(part, files); err != nil {
		return err
	}
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		if err := d.Rename(part, name); err != nil {
			return err
		}
		return d.syncDir(parent)
	}
	old := filepath.Join(parent, "."+base+".old")
	if err := os.RemoveAll(old); err != nil { // the new one was there already when it was left
		return err
	}
	if err := d.Rename(name, old); err != nil {
		return err
	}
	if err := d.Rename(part, name); err != nil {
		return errors.Join(err, d.Rename(old, name))
	}
	return errors.Join(d.syncDir(parent), os.RemoveAll(old))
}

// fillTree writes files below a directory, in which there is nothing yet. None of them can lie outside of it.
func (d Disk) fillTree(dir string, files map[string][]byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, data := range files {
		local := filepath.FromSlash(name)
		if err := root.MkdirAll(filepath.Dir(local), 0o777); err != nil {
			return err
		}
		f, err := root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		if err := d.fillFile(f, data, 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	return fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		return d.syncDir(filepath.Join(dir, filepath.FromSlash(path)))
	})
}
