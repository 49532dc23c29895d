package load

import (
	"io/fs"
	"path"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/parser"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// CUE leaves files out by their names, by attributes and by where they stand, and says nothing. An author who has named a
// file armour.CUE plays without armour. Each such file is named with the reason; those whose names begin with a dot are not,
// as editors write them.

// maxBelow bounds the files and directories below a package that are looked at.
const maxBelow = 2000

// reportUnread warns of files that stand beside those of the packages of the module, or below, and are not read.
func (r *reader) reportUnread() {
	read := map[string]bool{}
	for _, inst := range r.Packages {
		for _, f := range inst.BuildFiles {
			read[r.FSPath(f.Filename)] = true
		}
	}
	for _, inst := range r.Packages {
		dir := path.Clean(r.FSPath(inst.Dir))
		if dir == "cue.mod" || strings.HasPrefix(dir, "cue.mod/") {
			continue
		}
		list, err := fs.ReadDir(visibleFS{r.src.FS}, dir)
		if err != nil {
			continue // CUE has read it
		}
		for _, e := range list {
			name := path.Join(dir, e.Name())
			if !e.IsDir() && strings.EqualFold(path.Ext(name), ".cue") && !read[name] {
				why, repair := r.whyUnread(name)
				r.addUnread(name, path.Base(name), why, repair)
			}
		}
		if dir != "." || r.only == nil { // else packages are left out that have not been asked for
			r.reportBelow(inst, dir, read)
		}
	}
}

func (r *reader) addUnread(name, subject, why, repair string) {
	r.addf("unread-file", plan.Place{File: r.FileName(name), Line: 1, Col: 1}, "file "+subject, "this is not read: %s", why).
		Repair = repair
}

// whyUnread returns the reason why CUE leaves out a file of a package's directory, and how to have it read.
func (r *reader) whyUnread(name string) (why, repair string) {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case path.Ext(base) != ".cue":
		return "CUE reads files whose names end in .cue, in small letters", "call it " + strings.ToLower(base)
	case strings.HasPrefix(base, "_"):
		return "CUE leaves out files whose names begin with _", "call it " + strings.TrimLeft(base, "_")
	case strings.HasSuffix(stem, "_test"), strings.HasSuffix(stem, "_tool"):
		return "CUE leaves out files whose names end in " + stem[len(stem)-5:] + ".cue", "give it another name"
	}
	const outside = "CUE leaves it out"
	f, err := parser.ParseFile(name, r.FileNamed(r.FileName(name)).Text, parser.PackageClauseOnly)
	if err != nil {
		return outside, ""
	}
	for _, d := range f.Decls {
		if a, ok := d.(*ast.Attribute); ok {
			switch key, _ := a.Split(); key {
			case "ignore":
				return "@ignore says so", "take @ignore away"
			case "if":
				return "no tag is set here, and its @if asks for one", "take @if away"
			}
		}
	}
	return outside, ""
}

// reportBelow warns of files in the directories below a package that say they belong to it.
func (r *reader) reportBelow(inst *build.Instance, dir string, read map[string]bool) {
	seen := 0
	// An error is of a directory that cannot be read, in which nothing is missing that could be.
	_ = fs.WalkDir(visibleFS{r.src.FS}, dir, func(name string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || seen > maxBelow:
			return fs.SkipAll
		case e.IsDir() && name != dir && (e.Name() == "cue.mod" || r.isModule(name)):
			return fs.SkipDir
		case e.IsDir(), path.Dir(name) == dir, path.Ext(name) != ".cue", read[name]:
			return nil
		}
		f, err := parser.ParseFile(name, r.FileNamed(r.FileName(name)).Text, parser.PackageClauseOnly)
		if err == nil && f.PackageName() == inst.PkgName {
			below, _ := strings.CutPrefix(name, dir+"/")
			r.addUnread(name, below, "a directory below is a package of its own, and nothing imports this one",
				"put the file into the directory of package "+inst.PkgName+", or import it")
		}
		return nil
	})
}

// isModule reports whether a directory is a module of its own.
func (r *reader) isModule(dir string) bool {
	_, err := fs.Stat(r.src.FS, path.Join(dir, "cue.mod"))
	return err == nil
}
