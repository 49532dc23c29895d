package explain

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/load"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
	"cuelang.org/go/mod/modfile"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ReportErrors reports CUE's errors: of syntax, imports, conflicts. Of the alternatives that a value fits none of, the
// first stands for all.
//
// CUE gives one error per alternative and one that counts them ("3 errors in empty disjunction"). All share a path. The
// count is dropped, and so is every further error at a path; errors without a path are of the syntax and all kept.
func (r *Reporter) ReportErrors(err error) {
	told := map[string]bool{}
	all := r.withoutEnds(errors.Errors(err))
	for _, e := range all {
		path := strings.Join(e.Path(), ".")
		if alternatives().MatchString(messageOf(e)) || path != "" && told[path] {
			continue
		}
		told[path] = true
		r.reportError(e)
	}
}

// reportError reports one error of CUE's. Special cases come first, because they replace the message: an import that failed
// is reported where its package is broken, files of several packages at the fewer files, an unclosed bracket where it was
// opened, a habit of another language by its name, and a value out of bounds at the value. The rest keeps CUE's words with
// a code (classifyError), the first place as its own and the others as related. Errors that CUE gives no place are looked
// up by their path.
func (r *Reporter) reportError(e errors.Error) {
	if cause, ok := errors.Unwrap(e).(errors.Error); ok && messageOf(e) == "import failed" {
		r.importError(e, cause)
		return
	}
	if r.packagesError(e) || r.bracketError(e) || r.reportSlip(e) || r.reportStray(e) || r.reportMisfit(e) {
		return
	}
	code, text := classifyError(e)
	text = longStruct().ReplaceAllString(text, "a struct")
	places := r.placesOf(e)
	at := places[0]
	if at.Line == 0 {
		at = r.PlaceOfPath(e.Path(), at)
	}
	if code == "cue-conflict" && r.Contradictions.IsAt(at) {
		return
	}
	d := r.addf(code, at, subjectOf(e.Path()), "%s", text)
	if code == "not-concrete" {
		d.Repair = "give it a value"
		if slices.ContainsFunc(append([]token.Pos{e.Position()}, e.InputPositions()...), r.isInComprehension) {
			d.Repair += ": what is computed here says which fields there are"
		}
	}
	for _, p := range places[1:] {
		d.Related = append(d.Related, diag.Related{Place: p, Message: "see also"})
	}
	r.explainConflict(d, e.Path())
	if IsStructuralCycle(text) {
		d.Message, d.Repair = "it contains itself",
			"a value in CUE is finite; what goes on and on at the table is a procedure"
	}
	if strings.HasPrefix(text, "unreferenced alias or let clause") {
		d.Repair = "a default is written with a star: *3 | int"
	}
	if strings.HasPrefix(text, "string literal not terminated") {
		d.Repair = `write " where the string ends, or """ before and behind a string of several lines`
	}
}

