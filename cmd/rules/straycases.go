package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A case that stands where nobody looks for cases passes in silence: in the directory of a ruleset that there is not, in a
// directory below that of a ruleset, beside the tables, or in a file that is called x.txt.

// A caseFinder finds cases that are not played.
type caseFinder struct {
	files  fs.FS
	called string // the name of the directory of files
	// known are the rulesets, of which golden has a directory each; nil in a homebrew, where golden has the cases itself.
	known   []string
	unknown map[string]bool // rulesets that are missing, each reported once
	stray   []error
}

// findStrayCases returns an error for each case of the module, or of its homebrew, that nobody plays.
func findStrayCases(s *settings, plans []*plan.Plan) error {
	f := &caseFinder{files: s.Files(), called: filepath.ToSlash(s.ModuleDir()), unknown: map[string]bool{}}
	if len(s.With) > 0 {
		last := s.With[len(s.With)-1]
		f.files, f.called = workspace.OpenDir(last), filepath.ToSlash(last)
		return f.search("golden")
	}
	for _, p := range plans {
		f.known = append(f.known, p.Ruleset)
	}
	return f.search("golden", "tables")
}

// search walks through directories, except those of other modules.
func (f *caseFinder) search(dirs ...string) error {
	for _, dir := range dirs {
		err := fs.WalkDir(f.files, dir, func(name string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist) && name == dir:
				return fs.SkipDir
			case err != nil:
				return err
			case e.IsDir() && isOtherModule(f.files, name):
				return fs.SkipDir
			case e.IsDir() || f.isPlayed(name) || !f.isCase(name):
				return nil
			}
			f.report(name)
			return nil
		})
		if err != nil {
			f.stray = append(f.stray, err)
		}
	}
	return errors.Join(f.stray...)
}

// isOtherModule reports whether a directory is a module, or has modules in it that share their cases.
func isOtherModule(files fs.FS, dir string) bool {
	for _, name := range []string{"cue.mod", "rules.cue"} {
		if _, err := fs.Stat(files, path.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// isPlayed reports whether "rules test" reads a file.
func (f *caseFinder) isPlayed(name string) bool {
	if path.Ext(name) != ".txtar" {
		return false
	}
	dir := path.Dir(name)
	if f.known == nil {
		return dir == "golden"
	}
	return path.Dir(dir) == "golden" && slices.Contains(f.known, path.Base(dir))
}

// isCase reports whether a file is named and begins like a case; there are other archives too.
func (f *caseFinder) isCase(name string) bool {
	lower := strings.ToLower(path.Base(name))
	isText := strings.HasSuffix(lower, ".txt") || strings.Contains(lower, ".txtar")
	if !isText && !slices.Contains(strings.Split(path.Dir(name), "/"), "golden") {
		return false
	}
	text, err := fs.ReadFile(f.files, name)
	return err == nil && golden.BeginsCase(text)
}

// report adds the error of a case that is not played: that its ruleset is missing, or where it belongs.
func (f *caseFinder) report(name string) {
	dir := path.Dir(name)
	ruleset := path.Base(dir)
	if f.known != nil && path.Ext(name) == ".txtar" && dir == path.Join("golden", ruleset) {
		if !f.unknown[ruleset] {
			f.unknown[ruleset] = true
			f.stray = append(f.stray, fmt.Errorf("%s: nobody plays these cases: %w", path.Join(f.called, dir),
				&runtime.UnknownError{What: "ruleset", Name: ruleset, Known: f.known}))
		}
		return
	}
	belongs := "golden/<ruleset>/<name>.txtar"
	if f.known == nil {
		belongs = "golden/<name>.txtar"
	}
	f.stray = append(f.stray, fmt.Errorf("%s: nobody plays this case: cases are %s", path.Join(f.called, name), belongs))
}
