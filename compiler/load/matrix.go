package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/load/fieldset"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A table with two keys is read into the same form as every other: rows with a cell for each column. Its columns are named
// by their keys, "lance", "4 to 6" or "from 3", so that whatever shows, compares or replaces the cells of a table needs
// not know of the second key. Book.Table.Across has the keys themselves, for what looks a column up.

// readMatrix reads the columns of a table with two keys and gives its rows, whose cells bear the names of the columns.
func readMatrix(n, rows *node, t *book.Table) []tableRow {
	t.Across = n.readAcross(t)
	var names []string
	for i := range t.Across.Rows {
		names = append(names, t.Across.Rows[i].String())
	}
	var out []tableRow
	if len(names) == 0 {
		return nil // check says so
	}
	t.Kind, out = readCellRows(rows, names)
	shape := &plan.Shape{} // one for all columns: a replacement that widens it widens all
	for i, name := range names {
		t.Columns = append(t.Columns, plan.Member{Name: name, Shape: shape, Place: t.Across.Rows[i].Place})
	}
	var cells []tableCell
	for _, row := range out {
		row.checkCount(names)
		for _, k := range row.cells {
			if k.isStruct() {
				k.addf("table-type", "a cell of a table with two keys is a number, a truth, a string or a list")
				continue
			}
			cell := cellShape(k)
			if row.keyOf.Place.File != "" {
				k.addKeyOf(cell, row.keyOf)
			}
			cells = append(cells, tableCell{&row, k, cell})
		}
	}
	reportOpposed(cells)
	for _, cell := range cells {
		cell.row.widenColumn(shape, cell)
	}
	return out
}

// readAcross reads the keys of the columns.
func (n *node) readAcross(t *book.Table) *book.Table {
	out := &book.Table{Definition: t.Definition, IsAcross: true}
	for i, e := range n.elementsOf("columns") {
		kind := columnKind(e)
		if i == 0 {
			out.Kind = kind
		}
		if kind != out.Kind {
			e.addf("table-kind", "columns are strings, or numbers and bands, or from and above: not some of each")
		}
		out.Rows = append(out.Rows, book.Row{RowKey: columnKeyReaders[kind](e), Place: e.placeOf()})
	}
	return out
}

// readCellRows reads rows of cells: a struct of lists by the rows' names, or a list of structs that say a band or a limit.
func readCellRows(n *node, names []string) (kind plan.TableKind, out []tableRow) {
	if n.isStruct() {
		for _, m := range n.dataFields() {
			out = append(out, newCellRow(m, m, kind, names))
		}
		n.reportUnmet(fieldset.Set{})
		return kind, out
	}
	for i, m := range n.listElements() {
		if i == 0 {
			kind = kindOfRow(m)
		}
		for _, k := range m.dataFields() {
			if known := []string{"on", "from", "above", "cells"}; !slices.Contains(known, k.name) {
				m.reportUnknownField(k, known, nil)
			}
		}
		asked := m.reportUnmet(fieldset.Set{})
		_, hasBand := m.fieldNamed("on")
		if kind == plan.BandsTable && !hasBand { // CUE does not mind, as rows may have from or above instead
			m.addf("table-kind", "a row of cells says for which keys it is: on, from or above")
			continue
		}
		cells, ok := m.fieldNamed("cells")
		if !ok && slices.Contains(asked, "cells") {
			continue
		}
		if !ok {
			m.addf("missing-field", "a row of a table with two keys has cells")
			continue
		}
		out = append(out, newCellRow(m, cells, kind, names))
	}
	return kind, out
}

// checkCount reports a row with less cells than there are columns. Which is missing is not known, as cells have no names.
func (row *tableRow) checkCount(names []string) {
	if len(row.cells) == len(names) || row.unread || row.settled {
		return
	}
	cells := make([]string, 0, len(names))
	for _, k := range row.cells {
		cells = append(cells, k.readJSON())
	}
	for len(cells) < len(names) {
		cells = append(cells, hollowCell(row.cells))
	}
	row.r.addf("table-column", row.place, row.subject, "row %s has %s, and there are %d columns: %s", row.rowLabel(),
		plural.Of(len(row.cells), "cell"), len(names), strings.Join(names, ", ")).Repair =
		fmt.Sprintf("write one for each column, as [%s]", strings.Join(cells, ", "))
}

// hollowCell returns what stands in a cell that has nothing, as the first cell of a row has it.
func hollowCell(cells []*node) string {
	if len(cells) > 0 && cells[0].isString() {
		return `""`
	}
	return "0"
}

// cellTexts returns the cells of a row that are written by the names of their columns, in the order of these; 0 for a cell
// that is not there.
func (n *node) cellTexts(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "0"
		if k, ok := n.fieldNamed(name); ok && k.value.IsConcrete() {
			out[i] = k.readJSON()
		}
	}
	return out
}

// newCellRow names the cells of a row by their columns. Cells beyond the columns are reported.
func newCellRow(m, list *node, kind plan.TableKind, names []string) tableRow {
	if list.isStruct() {
		d := list.addf("wrong-type", "the cells of %s stand in a list, in the order of the columns", m.name)
		d.Repair = fmt.Sprintf("write [%s]", strings.Join(list.cellTexts(names), ", "))
		return tableRow{node: m, kind: kind, unread: true}
	}
	row := tableRow{node: m, kind: kind, keyOf: list.readKeyOf()}
	if !list.isList() && list.value.IsConcrete() {
		d := list.addf("wrong-type", "the cells of %s stand in a list, in the order of the columns", m.name)
		d.Repair = fmt.Sprintf("write [%s], a cell for each column", list.readJSON()+strings.Repeat(", ...", len(names)-1))
		return tableRow{node: m, kind: kind, unread: true}
	}
	cells := list.listElements()
	if len(cells) > len(names) {
		d := cells[len(names)].addf("table-column", "row %s has %s, and the columns are %s",
			row.rowLabel(), plural.Of(len(cells), "cell"), strings.Join(names, ", "))
		d.Repair = "leave out what is one too many, or name its column: columns: [..., \"name\"]"
		cells = slices.Clip(cells[:len(names)])
	}
	for i, c := range cells {
		c.label = label{name: names[i]}
	}
	row.cells = cells
	return row
}
