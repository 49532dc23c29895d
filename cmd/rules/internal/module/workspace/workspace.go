// Package workspace finds and compiles the rulesets that a command works on: those of the module around the current
// directory, of --dir or of the program, changed by the homebrews of --with, or those of a plan file.
package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/trust"
)

// A Workspace is the rulesets that a command line chooses: those of a module, changed by homebrews.
type Workspace struct {
	Dir  string   // as --dir says
	With []string // directories of homebrews, in the order in which they are applied

	NoCache bool // compile what strangers wrote, whether its reply is kept or not

	Patched map[string][]byte // of homebrews: texts of files, instead of those on the disk

	compiler sandbox.Compiler
}

// Compiler compiles modules where it is safe: see package sandbox.
func (w *Workspace) Compiler() *sandbox.Compiler {
	w.compiler.Trusts = trust.Trusts
	if !w.NoCache {
		w.compiler.Cache = cache.UserCache()
	}
	return &w.compiler
}

// CheckTrust refuses to read the module's CUE in this process, without the bounds that hold for strangers, unless its
// directory is trusted. The shipped rulesets are.
func (w *Workspace) CheckTrust() error {
	dir := w.ModuleDir()
	if dir == "" || trust.Trusts(dir) {
		return nil
	}
	return fmt.Errorf("the module in %s is not trusted, and would be read here without bounds: look at it, then \"rules "+
		"trust add %s\"",
		filepath.ToSlash(dir), filepath.ToSlash(dir))
}

// Files returns the module whose rulesets are used.
func (w *Workspace) Files() fs.FS {
	if dir := w.ModuleDir(); dir != "" {
		return OpenDir(dir)
	}
	return rules.Files
}

// ModuleDir returns the directory of the module whose rulesets are used: that of --dir, or else the nearest one that the
// current directory lies in; "" for those that ship.
func (w *Workspace) ModuleDir() string {
	if w.Dir != "" {
		return w.Dir
	}
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	for dir := "."; ; dir = filepath.Join("..", dir) {
		if isModule(dir) {
			return dir
		}
		if here == filepath.Dir(here) {
			return ""
		}
		here = filepath.Dir(here)
	}
}

// isModule reports whether rulesets ship from a directory.
func isModule(dir string) bool {
	for _, name := range []string{"rules.cue", "cue.mod"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}
