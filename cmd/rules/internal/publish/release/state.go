// Package release reads the states of rulesets that are compared or released, from files, directories and git, and judges
// the number of a revision by the class of its changes.
//
// # One release
//
// "rules release --against zones-0.1.0.rules zones" in a module whose rules.cue says revision
// 0.2.0. ModuleSide compiles the module in a worker and takes its golden cases; ReadState reads the
// earlier file. makeRelease plays the cases of the new one; then it compares the plans (package
// revisions), with the cases of both: suppose that an output has another number. The class is
// NUMBERS, nothing breaks, and compare.Number.Next gives 0.2.0 as the least number that may follow
// 0.1.0: it is allowed, 0.1.1 would be refused. The comparison becomes the first entry of the
// changelog, the sources are added, and planfile.WriteRelease gives the bytes that a command writes
// and signs.
//
// state.go finds what is compared: a file, a directory of files, a module, or a revision of git,
// which git.go reads and which is copied to a temporary directory. make.go judges and makes releases. instructions.go
// compares the stored instructions of a file with those that this program makes of its graphs.
//
// Invariant: a release is never written whose cases fail, or whose number is too small for its
// change.
package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

const SideHelp = `A state of rulesets is a release or plan file, a directory, or git:REV. A directory is a module with
rules.cue at its root, or holds release files, of which the newest of each ruleset count. git:REV is
what the module, or else this directory, held at a revision that git knows: git:v1.2, git:HEAD~3.`

// A State is one of two states of rulesets that are compared.
//
// States of four kinds are brought to one form, plans with their cases, so that whatever is
// compared or judged does not know where a state came from.
type State struct {
	Called   string
	Releases []*planfile.Release
	File     bool     // it is one file, so that what it does not hold is not missing
	Warnings []string // about the files that were read

	files fs.FS // of the module, whose cases have not been read; nil when they have
}

// ReadState reads a state of rulesets: all of them, or those named.
func ReadState(w *workspace.Workspace, spec string, only []string) (*State, error) {
	x, err := openOrigin(w, spec)
	if err != nil {
		return nil, err
	}
	defer x.close()
	return x.read(w.Compiler(), only)
}

// ReadStates reads two states. Rulesets that two modules have alike are compiled once. Cases are there after LoadCases:
// most rulesets do not differ, and nobody asks theirs.
//
// Two modules, typically the working directory and a revision of git, are given to one worker,
// which knows when the sources of a ruleset are the same. When it cannot (a stranger's bounds),
// each is read by itself.
func ReadStates(w *workspace.Workspace, earlier, later string, only []string) (old, new *State, err error) {
	a, err := openOrigin(w, earlier)
	if err != nil {
		return nil, nil, err
	}
	defer a.close()
	b, err := openOrigin(w, later)
	if err != nil {
		return nil, nil, err
	}
	defer b.close()
	if a.state == nil && b.state == nil {
		m, n := sandbox.Module{Dir: a.dir}, sandbox.Module{Dir: b.dir}
		if plans, found, ok := w.Compiler().States(m, n, compiler.Options{}, only...); ok {
			if old, err = newState(a.caseTree(), a.called, plans[0], found[0]); err != nil {
				return nil, nil, err
			}
			new, err = newState(b.caseTree(), b.called, plans[1], found[1])
			return old, new, err
		}
	}
	if old, err = a.read(w.Compiler(), only); err != nil {
		return nil, nil, err
	}
	new, err = b.read(w.Compiler(), only)
	return old, new, err
}

// Worked names, as a state, the module that is worked on.
// No file has this name, so that it cannot be typed.
const Worked = "\x00"

// An origin is where a state comes from: a module, or releases, which are read already.
// Exactly one of dir (a module, "" being the one that ships) and state counts. Whoever opens an
// origin closes it.
type origin struct {
	called string
	dir    string // of the module; "" for the one that ships
	files  fs.FS  // what was copied to the directory, which is removed, and cases; nil for no copy
	state  *State // nil for a module
}

// caseTree returns where the cases of a module are.
func (x *origin) caseTree() fs.FS {
	if x.files != nil {
		return x.files
	}
	m := sandbox.Module{Dir: x.dir}
	return m.Files()
}

