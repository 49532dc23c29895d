package load

import (
	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/literal"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A cueModule is a module of CUE as its files say it: their texts, and what their packages declare.
type cueModule struct {
	files
	context  *cue.Context      // of the evaluation: a value of one context cannot be unified with one of another
	packages []*build.Instance // what is read, and all it imports: the importer before the imported
	scopes   map[*build.Instance]*scope
}

func newCueModule(files files, ctx *cue.Context) *cueModule {
	files.byName = map[string]*file{}
	return &cueModule{files: files, context: ctx, scopes: map[*build.Instance]*scope{}}
}

// packageScope is the scope of a package.
func (m *cueModule) packageScope(inst *build.Instance) *scope {
	if s, ok := m.scopes[inst]; ok {
		return s
	}
	s := &scope{index: map[string][]field{}, doc: packageComment(inst.Files)}
	m.scopes[inst] = s
	for _, f := range inst.Files {
		in := &scope{up: s, decls: f.Decls, imports: m.importsOf(inst, f)}
		s.list = append(s.list, declaredFields(f.Decls, site{scope: in})...)
	}
	for _, f := range s.list {
		for _, name := range f.identifiersOf() {
			s.index[name] = append(s.index[name], f)
		}
	}
	return s
}

func (m *cueModule) importsOf(inst *build.Instance, f *ast.File) map[string]*scope {
	out := map[string]*scope{}
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
		out[name] = m.packageScope(dep)
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

// placeOfPath is where the field at a path of CUE's is written, or the nearest around it that can be found; otherwise the
// place that is given.
func (m *cueModule) placeOfPath(path []string, otherwise plan.Place) plan.Place {
	for _, inst := range m.packages {
		at, fields := otherwise, m.packageScope(inst).list
		for _, name := range path {
			var sites []site
			for _, f := range fields {
				if f.name == name && f.label != nil {
					if len(sites) == 0 {
						at = m.placeOf(f.label.Pos())
					}
					sites = append(sites, f.site)
				}
			}
			fields = membersOf(flattenSites(sites))
		}
		if at != otherwise {
			return at
		}
	}
	return otherwise
}

// isReferredTo reports whether a file of the packages that are read refers to a name.
func (m *cueModule) isReferredTo(name string) (found bool) {
	for _, inst := range m.packages {
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
