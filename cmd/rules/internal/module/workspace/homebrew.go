package workspace

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
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/archive"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/lockfile"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// compileHomebrew compiles a ruleset of the module with the homebrews of --with: the one that is named, or else the one
// that the first homebrew changes.
func (w *Workspace) compileHomebrew(o compiler.Options, only []string) ([]*plan.Plan, error) {
	p, diags, err := w.CompileOverlaid(o, only)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, &diag.Errors{List: diags}
	}
	return []*plan.Plan{p}, nil
}

// CompileOverlaid compiles a ruleset of the module with the homebrews of --with: the only one that is named, or else the
// one that the first homebrew changes. The plan is nil when the diagnostics say why.
func (w *Workspace) CompileOverlaid(o compiler.Options, only []string) (*plan.Plan, []diag.Diagnostic, error) {
	if len(only) > 1 {
		return nil, nil, fmt.Errorf("--with changes one ruleset: name it alone")
	}
	homebrews, err := w.homebrewModules(w.With)
	if err != nil {
		return nil, nil, err
	}
	if len(only) == 0 {
		id, diags, err := w.rulesetOf(homebrews[0])
		if err != nil || len(diags) > 0 {
			return nil, diags, err
		}
		only = []string{id}
	}
	p, diags := w.compileOver(w.NamedModule(), only[0], homebrews, o)
	return p, diags, nil
}

// compileOver compiles a ruleset of a module with homebrews, and tells the plan which homebrews these are.
func (w *Workspace) compileOver(m sandbox.Module, ruleset string, homebrews []sandbox.Module, o compiler.Options) (
	*plan.Plan, []diag.Diagnostic) {
	p, diags := w.Compiler().Homebrew(m, ruleset, homebrews, o)
	if p != nil {
		for i := range homebrews {
			p.OverlayDigests = append(p.OverlayDigests, digestOf(&homebrews[i]))
		}
	}
	return p, diags
}

// digestOf returns the digest of the files of a homebrew, as a lock file names it; "" if they are not only those of its
// directory, or cannot be packed.
//
// A homebrew that is being edited has no digest: the text on the screen can be published by nobody.
func digestOf(h *sandbox.Module) string {
	if len(h.Patched) > 0 {
		return ""
	}
	data, err := archive.PackTree(h.Files())
	if err != nil {
		return ""
	}
	return lockfile.DigestOf(data)
}

// homebrewModules returns the modules in directories.
func (w *Workspace) homebrewModules(dirs []string) ([]sandbox.Module, error) {
	var out []sandbox.Module
	for _, dir := range dirs {
		h, err := HomebrewModule(dir)
		if err != nil {
			return nil, err
		}
		h.Patched = Below(dir, w.Patched)
		out = append(out, h)
	}
	return out, nil
}

// rulesetOf returns the ruleset that a homebrew changes.
func (w *Workspace) rulesetOf(h sandbox.Module) (string, []diag.Diagnostic, error) {
	id, ok, diags := w.Compiler().HomebrewOf(h)
	if !ok && len(diags) == 0 {
		return "", nil, fmt.Errorf("%s is no homebrew: the package there does not say which ruleset it changes", h.Dir)
	}
	return id, diags, nil
}

// NamedModule returns the module, whose files are named as they are found from here.
func (w *Workspace) NamedModule() sandbox.Module {
	return sandbox.Module{Dir: w.ModuleDir(), Name: filepath.ToSlash(w.ModuleDir())}
}

// missingHomebrew returns the error of a homebrew in a directory that is not there, with those that are meant: several that
// commas part, or one of the same name beside the present directory.
func missingHomebrew(dir string) error {
	if parts := strings.Split(dir, ","); len(parts) > 1 {
		return fmt.Errorf("there is no directory %s: each homebrew has a --with of its own: --with %s", dir,
			strings.Join(parts, " --with "))
	}
	if beside := filepath.Join("..", dir); !filepath.IsAbs(dir) {
		if _, err := os.Stat(filepath.Join(beside, "cue.mod")); err == nil {
			return fmt.Errorf("there is no directory %s here; did you mean %s", dir, filepath.ToSlash(beside))
		}
	}
	return fmt.Errorf("there is no directory %s", dir)
}

// HomebrewModule returns the module of a homebrew.
func HomebrewModule(dir string) (sandbox.Module, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return sandbox.Module{}, fmt.Errorf("%s is a file: a homebrew is named by its directory, %s", dir,
			filepath.Dir(dir))
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return sandbox.Module{}, missingHomebrew(dir)
	}
	if _, err := os.Stat(filepath.Join(dir, "cue.mod")); err != nil {
		return sandbox.Module{}, fmt.Errorf(
			"%s is no homebrew: it has no cue.mod; \"rules init DIR --homebrew RULESET\" makes one", dir)
	}
	return sandbox.Module{Dir: dir, Name: path.Clean(filepath.ToSlash(dir))}, nil
}

// UseHomebrewHere takes the homebrew that the current directory lies in, unless the command line says whose rules are used.
//
// It walks up by names and not by cleaned paths, so that messages name files as they are found from
// where the command runs. A directory with a module in it ends the walk: a homebrew inside of a
// module is not taken.
func (w *Workspace) UseHomebrewHere() {
	if w.Dir != "" || len(w.With) > 0 {
		return
	}
	here, err := os.Getwd()
	if err != nil {
		return
	}
	for dir := "."; ; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "cue.mod")); err == nil {
			if !isModule(dir) && w.IsHomebrew(dir) {
				w.With = []string{dir}
			}
			return
		}
		if here == filepath.Dir(here) {
			return
		}
		here = filepath.Dir(here)
	}
}

// IsHomebrew reports whether a directory holds a homebrew. One that goes beyond the bounds of a stranger counts as one:
// then whoever compiles it says so.
func (w *Workspace) IsHomebrew(dir string) bool {
	h, err := HomebrewModule(dir)
	if err != nil {
		return false
	}
	_, ok, diags := w.Compiler().HomebrewOf(h)
	return ok || len(diags) > 0
}

// OwnProblems returns those of the diagnostics of a ruleset with homebrews that the homebrews brought. Left out are
// warnings that the ruleset has alone, and warnings that nobody reads a part of it any more: that is the purpose of
// replacing and disabling. Its isOwn says which places are in the homebrews. Errors are never left out: whoever lays the
// homebrew over the ruleset cannot play, whosesoever they are.
func OwnProblems(all, alone []diag.Diagnostic, isOwn func(plan.Place) bool) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(all), func(d diag.Diagnostic) bool {
		return d.Severity != diag.Error && (strings.HasPrefix(string(d.Code), "unused") && !isOwn(d.Place) ||
			slices.ContainsFunc(alone, func(x diag.Diagnostic) bool { return x.String() == d.String() }))
	})
}
