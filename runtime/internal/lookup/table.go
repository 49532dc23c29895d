// Package lookup prepares the tables of a plan for finding rows: by a symbol, by a whole number and by a double, for one
// key and for a column of keys. Keys that lie close together index an array; other numbers find their row by breakpoints.
// It imports of ours the plan and the builtins.
//
// Invariant: every look-up gives the row that plan.Table.Find gives by comparing the key with every row in the book's
// order.
package lookup

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Table is a plan's table made ready. It is never changed, and may be read by many goroutines at once.
type Table struct {
	*plan.Table
	Stride int     // slots of a row
	Cells  []int64 // those of the plan's table, one indirection nearer
	First  int64   // the key of Dense[0]: a symbol of a keyed table, otherwise an integer
	// the row of each key from First on, -1 where there is none; empty where keys lie too far apart
	Dense       []int32
	Breakpoints *Breakpoints // rows by number; nil of a keyed table
}

// maxDense bounds the length of Dense for tables of numbers. The symbols of a keyed table lie within those of the plan,
// so that they need no bound.
const maxDense = 4096

// NewTable prepares a table.
func NewTable(p *plan.Table) Table {
	t := Table{Table: p, Stride: p.Row.Slots(), Cells: p.Cells}
	if !t.Kind.HasNumbers() {
		t.fillDenseBySymbol()
	} else {
		t.Breakpoints = breakpointsOf(p)
		t.fillDenseByNumber()
	}
	return t
}

func (t *Table) fillDenseBySymbol() {
	if len(t.Keys) == 0 {
		return
	}
	last := t.Keys[0]
	t.First = last
	for _, k := range t.Keys {
		t.First, last = min(t.First, k), max(last, k)
	}
	t.fillDense(last, func(int64) int64 { return -1 })
	for row, k := range t.Keys {
		t.Dense[k-t.First] = int32(row)
	}
}

// fillDenseByNumber lists the rows by integer, from the first limit to the last, if they lie close together.
func (t *Table) fillDenseByNumber() {
	if len(t.Order) == 0 {
		return
	}
	from, to := math.Ceil(t.Lo[t.Order[0]]), t.LastChange()
	if to-from < maxDense {
		t.First = int64(from)
		t.fillDense(int64(to), func(key int64) int64 { return t.RowOfDouble(float64(key)) })
	}
}

func (t *Table) fillDense(last int64, row func(int64) int64) {
	t.Dense = make([]int32, max(0, last-t.First+1))
	for i := range t.Dense {
		t.Dense[i] = int32(row(t.First + int64(i)))
	}
}

// RowOf returns the number of the row of a symbol or an integer, -1 when there is none.
func (t *Table) RowOf(key int64) int64 {
	if i := uint64(key - t.First); i < uint64(len(t.Dense)) {
		return int64(t.Dense[i])
	}
	if !t.Kind.HasNumbers() {
		return -1
	}
	return t.FindInt(key)
}

// RowOfDouble returns the number of the row of a double, -1 when there is none, as for NaN.
func (t *Table) RowOfDouble(key float64) int64 {
	return t.Breakpoints.findRow(key)
}

// Cell returns a slot of a row; 0 outside of the rows.
func (t *Table) Cell(row, slot int64) int64 {
	if at := row*int64(t.Stride) + slot; row >= 0 && uint64(at) < uint64(len(t.Cells)) {
		return t.Cells[at]
	}
	return 0
}
