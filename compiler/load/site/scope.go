package site

import (
	"slices"

	"cuelang.org/go/cue/ast"
)

// A Scope is where names are resolved: the declarations of a struct, and the scopes around it.
//
// There are three kinds: of a struct (decls), of a file (decls and imports), of a package (Index
// and List). The chain of a struct ends with its file and its package, whose up is nil. A file's
// own declarations are never looked up in it: they are visible in all files of the package, and so
// in the package's index, whereas imports are visible in their file alone.
type Scope struct {
	up      *Scope
	decls   []ast.Decl
	imports map[string]*Scope // of a file: packages by local name

	Index map[string][]Field // of a package: its declarations by identifier; a quoted label is none
	List  []Field            // of a package: in the order of files and of places
	Doc   string             // of a package: its comment
}

// lookUp resolves a name: the innermost struct that declares it, at last the package.
// Cost: a package has an index, because every name of a large table is looked up there; a struct is
// searched, because most have a handful of fields and an index would be built for each site anew.
func (s *Scope) lookUp(name string) ([]Field, bool) {
	for ; s != nil; s = s.up {
		found := s.Index[name]
		if s.imports == nil && s.Index == nil {
			found = s.declarationsOf(name)
		}
		if len(found) > 0 {
			return found, true
		}
	}
	return nil, false
}

// declarationsOf are the declarations of a name that stand in the struct itself.
func (s *Scope) declarationsOf(name string) (out []Field) {
	for _, d := range s.decls {
		if DeclaresName(d, name) {
			out = append(out, declaredFields([]ast.Decl{d}, Site{Scope: s})...)
		}
	}
	return out
}

// DeclaresName reports whether a declaration makes a name known in its struct. A quoted label does not.
func DeclaresName(d ast.Decl, name string) bool {
	switch x := d.(type) {
	case *ast.Field:
		return slices.Contains(identifiers(x), name)
	case *ast.LetClause:
		return x.Ident.Name == name
	}
	return false
}

// identifiers are the names by which a field can be referred to: its label, unless that is quoted, and its aliases.
func identifiers(x *ast.Field) (out []string) {
	label := x.Label
	if a, ok := label.(*ast.Alias); ok {
		out = append(out, a.Ident.Name)
		label, _ = a.Expr.(ast.Label)
	}
	if id, ok := label.(*ast.Ident); ok {
		out = append(out, id.Name)
	}
	if x.Alias != nil && x.Alias.Field != nil {
		out = append(out, x.Alias.Field.Name)
	}
	return out
}
