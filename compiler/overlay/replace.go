package overlay

import (
	"encoding/json"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// replace puts a value where the one that is expected stands.
func (o *overlay) replace(r *book.Replacement) {
	t, s := o.find(r.Path)
	if t == nil || !s.ends() {
		o.unknown(r.Path[:min(s.at+1, len(r.Path))], r.Place, s.known)
		return
	}
	if !o.change(r.Path, r.Place) {
		return
	}
	if was, want := t.shown(), t.show(&r.Expect); was != want {
		o.moved(r, t, want, was)
		return
	}
	if o.put(t, r) {
		*t.over = o.brew.ID
	}
	if r.Says.S != "" {
		*t.message = r.Says.S
	}
}

// moved reports that something else stands there than is expected, with what was expected, what is found and what is
// wanted.
func (o *overlay) moved(r *book.Replacement, t *target, want, was string) {
	wanted := t.show(&r.With)
	if t.table != nil {
		want, was, wanted = differing(want, was, wanted)
	}
	d := o.diags.Addf("overlay-moved", r.Expect.Place, "homebrew "+o.brew.ID,
		"%s is not what is expected here: nothing is replaced", join(r.Path))
	d.Repair = "look again at what it should be, and expect what is found"
	d.Related = []diag.Related{
		{Place: r.Expect.Place, Message: "expected: " + want},
		{Place: t.place, Message: "found now: " + was},
		{Place: r.With.Place, Message: "wanted: " + wanted},
	}
}

// put carries a replacement out.
func (o *overlay) put(t *target, r *book.Replacement) bool {
	with := &r.With
	switch {
	case t.cell != nil:
		return o.putCell(t, r)
	case t.word != nil && with.Formula != nil:
		*t.word = with.Formula.Expr
	case t.word != nil:
		*t.word = book.Text{S: text(with.JSON), Place: with.Place}
	case t.formula != nil:
		*t.formula = *with.Formula
		t.formula.Overlay = o.brew.ID
	case t.die != nil:
		name := t.die.Name
		*t.die = *with.Die
		t.die.Name, t.die.Overlay = name, o.brew.ID
	case t.use != nil:
		name := t.use.Name
		*t.use = *with.Use
		t.use.Name = name
		mark(o.brew.ID).use(t.use)
	case t.table != nil:
		return o.putRows(t.table, with)
	}
	return true
}

// putCell puts a value of the column's type into a row.
func (o *overlay) putCell(t *target, r *book.Replacement) bool {
	kind := kindOf(r.With.JSON)
	if kind == plan.Int && t.column.Kind == plan.Double {
		kind = plan.Double
	}
	if kind == plan.Double && t.column.Kind == plan.Int {
		t.column.Kind = plan.Double
	}
	if kind != t.column.Kind {
		o.diags.Addf("overlay-rows", r.With.Place, "homebrew "+o.brew.ID, "%s is %s, and the column has %s",
			join(r.Path), kindName(kind), t.column.Type())
		return false
	}
	*t.cell = book.Cell{JSON: r.With.JSON, Place: r.With.Place}
	return true
}

// putRows gives a table other rows. It keeps its columns, which formulas read.
func (o *overlay) putRows(t *book.Table, with *book.Stated) bool {
	if !o.fits(t, with.Rows, with.Place) {
		return false
	}
	t.Rows = arranged(t, with.Rows)
	for i := range t.Rows {
		t.Rows[i].Overlay = o.brew.ID
	}
	if over := with.Rows.Over; over.Range || over.Dice.Written() {
		t.Over = over
	}
	return true
}

// kindOf is the kind of a JSON value.
func kindOf(text string) plan.Kind {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return plan.Invalid
	}
	switch v.(type) {
	case bool:
		return plan.Bool
	case string:
		return plan.String
	case []any:
		return plan.List
	case map[string]any:
		return plan.Record
	}
	var i int64
	if json.Unmarshal([]byte(text), &i) == nil {
		return plan.Int
	}
	return plan.Double
}

// disable takes a definition, a row or an event out.
func (o *overlay) disable(d *book.Disabling) {
	s := &search{path: d.Path, at: 1}
	if !o.remove(s) {
		o.unknown(d.Path[:min(s.at+1, len(d.Path))], d.Place, s.known)
		return
	}
	for name, first := range o.changed {
		if path := join(d.Path); name == path || len(name) > len(path) && name[:len(path)+1] == path+"." {
			o.conflict(name, d.Place, first)
		}
	}
	o.changed[join(d.Path)] = change{d.Place, o.brew.ID, true}
	d.Overlay = o.brew.ID
	o.book.Disabled = append(o.book.Disabled, *d)
}

func (o *overlay) remove(s *search) bool {
	b := o.book
	switch s.path[0] {
	case "traits":
		return remove(s, &b.Traits, traitID)
	case "functions":
		return remove(s, &b.Functions, functionID)
	case "rules":
		return remove(s, &b.Rules, ruleID)
	case "tables":
		if t, ok := look(s, b.Tables, tableID); ok && len(s.path) == 4 {
			s.at = 3
			o.touch(&t.Definition)
			return remove(s, &t.Rows, func(r book.Row) string { return rowName(t.Kind, &r) })
		}
		s.at = 1
		return len(s.path) == 2 && remove(s, &b.Tables, tableID)
	case "procedures":
		if p, ok := look(s, b.Procedures, procedureID); ok && len(s.path) == 4 {
			s.at = 3
			o.touch(&p.Definition)
			return remove(s, &p.Events, eventID)
		}
		s.at = 1
		return len(s.path) == 2 && remove(s, &b.Procedures, procedureID)
	}
	return false
}

func (o *overlay) touch(d *book.Definition) { d.Overlay = o.brew.ID }

func remove[T any](s *search, list *[]T, of func(T) string) bool {
	if _, ok := look(s, *list, of); !ok {
		return false
	}
	id := s.path[s.at-1]
	*list = slices.DeleteFunc(*list, func(x T) bool { return of(x) == id })
	return true
}

// kindName names a kind without what it is made of.
func kindName(k plan.Kind) string {
	switch k {
	case plan.List:
		return "a list"
	case plan.Record:
		return "a struct"
	}
	return (&plan.Type{Kind: k}).String()
}
