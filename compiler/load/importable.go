package load

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
)

// A SourceFile is a file of CUE and its text.
type SourceFile struct {
	Name string // its path in the module
	Text []byte
}

// Importable returns the CUE files that compiling a ruleset of a module can read, sorted by their paths: those of the
// package at the root, of the packages that it imports, and of the directories above them, as CUE lets a package go on from
// there; and all below cue.mod. More files and directories than maxFiles, or more bytes than maxModule, are an error.
//
// It reads the imports alone and evaluates nothing, so that a cache may ask it about the module of a stranger. A file
// that cannot be parsed has the imports before the mistake: compiling it fails, and no plan is kept.
func Importable(module fs.FS) ([]SourceFile, error) {
	x := importWalk{files: module, modulePath: modulePathOf(module), seen: map[string]bool{}}
	if err := fs.WalkDir(module, "cue.mod", x.addModuleFile); err != nil {
		return nil, err
	}
	if err := x.addDirectory("."); err != nil {
		return nil, err
	}
	slices.SortFunc(x.found, func(a, b SourceFile) int { return strings.Compare(a.Name, b.Name) })
	return x.found, nil
}

// An importWalk follows the imports of a module.
type importWalk struct {
	files      fs.FS
	modulePath string // without its major version
	entries    int    // files and directories that were looked at
	bytes      int    // of the files that were found
	seen       map[string]bool
	found      []SourceFile
}

// modulePathOf returns the path of a module without its major version; "" when module.cue does not say it. The file is
// not evaluated, as CUE's own reader does it, which takes longer than all else here.
func modulePathOf(module fs.FS) string {
	text, err := fs.ReadFile(module, "cue.mod/module.cue")
	if err != nil || len(text) > maxFile || checkTokens(token.NewFile("module.cue", -1, len(text)), text) != nil {
		return ""
	}
	f, err := parser.ParseFile("module.cue", text)
	if err != nil {
		return ""
	}
	for _, d := range f.Decls {
		field, ok := d.(*ast.Field)
		if !ok {
			continue
		}
		name, _, _ := ast.LabelName(field.Label)
		value, isLiteral := field.Value.(*ast.BasicLit)
		if name == "module" && isLiteral {
			whole, _ := strconv.Unquote(value.Value)
			return ast.ParseImportPath(whole).Path
		}
	}
	return ""
}

// addModuleFile adds a file below cue.mod.
func (x *importWalk) addModuleFile(name string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if !d.IsDir() && path.Ext(name) == ".cue" {
		return x.addFile(name)
	}
	return x.count()
}

func (x *importWalk) count() error {
	if x.entries++; x.entries > maxFiles || x.bytes > maxModule {
		return errTooLarge
	}
	return nil
}

var errTooLarge = errors.New("the files of the module are too many or too large")

// addDirectory adds the CUE files of a directory and of those above it, and follows their imports.
func (x *importWalk) addDirectory(dir string) error {
	if x.seen[dir] || !fs.ValidPath(dir) {
		return nil
	}
	x.seen[dir] = true
	if err := x.count(); err != nil {
		return err
	}
	if dir != "." {
		if err := x.addDirectory(path.Dir(dir)); err != nil {
			return err
		}
	}
	list, err := fs.ReadDir(x.files, dir)
	if err != nil {
		return nil // compiling says that there is no such package
	}
	for _, d := range list {
		if d.IsDir() || path.Ext(d.Name()) != ".cue" {
			continue
		}
		if err := x.addFile(path.Join(dir, d.Name())); err != nil {
			return err
		}
	}
	return nil
}

// addFile adds a CUE file and follows its imports.
func (x *importWalk) addFile(name string) error {
	text, err := fs.ReadFile(x.files, name)
	if err != nil {
		return err
	}
	x.found, x.bytes = append(x.found, SourceFile{name, text}), x.bytes+len(text)
	if err := x.count(); err != nil || len(text) > maxFile {
		return err
	}
	f, _ := parser.ParseFile(name, text, parser.ImportsOnly)
	if f == nil {
		return nil
	}
	for spec := range f.ImportSpecs() {
		if err := x.addDirectory(x.directoryOf(spec)); err != nil {
			return err
		}
	}
	return nil
}

// directoryOf returns the directory of the module that an import names; "" for packages below cue.mod, which are added by
// themselves, and for those of CUE, which have no files.
func (x *importWalk) directoryOf(spec *ast.ImportSpec) string {
	name, err := strconv.Unquote(spec.Path.Value)
	if err != nil || x.modulePath == "" {
		return ""
	}
	imported := ast.ParseImportPath(name).Path
	if imported == x.modulePath {
		return "."
	}
	dir, _ := strings.CutPrefix(imported, x.modulePath+"/")
	if dir == imported {
		return ""
	}
	return dir
}
