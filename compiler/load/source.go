package load

import "io/fs"

// Source is a tree of CUE files: a module. Name is how its files are named in diagnostics: a prefix, or "" to name them
// as they are.
type Source struct {
	FS   fs.FS
	Name string
}
