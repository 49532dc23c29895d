package workspace

import (
	"io/fs"
	"os"
)

// OpenDir is the tree of a directory. Rulesets, homebrews, cases and characters may come from strangers: nothing outside of
// the directory is read, whatever links stand in it. One that cannot be opened says so when something in it is.
func OpenDir(dir string) fs.FS {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return unopened{err}
	}
	return root.FS()
}

// unopened is a directory that cannot be opened.
type unopened struct{ why error }

// Open gives the reason.
func (u unopened) Open(string) (fs.File, error) { return nil, u.why }
