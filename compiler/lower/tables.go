package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// tableIndex gives a table its number in the plan. A table with two keys is three: its rows, its columns, and its cells,
// which are found by the numbers of both.
func (p *planner) tableIndex(t *check.Table) int64 {
	i, ok := p.tables[t]
	if !ok {
		i = int64(len(p.out.Tables))
		p.tables[t] = i
		p.out.Tables = append(p.out.Tables, p.newTable(t))
		if t.Across != nil {
			p.tableIndex(t.Across)
			p.addCellTable(t)
		}
	}
	return i
}

// addCellTable adds the cells of a table with two keys as the rows of a table of their own, right behind that of the
// columns: cell c of row r of n columns is row r * n + c there. Then reading a cell whose column is known only at run time
// is the operation that reads cells of every table, and no pass, machine or analysis needs another one.
func (p *planner) addCellTable(t *check.Table) {
	cells := p.out.Tables[p.tables[t]].Cells
	p.out.Tables = append(p.out.Tables, plan.IndexedTable(plan.CellsID(t.Name()), cellRowType(t), cells))
}

// cellRowType makes the row of the table of cells: one column, since every cell of a table with two keys has the same
// type.
func cellRowType(t *check.Table) *plan.Type {
	return &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "cell", Type: t.Type()}}}
}

// cellTableIndex returns the number of the table of cells in the plan.
func (p *planner) cellTableIndex(t *check.Table) int64 { return p.tableIndex(t.Across) + 1 }

// newTable lays a table out for look-ups: its rows in the author's order, and Order by which a key is searched.
func (p *planner) newTable(t *check.Table) plan.Table {
	b := t.Book
	out := plan.Table{ID: b.ID, Kind: b.Kind, Row: t.Row}
	if b.IsAcross {
		out.ID = plan.AcrossID(b.ID)
	}
	switch {
	case b.Over.Range:
		out.Bounded, out.OverMin, out.OverMax = true, b.Over.Min, b.Over.Max
	case b.Over.Dice.Written():
		out.Bounded, out.OverMin, out.OverMax = true, float64(t.OverMin), float64(t.OverMax)
	}
	for i := range b.Rows {
		p.addRow(&out, b, &b.Rows[i])
	}
	out.Order = rowOrder(&out)
	return out
}

func (p *planner) addRow(out *plan.Table, t *book.Table, r *book.Row) {
	p.appendKey(out, r.RowKey)
	for i, c := range r.Cells {
		out.Cells = append(out.Cells, p.jsonSlots(decodeJSON(c.JSON), t.Columns[i].Shape)...)
	}
}

// appendKey gives a table the key of its next row.
func (p *planner) appendKey(out *plan.Table, k plan.RowKey) {
	if out.Kind.HasNumbers() {
		out.Lo, out.Hi, out.Above = append(out.Lo, k.Lo), append(out.Hi, k.Hi), append(out.Above, k.Above)
		return
	}
	out.Keys = append(out.Keys, p.internSymbol(k.Key))
}

// derivedTable returns the number in the plan of a table that lowering makes itself; it is filled when first asked for.
func (p *planner) derivedTable(id string, fill func(*plan.Table)) int64 {
	if i, ok := p.derived[id]; ok {
		return i
	}
	out := plan.Table{ID: id}
	fill(&out)
	at := int64(len(p.out.Tables))
	p.derived[id] = at
	p.out.Tables = append(p.out.Tables, out)
	return at
}

// rowOrder returns the rows by their limits; a limit that must be reached stands before the same limit that must be passed.
//
// A look-up in steps takes the last row in this order whose limit the key has reached: with "from 5" and "above 5" the key
// 5 finds the first and 6 the second. Rows themselves keep the book's order, for a row's number is cited by traces.
func rowOrder(t *plan.Table) []int32 {
	out := make([]int32, len(t.Lo))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortStableFunc(out, func(a, b int32) int {
		switch {
		case t.Lo[a] < t.Lo[b]:
			return -1
		case t.Lo[a] > t.Lo[b]:
			return 1
		case t.Above[a] == t.Above[b]:
			return 0
		case t.Above[b]:
			return -1
		}
		return 1
	})
	return out
}
