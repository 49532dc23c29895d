package runtime

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

var numberRow = &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "n", Type: plan.IntType}}}

// degrees is a table of steps: below 1 nothing, at 1 row 0, above 1 row 1, at 2.5 row 3; written in another order than by limit.
func degrees() plan.Table {
	return plan.Table{
		ID: "degrees", Kind: plan.StepsTable, Row: numberRow,
		Lo: []float64{1, 1, -4, 2.5}, Hi: make([]float64, 4), Above: []bool{false, true, true, false},
		Order: []int32{2, 0, 1, 3}, Cells: []int64{10, 11, 12, 13},
	}
}

// bands has rows 1..3 and 4..4, a gap, and 7..10.
func bands() plan.Table {
	return plan.Table{
		ID: "bands", Kind: plan.BandsTable, Row: numberRow,
		Lo: []float64{7, 1, 4}, Hi: []float64{10, 3, 4}, Above: make([]bool, 3),
		Order: []int32{1, 2, 0}, Cells: []int64{10, 11, 12},
	}
}

// tableCases are graphs that look keys up.
func tableCases() []graphCase {
	look := func(table plan.Table, key any, op plan.Op) func(b *build) {
		return func(b *build) {
			b.symbol("axe")
			if table.Kind == plan.KeyedTable {
				table.Keys = []int64{b.symbol("sword"), b.symbol("mace"), b.symbol("bow")}
			}
			b.p.Tables = []plan.Table{{Row: numberRow}, table}
			id := b.value(key, false)
			row := b.node(op, plan.Int, 1, id)
			b.out("r", plan.IntType, b.node(plan.OpCell, plan.Int, 1<<32, row), b.node(plan.OpRowFault, plan.Fault, 1, row, id))
		}
	}
	weapons := plan.Table{ID: "weapons", Kind: plan.KeyedTable, Row: numberRow, Cells: []int64{7, 8, 9}}
	return []graphCase{
		{"a row by number", nil, `{"r":10}`, look(bands(), 8, plan.OpRow)},
		{"no row by number", nil, "site 0: no such key: 5", look(bands(), 5, plan.OpRow)},
		{"a row by double", nil, `{"r":13}`, look(degrees(), 2.75, plan.OpRowDouble)},
		{"no row by double", nil, "site 0: no such key: -4.5", look(degrees(), -4.5, plan.OpRowDouble)},
		{"a row by key", nil, `{"r":8}`, look(weapons, "mace", plan.OpRow)},
		{"no row by a key that is known", nil, "site 0: no such key: axe", look(weapons, "axe", plan.OpRow)},
	}
}

func TestLookUps(t *testing.T) {
	for _, c := range tableCases() {
		b := newBuild()
		c.build(b)
		b.check(t, c.name, c.want)
	}
}
