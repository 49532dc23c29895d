package overlay

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// replacePart puts a value where the one that is expected stands.
// The claim is made before the expectation is compared: of two homebrews that replace the same cell
// the second is told of the first, and not that something else than expected stands there.
func (o *overlay) replacePart(r *book.Replacement) {
	t, s := findTarget(o.book, r.Path)
	if t == nil || !s.isAtEnd() {
		o.reportUnknown(r.Path[:min(s.at+1, len(r.Path))], r.Place, s.known)
		return
	}
	if !o.claimPath(r.Path, r.Place) {
		return
	}
	if r.Expect.Place.File == "" {
		o.reportUnexpecting(r, t)
		return
	}
	if was, want := t.normalForm(), t.normalFormOf(&r.Expect); was != want {
		o.reportMoved(r, t, want, was)
		return
	}
	if o.putPart(t, r) {
		o.markChanged(t.owner)
	}
	if r.Says.S != "" {
		*t.message = r.Says.S
	}
}

// reportUnexpecting reports a replacement that does not say what it replaces, with what is there now.
func (o *overlay) reportUnexpecting(r *book.Replacement, t *target) {
	last := r.Path[len(r.Path)-1]
	d := o.diags.Addf("wrong-type", r.Place, "replace "+joinPath(r.Path), "%s must say too what it replaces", last)
	d.Repair = fmt.Sprintf("write %s: {expect: %s, with: %s}", last, t.writtenForm(t.normalForm()),
		t.writtenForm(t.normalFormOf(&r.With)))
}

// writtenForm returns a normal form of the target as an author writes it.
func (t *target) writtenForm(form string) string {
	isText := t.text != nil || t.formula != nil && !t.formula.By.Written() || t.die != nil && t.die.Notation.Written()
	switch {
	case t.cell != nil:
		return form
	case isText:
		return strconv.Quote(form)
	}
	return "<" + form + ">"
}

// reportMoved reports that another text stands there than the expected one, with the expected, the found and the new text.
// Of a table with a hundred rows only the first line that differs is shown, with the same line of the new text.
func (o *overlay) reportMoved(r *book.Replacement, t *target, want, was string) {
	wanted := t.normalFormOf(&r.With)
	if t.table != nil {
		want, was, wanted = firstDifference(want, was, wanted)
	}
	d := o.diags.Addf("overlay-moved", r.Expect.Place, "homebrew "+o.brew.ID,
		"%s is not what is expected here: nothing is replaced", joinPath(r.Path))
	d.Repair = "look again at what it should be, and expect what is found"
	d.Related = []diag.Related{
		{Place: r.Expect.Place, Message: "expected: " + want},
		{Place: t.place, Message: "found now: " + was},
		{Place: r.With.Place, Message: "wanted: " + wanted},
	}
	if o.isForAnother() {
		d.Related = append(d.Related, diag.Related{Place: o.brew.Revision.Place,
			Message: "the homebrew was written for revision " + o.brew.Revision.S + ", and this is " + o.current})
	}
}

// putPart carries a replacement out.
//
// Names stay: a die or a use is read by formulas that the homebrew has not seen. The whole value is
// replaced otherwise, and remembers who wrote it.
func (o *overlay) putPart(t *target, r *book.Replacement) bool {
	with := &r.With
	switch {
	case t.cell != nil:
		return o.putCell(t, r)
	case t.text != nil && with.Formula != nil:
		*t.text = with.Formula.Expr
	case t.text != nil:
		*t.text = book.Text{S: decodeString(with.JSON), Place: with.Place}
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
		mark(o.brew.ID).markUse(t.use)
	case t.table != nil:
		return o.putRows(t.table, with)
	}
	return true
}

// putCell puts a value of the column's type into a row.
// 1.5 into a column of ints makes it a column of doubles, which the other cells can be read as; "1"
// into one of ints does not, nor does ["x"] into one of lists of ints.
func (o *overlay) putCell(t *target, r *book.Replacement) bool {
	column := t.column.Shape.Type()
	s := shapeOf(decodeJSON(r.With.JSON))
	if s == nil || s.Kind == plan.Invalid || !o.widen(t.cellOf, t.column, s, r.With.Place) {
		is := "a list of different types"
		if s != nil {
			is = typeName(s)
		}
		o.diags.Addf("overlay-rows", r.With.Place, "homebrew "+o.brew.ID, "%s is %s, and the column has %s",
			joinPath(r.Path), is, column)
		return false
	}
	*t.cell = book.Cell{JSON: r.With.JSON, Place: r.With.Place, Overlay: o.brew.ID}
	return true
}

// putRows gives a table other rows. It keeps its columns, which formulas read.
//
// Columns stay as well, for the same reason; cells are arranged in their order, whatever the order
// in the homebrew.
func (o *overlay) putRows(t *book.Table, with *book.Stated) bool {
	rows := withDefaults(t, with.Rows)
	if !o.checkColumns(t, rows, with.Place) {
		return false
	}
	t.Rows = arrangeCells(t, rows)
	for i := range t.Rows {
		t.Rows[i].Overlay = o.brew.ID
	}
	if over := with.Rows.Over; over.Range || over.Dice.Written() {
		t.Over = over
	}
	return true
}

