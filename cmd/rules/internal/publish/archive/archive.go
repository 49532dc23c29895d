// Package archive writes the files of a homebrew as one sequence of bytes, and reads them back from a stranger.
//
// The bytes are a tar file without compression, and the same files give the same bytes on every machine: the files stand
// in the order of their names, and nothing is kept of their owners, times and modes. Reading is strict. Only regular files
// have a place in it, their names must be valid on every system and stay below the directory, sizes are bounded, and
// whatever the writer would not have written is refused. So nothing hides in an archive that a digest of its files would
// not see, and nothing that it names can lie outside of the directory it is unpacked to.
package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
)

// MaxSize bounds the archive, and with it the files together. Both limits are far above any
// homebrew, and low enough that nobody's memory is filled by a stranger's file.
const (
	MaxSize  = 64 << 20 // bytes
	maxFiles = 4096
)

// A File is a file of an archive, by its path with slashes.
type File struct {
	Name string
	Data []byte
}

// PackTree returns the packed files of a tree. Files and directories whose names begin with a dot are left out: git and
// editors keep files there that are not for others. Links and other special files are refused, since whoever unpacks them
// would get something else than the author sees.
//
// The files are gathered before the first is written, because a header has the size of its file, and an error must leave no
// half of an archive.
func PackTree(tree fs.FS) ([]byte, error) {
	var files []File
	left := MaxSize
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && isHidden(name):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is no regular file, and only those can be packed", name)
		case len(files) == maxFiles:
			return fmt.Errorf("there are more than %d files", maxFiles)
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if left -= len(data); left < 0 {
			return errTooLarge
		}
		files = append(files, File{name, data})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	if err := checkNames(files); err != nil {
		return nil, err
	}
	return packFiles(files)
}

var errTooLarge = fmt.Errorf("the files together are larger than %d MiB", MaxSize>>20)

// isHidden reports whether the last part of a path begins with a dot.
func isHidden(name string) bool { return strings.HasPrefix(path.Base(name), ".") }

// packFiles writes files in the order in which they are given. The header has a fixed mode and no
// time, owner or group: these differ from machine to machine, and the digest must not.
func packFiles(files []File) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))}
		if err := w.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if out.Len() > MaxSize {
		return nil, errTooLarge
	}
	return out.Bytes(), nil
}

// Unpack reads the files of an archive that a stranger may have made. It takes apart, judges, packs
// again and compares: only an archive that PackTree would have made of these files passes. So no
// field of a header needs a check of its own.
func Unpack(data []byte) ([]File, error) {
	if len(data) > MaxSize {
		return nil, errTooLarge
	}
	var files []File
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("this is no archive of a homebrew: %w", err)
		}
		switch {
		case header.Typeflag != tar.TypeReg:
			return nil, fmt.Errorf("%q is no regular file, and an archive has only those", header.Name)
		case len(files) == maxFiles:
			return nil, fmt.Errorf("the archive has more than %d files", maxFiles)
		case header.Size > safefile.MaxInTree:
			return nil, fmt.Errorf("%q is larger than %d MiB", header.Name, safefile.MaxInTree>>20)
		}
		// The size in the header is a claim; the limit holds whatever follows.
		text, err := io.ReadAll(io.LimitReader(r, safefile.MaxInTree))
		if err != nil {
			return nil, fmt.Errorf("this is no archive of a homebrew: %w", err)
		}
		files = append(files, File{header.Name, text})
	}
	if err := checkNames(files); err != nil {
		return nil, err
	}
	again, err := packFiles(files)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, data) {
		return nil, errors.New("the archive is not written as archives of homebrews are: there is more in it than its " +
			"files")
	}
	return files, nil
}

// CheckName refuses the name of a file or directory that is not valid on every system, is more than one name, or hidden.
func CheckName(name string) error {
	if strings.Contains(name, "/") || isHidden(name) || strings.ContainsAny(name, " ") {
		return fmt.Errorf("%q is no name for a file that others get", name)
	}
	return checkPath(name)
}

// checkPath refuses a path that is not valid on every system, with the words of package module.
func checkPath(name string) error {
	err := module.CheckFilePath(name)
	if e, ok := errors.AsType[*module.InvalidPathError](err); ok {
		return fmt.Errorf("%q is no path that every system has: %w", name, e.Err)
	}
	return err
}

// checkNames refuses paths that are not in order, that some system does not allow, or of which two
// are one where upper and lower case are the same.
func checkNames(files []File) error {
	if len(files) == 0 {
		return errors.New("there are no files")
	}
	written := map[string]string{} // by the path in lower case; that of a directory ends with a slash
	for i, f := range files {
		if i > 0 && files[i-1].Name >= f.Name {
			return fmt.Errorf("%q stands after %q", f.Name, files[i-1].Name)
		}
		if err := checkPath(f.Name); err != nil {
			return err
		}
		parts := strings.Split(f.Name, "/")
		for k, part := range parts {
			if isHidden(part) {
				return fmt.Errorf("%q is hidden", f.Name)
			}
			name := strings.Join(parts[:k+1], "/")
			// Both ways, because some letters have no partner in one direction: the long s becomes
			// S and then s.
			key := strings.ToLower(strings.ToUpper(name))
			if k+1 < len(parts) {
				name += "/"
			}
			if other, seen := written[key]; seen && other != name {
				return fmt.Errorf("%q and %q are one name on some systems", other, name)
			}
			written[key] = name
		}
	}
	return nil
}
