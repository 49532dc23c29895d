package load

import (
	"math/big"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The CUE of an input is read as a specification that JSON can be held against without CUE: a plan.Shape. A shape says
// less than CUE can. What it cannot say is reported and never left out, because a constraint that nobody checks is
// worse than none.
//
// A shape is read from the syntax: everything that is written for a value is brought to atoms (a type, a bound, a
// literal, a list, a struct, a choice), and these are unified as CUE would.

// A characters reads the shapes of one ruleset; #Character is one shape wherever it is referred to.
type characters struct {
	shape *plan.Shape
}

// characters reads the ruleset's #Character.
func (n *node) characters() *characters {
	k, ok := n.field("#Character")
	if !ok {
		n.r.addf("missing-field", n.place, "", "#Character is missing: what a character of the game brings")
		return &characters{&plan.Shape{Kind: plan.Record, Character: true, Place: n.place}}
	}
	w := n.r.shaper("#Character", nil)
	s := w.record(k)
	s.Character = true
	return &characters{s}
}

// input reads the #Input, #State or #Event of a definition; a record without fields when there is none.
func (c *characters) input(n *node, name string) *plan.Shape {
	k, ok := n.field(name)
	if !ok {
		return &plan.Shape{Kind: plan.Record, Place: n.place}
	}
	return n.r.shaper(n.subject+", "+name, c.shape).record(k)
}

func (r *reader) shaper(subject string, character *plan.Shape) *shaper {
	return &shaper{r: r, subject: subject, character: character, active: map[ast.Node]bool{}}
}

// record reads the shape of a struct of named fields.
func (w *shaper) record(n *node) *plan.Shape {
	s := w.meaning(n.sites, n.place).Shape
	if s.Kind != plan.Record {
		w.cannot(n.place, n.name+" is a struct of named fields")
		return &plan.Shape{Kind: plan.Record, Place: n.place}
	}
	return s
}

// A shaper reads one shape.
type shaper struct {
	r         *reader
	subject   string
	character *plan.Shape // nil while it is itself read
	active    map[ast.Node]bool
}

// A meaning is what some atoms say together. Kind Invalid of its shape is any value.
type meaning struct {
	*plan.Shape
	numeric  bool     // bounded as a number, be it an int or not
	constant string   // JSON: the only value; "" when there are others
	fallback string   // JSON: the default; "" when there is none
	rational *big.Rat // the only value, when it is a number
	void     bool     // parts of it contradict each other
	unclear  bool     // part of it was reported
}

// meaning reads what everything that is written for a value says together.
func (w *shaper) meaning(sites []site, at plan.Place) meaning {
	m := meaning{Shape: &plan.Shape{Place: at}}
	var structs, lists []site
	for _, s := range conjuncts(sites) {
		switch s.expr.(type) {
		case *ast.StructLit:
			structs = append(structs, s)
		case *ast.ListLit:
			lists = append(lists, s)
		default:
			m.and(w.atom(s))
		}
		w.key(&m, s)
	}
	if len(structs) > 0 {
		m.and(w.structure(structs))
	}
	if len(lists) > 0 {
		m.and(w.list(lists))
	}
	w.settle(&m, sites)
	return m
}

// conjuncts follows references and splits conjunctions; choices stay whole.
func conjuncts(sites []site) (out []site) {
	for _, s := range sites {
		switch x := s.expr.(type) {
		case *ast.ParenExpr:
			out = append(out, conjuncts([]site{s.with(x.X)})...)
			continue
		case *ast.Alias:
			out = append(out, conjuncts([]site{s.with(x.Expr)})...)
			continue
		case *ast.BinaryExpr:
			if x.Op == token.AND {
				out = append(out, conjuncts([]site{s.with(x.X), s.with(x.Y)})...)
				continue
			}
		case *ast.Ident, *ast.SelectorExpr:
			if to, ok := s.follow(); ok && !s.character() {
				out = append(out, conjuncts(s.hand(to))...)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// hand gives to the sites that a reference leads to what is said where it stands: the table of an attribute, and that
// they are of a definition, which is closed.
func (s site) hand(to []site) []site {
	for i := range to {
		if to[i].table == "" {
			to[i].table = s.table
		}
		to[i].closed = s.closed
		if s.definition() {
			to[i].closed = append(slices.Clip(s.closed), s.expr)
		}
	}
	return to
}

// definition reports whether the site refers to a definition.
func (s site) definition() bool {
	name := callee(s.expr)
	return strings.HasPrefix(name[strings.LastIndexByte(name, '.')+1:], "#")
}

// character reports whether the site refers to the ruleset's #Character.
func (s site) character() bool {
	id, ok := s.expr.(*ast.Ident)
	return ok && id.Name == "#Character"
}

// key notes that a string, or each string of a list, is a key of a table.
func (w *shaper) key(m *meaning, s site) {
	if s.table == "" {
		return
	}
	m.KeyOf = s.table
}

// settle finishes a shape: what bounds alone leave open, and what must not be left open.
func (w *shaper) settle(m *meaning, sites []site) {
	if m.Kind == plan.Invalid && m.numeric {
		m.Kind = plan.Double
	}
	if m.empty() {
		w.r.said[line{m.Place.File, m.Place.Line}] = true
		w.r.addf("cue-conflict", m.Place, w.subject, "no value satisfies all that is said here")
		m.void, m.Min, m.Max, m.Enum = false, nil, nil, nil
	}
	if m.fallback != "" && !fits(m.fallback, m.Shape) {
		m.fallback = ""
	}
	if m.KeyOf == "" {
		return
	}
	switch {
	case m.Kind == plan.List && m.Elem != nil && m.Elem.Kind == plan.String:
		m.Elem.KeyOf, m.KeyOf = m.KeyOf, ""
	case m.Kind == plan.Invalid:
	case m.Kind != plan.String:
		w.cannot(m.Place, "@key stands at a string, or at a list of strings")
	}
}

// finish reports a value of which too little is known, or more than a shape can say, and a list without an end.
func (w *shaper) finish(m meaning) {
	switch {
	case m.unclear:
	case m.Kind == plan.Invalid:
		w.cannot(m.Place, "the type must be known: int, number, bool, string, a list or a struct")
	case m.Kind == plan.Bool && m.constant != "":
		w.cannot(m.Place, "a bool that is always "+m.constant)
	case m.Kind == plan.List && m.Elem == nil:
		w.cannot(m.Place, "the type of the elements must be known, and not their values: [...int] & list.MaxItems(8)")
	case m.Kind == plan.List && m.MaxItems == 0:
		w.r.addf("unbounded-list", m.Place, w.subject, "the list has no end").Repair = "give it list.MaxItems: [...int] & list.MaxItems(8)"
	}
	if m.Kind == plan.List && m.Elem == nil {
		m.Elem = &plan.Shape{Kind: plan.Int, Place: m.Place}
	}
}

// cannot reports what a shape cannot say.
func (w *shaper) cannot(at plan.Place, message string) {
	w.r.addf("cannot-lower", at, w.subject, "%s", message)
}

// member reads a field from everything that is written for its name. The constraint that binds least decides whether it
// must be given: a plain field beats a required one, and that an optional one.
func (w *shaper) member(name string, fields []field, patterns []field) plan.Member {
	first := slices.MinFunc(fields, func(a, b field) int { return compareKeys(a.site.key, b.site.key) })
	out := plan.Member{Name: name, Place: w.r.place(first.label.Pos()), Doc: doc(fields)}
	var sites []site
	for _, f := range slices.Concat(fields, patterns) {
		sites = append(sites, f.site)
	}
	m := w.meaning(sites, out.Place)
	w.finish(m)
	out.Shape = m.Shape
	switch strictest(fields) {
	case token.OPTION:
		out.Optional = true
	case token.ILLEGAL:
		out.Default = m.preset()
	}
	return out
}

// strictest is the constraint of a field that is declared more than once.
func strictest(fields []field) token.Token {
	out := token.OPTION
	for _, f := range fields {
		switch {
		case f.decl.Constraint == token.ILLEGAL:
			return token.ILLEGAL
		case f.decl.Constraint == token.NOT:
			out = token.NOT
		}
	}
	return out
}

// preset is the value of a field that nobody gives: its default, its only value, or what is empty where that is allowed.
func (m meaning) preset() string {
	switch {
	case m.fallback != "":
		return m.fallback
	case m.constant != "":
		return m.constant
	case m.Shape.Character:
		return ""
	case m.Kind == plan.List && m.MinItems == 0:
		return "[]"
	case (m.Kind == plan.Record || m.Kind == plan.Map) && !slices.ContainsFunc(m.Fields, demanded):
		return "{}"
	}
	return ""
}

func demanded(m plan.Member) bool { return !m.Optional && m.Default == "" }

// structure reads structs that are unified: a record, or a map when there is a pattern.
func (w *shaper) structure(structs []site) meaning {
	for _, s := range structs {
		if w.active[s.expr] {
			w.cannot(w.r.place(s.own()), "a type that contains itself has no bound")
			return unclear(w.r.place(s.own()))
		}
		w.active[s.expr] = true
		defer delete(w.active, s.expr)
		w.closed(s.expr.(*ast.StructLit))
	}
	names, byName, patterns := grouped(members(structs))
	m := meaning{Shape: &plan.Shape{Kind: plan.Record}}
	matches := func(string) bool { return false }
	if len(patterns) > 0 {
		matches = w.pattern(m.Shape, patterns)
	}
	w.enclosed(structs)
	for _, name := range names {
		var constrained []field
		if matches(name) {
			constrained = patterns
		}
		m.Fields = append(m.Fields, w.member(name, byName[name], constrained))
	}
	return m
}

// enclosed reports fields that a definition does not have with which their struct is unified.
func (w *shaper) enclosed(structs []site) {
	for _, s := range structs {
		for _, def := range s.closed {
			inside := slices.DeleteFunc(slices.Clone(structs), func(o site) bool { return !slices.Contains(o.closed, def) })
			names, _, patterns := grouped(members(inside))
			for _, f := range members(structs) {
				if f.pattern == nil && len(patterns) == 0 && !slices.Contains(names, f.name) && f.name != "" && f.name[0] != '_' {
					d := w.r.addf("unknown-field", w.r.place(f.label.Pos()), w.subject, "%s has no field %s", callee(def), f.name)
					d.Repair = diag.DidYouMean(f.name, names)
				}
			}
		}
	}
}

// closed reports declarations of a struct that a shape cannot say.
func (w *shaper) closed(lit *ast.StructLit) {
	for _, d := range lit.Elts {
		switch x := d.(type) {
		case *ast.Ellipsis:
			w.cannot(w.r.place(x.Pos()), "an open struct: every field must be named, or be of a pattern like [string]: int")
		case *ast.Comprehension:
			w.cannot(w.r.place(x.Pos()), "a field that depends on a condition")
		}
	}
}

// grouped sorts fields by name, in the order in which the names first stand.
func grouped(fields []field) (names []string, byName map[string][]field, patterns []field) {
	slices.SortStableFunc(fields, func(a, b field) int { return compareKeys(a.site.key, b.site.key) })
	byName = map[string][]field{}
	for _, f := range fields {
		switch {
		case f.pattern != nil:
			patterns = append(patterns, f)
		case f.decl == nil || f.name == "" || f.name[0] == '_' || f.name[0] == '#':
		default:
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

// doc is what comments say about a field.
func doc(fields []field) string {
	for _, f := range fields {
		if s := remark(f.decl); s != "" {
			return s
		}
	}
	return ""
}

// remark is the first comment at a declaration: above it, or behind it on its line.
func remark(decl *ast.Field) (out string) {
	ast.Walk(decl, func(n ast.Node) bool {
		for _, g := range ast.Comments(n) {
			if out == "" && (g.Doc || g.Line) {
				out = strings.TrimSpace(g.Text())
			}
		}
		_, inner := n.(*ast.StructLit)
		return out == "" && !inner
	}, nil)
	return out
}
