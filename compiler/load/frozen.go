package load

import "cuelang.org/go/cue/ast"

// frozenColumns are the columns of a table of which a pattern says something that depends on the ruleset's tables and
// options; "" is among them when all do. The sites are those of the rows, split into parts.
func frozenColumns(parts []site) map[string]bool {
	f := frozenFinder{columns: map[string]bool{}}
	for _, m := range membersOf(parts) {
		if m.kind == pattern {
			f.addColumns([]site{m.site})
		}
	}
	for _, s := range parts {
		lit, ok := s.expr.(*ast.ListLit)
		if !ok {
			continue
		}
		for _, x := range lit.Elts {
			if rest, ok := x.(*ast.Ellipsis); ok && rest.Type != nil {
				f.addColumns([]site{s.inStruct(rest.Type, rest.Pos())})
			}
		}
	}
	return f.columns
}

// A frozenFinder collects the columns that depend on tables and options.
type frozenFinder struct{ columns map[string]bool }

// addColumns adds columns of a pattern's structs.
func (f frozenFinder) addColumns(sites []site) {
	for _, s := range flattenSites(sites) {
		lit, ok := s.expr.(*ast.StructLit)
		if !ok {
			f.addColumn("", s)
			continue
		}
		in := s
		in.scope = &scope{up: s.scope, decls: lit.Elts}
		for _, d := range lit.Elts {
			switch x := d.(type) {
			case *ast.Field:
				m := declaredField(x, in)
				f.addColumn(m.name, m.site)
			case *ast.EmbedDecl:
				f.addColumns([]site{in.inStruct(x.Expr, x.Pos())})
			case *ast.Comprehension:
				for _, clause := range x.Clauses {
					if readsTables(in, clause, map[ast.Node]bool{}) {
						f.columns[""] = true
					}
				}
				f.addColumns([]site{in.inStruct(x.Value, x.Pos())})
			}
		}
	}
}

// addColumn adds a column, "" for all, when what a site says depends on tables and options.
func (f frozenFinder) addColumn(name string, s site) {
	if readsTables(s, s.expr, map[ast.Node]bool{}) {
		f.columns[name] = true
	}
}

// readsTables reports whether a part of what is written at a site refers to the tables or the options of a ruleset,
// directly or through other fields; those in seen have been looked through. Names that the part itself declares are
// looked up outside of it: a loop variable that is called like a field counts as the field.
func readsTables(s site, part ast.Node, seen map[ast.Node]bool) (reads bool) {
	if seen[part] {
		return false
	}
	seen[part] = true
	ast.Walk(part, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			_, isPackage := s.withExpr(x.X).importedPackage()
			if isPackage {
				reads = reads || refersToTables(s.withExpr(x), seen)
				return false
			}
			reads = reads || readsTables(s, x.X, seen)
			return false
		case *ast.Field:
			reads = reads || readsTables(s, x.Value, seen)
			return false
		case *ast.Ident:
			reads = reads || refersToTables(s.withExpr(x), seen)
		}
		return !reads
	}, nil)
	return reads
}

// refersToTables reports whether a reference leads to tables or options.
func refersToTables(s site, seen map[ast.Node]bool) bool {
	fields, _ := s.referredFields()
	for _, m := range fields {
		ofPackage := m.site.scope.imports != nil
		if ofPackage && (m.name == "tables" || m.name == "options") || readsTables(m.site, m.site.expr, seen) {
			return true
		}
	}
	return false
}
