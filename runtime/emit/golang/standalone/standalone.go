// Package standalone has the declarations of the kernel as text, for generated packages that import the standard library
// alone. They are those of package kernel and of the packages that it calls, under names that one package can hold. Only
// those that a package reaches are written into it.
//
// The declarations stand in a file that a test of this package writes and holds to the sources: nothing here parses Go.
package standalone

import (
	_ "embed"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// declarations has a section for each declaration: its file, its names, and what it needs, between commas.
//
//go:embed declarations.txtar
var declarations []byte

// A declaration is a function, a method, a type, a variable, or a group of constants.
type declaration struct {
	file    string
	names   []string
	needs   []string // names of other declarations
	imports []string // paths of packages of the standard library
	text    string
}

// readDeclarations returns all declarations in the order of their files, and each by its names.
var readDeclarations = sync.OnceValues(func() (all []*declaration, byName map[string]*declaration) {
	byName = map[string]*declaration{}
	for _, section := range txtar.Parse(declarations).Files {
		parts := strings.Split(section.Name, " ")
		d := &declaration{file: parts[0], text: string(section.Data)}
		for i, list := range []*[]string{&d.names, &d.needs, &d.imports} {
			*list = strings.FieldsFunc(parts[i+1], func(r rune) bool { return r == ',' })
		}
		all = append(all, d)
		for _, name := range d.names {
			byName[name] = d
		}
	}
	return all, byName
})

// Names returns the names that a generated package must leave to the kernel. Methods are among them as Type.Method.
func Names() []string {
	_, byName := readDeclarations()
	return slices.Sorted(maps.Keys(byName))
}

// inviting are the names by which a caller makes faces and requests, which no generated function mentions.
var inviting = []string{"Faces", "FacesByID", "Seed", "Fallen", "FallenByID", "DrawnFrom", "Request", "Source", "Refused",
	"Failure", "InputError", "DiceError", "ThrowError", "NewWriter"}

// A Kernel gathers the declarations that a generated package reaches.
type Kernel struct {
	reached map[*declaration]bool
	called  map[string]bool // names of methods
	err     error
}

// NewKernel returns a kernel with the declarations that every caller may use.
func NewKernel() *Kernel {
	k := &Kernel{reached: map[*declaration]bool{}, called: map[string]bool{}}
	for _, name := range inviting {
		k.reach(name)
	}
	return k
}

// reach adds a declaration with all that it needs.
func (k *Kernel) reach(name string) {
	_, byName := readDeclarations()
	d := byName[name]
	switch {
	case d == nil:
		k.err = fmt.Errorf("the kernel has no declaration %s", name)
	case !k.reached[d]:
		k.reached[d] = true
		for _, need := range d.needs {
			k.reach(need)
		}
	}
}

// reachMethods adds the methods of reached types whose names generated functions call.
func (k *Kernel) reachMethods(all []*declaration) {
	_, byName := readDeclarations()
	for known := -1; known < len(k.reached); {
		known = len(k.reached)
		for _, d := range all {
			of, method, _ := strings.Cut(d.names[0], ".")
			if k.called[method] && k.reached[byName[of]] {
				k.reach(d.names[0])
			}
		}
	}
}

// Unqualify returns a text of Go in which the names of the packages kernel and builtin are those of one package, and adds
// their declarations.
func (k *Kernel) Unqualify(text string) string {
	var out strings.Builder
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", 1, len(text)), []byte(text), nil, scanner.ScanComments)
	written, from, qualifier, isSelector := 0, 0, "", false
	for {
		pos, tok, literal := s.Scan()
		at := int(pos) - 1
		switch {
		case tok == token.EOF:
			return out.String() + text[written:]
		case tok == token.IDENT && isSelector && qualifier == "":
			k.called[literal] = true
		case tok == token.IDENT && isSelector:
			name := NameIn(qualifier, literal)
			k.reach(name)
			out.WriteString(text[written:from])
			out.WriteString(name)
			written, qualifier = at+len(literal), ""
		case tok == token.IDENT && (literal == "kernel" || literal == "builtin"):
			from, qualifier = at, literal
		case tok != token.PERIOD:
			qualifier = ""
		}
		isSelector = tok == token.PERIOD
	}
}

// NameIn returns the name of a declaration of a package in the one package: those of the kernel stay.
func NameIn(in, name string) string {
	if in == "kernel" {
		return name
	}
	return in + strings.ToUpper(name[:1]) + name[1:]
}

// A File holds the reached declarations of a package.
type File struct {
	Name    string // without its ending
	Imports []string
	Text    string
}

// Files returns the reached declarations, those of each package in a file. Its error names a declaration that is missing.
func (k *Kernel) Files() (out []File, err error) {
	all, _ := readDeclarations()
	k.reachMethods(all)
	for _, d := range all {
		if !k.reached[d] {
			continue
		}
		if len(out) == 0 || out[len(out)-1].Name != d.file {
			out = append(out, File{Name: d.file})
		}
		f := &out[len(out)-1]
		f.Text += d.text + "\n"
		f.Imports = append(f.Imports, d.imports...)
	}
	for i := range out {
		slices.Sort(out[i].Imports)
		out[i].Imports = slices.Compact(out[i].Imports)
	}
	return out, k.err
}
