package plan

import "slices"

// Find is the number of the row of a number, -1 when there is none, as for NaN.
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
	if t.Kind == BandsTable && key > t.Hi[row] {
		return -1
	}
	return int64(row)
}

// hasReached reports whether a key has reached the limit of a row or, when the limit is outside, passed it.
func (t *Table) hasReached(row int32, key float64) bool {
	if t.Kind == StepsTable && t.Above[row] {
		return key > t.Lo[row]
	}
	return key >= t.Lo[row]
}

// FindInt is the number of the row of an integer or, in a keyed table, of a symbol; -1 when there is none.
func (t *Table) FindInt(key int64) int64 {
	if t.Kind == KeyedTable {
		return int64(slices.Index(t.Keys, key))
	}
	return t.Find(clampToExact(key))
}

// clampToExact is an integer as a double that compares with every limit as the integer does: limits lie within 2^53, where
// doubles are exact, so beyond it any number that is farther out will do.
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

// Cell is a slot of a row; 0 outside of the rows.
func (t *Table) Cell(row, slot int64) int64 {
	if at := row*int64(t.Row.Slots()) + slot; row >= 0 && uint64(at) < uint64(len(t.Cells)) {
		return t.Cells[at]
	}
	return 0
}
