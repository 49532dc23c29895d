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
	word    *book.Text  // the default of an option, or an expression
	formula *book.Formula
	die     *book.Die
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
	switch path[0] {
	case "options":
		if x, ok := look(s, o.book.Options, optionID); ok && s.ends() {
			return &target{place: x.Place, over: &x.Overlay, word: &x.Default}, s
		}
	case "tables":
		if x, ok := look(s, o.book.Tables, tableID); ok {
			return s.table(x), s
		}
	case "traits":
		if x, ok := look(s, o.book.Traits, traitID); ok && s.ends() {
			return s.formula(&x.Formula, &x.Overlay), s
		}
	case "functions":
		if x, ok := look(s, o.book.Functions, functionID); ok && s.ends() {
			return s.formula(&x.Formula, &x.Overlay), s
		}
	case "rules":
		if x, ok := look(s, o.book.Rules, ruleID); ok {
			return s.body(&x.Body, &x.Overlay), s
		}
	case "procedures":
		if x, ok := look(s, o.book.Procedures, procedureID); ok {
			return s.procedure(x), s
		}
	}
	return nil, s
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

// table gives the rows of a table, or a cell.
func (s *search) table(t *book.Table) *target {
	if s.ends() {
		return &target{place: t.Place, over: &t.Overlay, table: t}
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
	return &target{place: r.Expr.Place, over: over, word: &r.Expr}
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