// shapeOf returns the shape of a JSON value; nil where the elements of a list have different types. Of an empty list's
// elements nothing is known. CUE's text of a double has a point or an exponent, by which it is told from a whole number.
func shapeOf(v any) *plan.Shape {
	switch v := v.(type) {
	case bool:
		return &plan.Shape{Kind: plan.Bool}
	case string:
		return &plan.Shape{Kind: plan.String}
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return &plan.Shape{Kind: plan.Double}
		}
		return &plan.Shape{Kind: plan.Int}
	case []any:
		s := &plan.Shape{Kind: plan.List, Elem: &plan.Shape{}, MaxItems: len(v)}
		for _, x := range v {
			if elem := shapeOf(x); elem == nil || !book.Widen(s.Elem, elem) {
				return nil
			}
		}
		return s
	case map[string]any:
		s := &plan.Shape{Kind: plan.Record}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			field := shapeOf(v[name])
			if field == nil {
				return nil
			}
			s.Fields = append(s.Fields, plan.Member{Name: name, Shape: field})
		}
		return s
	}
	return &plan.Shape{}
}

// decodeJSON reads JSON, its numbers as they are written; nil of what is none.
func decodeJSON(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// disablePart takes a definition, a row or an event out.
//
// Earlier changes and extensions at or below the path are now gone, and the first is reported against this one: whoever
// made it would not have it. The disabling is kept in the book (Disabled), because check and package language can then
// say of a formula that needs it who took it away.
func (o *overlay) disablePart(d *book.Disabling) {
	if o.reportPartAsReason(d) {
		return
	}
	s := &search{path: d.Path, at: 1}
	if !o.removePart(s) {
		o.reportUnknown(d.Path[:min(s.at+1, len(d.Path))], d.Place, s.known)
		return
	}
	if !o.reportTaking(o.changed, d) {
		o.reportTaking(o.extended, d)
	}
	o.changed[joinPath(d.Path)] = change{d.Place, o.brew.ID, true}
	d.Overlay = o.brew.ID
	o.book.Disabled = append(o.book.Disabled, *d)
}

// reportPartAsReason reports a table or a procedure that is disabled with the name of one of its parts in place of the
// reason, and returns whether it is: the part alone is meant.
func (o *overlay) reportPartAsReason(d *book.Disabling) bool {
	if len(d.Path) != 2 {
		return false
	}
	section, id := d.Path[0], d.Path[1]
	part := ""
	if t, ok := findByID(o.book.Tables, id, tableID); ok && section == "tables" &&
		slices.ContainsFunc(t.Rows, func(r book.Row) bool { return r.String() == d.Why }) {
		part = "rows"
	}
	if p, ok := findByID(o.book.Procedures, id, procedureID); ok && section == "procedures" {
		if _, isEvent := findByID(p.Events, d.Why, eventID); isEvent {
			part = "events"
		}
	}
	if part == "" {
		return false
	}
	o.diags.Addf("overlay-unknown", d.Place, "homebrew "+o.brew.ID, "%s is one of the %s of %s.%s, and no reason",
		d.Why, part, section, id).
		Repair = fmt.Sprintf("to disable it alone write disable: %s: %s: %s: %s: \"the reason\"", section, id, part, d.Why)
	return true
}

// reportTaking reports whether a part at or below the path that is disabled has been changed, with a diagnostic for the
// first.
func (o *overlay) reportTaking(changes map[string]change, d *book.Disabling) bool {
	path := joinPath(d.Path)
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if name == path || strings.HasPrefix(name, path+".") {
			o.reportConflict(name, d.Place, changes[name])
			return true
		}
	}
	return false
}

// removePart removes the definition, the row or the event that a path leads to, and says whether there was one. s.at is
// then the part of the path that names it.
func (o *overlay) removePart(s *search) bool {
	b := o.book
	switch s.path[0] {
	case "traits":
		return removeNamed(s, &b.Traits, traitID)
	case "functions":
		return removeNamed(s, &b.Functions, functionID)
	case "rules":
		return removeNamed(s, &b.Rules, ruleID)
	case "tables":
		if t, ok := lookUp(s, b.Tables, tableID); ok && len(s.path) == 4 {
			s.at = 3
			o.markChanged(&t.Definition)
			return removeNamed(s, &t.Rows, func(r book.Row) string { return r.String() })
		}
		s.at = 1
		return len(s.path) == 2 && removeNamed(s, &b.Tables, tableID)
	case "procedures":
		if p, ok := lookUp(s, b.Procedures, procedureID); ok && len(s.path) == 4 {
			s.at = 3
			o.markChanged(&p.Definition)
			return removeNamed(s, &p.Events, eventID)
		}
		s.at = 1
		return len(s.path) == 2 && removeNamed(s, &b.Procedures, procedureID)
	}
	return false
}

func removeNamed[T any](s *search, list *[]T, of func(T) string) bool {
	if _, ok := lookUp(s, *list, of); !ok {
		return false
	}
	id := s.path[s.at-1]
	*list = slices.DeleteFunc(*list, func(x T) bool { return of(x) == id })
	return true
}

// typeName returns the type of a shape; the elements of an empty list have none.
func typeName(s *plan.Shape) string {
	if s.Kind == plan.List && s.Elem.Kind == plan.Invalid {
		return "a list"
	}
	return s.Type().String()
}
