package site

import (
	"strings"

	"cuelang.org/go/cue/ast"
)

// LabelName is the name that a label gives its field; "" when only CUE knows it.
func LabelName(l ast.Label) string {
	name, _, err := ast.LabelName(l)
	if err != nil {
		return ""
	}
	return name
}

// CalleeName is a function as a message names it: list.MaxItems.
func CalleeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return CalleeName(x.X) + "." + LabelName(x.Sel)
	}
	return "this call"
}

// IsStandardPackage reports whether a name is that of a package of CUE which rulesets use.
func IsStandardPackage(name string) bool {
	return name == "list" || name == "math" || name == "strings" || name == "struct"
}

// docComment is the comment above a declaration; "" when none stands there.
func docComment(n ast.Node) string {
	for _, g := range ast.Comments(n) {
		if g.Doc {
			return strings.TrimSpace(g.Text())
		}
	}
	return ""
}
