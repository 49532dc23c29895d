package load

import (
	"cuelang.org/go/cue/ast"
	"github.com/tabletop-rules/rules/compiler/load/site"
)

// frozenColumns are the columns of a table of which a pattern says something that depends on the ruleset's tables and
// options; "" is among them when all do. The sites are those of the rows, split into parts.
func frozenColumns(parts []site.Site) map[string]bool {
	f := frozenFinder{columns: map[string]bool{}}
	for _, m := range site.MembersOf(parts) {
		if m.Kind == site.Pattern {
			f.addColumns([]site.Site{m.Site})
		}
	}
	for _, s := range parts {
		lit, ok := s.Expr.(*ast.ListLit)
		if !ok {
			continue
		}
		for _, x := range lit.Elts {
			if rest, ok := x.(*ast.Ellipsis); ok && rest.Type != nil {
				f.addColumns([]site.Site{s.InStruct(rest.Type, rest.Pos())})
			}
		}
	}
	return f.columns
}

// A frozenFinder collects the columns that depend on tables and options.
type frozenFinder struct{ columns map[string]bool }

// addColumns adds columns of a pattern's structs.
func (f frozenFinder) addColumns(sites []site.Site) {
	for _, s := range site.FlattenSites(sites) {
		lit, ok := s.Expr.(*ast.StructLit)
		if !ok {
			f.addColumn("", s)
			continue
		}
		in := s.Enter(lit)
		for _, d := range lit.Elts {
			switch x := d.(type) {
			case *ast.Field:
				m := site.DeclaredField(x, in)
				f.addColumn(m.Name, m.Site)
			case *ast.EmbedDecl:
				f.addColumns([]site.Site{in.InStruct(x.Expr, x.Pos())})
			case *ast.Comprehension:
				for _, clause := range x.Clauses {
					if readsTables(in, clause, map[ast.Node]bool{}) {
						f.columns[""] = true
					}
				}
				f.addColumns([]site.Site{in.InStruct(x.Value, x.Pos())})
			}
		}
	}
}

// addColumn adds a column, "" for all, if the expression of a site depends on tables and options.
func (f frozenFinder) addColumn(name string, s site.Site) {
	if readsTables(s, s.Expr, map[ast.Node]bool{}) {
		f.columns[name] = true
	}
}

// readsTables reports whether a part of the text at a site refers to the tables or the options of a ruleset, directly or
// through other fields; those in seen have been looked through. Names that the part itself declares are looked up outside
// of it: a loop variable that is called like a field counts as the field.
func readsTables(s site.Site, part ast.Node, seen map[ast.Node]bool) (reads bool) {
	if seen[part] {
		return false
	}
	seen[part] = true
	ast.Walk(part, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			_, isPackage := s.WithExpr(x.X).ImportedPackage()
			if isPackage {
				reads = reads || refersToTables(s.WithExpr(x), seen)
				return false
			}
			reads = reads || readsTables(s, x.X, seen)
			return false
		case *ast.Field:
			reads = reads || readsTables(s, x.Value, seen)
			return false
		case *ast.Ident:
			reads = reads || refersToTables(s.WithExpr(x), seen)
		}
		return !reads
	}, nil)
	return reads
}

// refersToTables reports whether a reference leads to tables or options.
func refersToTables(s site.Site, seen map[ast.Node]bool) bool {
	fields, _ := s.ReferredFields()
	for _, m := range fields {
		if m.IsOfPackage() && (m.Name == "tables" || m.Name == "options") || readsTables(m.Site, m.Site.Expr, seen) {
			return true
		}
	}
	return false
}
