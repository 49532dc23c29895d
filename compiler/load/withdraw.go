package load

import (
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/ast/astutil"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/fieldset"
)

// schemaPath is the import path of the schema. It is there for editors and for cue vet. Here it says nothing: reading
// checks the same, in words and at places that the author can use. CUE's errors about the schema's alternatives and
// closed structs would hide what else is wrong; and CUE, given an fs.FS, loads no package from cue.mod/pkg, where a
// module keeps the schema.
const schemaPath = "github.com/tabletop-rules/rules/schema"

// parseFile parses a file, withdraws the schema from it, wherever the module keeps it, and lowers choices of the keys of
// tables.
func parseFile(name string, src any, cfg parser.Config, names *schemaNames) (*ast.File, error) {
	f, err := parser.ParseFile(name, src, cfg)
	if f == nil {
		return nil, err
	}
	for d := range f.ImportDecls() {
		for _, spec := range d.Specs {
			if isSchema(spec) {
				names.addOf(f, spec)
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

// schemaNames are the names of definitions of the schema that files of a module refer to, by their positions. Files may be
// parsed at the same time, and each is parsed twice.
type schemaNames struct {
	mutex sync.Mutex
	at    map[token.Position]schemaName
}

// A schemaName is one reference to a definition of the schema.
type schemaName struct {
	pos      token.Pos
	name     string
	embedded bool // in the file, and so in the package
	isType   bool // of a field of a character, an input, an event or a state
}

// addOf notes the references of a file to the schema.
func (s *schemaNames) addOf(f *ast.File, spec *ast.ImportSpec) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	types := 0 // definitions of types around the node
	ast.Walk(f, func(x ast.Node) bool {
		if declaresTypes(x) {
			types++
		}
		sel, ok := x.(*ast.SelectorExpr)
		if !ok || !namesImport(sel.X, spec) {
			return true
		}
		if name, _, err := ast.LabelName(sel.Sel); err == nil {
			embedded := slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
				e, ok := d.(*ast.EmbedDecl)
				return ok && isConjunct(e.Expr, sel)
			})
			s.at[sel.Pos().Position()] = schemaName{sel.Pos(), name, embedded, types > 0}
		}
		return false
	}, func(x ast.Node) {
		if declaresTypes(x) {
			types--
		}
	})
}

// declaresTypes reports whether a field holds the types of a character, an input, an event or a state.
func declaresTypes(x ast.Node) bool {
	field, ok := x.(*ast.Field)
	if !ok {
		return false
	}
	name, _, err := ast.LabelName(field.Label)
	return err == nil && slices.Contains([]string{"#Character", "#Input", "#Event", "#State"}, name)
}

// isConjunct reports whether a reference is an expression, or one of the values that the expression joins by &.
func isConjunct(x ast.Expr, sel *ast.SelectorExpr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return isConjunct(x.X, sel)
	case *ast.BinaryExpr:
		return x.Op == token.AND && (isConjunct(x.X, sel) || isConjunct(x.Y, sel))
	}
	return x == ast.Expr(sel)
}

// reportSchemaNames reports names that the schema does not define, and a package that embeds the definition of another
// kind of package. Plain cue vet refuses the first. Here a package reads the same without its schema.
func (r *reader) reportSchemaNames() {
	embeds, other := "#Ruleset", "#Homebrew"
	if r.isHomebrew {
		embeds, other = other, embeds
	}
	for _, x := range r.schemaNames.at {
		switch {
		case !slices.Contains(fieldset.Definitions(), x.name):
			d := r.addf("unknown-reference", r.PlaceOf(x.pos), "", "the schema has no %s", x.name)
			if d.Repair = diag.DidYouMean(x.name, fieldset.Definitions()); d.Repair == "" && x.embedded {
				d.Repair = "here stands schema." + embeds
			} else if d.Repair == "" {
				d.Repair = "write int, number, bool, string, a list or a struct"
			}
		case x.isType:
			r.addf("cannot-lower", r.PlaceOf(x.pos), "", "schema.%s says how a ruleset is written, and is no type", x.name).
				Repair = "write int, number, bool, string, a list or a struct"
		case x.embedded && x.name == other:
			kind := strings.ToLower(strings.TrimPrefix(embeds, "#"))
			r.addf("unread-definition", r.PlaceOf(x.pos), "", "this package is a %s, and embeds %s", kind, other).
				Repair = "here stands schema." + embeds
		}
	}
}
