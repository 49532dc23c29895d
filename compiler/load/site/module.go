package site

import (
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Module is a module of CUE as its files say it: their texts, and what their packages declare.
type Module struct {
	Files
	Context  *cue.Context      // of the evaluation: a value of one context cannot be unified with one of another
	Packages []*build.Instance // what is read, and all it imports: the importer before the imported
	scopes   map[*build.Instance]*Scope
	read     map[*ast.Attribute]bool
}

// NewModule gives a module of which no package is read yet.
func NewModule(files Files, ctx *cue.Context) *Module {
	files.byName = map[string]*File{}
	return &Module{Files: files, Context: ctx, scopes: map[*build.Instance]*Scope{}, read: map[*ast.Attribute]bool{}}
}

// ReadAttribute returns the text in the parentheses of an attribute, and notes that the attribute is read.
func (m *Module) ReadAttribute(a *ast.Attribute) string {
	m.read[a] = true
	_, text := a.Split()
	return strings.TrimSpace(text)
}

// AttributeAround returns the attribute of a name that is a declaration of the innermost struct around a position, or of
// its file; nil when none is.
func (m *Module) AttributeAround(pos token.Pos, name string) (found *ast.Attribute) {
	look := func(decls []ast.Decl) {
		if a := declaredAttribute(decls, name); a != nil {
			found = a
		}
	}
	for _, inst := range m.Packages {
		for _, f := range inst.Files {
			if f.Filename != pos.Filename() {
				continue
			}
			ast.Walk(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.File:
					look(n.Decls)
					return true
				case *ast.StructLit:
					if n.Pos().Offset() < pos.Offset() && pos.Offset() < n.End().Offset() {
						look(n.Elts)
					}
				}
				return n.Pos().Offset() <= pos.Offset() && pos.Offset() < n.End().Offset()
			}, nil)
		}
	}
	return found
}

// HeadAttribute returns the attribute of a name that is a declaration of the struct that is written at the site itself, not
// of one to which it refers; nil when there is none.
func (s Site) HeadAttribute(name string) *ast.Attribute {
	for _, p := range s.SplitParts() {
		if lit, ok := p.Expr.(*ast.StructLit); ok && p.depth == s.depth {
			if a := declaredAttribute(lit.Elts, name); a != nil {
				return a
			}
		}
	}
	return nil
}

// declaredAttribute returns the last attribute of a name among declarations; nil when there is none.
func declaredAttribute(decls []ast.Decl, name string) (found *ast.Attribute) {
	for _, d := range decls {
		if IsAttribute(d, name) {
			found = d.(*ast.Attribute)
		}
	}
	return found
}

// IsAttribute reports whether a declaration is an attribute of a name.
func IsAttribute(d ast.Decl, name string) bool {
	a, ok := d.(*ast.Attribute)
	return ok && attributeName(a) == name
}

func attributeName(a *ast.Attribute) string {
	name, _ := a.Split()
	return name
}

// IsRead reports whether something has read an attribute.
func (m *Module) IsRead(a *ast.Attribute) bool { return m.read[a] }

// PackageScope is the scope of a package: its declarations in the order of files and places. It is made once, since each
// reference into a large package would otherwise read all of it.
func (m *Module) PackageScope(inst *build.Instance) *Scope {
	if s, ok := m.scopes[inst]; ok {
		return s
	}
	s := &Scope{Index: map[string][]Field{}, Doc: packageComment(inst.Files)}
	m.scopes[inst] = s
	for _, f := range inst.Files {
		in := &Scope{up: s, decls: f.Decls, imports: m.importsOf(inst, f)}
		s.List = append(s.List, declaredFields(f.Decls, Site{Scope: in})...)
	}
	for _, f := range s.List {
		for _, name := range f.identifiersOf() {
			s.Index[name] = append(s.Index[name], f)
		}
	}
	return s
}

// importsOf are the packages that a file imports, by the names that it gives them. CUE's own have no declarations here.
func (m *Module) importsOf(inst *build.Instance, f *ast.File) map[string]*Scope {
	out := map[string]*Scope{}
	for spec := range f.ImportSpecs() {
		p, err := literal.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		dep := dependencyOf(inst, p)
		if dep == nil {
			continue
		}
		name := dep.PkgName
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out[name] = m.PackageScope(dep)
	}
	return out
}

// dependencyOf is the package that an import names, nil for one of CUE's own.
func dependencyOf(inst *build.Instance, path string) *build.Instance {
	for _, dep := range inst.Imports {
		if ast.ParseImportPath(dep.ImportPath).Unqualified().String() == ast.ParseImportPath(path).Unqualified().String() {
			return dep
		}
	}
	return nil
}

// packageComment is the documentation of a package: the comment before its clause.
func packageComment(files []*ast.File) string {
	for _, f := range files {
		for _, d := range f.Decls {
			if p, ok := d.(*ast.Package); ok {
				if s := docComment(p); s != "" {
					return s
				}
			}
		}
		if s := docComment(f); s != "" {
			return s
		}
	}
	return ""
}

// PlaceOfPath is where the field at a path of CUE's is written, or the nearest around it that can be found; otherwise the
// place that is given.
func (m *Module) PlaceOfPath(path []string, otherwise plan.Place) plan.Place {
	for _, inst := range m.Packages {
		at, fields := otherwise, m.PackageScope(inst).List
		for _, name := range path {
			var sites []Site
			for _, f := range fields {
				if f.Name == name && f.Label != nil {
					if len(sites) == 0 {
						at = m.PlaceOf(f.Label.Pos())
					}
					sites = append(sites, f.Site)
				}
			}
			fields = MembersOf(FlattenSites(sites))
		}
		if at != otherwise {
			return at
		}
	}
	return otherwise
}

// IsReferredTo reports whether a file of the packages that are read refers to a name.
func (m *Module) IsReferredTo(name string) (found bool) {
	for _, inst := range m.Packages {
		for _, f := range inst.Files {
			ast.Walk(f, func(x ast.Node) bool {
				id, ok := x.(*ast.Ident) // that of a label is not resolved
				found = found || ok && id.Name == name && id.Node != nil
				return !found
			}, nil)
		}
	}
	return found
}

// RefersTo reports whether anything in a struct refers to a name, or anything in the packages that are read to a part of that
// name.
func (m *Module) RefersTo(in *ast.StructLit, name string) (found bool) {
	ast.Walk(in, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		found = found || ok && id.Name == name && id.Node != nil
		return !found
	}, nil)
	for _, inst := range m.Packages {
		for _, f := range inst.Files {
			ast.Walk(f, func(x ast.Node) bool {
				part, ok := x.(*ast.SelectorExpr)
				found = found || ok && LabelName(part.Sel) == name
				return !found
			}, nil)
		}
	}
	return found
}