// longStruct is a struct that CUE prints whole in a message: more than a reader can find anything in.
var longStruct = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]{40,}\}`) })

// atEnd is an error that CUE notices at the end of a file.
var atEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`found 'EOF'`) })

// withoutEnds returns the errors without those at the end of a file that has one before: they follow from it.
func (r *Reporter) withoutEnds(all []errors.Error) []errors.Error {
	broken := map[string]bool{}
	for _, e := range all {
		if !atEnd().MatchString(messageOf(e)) {
			broken[e.Position().Filename()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(e errors.Error) bool {
		return atEnd().MatchString(messageOf(e)) && broken[e.Position().Filename()]
	})
}

// bracketError reports a bracket that is not closed at its own place, and says whether an error is about one.
// CUE says "expected '}', found 'EOF'" at the last line of the file.
func (r *Reporter) bracketError(e errors.Error) bool {
	if !atEnd().MatchString(messageOf(e)) {
		return false
	}
	f := r.FileNamed(e.Position().Filename())
	open, next, found := findUnclosed(f.Text)
	if !found {
		return false
	}
	start := plan.Place{File: f.Name, Line: 1, Col: 1}
	at := site.AdvancePlace(start, f.Text[:open.offset])
	d := r.addf("cue-syntax", at, "", "the %s of this line is not closed", open.text)
	d.Repair = "write " + closingOf(open.text) + " where it ends"
	if next >= 0 {
		d.Related = []diag.Related{{Place: site.AdvancePlace(start, f.Text[:next]),
			Message: "this line stands as if it were closed"}}
	}
	return true
}

// packagesError reports files of several packages in one directory at those that are fewer, and says whether an error is
// about them.
func (r *Reporter) packagesError(e errors.Error) bool {
	var several *load.MultiplePackageError
	if !errors.As(e, &several) {
		return false
	}
	usual, others := r.countPackages()
	for _, f := range others {
		d := r.addf("no-package", plan.Place{File: f.name, Line: 1, Col: 1}, "",
			"the file is of package %s, and the others here of package %s", f.pkg, usual)
		d.Repair = "begin it with package " + usual + ", or put it in a directory of its own"
	}
	return len(others) > 0
}

// A clause is a file and the package that it says it is of.
type clause struct{ name, pkg string }

// countPackages is the package of most files in the directory that is read, of several the one that the directory is named
// after or that comes first; and the files of other packages.
// Comparing with the majority puts the message at the one file that was copied from elsewhere, and
// not at the nine others.
func (r *Reporter) countPackages() (usual string, others []clause) {
	entries, err := fs.ReadDir(r.FS, r.Dir)
	if err != nil {
		return "", nil
	}
	var all []clause
	files := map[string]int{}
	for _, e := range entries {
		name := r.FileName(path.Join(r.Dir, e.Name()))
		if path.Ext(name) != ".cue" || strings.HasPrefix(e.Name(), "_") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f, err := parser.ParseFile(name, r.FileNamed(name).Text, parser.PackageClauseOnly)
		if err != nil || f.PackageName() == "" {
			continue
		}
		all = append(all, clause{name, f.PackageName()})
		files[f.PackageName()]++
	}
	for _, c := range all {
		more := files[c.pkg] - files[usual]
		if usual == "" || more > 0 || more == 0 && c.pkg == path.Base(r.Dir) {
			usual = c.pkg
		}
	}
	return usual, slices.DeleteFunc(all, func(c clause) bool { return c.pkg == usual })
}

// explainConflict adds the repair of two values of one field, if there are just two. d.Related has the second value's place
// then. A path of five names, tables.T.keyed.ROW.COLUMN, is a cell: when it has two values that are written out, the row
// stands twice.
func (r *Reporter) explainConflict(d *diag.Diagnostic, at []string) {
	if d.Code != "cue-conflict" || !strings.HasPrefix(d.Message, "conflicting values") || len(d.Related) != 1 {
		return
	}
	d.Related[0].Message = "the other value"
	d.Repair = "a field has one value: keep one of the two"
	if len(at) != 5 || at[0] != "tables" || at[2] != "keyed" {
		return
	}
	if values, _ := splitValues(r.paths.SitesAt(at)); len(values) > 1 {
		d.Repair = "the row " + at[3] + " stands twice: keep one, or give the other a name of its own"
	}
}

// importError reports why a package that is imported cannot be read: where that is, or else where it is imported.
func (r *Reporter) importError(e, cause errors.Error) {
	if cause.Position().IsValid() && cause.Position() != e.Position() {
		r.ReportErrors(cause)
		return
	}
	d := r.addf("no-package", r.placesOf(e)[0], "", "%s", messageOf(cause))
	if parts := unknownImport().FindStringSubmatch(d.Message); parts != nil {
		d.Message = "there is no package " + parts[1]
		d.Repair = cmp.Or(diag.DidYouMean(parts[1], r.packagePaths()), "nothing is fetched: put it under cue.mod/pkg")
	}
}

var unknownImport = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^cannot find package "([^"]+)": cannot find module`)
})

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

// placesOf are where an error comes from, each once, at least one.
func (r *Reporter) placesOf(e errors.Error) []plan.Place {
	var out []plan.Place
	for _, p := range append([]token.Pos{e.Position()}, e.InputPositions()...) {
		if at := r.PlaceOf(p); p.IsValid() && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		out = append(out, plan.Place{File: r.FileName(r.Dir)})
	}
	return out
}

// ReportReferences reports names that CUE does not know, with those that may be meant, and whether there are any.
//
// It asks the parser's list of unresolved identifiers rather than the evaluation, which stops at
// the first of them. A name is known when another file of the package declares it, or when CUE
// predeclares it (int, len, or). A formula whose quotes were forgotten has several unknown names
// and is one report, by its expression.
func (r *Reporter) ReportReferences() bool {
	found := false
	quoteless := map[ast.Expr]bool{} // formulas without quotes that are reported
	for _, inst := range r.Packages {
		names := r.PackageScope(inst).Index
		for _, f := range inst.Files {
			for _, id := range f.Unresolved {
				if id.Name == f.PackageName() || names[id.Name] != nil || r.isPredeclared(id) {
					continue
				}
				found = true
				if formula, ok := r.findUnquoted(f, id); ok && !site.IsStandardPackage(id.Name) {
					if !quoteless[formula.expr] {
						quoteless[formula.expr] = true
						r.addf("unknown-reference", r.PlaceOf(formula.expr.Pos()), "",
							"a formula stands in quotes: without them, %s is a name of CUE, and there is none", id.Name).
							Repair = fmt.Sprintf("write %q", formula.text)
					}
					continue
				}
				d := r.addf("unknown-reference", r.PlaceOf(id.Pos()), "", "there is no %s", id.Name)
				d.Repair = r.adviseReference(id, slices.Collect(maps.Keys(names)))
			}
		}
	}
	return found
}

// isPredeclared reports whether a name is one of CUE's own.
func (r *Reporter) isPredeclared(id *ast.Ident) bool {
	return r.Context.BuildExpr(ast.NewIdent(id.Name)).Err() == nil
}

// ReportConflicts reports the errors of a value that reading it did not meet.
func (r *Reporter) ReportConflicts(v cue.Value) {
	if err := v.Validate(); err != nil {
		r.ReportErrors(err)
	}
}
