// Package release reads the states of rulesets that are compared or released, from files, directories and git, and judges
// the number of a revision by the class of its changes.
package release

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/workspace"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

const SideHelp = `A state of rulesets is a release or plan file, a directory, or git:REV. A directory is a module with
rules.cue at its root, or holds release files, of which the newest of each ruleset count. git:REV is
what the module, or else this directory, held at a revision that git knows: git:v1.2, git:HEAD~3.`

// A State is one of two states of rulesets that are compared.
type State struct {
	Called   string
	Releases []*planfile.Release
	File     bool     // it is one file, so that what it does not hold is not missing
	Warnings []string // about the files that were read
}

// ReadState reads a state of rulesets: all of them, or those named.
func ReadState(w *workspace.Workspace, spec string, only []string) (*State, error) {
	if rev, ok := strings.CutPrefix(spec, "git:"); ok {
		files, err := gitFiles(w.ModuleDir(), rev)
		if err != nil {
			return nil, err
		}
		return snapshotSide(w.Compiler(), files, spec, only)
	}
	info, err := os.Stat(spec)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		out := &State{Called: spec, File: true}
		r, err := out.readRelease(workspace.OpenDir(filepath.Dir(spec)), filepath.Base(spec), spec)
		out.Releases = []*planfile.Release{r}
		return out, err
	}
	return directorySide(w.Compiler(), spec, only)
}

// snapshotSide compiles the module in a tree of files that stands in no directory: in a copy of it.
func snapshotSide(c *sandbox.Compiler, files fs.FS, called string, only []string) (*State, error) {
	dir, err := os.MkdirTemp("", "rules-snapshot-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, files); err != nil {
		return nil, err
	}
	return ModuleSide(c, dir, called, only)
}

// directorySide reads a module, or the newest of the releases in a directory.
func directorySide(c *sandbox.Compiler, dir string, only []string) (*State, error) {
	files := workspace.OpenDir(dir)
	if _, err := fs.Stat(files, "rules.cue"); err == nil {
		return ModuleSide(c, dir, filepath.ToSlash(dir), only)
	}
	names, err := fs.Glob(files, "*"+workspace.ReleaseSuffix)
	if err != nil {
		return nil, err
	}
	out := &State{Called: dir}
	for _, name := range names {
		r, err := out.readRelease(files, name, filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		out.keepNewest(r)
	}
	if len(out.Releases) == 0 {
		return nil, fmt.Errorf("%s has neither a rules.cue nor a release: no file ends in %s", dir, workspace.ReleaseSuffix)
	}
	return out, nil
}

// keepNewest keeps a release, unless there is a newer one of its ruleset.
func (x *State) keepNewest(r *planfile.Release) {
	i := slices.IndexFunc(x.Releases, func(y *planfile.Release) bool { return y.Plan.Ruleset == r.Plan.Ruleset })
	if i < 0 {
		x.Releases = append(x.Releases, r)
		return
	}
	old, err1 := compare.ParseNumber(x.Releases[i].Plan.Revision)
	new, err2 := compare.ParseNumber(r.Plan.Revision)
	if err1 != nil || err2 == nil && old.Less(new) {
		x.Releases[i] = r
	}
}

// readRelease reads a release file, or a plan file as a release that says nothing else. It warns of instructions that are
// not those of the rules: comparing graphs does not see them.
func (x *State) readRelease(files fs.FS, name, called string) (*planfile.Release, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	r := &planfile.Release{}
	if planfile.IsRelease(data) {
		r, err = planfile.ReadRelease(data)
	} else {
		r.Plan, err = planfile.Read(data)
	}
	var foreign []string
	if err == nil {
		foreign, err = ForeignInstructions(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called, err)
	}
	if len(foreign) > 0 {
		x.Warnings = append(x.Warnings, called+": "+ForeignText(foreign))
	}
	return r, nil
}

// ModuleSide compiles what the module in a directory ships, "" for the program, or those named of it, and takes the cases
// that hold it.
func ModuleSide(c *sandbox.Compiler, dir, called string, only []string) (*State, error) {
	m := sandbox.Module{Dir: dir}
	files := m.Files()
	plans, diags := c.Release(m, compiler.Options{}, only...)
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return nil, &diag.Errors{List: workspace.PlacesUnder(called, diags)}
	}
	out := &State{Called: called}
	for _, p := range plans {
		cases, err := caseFiles(files, p.Ruleset)
		if err != nil {
			return nil, err
		}
		out.Releases = append(out.Releases, &planfile.Release{Plan: p, Cases: cases})
	}
	return out, nil
}

// caseFiles are the golden cases of a ruleset as they are written.
func caseFiles(files fs.FS, ruleset string) ([]planfile.File, error) {
	names, err := fs.Glob(files, path.Join("golden", ruleset, "*.txtar"))
	var out []planfile.File
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		out = append(out, planfile.File{Name: path.Base(name), Data: string(data)})
	}
	return out, err
}

// Of is the state of one ruleset, nil when there is none.
func (x *State) Of(ruleset string) *planfile.Release {
	for _, r := range x.Releases {
		if r.Plan.Ruleset == ruleset {
			return r
		}
	}
	return nil
}

// ParseCases are the cases of releases; of two of one name the first.
func ParseCases(releases ...*planfile.Release) ([]*golden.Case, error) {
	var out []*golden.Case
	seen := map[string]bool{}
	for _, r := range releases {
		for _, f := range r.Cases {
			if seen[f.Name] {
				continue
			}
			seen[f.Name] = true
			c, err := golden.Parse(path.Join("golden", r.Plan.Ruleset, f.Name), []byte(f.Data))
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// gitFiles are the files of a directory, "" for the current one, at a revision of the repository that it is in.
func gitFiles(dir, rev string) (fs.FS, error) {
	commit, err := runGit(dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("git:%s: git is not installed", rev)
	}
	if err != nil {
		return nil, fmt.Errorf("git:%s: git knows no such revision here%s", rev, stderrOf(err))
	}
	data, err := runGit(dir, "archive", "--format=zip", strings.TrimSpace(string(commit)))
	if err != nil {
		return nil, fmt.Errorf("git:%s: %w%s", rev, err, stderrOf(err))
	}
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("git:%s: the archive of git cannot be read: %w", rev, err)
	}
	return files, nil
}

// runGit runs the user's git in a directory and gives what it prints.
func runGit(dir string, args ...string) ([]byte, error) {
	c := exec.Command("git", args...)
	c.Dir = dir
	return c.Output()
}

// stderrOf is what a program that failed said, behind a colon.
func stderrOf(err error) string {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		if text := strings.TrimSpace(string(e.Stderr)); text != "" {
			return ": " + text
		}
	}
	return ""
}
