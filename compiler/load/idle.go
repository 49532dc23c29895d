package load

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/explain"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ReportIdlePackages warns of packages of a module that rules.cue does not lead to, each at its first file: a ruleset
// that is not shipped, or charts that nothing imports. A directory below a package that has its name has been reported
// as that. Modules inside, the schema and testdata are left alone.
func ReportIdlePackages(src Source, diags *diag.List) {
	read, err := Importable(src.FS)
	if err != nil { // too large, which has been reported
		return
	}
	packages := map[string]string{} // of directories that are read
	for _, f := range read {
		if clause := packageClause().FindSubmatch(f.Text); clause != nil {
			packages[path.Dir(f.Name)] = string(clause[1])
		}
	}
	seen := 0
	// An error is of a directory that cannot be read, in which nothing is missing that could be.
	_ = fs.WalkDir(visibleFS{src.FS}, ".", func(name string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || seen > maxBelow:
			return fs.SkipAll
		case e.IsDir() && (name == "schema" || e.Name() == "cue.mod" || e.Name() == "testdata" ||
			name != "." && isModule(src.FS, name)):
			return fs.SkipDir
		}
		dir := path.Dir(name)
		if _, known := packages[dir]; known || e.IsDir() || path.Ext(name) != ".cue" {
			return nil
		}
		text, err := fs.ReadFile(src.FS, name)
		if err != nil || len(text) > maxFile {
			return nil
		}
		if clause := packageClause().FindSubmatch(text); clause != nil {
			packages[dir] = string(clause[1])
			if !isInside(dir, packages) {
				reportIdlePackage(src, name, string(clause[1]), string(text), packages, diags)
			}
		}
		return nil
	})
}

// isInside reports whether a directory around one has a package of the same name.
func isInside(dir string, packages map[string]string) bool {
	for around := path.Dir(dir); ; around = path.Dir(around) {
		if packages[around] == packages[dir] {
			return true
		}
		if around == "." {
			return false
		}
	}
}

// reportIdlePackage reports a file of a package that nothing imports. read has the packages of the directories that have
// been met: a file that says it is of one of them belongs there.
func reportIdlePackage(src Source, name, clause, text string, read map[string]string, diags *diag.List) {
	d := diags.Addf("unread-file", plan.Place{File: path.Join(src.Name, name), Line: 1, Col: 1}, "file "+name,
		"this is not read: nothing imports the package %s", clause)
	d.Repair = "import it, or take it away"
	owner := ""
	for _, dir := range slices.Sorted(maps.Keys(read)) {
		if owner == "" && read[dir] == clause && dir != path.Dir(name) {
			owner = dir
		}
	}
	switch {
	case strings.Contains(text, "schema.#Homebrew"):
		d.Message = "this is not read: a homebrew is a module of its own"
		d.Repair = explain.HomebrewElsewhere
	case strings.Contains(text, "schema.#Ruleset"):
		d.Repair = fmt.Sprintf("ship it: in rules.cue import %q and write rulesets: %q: {rules: %s, revision: %q}",
			path.Join(modulePathOf(src.FS), path.Dir(name)), clause, clause, "0.1.0")
	case owner != "":
		d.Message = fmt.Sprintf("this is not read: a ruleset is the files of one directory, and package %s is in %s",
			clause, owner)
		d.Repair = "move it to " + path.Join(owner, path.Base(name))
	}
}
