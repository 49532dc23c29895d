package plan

import (
	"math"
	"slices"
	"strings"
)

// A Table is a function from keys to rows.
type Table struct {
	ID    string
	Kind  TableKind
	Row   *Type
	Keys  []int64   // of a table of strings: the symbol of each row
	Lo    []float64 // of a table of numbers: the first key of each row, or its limit
	Hi    []float64 // of a table of numbers: the last key of each row, where its kind is closed
	Above []bool    // of a table of numbers: the limit itself is outside; false where the kind is closed
	Order []int32   // rows in ascending order of Lo (a limit before the same limit with Above)
	Cells []int64   // row by row, Row.Slots() each
	// Over bounds the keys that may be looked up at all when Bounded.
	Bounded          bool
	OverMin, OverMax float64
}

// IsDerived reports whether the table was made of dice as data, or of the keys or the cells of a table with two keys, and
// stands in no book itself; its id has blanks, as no name has.
func (t *Table) IsDerived() bool { return strings.Contains(t.ID, " ") }

// Rows returns how many rows a table has.
func (t *Table) Rows() int {
	if t.Kind.HasNumbers() {
		return len(t.Lo)
	}
	return len(t.Keys)
}

// AcrossID returns the id of the table that finds the columns of a table with two keys.
func AcrossID(table string) string { return table + " columns" }

// CellsID returns the id of the table that has the cells of a table with two keys as rows of their own: cell c of row r of n
// columns is its row r * n + c. Look-ups read it; the table with two keys has the same slots in the same order.
func CellsID(table string) string { return table + " cells" }

// Across returns the table that finds the columns of a table with two keys; nil of a table with one.
func (p *Plan) Across(t *Table) *Table {
	return p.Table(AcrossID(t.ID))
}

// RowKey returns the key of a row of a table of the plan.
func (p *Plan) RowKey(t *Table, row int) RowKey {
	if t.Kind.HasNumbers() {
		return RowKey{Kind: t.Kind, Lo: t.Lo[row], Hi: t.Hi[row], Above: t.Above[row]}
	}
	return RowKey{Kind: t.Kind, Key: p.Symbols[t.Keys[row]]}
}

// Find returns the number of the row of a number, -1 when there is none, as for NaN.
func (t *Table) Find(key float64) int64 {
	if key != key || t.Bounded && (key < t.OverMin || key > t.OverMax) {
		return -1
	}
	low, high := 0, len(t.Order) // rows before low are reached, those from high on are not
	for low < high {
		if middle := (low + high) / 2; t.hasReached(t.Order[middle], key) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return -1
	}
	row := t.Order[low-1]
	if t.Kind.isClosed() && key > t.Hi[row] {
		return -1
	}
	return int64(row)
}

// hasReached reports whether a key has reached the limit of a row or, when the limit is outside, passed it.
func (t *Table) hasReached(row int32, key float64) bool {
	if t.Above[row] {
		return key > t.Lo[row]
	}
	return key >= t.Lo[row]
}

// FindInt returns the number of the row of an integer or, in a table of strings, of a symbol; -1 when there is none.
func (t *Table) FindInt(key int64) int64 {
	if t.Kind.HasNumbers() {
		return t.Find(clampToExact(key))
	}
	return int64(slices.Index(t.Keys, key))
}

// clampToExact returns an integer as a double that compares with every limit as the integer does: limits lie within 2^53,
// where doubles are exact, so beyond it any number that is farther out will do.
func clampToExact(key int64) float64 {
	const exact = 1 << 53
	switch {
	case key > exact:
		return exact + 2
	case key < -exact:
		return -exact - 2
	}
	return float64(key)
}

// LastChange returns the last integer whose row may differ from that of all greater ones, without regard to the bounds of
// the keys. The table has rows, and numbers as keys.
func (t *Table) LastChange() float64 {
	row := t.Order[len(t.Order)-1]
	if t.Kind.isClosed() {
		return math.Floor(t.Hi[row])
	}
	return math.Floor(t.Lo[row]) + 1
}

// Covered returns the least and the greatest number that may have a row, whatever gaps are between them; the greatest is
// infinite where the last row has no end.
func (t *Table) Covered() (low, high float64) {
	low, high = slices.Min(t.Lo), math.Inf(1)
	if t.Kind.isClosed() {
		high = slices.Max(t.Hi)
	}
	return t.clampToOver(low, high)
}

// A Hole is a stretch of numbers that no row has. Its ends are among them, but for an end at which a row stands, or OverMin
// or OverMax.
type Hole struct{ Low, High float64 }

// Holes returns the holes of a table of numbers between two numbers, in ascending order.
func (t *Table) Holes(low, high float64) (out []Hole) {
	add := func(from, to float64) {
		if from, to = math.Max(from, low), math.Min(to, high); from < to || from == to && t.Find(from) < 0 {
			out = append(out, Hole{from, to})
		}
	}
	least, greatest := t.Covered()
	add(low, least)
	if t.Kind.isClosed() {
		for k, row := range t.Order[1:] {
			if before := t.Hi[t.Order[k]]; before < t.Lo[row] {
				add(before, t.Lo[row])
			}
		}
	}
	add(greatest, high)
	return out
}

// clampToOver keeps of a range the keys that may be looked up.
func (t *Table) clampToOver(low, high float64) (float64, float64) {
	if t.Bounded {
		return math.Max(low, t.OverMin), math.Min(high, t.OverMax)
	}
	return low, high
}

// Touches reports whether some key of a row lies between two numbers; every row of a table of strings does. At a limit
// that is itself outside it may report a row too many, never one too few.
func (t *Table) Touches(row int, low, high float64) bool {
	if !t.Kind.HasNumbers() {
		return true
	}
	low, high = t.clampToOver(low, high)
	end := t.nextLimit(row)
	if t.Kind.isClosed() {
		end = t.Hi[row]
	}
	return t.Lo[row] <= high && low <= end
}

// nextLimit returns the limit of the row that follows a row in the order of limits; it is infinite behind the last.
func (t *Table) nextLimit(row int) float64 {
	k := slices.Index(t.Order, int32(row))
	if k+1 == len(t.Order) {
		return math.Inf(1)
	}
	return t.Lo[t.Order[k+1]]
}

// Cell returns a slot of a row; 0 outside of the rows.
func (t *Table) Cell(row, slot int64) int64 {
	if at := row*int64(t.Row.Slots()) + slot; row >= 0 && uint64(at) < uint64(len(t.Cells)) {
		return t.Cells[at]
	}
	return 0
}
