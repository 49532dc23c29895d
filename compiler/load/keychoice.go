package load

import (
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/ast/astutil"

	"github.com/tabletop-rules/rules/compiler/load/site"
)

// CUE's own way to say that a string is a key of a table is a choice that is made of the keys:
//
//	weapon!: or([for k, _ in tables.weapon.keyed {k}])
//
// Plain cue vet understands it, and @key(weapon) says the same. CUE evaluates a choice of n words with each value that is
// unified with it, and with each other such choice, pair by pair: 200 rows take seconds and a gigabyte. So it is read as
// string @key(weapon), in every field that it stands in, before CUE sees it.

// lowerKeyChoices puts string @key(table) in the place of choices of the keys of one table.
func lowerKeyChoices(f *ast.File) {
	ast.Walk(f, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok {
			lowerKeyChoice(field)
		}
		return true
	}, nil)
}

// lowerKeyChoice lowers the choices in the type of one field; those of the fields inside are their own.
func lowerKeyChoice(field *ast.Field) {
	astutil.Apply(field, func(c astutil.Cursor) bool {
		if inner, ok := c.Node().(*ast.Field); ok && inner != field {
			return false
		}
		table, ok := tableOfChoice(c.Node())
		if !ok {
			return true
		}
		key := &ast.Attribute{At: c.Node().Pos(), Text: "@key(" + table + ")"}
		field.Attrs = append(field.Attrs, key)
		text := ast.NewIdent("string")
		ast.SetPos(text, c.Node().Pos())
		c.Replace(text)
		return false
	}, nil)
}

// tableOfChoice returns the table of or([for k, _ in tables.NAME.keyed {k}]).
func tableOfChoice(n ast.Node) (table string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || site.CalleeName(call.Fun) != "or" || len(call.Args) != 1 {
		return "", false
	}
	list, ok := call.Args[0].(*ast.ListLit)
	if !ok || len(list.Elts) != 1 {
		return "", false
	}
	loop, ok := list.Elts[0].(*ast.Comprehension)
	if !ok {
		return "", false
	}
	source, yieldsKey, ok := site.PlainLoop(loop)
	if !ok || !yieldsKey {
		return "", false
	}
	return keyedTable(source)
}

// keyedTable returns the name in tables.NAME.keyed.
func keyedTable(x ast.Expr) (table string, ok bool) {
	keyed, ok := x.(*ast.SelectorExpr)
	if !ok || site.LabelName(keyed.Sel) != "keyed" {
		return "", false
	}
	named, ok := keyed.X.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	root, ok := named.X.(*ast.Ident)
	return site.LabelName(named.Sel), ok && root.Name == "tables"
}
