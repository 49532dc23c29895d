package explain

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
	"cuelang.org/go/mod/modfile"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// packagesError reports files of several packages in one directory at those that are fewer, and says whether an error is
// about them.
func (r *Reporter) packagesError(e errors.Error) bool {
	var several *load.MultiplePackageError
	if !errors.As(e, &several) {
		return false
	}
	usual, others := r.countPackages()
	for _, f := range others {
		d := r.addf("no-package", f.at, "",
			"the file is of package %s, and the others here of package %s", f.pkg, usual)
		d.Repair = "begin it with package " + usual + ", or put it in a directory of its own"
		if strings.Contains(r.FileNamed(f.name).Text, "schema.#Homebrew") {
			d.Message = "this is a homebrew, and the others here are the ruleset " + usual
			d.Repair = HomebrewElsewhere
		}
	}
	return len(others) > 0
}

// HomebrewElsewhere is the repair of a homebrew among the files of a ruleset.
const HomebrewElsewhere = "a homebrew stands beside the module of the ruleset, and not in it: " +
	"rules init DIR --homebrew RULESET makes its directory: move the file there"

// A clause is a file and the package that it says it is of, or the error that a parser finds first.
type clause struct {
	name, pkg string
	at        plan.Place // of the package's name, or the file's first line
	err       error
}

// readClauses returns the clauses of the CUE files in a directory, in the order of their names.
func (r *Reporter) readClauses(dir string) (all []clause) {
	entries, err := fs.ReadDir(r.FS, dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := r.FileName(path.Join(dir, e.Name()))
		if path.Ext(name) != ".cue" || strings.HasPrefix(e.Name(), "_") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		c := clause{name: name, at: plan.Place{File: name, Line: 1, Col: 1}}
		f, err := parser.ParseFile(name, r.FileNamed(name).Text, parser.PackageClauseOnly)
		if err == nil && f.PackageName() == "" { // whatever stands before the clause ends this mode
			f, err = parser.ParseFile(name, r.FileNamed(name).Text)
		}
		if c.err = err; err == nil {
			c.pkg = f.PackageName()
			if at := r.PlaceOf(packagePos(f)); at.Line > 0 {
				c.at = at
			}
		}
		all = append(all, c)
	}
	return all
}

// countPackages is the package of most files in the directory that is read, of several the one that the directory is named
// after or that comes first; and the files of other packages.
// Comparing with the majority puts the message at the one file that was copied from elsewhere, and
// not at the nine others.
func (r *Reporter) countPackages() (usual string, others []clause) {
	all := slices.DeleteFunc(r.readClauses(r.Dir), func(c clause) bool { return c.pkg == "" })
	files := map[string]int{}
	for _, c := range all {
		files[c.pkg]++
	}
	for _, c := range all {
		more := files[c.pkg] - files[usual]
		if usual == "" || more > 0 || more == 0 && c.pkg == path.Base(r.Dir) {
			usual = c.pkg
		}
	}
	return usual, slices.DeleteFunc(all, func(c clause) bool { return c.pkg == usual })
}

// causeOfImport returns why a package that is imported cannot be read; nil for any other error.
func causeOfImport(e errors.Error) errors.Error {
	if cause, ok := errors.Unwrap(e).(errors.Error); ok && messageOf(e) == "import failed" {
		return cause
	}
	return nil
}

// importError reports why a package that is imported cannot be read, at its files or else where it is imported.
func (r *Reporter) importError(e, cause errors.Error) {
	at := r.placesOf(e)[0]
	parts := noSuchFiles().FindStringSubmatch(messageOf(cause))
	if parts != nil && r.reportFilesOf(parts[1], parts[2], at) {
		return
	}
	d := r.addf("no-package", at, "", "%s", messageOf(cause))
	if parts = unknownImport().FindStringSubmatch(d.Message); parts != nil {
		d.Message = "there is no package " + parts[1]
		d.Repair = cmp.Or(diag.DidYouMean(parts[1], r.packagePaths()), "nothing is fetched: put it under cue.mod/pkg")
	}
}

var unknownImport = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^cannot find package "([^"]+)": cannot find module`)
})

// noSuchFiles is CUE's message about a directory none of whose files says that it is of the package: it has not parsed them
// any further.
var noSuchFiles = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^cannot find package "([^"]+)": no files in package directory with package name "([^"]+)"`)
})

// packagePos returns the position of the name in a file's package clause; none without a clause.
func packagePos(f *ast.File) token.Pos {
	for _, d := range f.Decls {
		if p, ok := d.(*ast.Package); ok {
			return p.Name.Pos()
		}
	}
	return token.NoPos
}

// reportFilesOf reports why the files of a directory of the module are not of the package that is imported at a place:
// a file that cannot be parsed so far, one without a package clause, or one of another package. It returns whether there is
// such a file.
func (r *Reporter) reportFilesOf(importPath, pkg string, imported plan.Place) (found bool) {
	dir, ok := strings.CutPrefix(importPath, r.modulePath()+"/")
	if !ok {
		return false
	}
	for _, c := range r.readClauses(dir) {
		found = true
		if c.err != nil {
			r.ReportErrors(c.err)
			continue
		}
		d := r.addf("no-package", c.at, "", "the file has no package clause")
		if c.pkg != "" {
			d.Message = "the file is of package " + c.pkg + ", and package " + pkg + " is imported"
		}
		d.Repair = "begin it with package " + pkg
		d.Related = []diag.Related{{Place: imported, Message: "imported here"}}
	}
	return found
}

// maxPackages ends the search for names of packages in a tree that is no module of rulesets.
const maxPackages = 4000

// packagePaths are the paths of the packages in the module, and of those under cue.mod/pkg.
func (r *Reporter) packagePaths() []string {
	const vendored = "cue.mod/pkg/"
	own := r.modulePath()
	seen := map[string]bool{}
	err := fs.WalkDir(r.FS, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || len(seen) >= maxPackages {
			return fs.SkipAll
		}
		dir, isVendored := strings.CutPrefix(path.Dir(name), vendored)
		switch {
		case e.IsDir() || path.Ext(name) != ".cue" || strings.HasPrefix(dir, "cue.mod"):
		case isVendored:
			seen[dir] = true
		default:
			seen[path.Join(own, dir)] = true
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return slices.Collect(maps.Keys(seen))
}

// modulePath is the path that the module gives itself, without its major version.
func (r *Reporter) modulePath() string {
	text, err := fs.ReadFile(r.FS, "cue.mod/module.cue")
	if err != nil {
		return ""
	}
	f, err := modfile.ParseNonStrict(text, "module.cue")
	if err != nil {
		return ""
	}
	return f.ModuleRootPath()
}