// openOrigin finds a state.
func openOrigin(w *workspace.Workspace, spec string) (*origin, error) {
	if spec == Worked {
		return &origin{called: filepath.ToSlash(w.ModuleDir()), dir: w.ModuleDir()}, nil
	}
	if rev, ok := strings.CutPrefix(spec, "git:"); ok {
		files, err := revisionFiles(w.ModuleDir(), rev)
		if err != nil {
			return nil, err
		}
		dir, err := copySources(files)
		return &origin{called: spec, dir: dir, files: files}, err
	}
	info, err := os.Stat(spec)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := newGitReader(w.ModuleDir()).resolve(spec); err == nil {
			return nil, fmt.Errorf("%s: no such file or directory; the revision of git is git:%[1]s", spec)
		}
		return nil, fmt.Errorf("%s: no such file or directory", spec)
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		if _, err := fs.Stat(workspace.OpenDir(spec), "rules.cue"); err == nil {
			return &origin{called: filepath.ToSlash(spec), dir: spec}, nil
		}
		state, err := readReleases(spec)
		return &origin{called: spec, state: state}, err
	}
	out := &State{Called: spec, File: true}
	r, err := out.readRelease(workspace.OpenDir(filepath.Dir(spec)), filepath.Base(spec), spec)
	out.Releases = []*planfile.Release{r}
	return &origin{called: spec, state: out}, err
}

// close removes the copied files.
func (x *origin) close() {
	if x.files != nil {
		os.RemoveAll(x.dir)
	}
}

// read reads the state.
func (x *origin) read(c *sandbox.Compiler, only []string) (*State, error) {
	if x.state != nil {
		return x.state, nil
	}
	plans, found := c.Release(sandbox.Module{Dir: x.dir}, compiler.Options{}, only...)
	out, err := newState(x.caseTree(), x.called, plans, found)
	if err != nil {
		return nil, err
	}
	return out, out.LoadCases(out.Releases...)
}

// readReleases reads the newest of the releases in a directory.
func readReleases(dir string) (*State, error) {
	files := workspace.OpenDir(dir)
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
//
// A revision that is no number gives way to one that is: it cannot be compared, and a release
// always has one.
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

// ModuleSide returns the compiled rulesets of the module in a directory, "" for the program, or the named ones of it, with
// the cases that hold them.
func ModuleSide(c *sandbox.Compiler, dir, called string, only []string) (*State, error) {
	return (&origin{called: called, dir: dir}).read(c, only)
}

// newState returns the state of a compiled module, without its cases.
func newState(files fs.FS, called string, plans []*plan.Plan, found []diag.Diagnostic) (*State, error) {
	if slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return nil, &diag.Errors{List: workspace.PlacesUnder(called, found)}
	}
	out := &State{Called: called, files: files}
	for _, p := range plans {
		out.Releases = append(out.Releases, &planfile.Release{Plan: p})
	}
	return out, nil
}

// LoadCases reads the cases of releases of the state, where they have not been read with it.
func (x *State) LoadCases(list ...*planfile.Release) error {
	for _, r := range list {
		if x.files == nil || r.Cases != nil {
			continue
		}
		cases, err := caseFiles(x.files, r.Plan.Ruleset)
		if err != nil {
			return err
		}
		r.Cases = cases
	}
	return nil
}

// caseFiles returns the golden cases of a ruleset as they are written.
func caseFiles(files fs.FS, ruleset string) ([]planfile.File, error) {
	names, err := fs.Glob(files, path.Join("golden", ruleset, "*.txtar"))
	var out []planfile.File
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if data, err = golden.Embed(data, func(other string) ([]byte, error) {
			return fs.ReadFile(files, path.Join(path.Dir(name), other))
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, planfile.File{Name: path.Base(name), Data: string(data)})
	}
	return out, err
}

// Of returns the state of one ruleset, nil when there is none.
func (x *State) Of(ruleset string) *planfile.Release {
	for _, r := range x.Releases {
		if r.Plan.Ruleset == ruleset {
			return r
		}
	}
	return nil
}

// ParseCases returns the cases of releases; of two of one name the first. Those of functions are left out: the plan of a
// release has functions only written out where they are called.
func ParseCases(releases ...*planfile.Release) ([]*golden.Case, error) {
	var out []*golden.Case
	seen := map[string]bool{}
	for _, r := range releases {
		for _, f := range r.Cases {
			if seen[f.Name] {
				continue
			}
			seen[f.Name] = true
			list, err := golden.ParseAll(path.Join("golden", r.Plan.Ruleset, f.Name), []byte(f.Data), nil)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
	}
	return slices.DeleteFunc(out, func(c *golden.Case) bool { return c.Kind == golden.FunctionCase }), nil
}

// copySources copies the CUE files of a tree to a new directory, where a worker can read them.
//
// Only CUE files are copied, for a worker that compiles them; cases are read from memory. The directory is for this user
// alone and is removed by whoever opened the origin.
func copySources(files fs.FS) (string, error) {
	dir, err := os.MkdirTemp("", "rules-snapshot-")
	if err != nil {
		return "", err
	}
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".cue" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		to := filepath.Join(dir, filepath.FromSlash(name))
		return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, text, 0o600))
	})
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}
