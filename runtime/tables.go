package runtime

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/kernel"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A table is a plan's table made ready: keys that lie close together are looked up by their number.
type table struct {
	*plan.Table
	stride int
	cells  []int64        // row by row
	first  int64          // the key of dense[0]: a symbol of a keyed table, else an integer
	dense  []int32        // rows; -1 where there is none
	breaks *kernel.Breaks // rows by number; nil of a keyed table
}

// maxDense bounds the keys that are looked up by their number.
const maxDense = 4096

func newTable(p *plan.Table) table {
	t := table{Table: p, stride: p.Row.Slots(), cells: p.Cells}
	if t.Kind == plan.KeyedTable {
		t.denseKeys()
	} else {
		t.breaks = newBreaks(p)
		t.denseNumbers()
	}
	return t
}

// denseKeys lists the rows by symbol.
func (t *table) denseKeys() {
	if len(t.Keys) == 0 {
		return
	}
	last := t.Keys[0]
	t.first = last
	for _, k := range t.Keys {
		t.first, last = min(t.first, k), max(last, k)
	}
	t.fill(last, func(int64) int64 { return -1 })
	for row, k := range t.Keys {
		t.dense[k-t.first] = int32(row)
	}
}

// denseNumbers lists the rows by integer, from the first limit to the last, if they lie close together.
func (t *table) denseNumbers() {
	if len(t.Order) == 0 {
		return
	}
	from, to := math.Ceil(t.Lo[t.Order[0]]), t.last()
	if to-from < maxDense {
		t.first = int64(from)
		t.fill(int64(to), func(key int64) int64 { return t.search(float64(key)) })
	}
}

// last is the last integer for which the rows say something.
func (t *table) last() float64 {
	row := t.Order[len(t.Order)-1]
	if t.Kind == plan.BandsTable {
		return math.Floor(t.Hi[row])
	}
	return math.Floor(t.Lo[row]) + 1
}

func (t *table) fill(last int64, row func(int64) int64) {
	t.dense = make([]int32, max(0, last-t.first+1))
	for i := range t.dense {
		t.dense[i] = int32(row(t.first + int64(i)))
	}
}

// row is the number of the row of a symbol or an integer, -1 when there is none.
func (t *table) row(key int64) int64 {
	if i := uint64(key - t.first); i < uint64(len(t.dense)) {
		return int64(t.dense[i])
	}
	if t.Kind == plan.KeyedTable {
		return -1
	}
	return t.FindInt(key)
}

// search is the number of the row of a number, -1 when there is none, as for NaN.
func (t *table) search(key float64) int64 {
	return t.breaks.Row(key)
}

// cell is a slot of a row; 0 outside of the rows.
func (t *table) cell(row, slot int64) int64 {
	if at := row*int64(t.stride) + slot; row >= 0 && uint64(at) < uint64(len(t.cells)) {
		return t.cells[at]
	}
	return 0
}
