package workspace

import (
	"io/fs"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
)

// OpenDir returns the tree of a directory. Rulesets, homebrews, cases and characters may come from strangers: nothing
// outside of the directory is read, whatever links stand in it, and nothing but regular files.
func OpenDir(dir string) fs.FS { return safefile.Tree(dir) }
