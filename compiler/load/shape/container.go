package shape

import (
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readStruct reads structs that are unified: a record, or a map when there is a pattern.
// active holds the structs around the one that is read, so that a type that contains itself ends
// here: #Node: {next?: #Node} is fine for CUE, but JSON of any depth would fit it.
func (w *Reader) readStruct(structs []site.Site) meaning {
	for _, s := range structs {
		if w.active[s.Expr] {
			w.reportUnsayable(w.PlaceOf(s.OwnPosition()), "a type that contains itself has no bound")
			return unclearMeaning(w.PlaceOf(s.OwnPosition()))
		}
	}
	for _, s := range structs {
		if w.active[s.Expr] {
			continue // the same definition twice: #Span & #Span
		}
		w.active[s.Expr] = true
		defer delete(w.active, s.Expr)
		w.checkDeclarations(s)
	}
	w.checkClosed(structs)
	out := meaning{Shape: w.readContainer(site.MembersOf(structs))}
	for _, s := range structs {
		w.unifyEmbedded(&out, s)
	}
	return out
}

// unifyEmbedded unifies the meaning of a struct with what is embedded in it beside fields: a size, {[string]: int,
// struct.MaxFields(3)}. Alternatives and other calls are reported; with the rest no struct agrees, and CUE says so.
func (w *Reader) unifyEmbedded(m *meaning, in site.Site) {
	lit := in.Expr.(*ast.StructLit)
	inside := in.Enter(lit)
	for _, d := range lit.Elts {
		embedded, ok := d.(*ast.EmbedDecl)
		if !ok || isScalarType(embedded.Expr) { // checkDeclarations has reported it
			continue
		}
		for _, s := range site.SplitConjuncts([]site.Site{inside.InStruct(embedded.Expr, embedded.Expr.Pos())}) {
			switch s.Expr.(type) {
			case *ast.CallExpr, *ast.BinaryExpr:
				m.unify(w.readAtom(s))
			case *ast.StructLit:
				if w.active[s.Expr] {
					continue
				}
				w.active[s.Expr] = true
				if s.Expr != embedded.Expr { // else checkDeclarations has been there
					w.checkDeclarations(s)
				}
				w.unifyEmbedded(m, s)
				delete(w.active, s.Expr)
			}
		}
	}
}

// readContainer reads the fields of a record, or of a map when there is a pattern.
func (w *Reader) readContainer(fields []site.Field) *plan.Shape {
	names, byName, patterns := groupByName(fields)
	s := &plan.Shape{Kind: plan.Record}
	matches := func(string) bool { return false }
	if len(patterns) > 0 {
		matches = w.readPattern(s, patterns)
	}
	for _, name := range names {
		var constrained []site.Field
		if matches(name) {
			constrained = patterns
		}
		s.Fields = append(s.Fields, w.readMember(name, byName[name], constrained))
	}
	w.checkLimits(s)
	return s
}

// checkClosed reports fields that a definition does not have with which their struct is unified.
//
// CUE closes a struct that comes from a definition (specification, "Closed structs"): #Span &
// {hours: 1} is an error unless #Span has hours. A site remembers by which definitions it was
// reached (site.closed). For each of these, the structs inside are those that share it, and a field
// of any struct must be declared by one inside.
func (w *Reader) checkClosed(structs []site.Site) {
	for _, s := range structs {
		for _, def := range s.Closed {
			inside := slices.DeleteFunc(slices.Clone(structs),
				func(o site.Site) bool { return !slices.Contains(o.Closed, def) })
			names, _, patterns := groupByName(site.MembersOf(inside))
			for _, f := range site.MembersOf(structs) {
				if f.Kind == site.Regular && len(patterns) == 0 && !slices.Contains(names, f.Name) {
					d := w.diags.Addf("unknown-field", w.PlaceOf(f.Label.Pos()), w.subject, "%s has no field %s",
						site.CalleeName(def), f.Name)
					d.Repair = diag.DidYouMeanOneOf(f.Name, names)
				}
			}
		}
	}
}

// checkDeclarations reports declarations of a struct that a shape cannot express. A let and a hidden field are none of
// these: they are no members, and references to them are followed.
func (w *Reader) checkDeclarations(s site.Site) {
	lit := s.Expr.(*ast.StructLit)
	w.reportHiddenChecks(s)
	for _, d := range lit.Elts {
		switch x := d.(type) {
		case *ast.Field:
			if _, _, err := ast.LabelName(x.Label); err != nil && !isPatternLabel(x.Label) {
				w.reportUnsayable(w.PlaceOf(x.Pos()), "a field with a computed name: write it out")
			}
		case *ast.Ellipsis:
			w.reportUnsayable(w.PlaceOf(x.Pos()),
				"an open struct: every field must be named, or be of a pattern like [string]: int")
		case *ast.EmbedDecl:
			if inner, ok := x.Expr.(*ast.StructLit); ok {
				w.checkDeclarations(s.Enter(lit).InStruct(inner, inner.Pos()))
			} else if isScalarType(x.Expr) {
				w.reportUnsayable(w.PlaceOf(x.Pos()), "a type in braces, {"+w.TextOf(x.Expr)+"}, is no struct of fields").
					Repair = "write it without braces; a map is [string]: " + w.TextOf(x.Expr)
			}
		case *ast.Comprehension:
			w.reportComprehension(x)
		}
	}
}

// isScalarType reports whether an expression is written as a type of numbers, strings, bools or lists, or with bounds.
func isScalarType(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.UnaryExpr, *ast.ListLit:
		return true
	case *ast.BinaryExpr:
		return isScalarType(x.X) || isScalarType(x.Y)
	case *ast.Ident:
		return foreignTypes[x.Name] == x.Name
	}
	return false
}

