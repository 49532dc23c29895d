package overlay

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A target is what stands at a path: one of its members is set.
type target struct {
	place   plan.Place
	over    *string // the name of the homebrew that owns it
	cell    *book.Cell
	column  *plan.Shape // of the cell
	word    *book.Text  // the default of an option, a citation, or an expression
	message *string     // of a requirement, whose expression is the word
	formula *book.Formula
	die     *book.Die
	use     *book.Use
	table   *book.Table
}

func tableID(t *book.Table) string         { return t.ID }
func ruleID(r *book.Rule) string           { return r.ID }
func optionID(o *book.Option) string       { return o.ID }
func traitID(t *book.Trait) string         { return t.ID }
func functionID(f *book.Function) string   { return f.ID }
func procedureID(p *book.Procedure) string { return p.ID }
func eventID(e *book.Event) string         { return e.ID }

func found[T any](list []T, id string, of func(T) string) (x T, ok bool) {
	i := slices.IndexFunc(list, func(y T) bool { return of(y) == id })
	if i < 0 {
		return x, false
	}
	return list[i], true
}

func names[T any](list []T, of func(T) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// A search follows a path. Known are the names that could have stood at the first part of it that leads nowhere.
type search struct {
	path  []string
	at    int // of the part that is looked up
	known []string
}

// find gives what stands at a path.
func (o *overlay) find(path []string) (*target, *search) {
	s := &search{path: path, at: 1}
	b := o.book
	switch path[0] {
	case "options":
		return in(s, b.Options, optionID, (*search).option), s
	case "tables":
		return in(s, b.Tables, tableID, (*search).table), s
	case "traits":
		return in(s, b.Traits, traitID, (*search).trait), s
	case "functions":
		return in(s, b.Functions, functionID, (*search).function), s
	case "rules":
		return in(s, b.Rules, ruleID, (*search).rule), s
	case "procedures":
		return in(s, b.Procedures, procedureID, (*search).procedure), s
	}
	return nil, s
}

// in gives what stands at the rest of a path in the definition of a list.
func in[T any](s *search, list []T, of func(T) string, rest func(*search, T) *target) *target {
	x, ok := look(s, list, of)
	if !ok {
		return nil
	}
	return rest(s, x)
}

func look[T any](s *search, list []T, of func(T) string) (x T, ok bool) {
	if s.at >= len(s.path) {
		return x, false
	}
	if x, ok = found(list, s.path[s.at], of); !ok {
		s.known = names(list, of)
		return x, false
	}
	s.at++
	return x, true
}

// ends reports whether the whole path is followed.
func (s *search) ends() bool { return s.at == len(s.path) }

func (s *search) formula(f *book.Formula, over *string) *target {
	return &target{place: f.Place, over: over, formula: f}
}

// cited reports whether the path leads to the citation of a definition.
func (s *search) cited() bool { return citation(s.path) }

// citation reports whether a path is that of a definition's citation.
func citation(path []string) bool { return len(path) == 3 && path[2] == "cite" }

func (s *search) cite(d *book.Definition) *target {
	s.at++
	return &target{place: d.Cite.Place, over: &d.Overlay, word: &d.Cite}
}

func (s *search) option(o *book.Option) *target {
	if s.cited() {
		return s.cite(&o.Definition)
	}
	return &target{place: o.Place, over: &o.Overlay, word: &o.Default}
}

func (s *search) trait(t *book.Trait) *target {
	if s.cited() {
		return s.cite(&t.Definition)
	}
	return s.formula(&t.Formula, &t.Overlay)
}

func (s *search) function(f *book.Function) *target {
	if s.cited() {
		return s.cite(&f.Definition)
	}
	return s.formula(&f.Formula, &f.Overlay)
}

func (s *search) rule(r *book.Rule) *target {
	if s.cited() {
		return s.cite(&r.Definition)
	}
	return s.body(&r.Body, &r.Overlay)
}

// table gives the citation or the rows of a table, or a cell.
func (s *search) table(t *book.Table) *target {
	switch {
	case s.ends():
		return &target{place: t.Place, over: &t.Overlay, table: t}
	case s.cited():
		return s.cite(&t.Definition)
	}
	s.at++ // "rows"
	rows := make([]*book.Row, len(t.Rows))
	for i := range t.Rows {
		rows[i] = &t.Rows[i]
	}
	row, ok := look(s, rows, func(r *book.Row) string { return rowName(t.Kind, r) })
	if !ok {
		return nil
	}
	columns := make([]int, len(t.Columns))
	for i := range columns {
		columns[i] = i
	}
	i, ok := look(s, columns, func(i int) string { return t.Columns[i].Name })
	if !ok {
		return nil
	}
	return &target{place: row.Cells[i].Place, over: &t.Overlay, cell: &row.Cells[i], column: t.Columns[i].Shape}
}

// procedure gives a part of a procedure, or of one of its steps.
func (s *search) procedure(p *book.Procedure) *target {
	switch part := s.path[min(s.at, len(s.path)-1)]; part {
	case "cite":
		return s.cite(&p.Definition)
	case "start":
		s.at++
		if p.Start != nil {
			return s.step(p.Start)
		}
	case "events":
		s.at++
		if e, ok := look(s, p.Events, eventID); ok && len(s.path) == s.at+1 && s.path[s.at] == "when" {
			return &target{place: e.When.Place, over: &e.Overlay, word: &e.When}
		} else if ok {
			return s.step(&e.Step)
		}
	case "let":
		return s.namedOf(p.Lets, &p.Overlay)
	case "output":
		return s.namedOf(p.Output, &p.Overlay)
	case "ends":
		return s.require(p.Ends, &p.Overlay)
	}
	return nil
}

func (s *search) step(x *book.Step) *target {
	if s.at < len(s.path) && s.path[s.at] == "next" {
		return s.namedOf(x.Next, &x.Overlay)
	}
	return s.body(&x.Body, &x.Overlay)
}

// body gives a part of a body.
func (s *search) body(b *book.Body, over *string) *target {
	switch s.path[min(s.at, len(s.path)-1)] {
	case "let":
		return s.namedOf(b.Lets, over)
	case "output":
		return s.namedOf(b.Outputs, over)
	case "require":
		return s.require(b.Requires, over)
	case "dice":
		return s.die(b.Sources, over)
	case "use":
		return s.use(b.Sources, over)
	}
	return nil
}

func (s *search) namedOf(list []book.Named, over *string) *target {
	s.at++
	all := make([]*book.Named, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	n, ok := look(s, all, func(n *book.Named) string { return n.Name })
	if !ok {
		return nil
	}
	return s.formula(&n.Formula, over)
}

func (s *search) require(list []book.Require, over *string) *target {
	s.at++
	all := make([]*book.Require, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	r, ok := look(s, all, func(r *book.Require) string { return r.Message })
	if !ok {
		return nil
	}
	return &target{place: r.Expr.Place, over: over, word: &r.Expr, message: &r.Message}
}

func (s *search) die(list []book.Source, over *string) *target {
	s.at++
	var all []*book.Die
	for _, x := range list {
		if x.Die != nil {
			all = append(all, x.Die)
		}
	}
	d, ok := look(s, all, func(d *book.Die) string { return d.Name })
	if !ok {
		return nil
	}
	return &target{place: d.Place, over: over, die: d}
}

func (s *search) use(list []book.Source, over *string) *target {
	s.at++
	var all []*book.Use
	for _, x := range list {
		if x.Use != nil {
			all = append(all, x.Use)
		}
	}
	u, ok := look(s, all, func(u *book.Use) string { return u.Name })
	if !ok {
		return nil
	}
	return &target{place: u.Place, over: over, use: u}
}
