package overlay

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// extend appends rows to tables, and parts to the bodies of rules.
func (o *overlay) extend() {
	for _, t := range o.brew.Extends {
		if to, ok := found(o.book.Tables, t.ID, tableID); ok {
			o.rows(to, t)
			continue
		}
		o.unknown([]string{"tables", t.ID}, t.Place, names(o.book.Tables, tableID))
	}
	for _, r := range o.brew.Bodies {
		if to, ok := found(o.book.Rules, r.ID, ruleID); ok {
			o.body(to, &r.Body)
			continue
		}
		o.unknown([]string{"rules", r.ID}, r.Place, names(o.book.Rules, ruleID))
	}
}

// rows appends rows to a table. Those that overlap others are found where tables are checked.
func (o *overlay) rows(to, more *book.Table) {
	if !o.fits(to, more, more.Place) {
		return
	}
	for _, row := range arranged(to, more) {
		i := slices.IndexFunc(to.Rows, func(r book.Row) bool { return rowName(to.Kind, &r) == rowName(to.Kind, &row) })
		if i >= 0 {
			o.silent("row "+rowName(to.Kind, &row)+" of table "+to.ID, row.Place, to.Rows[i].Place)
			continue
		}
		row.Overlay = o.brew.ID
		to.Rows = append(to.Rows, row)
	}
	if more.Over.Range || more.Over.Dice.S != "" {
		o.overAgain(to, more)
	}
	to.Overlay = o.brew.ID
}

// overAgain refuses other keys for a table that says which it has.
func (o *overlay) overAgain(to, more *book.Table) {
	if to.Over.Range || to.Over.Dice.S != "" {
		o.silent("over of table "+to.ID, more.Over.Place, to.Over.Place)
		return
	}
	to.Over = more.Over
}

// fits reports whether rows can stand in a table, and says why when they cannot.
func (o *overlay) fits(to, more *book.Table, at plan.Place) bool {
	if to.Kind != more.Kind {
		o.misfit(to, at, "these are rows of another kind of table")
		return false
	}
	ok := true
	for _, c := range to.Columns {
		if column(more, c.Name) < 0 && len(more.Rows) > 0 {
			o.misfit(to, more.Rows[0].Place, "the row has no "+c.Name+", which the table has")
			ok = false
		}
	}
	for _, c := range more.Columns {
		i := column(to, c.Name)
		switch {
		case i < 0:
			o.misfit(to, c.Place, "the table has no column "+c.Name)
			ok = false
		case !book.Widen(to.Columns[i].Shape, c.Shape):
			o.misfit(to, c.Place, c.Name+" is "+c.Shape.Type().String()+" where the table has "+to.Columns[i].Shape.Type().String())
			ok = false
		}
	}
	return ok
}

func (o *overlay) misfit(t *book.Table, at plan.Place, why string) {
	d := o.diags.Addf("overlay-rows", at, "homebrew "+o.brew.ID+", table "+t.ID, "%s", why)
	d.Related = append(d.Related, diag.Related{Place: t.Place, Message: "the table"})
}

func column(t *book.Table, name string) int {
	return slices.IndexFunc(t.Columns, func(m plan.Member) bool { return m.Name == name })
}

// arranged are rows with their cells in the order of a table's columns.
func arranged(to, more *book.Table) []book.Row {
	out := slices.Clone(more.Rows)
	for i := range out {
		cells := make([]book.Cell, len(to.Columns))
		for k, c := range to.Columns {
			cells[k] = out[i].Cells[column(more, c.Name)]
		}
		out[i].Cells = cells
	}
	return out
}

// body appends to the body of a rule. Names that stand twice are refused here: the phases after this one take a body for
// what one author wrote.
func (o *overlay) body(to *book.Rule, more *book.Body) {
	b := &to.Body
	for _, s := range more.Sources {
		if o.fresh(to, sourceName(s)) {
			b.Sources = append(b.Sources, s)
		}
	}
	b.Lets = append(b.Lets, o.named(to, more.Lets)...)
	b.Outputs = append(b.Outputs, o.named(to, more.Outputs)...)
	b.Requires = append(b.Requires, more.Requires...)
	to.Overlay = o.brew.ID
}

func (o *overlay) named(to *book.Rule, list []book.Named) []book.Named {
	var out []book.Named
	for _, n := range list {
		if o.fresh(to, n) {
			out = append(out, n)
		}
	}
	return out
}

// fresh reports whether a body has nothing of a name yet, and says what it has when there is something.
func (o *overlay) fresh(r *book.Rule, n book.Named) bool {
	var there []book.Named
	for _, s := range r.Body.Sources {
		there = append(there, sourceName(s))
	}
	there = slices.Concat(there, r.Body.Lets, r.Body.Outputs)
	i := slices.IndexFunc(there, func(m book.Named) bool { return m.Name == n.Name })
	if i >= 0 {
		o.silent(n.Name+" of rule "+r.ID, n.Place, there[i].Place)
	}
	return i < 0
}

func sourceName(s book.Source) book.Named {
	if s.Die != nil {
		return book.Named{Name: s.Die.Name, Place: s.Die.Place}
	}
	return book.Named{Name: s.Use.Name, Place: s.Use.Place}
}
