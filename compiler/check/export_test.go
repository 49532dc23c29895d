package check

import "github.com/google/cel-go/common/decls"

// Declarations are the functions that formulas may call, for the tests that lower each of them.
func Declarations(p Profile) []*decls.FunctionDecl { return languageFunctions(p) }
