package overlay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// extendDefinitions appends rows to tables, and parts to rules, procedures and events.
func (o *overlay) extendDefinitions(x *book.Extension) {
	extendEach(o, "tables", x.Tables, o.book.Tables, tableDefinition, o.extendTable)
	extendEach(o, "rules", x.Rules, o.book.Rules, ruleDefinition, o.extendRule)
	extendEach(o, "procedures", x.Procedures, o.book.Procedures, procedureDefinition, o.extendProcedure)
}

// extendEach extends the definitions of a kind.
func extendEach[T any](o *overlay, kind string, list, all []T, of func(T) *book.Definition, extend func(to, more T)) {
	id := func(x T) string { return of(x).ID }
	for _, more := range list {
		if to, ok := findByID(all, id(more), id); ok {
			extend(to, more)
			o.noteExtension([]string{kind, id(more)}, of(more).Place)
			continue
		}
		o.reportUnknown([]string{kind, id(more)}, of(more).Place, listIDs(all, id))
	}
}

// extendTable appends rows to a table, but none in place of one that another homebrew has disabled. Those that overlap
// others are found where tables are checked.
func (o *overlay) extendTable(to, more *book.Table) {
	if len(more.Rows) == 0 && !more.Over.Range && !more.Over.Dice.Written() {
		o.reportMisfit(to, more.Place, "there are no rows here that are added").Repair =
			fmt.Sprintf("%s; the cells of a row that is there are replaced: "+
				"replace: tables: %s: rows: ROW: COLUMN: {expect: 1, with: 2}", adviseAddedRow(to), to.ID)
		return
	}
	more = withDefaults(to, more)
	if !o.checkColumns(to, more, more.Place) {
		return
	}
	for _, row := range arrangeCells(to, more) {
		i := slices.IndexFunc(to.Rows, func(r book.Row) bool { return r.String() == row.String() })
		if i >= 0 {
			d := o.reportSilent("row "+row.String()+" of table "+to.ID, row.Place, to.Rows[i].Place)
			d.Repair = adviseReplacedRow(to, &to.Rows[i], to, &row)
			continue
		}
		path := []string{"tables", to.ID, "rows", row.String()}
		if o.changed[joinPath(path)].gone {
			o.reportTaken(path, row.Place)
			continue
		}
		row.Overlay = o.brew.ID
		to.Rows = append(to.Rows, row)
	}
	if more.Over.Range || more.Over.Dice.Written() {
		o.extendOver(to, more)
	}
	o.markChanged(&to.Definition)
}

// adviseAddedRow returns how a row is added to a table.
func adviseAddedRow(t *book.Table) string {
	if t.Across == nil {
		return fmt.Sprintf("rows are added under %s, as the table has them", t.Kind)
	}
	columns, cells := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i], cells[i] = strconv.Quote(c.Name), strconv.Itoa(i+1)
	}
	if t.Across.Kind.HasNumbers() {
		columns = []string{"..."} // as the table has them
	}
	return fmt.Sprintf("rows are added with the columns that the table has: extend: tables: %s: {columns: [%s], rows: ROW: [%s]}",
		t.ID, strings.Join(columns, ", "), strings.Join(cells, ", "))
}

// adviseReplacedRow returns how the cells of a row that is there are replaced by those that a row of another table with its
// key has.
func adviseReplacedRow(t *book.Table, there *book.Row, more *book.Table, row *book.Row) string {
	var cells []string
	for k, c := range more.Columns {
		i := columnIndex(t, c.Name)
		if i < 0 || row.Cells[k].JSON == "" {
			continue
		}
		if was, with := compactJSON(there.Cells[i].JSON), compactJSON(row.Cells[k].JSON); was != with {
			cells = append(cells, fmt.Sprintf("%s: {expect: %s, with: %s}", c.Name, was, with))
		}
	}
	if len(cells) == 0 {
		return "its cells are the same: leave it out, or give it another name"
	}
	return fmt.Sprintf("to change it, write replace: tables: %s: rows: %q: {%s}; else give it another name", t.ID,
		row.String(), strings.Join(cells, ", "))
}

