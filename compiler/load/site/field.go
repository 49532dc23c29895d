package site

import (
	"strings"

	"cuelang.org/go/cue/ast"
)

// A LabelKind says what the label of a field is.
type LabelKind uint8

// The kinds of labels.
const (
	Regular    LabelKind = iota
	Definition           // #Name
	hidden               // _name, _#Name, or a let: not there for a reader of the struct
	Computed             // only CUE knows the name
	Pattern              // [string]: every field of such a name
)

// A Field is a declaration in a struct, of a name or of a pattern.
type Field struct {
	Name    string
	Decl    *ast.Field // nil for a let
	Label   ast.Node
	Pattern ast.Expr // the label of a pattern; nil for a name
	Kind    LabelKind
	Site    Site
}

// identifiersOf are the names by which the field can be referred to; those of a let are its own.
func (f Field) identifiersOf() []string {
	if f.Decl == nil {
		return []string{f.Name}
	}
	return identifiers(f.Decl)
}

// MembersOf are the fields that the structs among some sites have, in order of their keys.
func MembersOf(parts []Site) []Field {
	var out []Field
	for _, s := range parts {
		if p, ok := s.ImportedPackage(); ok {
			out = append(out, p.List...)
		}
		if lit, ok := s.Expr.(*ast.StructLit); ok {
			fields := declaredFields(lit.Elts, s.Enter(lit))
			if out == nil { // as mostly: then they need no copy
				out = fields
			} else {
				out = append(out, fields...)
			}
		}
	}
	return out
}

// declaredFields are the fields of declarations, embedded ones where they are embedded. The site is that of the struct, and
// its scope that of the declarations.
// There are four kinds of declaration with fields: a field, a let, an embedding, a comprehension.
// An ellipsis, an attribute and an import declare nothing that has a value.
func declaredFields(decls []ast.Decl, in Site) []Field {
	out := make([]Field, 0, len(decls))
	for _, d := range decls {
		switch x := d.(type) {
		case *ast.Field:
			out = append(out, DeclaredField(x, in))
		case *ast.LetClause:
			out = append(out, Field{Kind: hidden, Name: x.Ident.Name, Label: x.Ident, Site: in.InStruct(x.Expr, x.Pos())})
		case *ast.EmbedDecl:
			out = append(out, MembersOf(in.InStruct(x.Expr, x.Pos()).SplitParts())...)
		case *ast.Comprehension:
			out = append(out, MembersOf([]Site{in.InStruct(x.Value, x.Pos())})...)
		}
	}
	return out
}

// DeclaredField returns the field of one declaration of the site's struct.
func DeclaredField(x *ast.Field, in Site) Field {
	f := Field{Decl: x, Label: x.Label, Site: in.InStruct(x.Value, x.Pos())}
	f.Site.KeyOf, f.Site.Decimals, f.Site.When = f.AttributeOf("key"), f.AttributeOf("decimals"), f.AttributeOf("when")
	if list, ok := x.Label.(*ast.ListLit); ok && len(list.Elts) == 1 {
		f.Kind, f.Pattern = Pattern, list.Elts[0]
		return f
	}
	name, identifier, err := ast.LabelName(x.Label)
	f.Name = name
	switch {
	case err != nil:
		f.Kind = Computed
	case identifier && strings.HasPrefix(name, "_"):
		f.Kind = hidden
	case identifier && strings.HasPrefix(name, "#"):
		f.Kind = Definition
	}
	return f
}

// AttributeOf returns the first attribute of a name; nil when the declaration has none.
func (f Field) AttributeOf(name string) *ast.Attribute {
	if f.Decl == nil {
		return nil
	}
	for _, a := range f.Decl.Attrs {
		if attributeName(a) == name {
			return a
		}
	}
	return nil
}

// IsHidden reports whether the field is not there for a reader of the struct: a definition, a hidden field or a let.
func (f Field) IsHidden() bool { return f.Kind == Definition || f.Kind == hidden }

// IsOfPackage reports whether the field is declared by a package, and not in a struct.
func (f Field) IsOfPackage() bool { return f.Site.Scope.imports != nil }
