package explain

import (
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
)

// marks are parts of the files that explain errors of CUE's.
type marks struct {
	strays         []ast.Expr // declarations that are only values
	comprehensions []*ast.Comprehension
	packages       int // how many they are of
}

// collectMarks collects the marks of all files of some packages.
func collectMarks(packages []*build.Instance) *marks {
	out := &marks{packages: len(packages)}
	for _, inst := range packages {
		for _, f := range inst.Files {
			ast.Walk(f, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.EmbedDecl:
					if isScalar(x.Expr) {
						out.strays = append(out.strays, x.Expr)
					}
				case *ast.Comprehension:
					out.comprehensions = append(out.comprehensions, x)
				}
				return true
			}, nil)
		}
	}
	return out
}

// isScalar reports whether an expression is a number, a string or a truth, or computed from numbers alone.
func isScalar(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return isScalar(x.X)
	case *ast.BinaryExpr:
		return isScalar(x.X) && isScalar(x.Y)
	}
	return false
}
