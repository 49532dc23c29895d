package lsp

import (
	"io/fs"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A view is the directory of a project as it is on the screen at one time, in the encoding of the client. It serves one
// goroutine.
//
// Lines of files are split when they are asked for and kept for the view, because hints and lenses
// of one answer ask for the same lines a hundred times. A view is given up with its answer, so
// nothing has to be forgotten.
type view struct {
	*project
	buffers
	encoding encoding
	version  int // counts the changes before it
	read     map[string]*textFile
}

// text returns the text of a file; empty for one that cannot be read.
func (v *view) text(name string) *textFile {
	if t := v.read[name]; t != nil {
		return t
	}
	var files fs.FS = v.buffers
	file := name
	if inBase, ok := v.baseFile(name); ok {
		files, file = v.baseFiles, inBase
	}
	data, err := fs.ReadFile(files, file)
	if err != nil {
		data = nil
	}
	v.read[name] = newTextFile(string(data))
	return v.read[name]
}

// spanAt returns the range of some code points from a place on; of no code points, the word there.
func (v *view) spanAt(at plan.Place, length int) span {
	return v.text(at.File).spanAt(at, length, v.encoding)
}

// locationOf returns a place for the client; not ok in a file that ships with the program.
func (v *view) locationOf(at plan.Place, length int) (location, bool) {
	uri, ok := v.uriOf(at.File)
	if !ok {
		return location{}, false
	}
	return location{uri, v.spanAt(at, length)}, true
}

// module returns the project's directory as a compiler reads it, perhaps in another process.
func (v *view) module() sandbox.Module {
	m := sandbox.Module{Dir: v.root, Patched: map[string][]byte{}}
	for name, text := range v.texts {
		m.Patched[name] = []byte(text)
	}
	return m
}

// compilationSubject returns the subject of a compilation. While a homebrew does not say which ruleset it changes, it
// is the given one.
func (v *view) compilationSubject(changes string) *sandbox.Subject {
	x := &sandbox.Subject{Module: v.module(), Options: compiler.Options{Analyse: true, Functions: true}}
	if v.homebrew {
		x.Module, x.Homebrews, x.Ruleset = v.base, []sandbox.Module{x.Module}, changes
	}
	return x
}
