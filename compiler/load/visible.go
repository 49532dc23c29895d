package load

import (
	"io/fs"
	"slices"
	"strings"
)

// visibleFS leaves the files out of its directories that begin with a dot. CUE reads none of them, but looks at each, and
// fails at what an editor puts beside a file that is changed: Emacs makes ".#rules.cue" a link to nothing.
type visibleFS struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (v visibleFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(v.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }), err
}
