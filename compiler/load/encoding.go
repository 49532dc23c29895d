package load

import (
	"path"
	"strings"

	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/parser"

	"github.com/tabletop-rules/rules/compiler/load/explain"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// CUE reads UTF-8, and UTF-16 with a byte order mark. What is neither it replaces by U+FFFD without a word, so that a name
// or a formula would not be what the author typed; here that is an error. It counts positions in the decoded text, which is
// why a file's text is decoded here in the same way.

// checkFiles reports files in the directory of a package that CUE would pass over without a word, and text that is no
// Unicode, and returns whether there are none. Files that CUE's own conventions leave out (@if, _test.cue, _tool.cue, names
// that begin with "_" or ".") are left out here too.
//
// Several packages in one directory are mostly an error of CUE's own (packagesError). A file without a package clause is
// none: CUE ignores it, and all of its rules would be missing with no message.
func (r *reader) checkFiles(inst *build.Instance) bool {
	ok := true
	for _, f := range inst.BuildFiles {
		file := r.FileNamed(f.Filename)
		if file.Bad >= 0 {
			at := site.AdvancePlace(plan.Place{File: file.Name, Line: 1, Col: 1}, file.Text[:file.Bad])
			r.addf("cue-syntax", at, "", "this is no Unicode text").Repair = "save the file as UTF-8"
			ok = false
		}
	}
	for _, f := range inst.IgnoredFiles {
		name := path.Base(f.Filename)
		if path.Dir(f.Filename) != path.Clean(inst.Dir) || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		clause, err := parser.ParseFile(f.Filename, r.FileNamed(f.Filename).Text, parser.PackageClauseOnly)
		if err != nil {
			continue // CUE reports it
		}
		at := plan.Place{File: f.Filename, Line: 1, Col: 1}
		switch pkg := clause.PackageName(); pkg {
		case inst.PkgName:
		case "":
			r.addf("no-package", at, "", "the file has no package clause, and so nothing of it is read").Repair =
				"begin it with package " + inst.PkgName
			ok = false
		default:
			d := r.addf("no-package", at, "",
				"the file is of package %s, and the others in %s of package %s", pkg, inst.Dir, inst.PkgName)
			d.Repair = "begin it with package " + inst.PkgName + ", or put it in a directory of its own"
			if strings.Contains(r.FileNamed(f.Filename).Text, "schema.#Homebrew") {
				d.Message = "this is a homebrew, and the others in " + inst.Dir + " are the ruleset " + inst.PkgName
				d.Repair = explain.HomebrewElsewhere
			}
			ok = false
		}
	}
	return ok
}