// extendOver refuses other keys for a table that says which it has.
func (o *overlay) extendOver(to, more *book.Table) {
	if to.Over.Range || to.Over.Dice.Written() {
		o.reportSilent("over of table "+to.ID, more.Over.Place, to.Over.Place)
		return
	}
	to.Over = more.Over
}

// checkColumns reports whether rows can stand in a table, with a diagnostic if they cannot.
//
// A column that the table does not have and one that the row lacks are often one misspelling: the nearest missing name is
// then the repair and not reported as missing too. Types may widen, 1 beside 1.5 makes doubles, as within a table of one
// author. A row may lack cells that the table gives to all rows without them.
func (o *overlay) checkColumns(to, more *book.Table, at plan.Place) bool {
	if to.Kind != more.Kind {
		o.reportMisfit(to, at, "these are rows of another kind of table")
		return false
	}
	ok := true
	absent := columnsWithout(to, more)
	for _, c := range more.Columns {
		i := columnIndex(to, c.Name)
		switch {
		case i < 0:
			d := o.reportMisfit(to, c.Place, "the table has no column "+c.Name)
			d.Repair = suggestName(c.Name, absent, "")
			meant := diag.Nearest(c.Name, absent)
			absent = slices.DeleteFunc(absent, func(name string) bool { return name == meant })
			ok = false
		case !o.widen(to, &to.Columns[i], c.Shape, c.Place):
			o.reportMisfit(to, c.Place,
				c.Name+" is "+c.Shape.Type().String()+" where the table has "+to.Columns[i].Shape.Type().String())
			ok = false
		}
	}
	for i := range more.Rows {
		row := &more.Rows[i]
		lacks := columnsLacking(to, more, row, absent)
		if len(lacks) == 0 {
			continue
		}
		ok = false
		if k := slices.IndexFunc(to.Rows, func(r book.Row) bool { return r.String() == row.String() }); k >= 0 {
			d := o.reportSilent("row "+row.String()+" of table "+to.ID, row.Place, to.Rows[k].Place)
			d.Repair = adviseReplacedRow(to, &to.Rows[k], more, row)
			continue
		}
		o.reportMisfit(to, row.Place, "the row has no "+strings.Join(lacks, ", ")+", which the table has")
	}
	return ok
}

// widen makes the type of a column hold that of other cells, and notes it where it is another one then; it reports whether
// they go together.
func (o *overlay) widen(t *book.Table, column *plan.Member, cells *plan.Shape, at plan.Place) bool {
	was := column.Shape.Type().String()
	ok := book.Widen(column.Shape, cells)
	if is := column.Shape.Type().String(); ok && is != was {
		o.book.Widened = append(o.book.Widened, book.Widening{Table: t.ID, Column: column.Name, Was: was, Is: is, Place: at,
			Overlay: o.brew.ID})
	}
	return ok
}

// columnsWithout returns the columns of a table that none of more rows has.
func columnsWithout(to, more *book.Table) (names []string) {
	for _, c := range to.Columns {
		if columnIndex(more, c.Name) < 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// columnsLacking returns the columns of a table that a row of more lacks: those that no row of more has, and those that
// only others have.
func columnsLacking(to, more *book.Table, row *book.Row, absent []string) (names []string) {
	for _, c := range to.Columns {
		i := columnIndex(more, c.Name)
		if slices.Contains(absent, c.Name) || i >= 0 && row.Cells[i].JSON == "" {
			names = append(names, c.Name)
		}
	}
	return names
}

// suggestName returns the repair for an unknown name: the nearest of those known, or else all of them behind some words.
func suggestName(name string, known []string, words string) string {
	repair := diag.DidYouMean(name, known)
	if repair != "" || len(known) == 0 || len(known) > diag.MaxListed || words == "" {
		return repair
	}
	return words + strings.Join(known, ", ")
}

func (o *overlay) reportMisfit(t *book.Table, at plan.Place, why string) *diag.Diagnostic {
	d := o.diags.Addf("overlay-rows", at, "homebrew "+o.brew.ID+", table "+t.ID, "%s", why)
	d.Related = append(d.Related, diag.Related{Place: t.Place, Message: "the table"})
	return d
}
