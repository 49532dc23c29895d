package load

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"cuelang.org/go/cue/build"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// CUE leaves files out by their names, by attributes and by where they stand, and says nothing. An author who has named
// a file armour.CUE plays without armour. Each such file is named with the reason; those whose names begin with a dot
// are not, as editors write them.

// The bounds of what is looked at below a package: files and directories, and bytes of files.
const (
	maxBelow      = 2000
	maxBelowBytes = maxModule
)

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
	r.addf("unread-file", plan.Place{File: r.FileName(name), Line: 1, Col: 1}, "file "+subject, "this is not read: %s",
		why).
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
	switch m := leavingOut().FindStringSubmatch(r.FileNamed(r.FileName(name)).Text); {
	case m == nil:
		return "CUE leaves it out", ""
	case m[1] == "if":
		return "no tag is set here, and its @if asks for one", "take @if away"
	}
	return "@ignore says so", "take @ignore away"
}

// The lines of a file that tell why it is not read. CUE's parser takes a time that grows with the square of an attribute.
var (
	leavingOut    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^@(if|ignore)\(`) })
	packageClause = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^package[ \t]+([\pL\pN_$]+)`) })
)

// reportBelow warns of files in the directories below a package that say they belong to it.
func (r *reader) reportBelow(inst *build.Instance, dir string, read map[string]bool) {
	seen, left := 0, int64(maxBelowBytes)
	// An error is of a directory that cannot be read, in which nothing is missing that could be.
	_ = fs.WalkDir(visibleFS{r.src.FS}, dir, func(name string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || seen > maxBelow:
			return fs.SkipAll
		case e.IsDir() && name != dir && (e.Name() == "cue.mod" || isModule(r.src.FS, name)):
			return fs.SkipDir
		case e.IsDir(), path.Dir(name) == dir, path.Ext(name) != ".cue", read[name]:
			return nil
		}
		info, err := e.Info()
		if err != nil || info.Size() > min(maxFile, left) {
			return nil
		}
		left -= info.Size()
		clause := packageClause().FindStringSubmatch(r.FileNamed(r.FileName(name)).Text)
		if clause != nil && clause[1] == inst.PkgName {
			below, _ := strings.CutPrefix(name, dir+"/")
			r.addUnread(name, below, "a directory below is a package of its own, and nothing imports this one",
				"move it to "+path.Join(dir, path.Base(name)))
		}
		return nil
	})
}

// isModule reports whether a directory is a module of its own.
func isModule(files fs.FS, dir string) bool {
	_, err := fs.Stat(files, path.Join(dir, "cue.mod"))
	return err == nil
}
