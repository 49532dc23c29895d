package load

import (
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// structure reads structs that are unified: a record, or a map when there is a pattern.
func (w *shaper) structure(structs []site) meaning {
	for _, s := range structs {
		if w.active[s.expr] {
			w.cannot(w.r.place(s.own()), "a type that contains itself has no bound")
			return unclear(w.r.place(s.own()))
		}
		w.active[s.expr] = true
		defer delete(w.active, s.expr)
		w.plain(s.expr.(*ast.StructLit))
	}
	w.enclosed(structs)
	return meaning{Shape: w.container(members(structs))}
}

// container reads the fields of a record, or of a map when there is a pattern.
func (w *shaper) container(fields []field) *plan.Shape {
	names, byName, patterns := grouped(fields)
	s := &plan.Shape{Kind: plan.Record}
	matches := func(string) bool { return false }
	if len(patterns) > 0 {
		matches = w.pattern(s, patterns)
	}
	for _, name := range names {
		var constrained []field
		if matches(name) {
			constrained = patterns
		}
		s.Fields = append(s.Fields, w.member(name, byName[name], constrained))
	}
	return s
}

// enclosed reports fields that a definition does not have with which their struct is unified.
func (w *shaper) enclosed(structs []site) {
	for _, s := range structs {
		for _, def := range s.closed {
			inside := slices.DeleteFunc(slices.Clone(structs), func(o site) bool { return !slices.Contains(o.closed, def) })
			names, _, patterns := grouped(members(inside))
			for _, f := range members(structs) {
				if f.sort == regular && len(patterns) == 0 && !slices.Contains(names, f.name) {
					d := w.r.addf("unknown-field", w.r.place(f.label.Pos()), w.subject, "%s has no field %s", callee(def), f.name)
					d.Repair = diag.DidYouMean(f.name, names)
				}
			}
		}
	}
}

// plain reports declarations of a struct that a shape cannot say.
func (w *shaper) plain(lit *ast.StructLit) {
	for _, d := range lit.Elts {
		switch x := d.(type) {
		case *ast.Field:
			if _, _, err := ast.LabelName(x.Label); err != nil && !listed(x.Label) {
				w.cannot(w.r.place(x.Pos()), "a field with a computed name: write it out")
			}
		case *ast.Ellipsis:
			w.cannot(w.r.place(x.Pos()), "an open struct: every field must be named, or be of a pattern like [string]: int")
		case *ast.Comprehension:
			w.cannot(w.r.place(x.Pos()), "a field that depends on a condition")
		}
	}
}

// listed reports whether a label is that of a pattern.
func listed(l ast.Label) bool {
	_, ok := l.(*ast.ListLit)
	return ok
}

// grouped sorts fields by name, in the order in which the names first stand.
func grouped(fields []field) (names []string, byName map[string][]field, patterns []field) {
	slices.SortStableFunc(fields, func(a, b field) int { return compareKeys(a.site.key, b.site.key) })
	byName = map[string][]field{}
	for _, f := range fields {
		switch f.sort {
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

// pattern makes a shape a map, and gives the keys that the pattern is about.
func (w *shaper) pattern(s *plan.Shape, patterns []field) func(string) bool {
	s.Kind, s.Keys = plan.Map, w.keys(patterns[0])
	sites := []site{patterns[0].site}
	for _, f := range patterns[1:] {
		if !slices.Equal(w.keys(f), s.Keys) {
			w.cannot(w.r.place(f.label.Pos()), "two patterns in one struct")
			continue
		}
		sites = append(sites, f.site)
	}
	m := w.meaning(sites, w.r.place(sites[0].expr.Pos()))
	w.finish(m)
	s.Elem = m.Shape
	return func(name string) bool { return s.Keys == nil || slices.Contains(s.Keys, name) }
}

// keys are the only keys that a pattern is about, nil for all.
func (w *shaper) keys(f field) []string {
	label := f.site.at(f.pattern, f.pattern.Pos())
	label.table = ""
	m := w.meaning([]site{label}, w.r.place(f.label.Pos()))
	switch {
	case m.Kind == plan.Invalid:
	case m.Kind != plan.String:
		w.cannot(w.r.place(f.label.Pos()), "the keys of a map are strings")
	}
	return m.Enum
}

// list reads list literals that are unified.
func (w *shaper) list(lists []site) meaning {
	m := meaning{Shape: &plan.Shape{Kind: plan.List}}
	var elems []site
	for _, s := range lists {
		lit := s.expr.(*ast.ListLit)
		if rest, ok := rest(lit); ok {
			elems = append(elems, s.at(rest, rest.Pos()))
			continue
		}
		m.constant = w.constantList(s, lit)
		m.unclear = m.constant == ""
	}
	if len(elems) > 0 {
		e := w.meaning(elems, w.r.place(elems[0].expr.Pos()))
		w.finish(e)
		m.Elem = e.Shape
	}
	return m
}

// rest is the type of the elements of [...T].
func rest(lit *ast.ListLit) (ast.Expr, bool) {
	if len(lit.Elts) != 1 {
		return nil, false
	}
	e, ok := lit.Elts[0].(*ast.Ellipsis)
	if !ok || e.Type == nil {
		return nil, false
	}
	return e.Type, true
}

func (w *shaper) constantList(s site, lit *ast.ListLit) string {
	var items []string
	for _, x := range lit.Elts {
		m := w.meaning([]site{s.at(x, x.Pos())}, w.r.place(x.Pos()))
		if m.constant == "" {
			w.cannot(w.r.place(x.Pos()), "a list with a type for each element: write [...T] & list.MaxItems(n)")
			return ""
		}
		items = append(items, m.constant)
	}
	return "[" + strings.Join(items, ",") + "]"
}
