package sandbox

import (
	"io/fs"

	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler/load"
)

// A Module is where the files of a module are.
type Module struct {
	Dir     string            // its directory; "" for what ships with the program
	Name    string            // how its files are named in diagnostics: see load.Source
	Patched map[string][]byte // texts of files by their paths from its root, instead of those on the disk
	Held    *txtar.Archive    // all of its files, which txtar.FS takes, where they lie in no directory
}

// Files returns the tree of the module.
func (m *Module) Files() fs.FS {
	var files fs.FS = rules.Files
	switch {
	case m.Held != nil:
		var err error
		files, err = txtar.FS(m.Held)
		must.Succeed(err)
	case m.Dir != "":
		files = safefile.Tree(m.Dir)
	}
	if len(m.Patched) > 0 {
		files = patchedFS{files, m.Patched}
	}
	return files
}

// source returns the module as the compiler reads it.
func (m *Module) source() load.Source { return load.Source{FS: m.Files(), Name: m.Name} }
