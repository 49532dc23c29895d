package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/lockfile"
)

// resolveHomebrews puts the directories in the place of homebrews that --with calls by their names in the lock file.
//
// A name may mean a directory here and an entry of the lock file, and the two may differ. Then
// neither is chosen.
func (r *Releases) resolveHomebrews() error {
	for i, name := range r.w.With {
		e := r.lockedHomebrew(func(e *lockfile.Entry) bool { return e.Name == name })
		if e == nil {
			continue
		}
		dir := filepath.Join(filepath.Dir(r.name), e.Name)
		if _, err := os.Stat(name); err == nil && filepath.Clean(name) != dir {
			return fmt.Errorf("--with %s is the directory here, and the homebrew that %s names: write %s for the one "+
				"here, or %s",
				name, r.name, "."+string(filepath.Separator)+name, dir)
		}
		if err := r.checkLocked(e, dir); err != nil {
			return err
		}
		r.w.With[i] = dir
	}
	return nil
}

// lockedHomebrew returns the first homebrew of the lock file for which a condition holds; nil when there is none, or no
// lock file.
func (r *Releases) lockedHomebrew(is func(*lockfile.Entry) bool) *lockfile.Entry {
	if r.lock == nil {
		return nil
	}
	for i := range r.lock.Entries {
		if e := &r.lock.Entries[i]; e.Kind == lockfile.Homebrew && is(e) {
			return e
		}
	}
	return nil
}

// checkLocked refuses the directory of a homebrew that differs from the one of the lock file.
func (r *Releases) checkLocked(e *lockfile.Entry, dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("%s names %s, which is not there: \"rules pull -o %s\" fetches it", r.name, e.Name,
			filepath.Dir(r.name))
	}
	h, err := HomebrewModule(dir)
	if err != nil {
		return err
	}
	if digest := digestOf(&h); digest != e.Content {
		return fmt.Errorf("%s is not the homebrew that %s names: its digest is %s, not %s", dir, r.name, digest, e.Content)
	}
	return nil
}

// A foundHomebrew is the directory of a homebrew that characters name, or why there is none.
type foundHomebrew struct {
	dir string
	err error
}

// findHomebrew returns the directory of a homebrew that a character names: one of --with, or one of the lock file.
func (r *Releases) findHomebrew(named PinnedHomebrew) (string, error) {
	modules, err := r.w.homebrewModules(r.w.With)
	if err != nil {
		return "", err
	}
	for i := range modules {
		if digestOf(&modules[i]) == named.Digest {
			return modules[i].Dir, nil
		}
	}
	if e := r.lockedHomebrew(func(e *lockfile.Entry) bool { return e.Content == named.Digest }); e != nil {
		dir := filepath.Join(filepath.Dir(r.name), e.Name)
		return dir, r.checkLocked(e, dir)
	}
	for i := range modules {
		if hasID(&modules[i], named.ID) {
			return "", fmt.Errorf("the character is played with the homebrew %s, %s, and %s is now %s: play with what it "+
				"was, or pin the character anew", named.ID, named.Digest, modules[i].Dir, digestOf(&modules[i]))
		}
	}
	return "", fmt.Errorf("the character is played with the homebrew %s, %s, which is not here: name its directory with "+
		"--with, "+
		"or a lock file that has it with --plan", named.ID, named.Digest)
}

// hasID reports whether the files of a homebrew state an id, by their text alone: it is for a message, and compiling the
// homebrew of a stranger is not worth one.
func hasID(h *sandbox.Module, id string) bool {
	stated := regexp.MustCompile(`(?m)^id:\s*"` + regexp.QuoteMeta(id) + `"`)
	files, err := fs.Glob(h.Files(), "*.cue")
	return err == nil && slices.ContainsFunc(files, func(name string) bool {
		text, err := fs.ReadFile(h.Files(), name)
		return err == nil && stated.Match(text)
	})
}
