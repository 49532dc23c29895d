package load

import (
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readStruct reads structs that are unified: a record, or a map when there is a pattern.
// active holds the structs around the one that is read, so that a type that contains itself ends
// here: #Node: {next?: #Node} is fine for CUE, but JSON of any depth would fit it.
func (w *shapeReader) readStruct(structs []site) meaning {
	for _, s := range structs {
		if w.active[s.expr] {
			w.reportUnsayable(w.placeOf(s.ownPosition()), "a type that contains itself has no bound")
			return unclearMeaning(w.placeOf(s.ownPosition()))
		}
		w.active[s.expr] = true
		defer delete(w.active, s.expr)
		w.checkDeclarations(s.expr.(*ast.StructLit))
	}
	w.checkClosed(structs)
	return meaning{Shape: w.readContainer(membersOf(structs))}
}

// readContainer reads the fields of a record, or of a map when there is a pattern.
func (w *shapeReader) readContainer(fields []field) *plan.Shape {
	names, byName, patterns := groupByName(fields)
	s := &plan.Shape{Kind: plan.Record}
	matches := func(string) bool { return false }
	if len(patterns) > 0 {
		matches = w.readPattern(s, patterns)
	}
	for _, name := range names {
		var constrained []field
		if matches(name) {
			constrained = patterns
		}
		s.Fields = append(s.Fields, w.readMember(name, byName[name], constrained))
	}
	return s
}

// checkClosed reports fields that a definition does not have with which their struct is unified.
//
// CUE closes a struct that comes from a definition (specification, "Closed structs"): #Span &
// {hours: 1} is an error unless #Span has hours. A site remembers by which definitions it was
// reached (site.closed). For each of these, the structs inside are those that share it, and a field
// of any struct must be declared by one inside.
func (w *shapeReader) checkClosed(structs []site) {
	for _, s := range structs {
		for _, def := range s.closed {
			inside := slices.DeleteFunc(slices.Clone(structs), func(o site) bool { return !slices.Contains(o.closed, def) })
			names, _, patterns := groupByName(membersOf(inside))
			for _, f := range membersOf(structs) {
				if f.kind == regular && len(patterns) == 0 && !slices.Contains(names, f.name) {
					d := w.diags.Addf("unknown-field", w.placeOf(f.label.Pos()), w.subject, "%s has no field %s",
						calleeName(def), f.name)
					d.Repair = diag.DidYouMean(f.name, names)
				}
			}
		}
	}
}

// checkDeclarations reports declarations of a struct that a shape cannot say.
// A let and a hidden field are none of these: they are no members, and what refers to them is
// followed.
func (w *shapeReader) checkDeclarations(lit *ast.StructLit) {
	for _, d := range lit.Elts {
		switch x := d.(type) {
		case *ast.Field:
			if _, _, err := ast.LabelName(x.Label); err != nil && !isPatternLabel(x.Label) {
				w.reportUnsayable(w.placeOf(x.Pos()), "a field with a computed name: write it out")
			}
		case *ast.Ellipsis:
			w.reportUnsayable(w.placeOf(x.Pos()),
				"an open struct: every field must be named, or be of a pattern like [string]: int")
		case *ast.Comprehension:
			w.reportUnsayable(w.placeOf(x.Pos()), "a field that depends on a condition")
		}
	}
}

// isPatternLabel reports whether a label is that of a pattern.
func isPatternLabel(l ast.Label) bool {
	_, ok := l.(*ast.ListLit)
	return ok
}

// groupByName sorts fields by name, in the order in which the names first stand.
func groupByName(fields []field) (names []string, byName map[string][]field, patterns []field) {
	slices.SortStableFunc(fields, func(a, b field) int { return compareKeys(a.site.key, b.site.key) })
	byName = map[string][]field{}
	for _, f := range fields {
		switch f.kind {
		case pattern:
			patterns = append(patterns, f)
		case regular:
			if byName[f.name] == nil {
				names = append(names, f.name)
			}
			byName[f.name] = append(byName[f.name], f)
		}
	}
	return names, byName, patterns
}

// readPattern makes a shape a map, and gives the keys that the pattern is about.
//
// A field beside a pattern, {[string]: int, luck: >=0}, is a key with a shape of its own, which it
// has together with the pattern's; so readContainer adds the pattern's sites to a field whose name
// the pattern matches.
func (w *shapeReader) readPattern(s *plan.Shape, patterns []field) func(string) bool {
	s.Kind, s.Keys = plan.Map, w.readKeys(patterns[0])
	sites := []site{patterns[0].site}
	for _, f := range patterns[1:] {
		if !slices.Equal(w.readKeys(f), s.Keys) {
			w.reportUnsayable(w.placeOf(f.label.Pos()), "two patterns in one struct")
			continue
		}
		sites = append(sites, f.site)
	}
	m := w.readMeaning(sites, w.placeOf(sites[0].expr.Pos()))
	w.finishMeaning(m)
	s.Elem = m.Shape
	return func(name string) bool { return s.Keys == nil || slices.Contains(s.Keys, name) }
}

// readKeys are the only keys that a pattern is about, nil for all.
func (w *shapeReader) readKeys(f field) []string {
	label := f.site.inStruct(f.pattern, f.pattern.Pos())
	label.table = ""
	m := w.readMeaning([]site{label}, w.placeOf(f.label.Pos()))
	switch {
	case m.Kind == plan.Invalid:
	case m.Kind != plan.String:
		w.reportUnsayable(w.placeOf(f.label.Pos()), "the keys of a map are strings")
	}
	return m.Enum
}

// readList reads list literals that are unified.
// Only [...T] says what a list may hold. A list of constants, which stands behind a default's star,
// says one value.
func (w *shapeReader) readList(lists []site) meaning {
	m := meaning{Shape: &plan.Shape{Kind: plan.List}}
	var elems []site
	for _, s := range lists {
		lit := s.expr.(*ast.ListLit)
		if rest, ok := restType(lit); ok {
			elems = append(elems, s.inStruct(rest, rest.Pos()))
			continue
		}
		m.constant = w.constantList(s, lit)
		m.unclear = m.constant == ""
	}
	if len(elems) > 0 {
		e := w.readMeaning(elems, w.placeOf(elems[0].expr.Pos()))
		w.finishMeaning(e)
		m.Elem = e.Shape
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

func (w *shapeReader) constantList(s site, lit *ast.ListLit) string {
	var items []string
	for _, x := range lit.Elts {
		m := w.readMeaning([]site{s.inStruct(x, x.Pos())}, w.placeOf(x.Pos()))
		if m.constant == "" {
			w.reportUnsayable(w.placeOf(x.Pos()), "a list with a type for each element: write [...T] & list.MaxItems(n)")
			return ""
		}
		items = append(items, m.constant)
	}
	return "[" + strings.Join(items, ",") + "]"
}
