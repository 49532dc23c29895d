package load

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/mod/modfile"
	"cuelang.org/go/mod/module"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// loadInstance parses the package in a directory and all it imports; it is nil when that fails.
//
// CUE reads only from the given tree (FS), asks no registry (noRegistry) and sees no environment
// (an empty Env and not nil, which would mean the process's): the same files give the same package
// on every machine, and a stranger's module cannot reach out.
func (r *reader) loadInstance(dir string) *build.Instance {
	dir = path.Clean(dir)
	r.Dir = dir
	if !fs.ValidPath(dir) {
		r.addf("no-package", plan.Place{File: dir}, "", "%s is not a directory of the module", dir)
		return nil
	}
	if !r.checkModuleFile() {
		return nil
	}
	inst := load.Instances([]string{"."}, &load.Config{
		FS:         visibleFS{r.src.FS},
		Dir:        "/" + strings.TrimPrefix(dir, "."),
		FromFSPath: r.FileName,
		Registry:   noRegistry{},
		Env:        []string{},
		ParseFile:  r.newParser(),
	})[0]
	if r.reportFailed(inst, map[*build.Instance]bool{}) {
		return nil
	}
	if !r.prepareInstances(inst, map[*build.Instance]bool{}) {
		return nil
	}
	r.reportUnread()
	return inst
}

// checkModuleFile reports a module.cue that cannot be read, and whether there is none such. CUE takes it for one that
// is not there.
func (r *reader) checkModuleFile() bool {
	const name = "cue.mod/module.cue"
	text, err := fs.ReadFile(r.src.FS, name)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	if err != nil {
		r.addf("no-package", plan.Place{File: r.FileName(name)}, "", "the module cannot be read: %v", err)
	}
	return err == nil
}

// newParser returns a parser of the files of a module: within its limits, and of rules.cue without the rulesets that are
// not read. CUE parses every file twice, and wants only the imports first; which of them are left can be told only of the
// whole. For rules.cue the mode ImportsOnly is dropped: whether an import is idle shows only in the text behind it.
func (r *reader) newParser() func(name string, src any, cfg parser.Config) (*ast.File, error) {
	l := &limits{name: r.FileName, names: &r.schemaNames}
	if r.only == nil {
		return l.parseWithin
	}
	return func(name string, src any, cfg parser.Config) (*ast.File, error) {
		root := r.atRoot(name)
		if root {
			cfg.Mode &^= parser.ImportsOnly
		}
		f, err := l.parseWithin(name, src, cfg)
		if err == nil && root {
			r.left.addFile(path.Base(name), narrowRelease(f, r.only))
		}
		return f, err
	}
}

// atRoot reports whether a file stands at the root of the module: it has its path in the tree at first, and then the name
// that diagnostics use.
func (r *reader) atRoot(name string) bool {
	dir := path.Dir(name) // the name of the module may be a whole path, too
	return dir == "/" || dir == path.Clean(r.src.Name)
}

// reportFailed reports the errors that kept a package, or one that it imports, from being parsed: each at its own place.
func (r *reader) reportFailed(inst *build.Instance, seen map[*build.Instance]bool) bool {
	if seen[inst] {
		return false
	}
	seen[inst] = true
	failed := false
	for _, dep := range inst.Imports {
		failed = r.reportFailed(dep, seen) || failed
	}
	if !failed && inst.Err != nil {
		r.ReportErrors(inst.Err)
	}
	return failed || inst.Err != nil
}

// prepareInstances goes through a package and all it imports, and tells whether they may be evaluated.
func (r *reader) prepareInstances(inst *build.Instance, seen map[*build.Instance]bool) bool {
	seen[inst] = true
	r.Packages = append(r.Packages, inst)
	ok := r.checkFiles(inst)
	ok = !r.reportEmbedded(inst.Files) && ok
	for _, dep := range inst.Imports {
		if !seen[dep] {
			ok = r.prepareInstances(dep, seen) && ok
		}
	}
	return ok
}

// reportEmbedded reports files that want to embed others, and whether there are any.
func (r *reader) reportEmbedded(files []*ast.File) (found bool) {
	for _, f := range files {
		for _, d := range f.Decls {
			if a, ok := d.(*ast.Attribute); ok && strings.HasPrefix(a.Text, "@extern") {
				r.addf("embedded-file", r.PlaceOf(a.Pos()), "",
					"other files are not embedded here").Repair = "write the data in CUE"
				found = true
			}
		}
	}
	return found
}

// A noRegistry has no modules: everything that is imported stands in the tree.
type noRegistry struct{}

var errNoRegistry = errors.New("modules are not fetched: put it under cue.mod/pkg")

// ModFile refuses.
func (noRegistry) ModFile(context.Context, module.Version) (*modfile.File, error) {
	return nil, errNoRegistry
}

// Fetch refuses.
func (noRegistry) Fetch(context.Context, module.Version) (module.SourceLoc, error) {
	return module.SourceLoc{}, errNoRegistry
}

// ModuleVersions refuses.
func (noRegistry) ModuleVersions(context.Context, string) ([]string, error) {
	return nil, errNoRegistry
}
