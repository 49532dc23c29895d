package load

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// Sources returns the paths of the files of src from which one of its rulesets is compiled, in order: rules.cue, the
// packages that it imports, and the module file. A tree that has these and nothing else compiles to the same plan, because
// CUE itself was watched while it opened them. Nothing is evaluated. It is nil if a file cannot be parsed, which Release
// explains.
func Sources(src Source, ruleset string) []string {
	w := &watchedFS{FS: src.FS, opened: map[string]bool{}}
	r := newReader(Source{FS: w, Name: src.Name}, &diag.List{})
	r.only = []string{ruleset}
	if r.loadInstance(".") == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(w.opened))
}

// A watchedFS notes the files of CUE that are opened. Files may be opened at the same time.
type watchedFS struct {
	fs.FS
	mu     sync.Mutex
	opened map[string]bool
}

// Open implements fs.FS.
func (w *watchedFS) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if err == nil && path.Ext(name) == ".cue" {
		w.mu.Lock()
		w.opened[name] = true
		w.mu.Unlock()
	}
	return f, err
}
