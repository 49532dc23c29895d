package load

import (
	"slices"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/ast/astutil"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/parser"
)

// schemaPath is the import path of the schema. It is there for editors and for cue vet. Here it says nothing: reading
// checks the same, in words and at places that the author can use. CUE's errors about the schema's alternatives and
// closed structs would hide what else is wrong; and CUE, given an fs.FS, loads no package from cue.mod/pkg, where a
// module keeps the schema.
const schemaPath = "github.com/tabletop-rules/rules/schema"

// parseFile parses a file, withdraws the schema from it, wherever the module keeps it, and lowers choices of the keys of
// tables.
func parseFile(name string, src any, cfg parser.Config) (*ast.File, error) {
	f, err := parser.ParseFile(name, src, cfg)
	if f == nil {
		return nil, err
	}
	for d := range f.ImportDecls() {
		for _, spec := range d.Specs {
			if isSchema(spec) {
				withdrawSchema(f, spec)
			}
		}
		d.Specs = slices.DeleteFunc(d.Specs, isSchema)
	}
	lowerKeyChoices(f)
	return f, err
}

func isSchema(spec *ast.ImportSpec) bool {
	path, err := literal.Unquote(spec.Path.Value)
	return err == nil && ast.ParseImportPath(path).Path == schemaPath
}

// withdrawSchema puts _, which allows anything, in the place of every definition of an imported package.
func withdrawSchema(f *ast.File, spec *ast.ImportSpec) {
	astutil.Apply(f, func(c astutil.Cursor) bool {
		if x, ok := c.Node().(*ast.SelectorExpr); ok && namesImport(x.X, spec) {
			top := ast.NewIdent("_")
			ast.SetPos(top, x.Pos())
			c.Replace(top)
			return false
		}
		return true
	}, nil)
}

func namesImport(x ast.Expr, spec *ast.ImportSpec) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Node == spec
}
