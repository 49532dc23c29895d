package overlay

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func columnIndex(t *book.Table, name string) int {
	return slices.IndexFunc(t.Columns, func(m plan.Member) bool { return m.Name == name })
}

// arrangeCells are rows with their cells in the order of a table's columns.
func arrangeCells(to, more *book.Table) []book.Row {
	out := slices.Clone(more.Rows)
	for i := range out {
		cells := make([]book.Cell, len(to.Columns))
		for k, c := range to.Columns {
			cells[k] = out[i].Cells[columnIndex(more, c.Name)]
		}
		out[i].Cells = cells
	}
	return out
}

// withDefaults returns rows with the defaults of a table in the cells that they lack.
func withDefaults(to, more *book.Table) *book.Table {
	if to.Defaults == nil || len(more.Rows) == 0 {
		return more
	}
	defaults := to.Defaults()
	out := *more
	out.Columns, out.Rows = slices.Clone(more.Columns), slices.Clone(more.Rows)
	for _, c := range to.Columns {
		if defaults[c.Name].JSON != "" && columnIndex(&out, c.Name) < 0 {
			out.Columns = append(out.Columns, c)
		}
	}
	for i := range out.Rows {
		row := &out.Rows[i]
		cells := make([]book.Cell, len(out.Columns))
		for k, c := range out.Columns {
			if k < len(row.Cells) {
				cells[k] = row.Cells[k]
			}
			if cells[k].JSON == "" {
				cells[k] = book.Cell{JSON: defaults[c.Name].JSON, Place: row.Place}
			}
		}
		row.Cells = cells
	}
	return &out
}
