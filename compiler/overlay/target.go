package overlay

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A target is what stands at a path: exactly one of cell, text, formula, die, use and table is set. It points into the
// book, so that putting a replacement there changes the ruleset.
// owner is the definition or step around it, not the part itself: what a listing marks is the
// definition.
type target struct {
	place   plan.Place
	owner   *book.Definition
	cell    *book.Cell
	column  *plan.Member // of the cell
	cellOf  *book.Table  // the table in which the cell stands
	text    *book.Text   // the default of an option, a citation, or an expression
	message *string      // of a requirement, whose expression is the word
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

func findByID[T any](list []T, id string, of func(T) string) (x T, ok bool) {
	i := slices.IndexFunc(list, func(y T) bool { return of(y) == id })
	if i < 0 {
		return x, false
	}
	return list[i], true
}

func listIDs[T any](list []T, of func(T) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// A search follows a path. Known are the names that could have stood at the first part of it that leads nowhere.
//
// at is the index of the next part to look up. When a search fails, path[:at+1] is the part of the
// path that a message shows: of rules.tset.let.base it is rules.tset, and known are the ids of all
// rules.
type search struct {
	path  []string
	at    int // of the part that is looked up
	known []string
}

// findTarget returns the definition at a path.
//
// A path is spelled as the author of the ruleset would write the fields, so that a homebrew reads like the ruleset. The
// first part was checked by the schema; from there each part is looked up in the book, and the names that could have stood
// where the search ended become "did you mean".
func findTarget(b *book.Ruleset, path []string) (*target, *search) {
	s := &search{path: path, at: 1}
	switch path[0] {
	case "options":
		return findIn(s, b.Options, optionID, (*search).targetOption), s
	case "tables":
		return findIn(s, b.Tables, tableID, (*search).targetInTable), s
	case "traits":
		return findIn(s, b.Traits, traitID, (*search).targetTrait), s
	case "functions":
		return findIn(s, b.Functions, functionID, (*search).targetFunction), s
	case "rules":
		return findIn(s, b.Rules, ruleID, (*search).targetInRule), s
	case "procedures":
		return findIn(s, b.Procedures, procedureID, (*search).targetInProcedure), s
	}
	return nil, s
}

// findIn returns the target at the rest of a path in the definition of a list.
func findIn[T any](s *search, list []T, of func(T) string, rest func(*search, T) *target) *target {
	x, ok := lookUp(s, list, of)
	if !ok {
		return nil
	}
	return rest(s, x)
}

// lookUp finds the part of a list that the next word of the path names, and steps behind it. When there is none, the
// names that there are remain as `known`, for the message.
func lookUp[T any](s *search, list []T, of func(T) string) (x T, ok bool) {
	if s.at >= len(s.path) {
		return x, false
	}
	if x, ok = findByID(list, s.path[s.at], of); !ok {
		s.known = listIDs(list, of)
		return x, false
	}
	s.at++
	return x, true
}

// isAtEnd reports whether the whole path is followed.
func (s *search) isAtEnd() bool { return s.at == len(s.path) }

func (s *search) targetFormula(f *book.Formula, owner *book.Definition) *target {
	return &target{place: f.Place, owner: owner, formula: f}
}

// isCitation reports whether the path leads to the citation of a definition.
func (s *search) isCitation() bool { return isCitationPath(s.path) }

// isCitationPath reports whether a path is that of a definition's citation.
func isCitationPath(path []string) bool { return len(path) == 3 && path[2] == "cite" }

func (s *search) targetCitation(d *book.Definition) *target {
	s.at++
	return &target{place: d.Cite.Place, owner: d, text: &d.Cite}
}

func (s *search) targetOption(o *book.Option) *target {
	if s.isCitation() {
		return s.targetCitation(&o.Definition)
	}
	return &target{place: o.Place, owner: &o.Definition, text: &o.Default}
}

func (s *search) targetTrait(t *book.Trait) *target {
	if s.isCitation() {
		return s.targetCitation(&t.Definition)
	}
	return s.targetFormula(&t.Formula, &t.Definition)
}

func (s *search) targetFunction(f *book.Function) *target {
	if s.isCitation() {
		return s.targetCitation(&f.Definition)
	}
	return s.targetFormula(&f.Formula, &f.Definition)
}

func (s *search) targetInRule(r *book.Rule) *target {
	if s.isCitation() {
		return s.targetCitation(&r.Definition)
	}
	return s.targetInBody(&r.Body, &r.Definition)
}

// targetInTable returns the citation or the rows of a table, or a cell.
//
// A row is named by its key, or by its limits as they are written. So an edit of limits in a new revision is noticed as a
// row that is not there, and never as another row.
func (s *search) targetInTable(t *book.Table) *target {
	switch {
	case s.isAtEnd():
		return &target{place: t.Place, owner: &t.Definition, table: t}
	case s.isCitation():
		return s.targetCitation(&t.Definition)
	}
	s.at++ // "rows"
	rows := make([]*book.Row, len(t.Rows))
	for i := range t.Rows {
		rows[i] = &t.Rows[i]
	}
	row, ok := lookUp(s, rows, func(r *book.Row) string { return r.String() })
	if !ok {
		return nil
	}
	columns := make([]int, len(t.Columns))
	for i := range columns {
		columns[i] = i
	}
	i, ok := lookUp(s, columns, func(i int) string { return t.Columns[i].Name })
	if !ok {
		return nil
	}
	return &target{place: row.Cells[i].Place, owner: &t.Definition, cell: &row.Cells[i], column: &t.Columns[i], cellOf: t}
}

// targetInProcedure returns a part of a procedure, or of one of its steps.
func (s *search) targetInProcedure(p *book.Procedure) *target {
	switch part := s.path[min(s.at, len(s.path)-1)]; part {
	case "cite":
		return s.targetCitation(&p.Definition)
	case "start":
		s.at++
		if p.Start != nil {
			return s.targetInStep(p.Start)
		}
	case "events":
		s.at++
		if e, ok := lookUp(s, p.Events, eventID); ok {
			return s.targetInEvent(e)
		}
	case "let":
		return s.targetNamed(p.Lets, &p.Definition)
	case "output":
		return s.targetNamed(p.Output, &p.Definition)
	case "ends":
		return s.targetRequire(p.Ends, &p.Definition)
	}
	return nil
}

// targetInEvent returns the condition of an event, or a part of its step.
func (s *search) targetInEvent(e *book.Event) *target {
	if s.at >= len(s.path) || s.path[s.at] != "when" {
		return s.targetInStep(&e.Step)
	}
	if e.When.S == "" {
		return nil
	}
	s.at++
	return &target{place: e.When.Place, owner: &e.Definition, text: &e.When}
}

func (s *search) targetInStep(x *book.Step) *target {
	if s.at < len(s.path) && s.path[s.at] == "next" {
		return s.targetNamed(x.Next, &x.Definition)
	}
	return s.targetInBody(&x.Body, &x.Definition)
}

// targetInBody returns a part of a body.
func (s *search) targetInBody(b *book.Body, owner *book.Definition) *target {
	switch s.path[min(s.at, len(s.path)-1)] {
	case "let":
		return s.targetNamed(b.Lets, owner)
	case "output":
		return s.targetNamed(b.Outputs, owner)
	case "require":
		return s.targetRequire(b.Requires, owner)
	case "dice":
		return s.targetDie(b.Sources, owner)
	case "use":
		return s.targetUse(b.Sources, owner)
	}
	return nil
}

// targetNamed finds a let, an output or an input of a use by its name.
func (s *search) targetNamed(list []book.Named, owner *book.Definition) *target {
	s.at++
	all := make([]*book.Named, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	n, ok := lookUp(s, all, func(n *book.Named) string { return n.Name })
	if !ok {
		return nil
	}
	return s.targetFormula(&n.Formula, owner)
}

// targetRequire finds a requirement by its message.
//
// A requirement has no name but its message, which players know. A homebrew that replaces it may
// give it another.
func (s *search) targetRequire(list []book.Require, owner *book.Definition) *target {
	s.at++
	all := make([]*book.Require, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	r, ok := lookUp(s, all, func(r *book.Require) string { return r.Message })
	if !ok {
		return nil
	}
	return &target{place: r.Expr.Place, owner: owner, text: &r.Expr, message: &r.Message}
}

func (s *search) targetDie(list []book.Source, owner *book.Definition) *target {
	s.at++
	all := sourcesOf(list, func(x book.Source) *book.Die { return x.Die })
	d, ok := lookUp(s, all, func(d *book.Die) string { return d.Name })
	if !ok {
		return nil
	}
	return &target{place: d.Place, owner: owner, die: d}
}

func (s *search) targetUse(list []book.Source, owner *book.Definition) *target {
	s.at++
	all := sourcesOf(list, func(x book.Source) *book.Use { return x.Use })
	u, ok := lookUp(s, all, func(u *book.Use) string { return u.Name })
	if !ok {
		return nil
	}
	return &target{place: u.Place, owner: owner, use: u}
}

// sourcesOf returns the dice, or the uses, among sources.
func sourcesOf[T any](list []book.Source, kind func(book.Source) *T) (out []*T) {
	for _, x := range list {
		if one := kind(x); one != nil {
			out = append(out, one)
		}
	}
	return out
}

func tableDefinition(t *book.Table) *book.Definition { return &t.Definition }

func ruleDefinition(r *book.Rule) *book.Definition { return &r.Definition }

func procedureDefinition(p *book.Procedure) *book.Definition { return &p.Definition }