// reportComprehension reports fields that a loop or a condition makes.
func (w *Reader) reportComprehension(x *ast.Comprehension) {
	loop, ok := x.Clauses[0].(*ast.ForClause)
	if !ok {
		w.reportUnsayable(w.PlaceOf(x.Pos()), "a field that depends on a condition").
			Repair = "a field that need not be given is x?: int, and a require says when it must be"
		return
	}
	table := "TABLE"
	if keyed, ok := loop.Source.(*ast.SelectorExpr); ok && site.LabelName(keyed.Sel) == "keyed" {
		if named, ok := keyed.X.(*ast.SelectorExpr); ok {
			table = site.LabelName(named.Sel)
		}
	}
	w.reportUnsayable(w.PlaceOf(x.Pos()), "a field for each turn of a loop").
		Repair = "write the fields out; a number for each key of a table is a map: ranks: [string]: int @key(" + table + ")"
}

// isPatternLabel reports whether a label is that of a pattern.
func isPatternLabel(l ast.Label) bool {
	_, ok := l.(*ast.ListLit)
	return ok
}

// groupByName sorts fields by name, in the order in which the names first stand.
func groupByName(fields []site.Field) (names []string, byName map[string][]site.Field, patterns []site.Field) {
	slices.SortStableFunc(fields, func(a, b site.Field) int { return site.CompareKeys(a.Site.Key, b.Site.Key) })
	byName = map[string][]site.Field{}
	for _, f := range fields {
		switch f.Kind {
		case site.Pattern:
			patterns = append(patterns, f)
		case site.Regular:
			if byName[f.Name] == nil {
				names = append(names, f.Name)
			}
			byName[f.Name] = append(byName[f.Name], f)
		}
	}
	return names, byName, patterns
}

// readPattern makes a shape a map, and gives the keys that the pattern is about.
//
// A field beside a pattern, {[string]: int, luck: >=0}, is a key with a shape of its own, which it
// has together with the pattern's; so readContainer adds the pattern's sites to a field whose name
// the pattern matches.
func (w *Reader) readPattern(s *plan.Shape, patterns []site.Field) func(string) bool {
	s.Kind, s.Keys = plan.Map, w.readKeys(patterns[0])
	sites := []site.Site{patterns[0].Site}
	for _, f := range patterns[1:] {
		if !slices.Equal(w.readKeys(f), s.Keys) {
			w.reportUnsayable(w.PlaceOf(f.Label.Pos()), "two patterns in one struct")
			continue
		}
		sites = append(sites, f.Site)
	}
	m, key := w.readUnkeyed(sites, w.PlaceOf(sites[0].Expr.Pos()))
	w.reportEqual(m, sites)
	if key != nil && KeyedPart(m.Shape) == nil { // [string]: int @key(skill): the attribute speaks of the string
		s.KeyOf, key = w.readKeyOf(key, s), nil
	}
	w.noteKey(m, key)
	w.finishMeaning(m)
	s.Elem = m.Shape
	return func(name string) bool { return s.Keys == nil || slices.Contains(s.Keys, name) }
}

// readKeys are the only keys that a pattern is about, nil for all.
func (w *Reader) readKeys(f site.Field) []string {
	label := f.Site.InStruct(f.Pattern, f.Pattern.Pos())
	label.KeyOf = nil
	m := w.readMeaning([]site.Site{label}, w.PlaceOf(f.Label.Pos()))
	switch {
	case m.Kind == plan.Invalid:
	case m.Kind != plan.String:
		w.reportUnsayable(w.PlaceOf(f.Label.Pos()), "the keys of a map are strings")
	}
	return m.Enum
}

// readList returns the meaning of list literals that are unified. Only [...T] gives the elements of a list. A list of
// constants, which stands behind a default's star, is one value.
func (w *Reader) readList(lists []site.Site) meaning {
	m := meaning{Shape: &plan.Shape{Kind: plan.List}}
	var elems []site.Site
	for _, s := range lists {
		lit := s.Expr.(*ast.ListLit)
		if rest, ok := restType(lit); ok {
			elems = append(elems, s.InStruct(rest, rest.Pos()))
			continue
		}
		m.constant = w.constantList(s, lit)
		m.unclear = m.constant == ""
	}
	if len(elems) > 0 {
		e := w.readMeaning(elems, w.PlaceOf(elems[0].Expr.Pos()))
		w.reportEqual(e, elems)
		w.finishMeaning(e)
		m.Elem = e.Shape
		w.checkLimits(m.Shape)
	}
	return m
}

// restType is the type of the elements of [...T].
func restType(lit *ast.ListLit) (ast.Expr, bool) {
	if len(lit.Elts) != 1 {
		return nil, false
	}
	e, ok := lit.Elts[0].(*ast.Ellipsis)
	if !ok || e.Type == nil {
		return nil, false
	}
	return e.Type, true
}

// constantList is a list of constants as JSON, for a default; "" and a report when an element is none.
func (w *Reader) constantList(s site.Site, lit *ast.ListLit) string {
	var items []string
	for _, x := range lit.Elts {
		at := w.PlaceOf(x.Pos())
		if _, ok := x.(*ast.Ellipsis); ok {
			w.reportUnsayable(at, "the type of the elements must be known").Repair = "write [...int] & list.MaxItems(8)"
			return ""
		}
		m := w.readMeaning([]site.Site{s.InStruct(x, x.Pos())}, at)
		if m.unclear {
			return ""
		}
		if m.constant == "" {
			d := w.reportUnsayable(at, "a list with a type for each element")
			d.Repair = "a list of one type is written [..." + w.TextOf(x) + "] & list.MaxItems(8)"
			return ""
		}
		items = append(items, m.constant)
	}
	return "[" + strings.Join(items, ",") + "]"
}
