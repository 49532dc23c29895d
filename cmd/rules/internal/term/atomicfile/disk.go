// Package atomicfile writes files that are there whole or not at all, whenever the program or the machine stops. A file
// is written under another name in the same directory, brought to the disk, and renamed; then the directory is brought to
// the disk.
//
// # Why four steps
//
// Writing in place leaves half a file when the program is killed. Writing another file and renaming
// it leaves an empty one when the machine stops, on file systems that order the rename before the
// data. So the data is brought to the disk before the rename, and the directory after it. Each step
// can fail, on a full disk most of all, and each failure leaves the old file as it was:
// disk_test.go makes every single one fail, and a test kills a process between them.
//
// WriteWhole replaces; Publish refuses to replace by other contents, under a lock, for releases;
// WriteAnswer is for a file that a user names with -o, which may also be a device or a pipe;
// WriteTree does a directory.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
)

// A Disk is how files reach the disk: the steps at which that can fail.
//
// The steps are fields so that a test can let one of them fail. TheDisk is the only value outside
// of tests.
type Disk struct {
	Write  func(*os.File, []byte) (int, error)
	Sync   func(*os.File) error
	Rename func(from, to string) error
}

// TheDisk returns the one of this machine.
func TheDisk() Disk {
	return Disk{Write: (*os.File).Write, Sync: (*os.File).Sync, Rename: os.Rename}
}

// replaceFile fills a new file and gives it its name, so that others see the old one or the new one, even when the
// machine stops. The new file is gone when that fails.
func (d Disk) replaceFile(f *os.File, name string, data []byte) (err error) {
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := d.fillFile(f, data, modeOf(name)); err != nil {
		return err
	}
	if err := d.Rename(f.Name(), name); err != nil {
		return err
	}
	return d.syncDir(filepath.Dir(name))
}

// modeOf is who may read and write the file that is replaced, or that is new.
func modeOf(name string) fs.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

// fillFile writes to a file, brings it to the disk and closes it.
func (d Disk) fillFile(f *os.File, data []byte, mode fs.FileMode) error {
	defer f.Close()
	if _, err := d.Write(f, data); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := d.Sync(f); err != nil {
		return err
	}
	return f.Close()
}

// syncDir brings the names in a directory to the disk, where the system can do that to a directory.
func (d Disk) syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := d.Sync(f); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) &&
		!errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// WriteAnswer writes the answer of a command to the named file: whole or not at all where that is a regular file, or
// becomes one. A link stays one, and a device or a pipe is written to.
func (d Disk) WriteAnswer(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	return d.WriteWhole(name, data)
}

// WriteWhole writes a file whole or not at all.
func (d Disk) WriteWhole(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "write", Path: name, Err: e.Err} // nobody asked for the other name
	}
	if err != nil {
		return err
	}
	return d.replaceFile(f, name, data)
}

// Publish writes a file that is never written anew with other contents: it is there whole, or not at all. Of two that
// publish at once one waits for the other. The part that a killed one leaves stands under a name that the next one uses
// again.
//
// The name of the part is fixed, other than in WriteWhole: the part of a killed process is overwritten by the next one, and
// cannot pile up. The lock makes that safe.
func (d Disk) Publish(name string, data []byte) error {
	dir, base := filepath.Split(name)
	unlock, err := Lock(dir)
	if err != nil {
		return err
	}
	defer unlock()
	switch old, err := safefile.Read(name); {
	case err == nil && bytes.Equal(old, data):
		return nil
	case err == nil:
		return &exit.Denial{Why: fmt.Sprintf(
			"%s is there already, and it is another: a revision is released once; give this one its own number, in "+
				"rules.cue", name)}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, "."+base+".part"), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	return d.replaceFile(f, name, data)
}
