package runtime

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A table is a plan's table made ready: keys that lie close together are looked up by their number.
type table struct {
	*plan.Table
	stride int
	first  int64     // the key of dense[0]: a symbol of a keyed table, else an integer
	dense  []int32   // rows; -1 where there is none
	limits []float64 // ascending, where another row begins
	begins []int32   // from each limit on, the row; -1 where there is none
}

// maxDense bounds the keys that are looked up by their number.
const maxDense = 4096

func prepareTables(p *plan.Plan) []table {
	out := make([]table, len(p.Tables))
	for i := range p.Tables {
		t := &out[i]
		t.Table = &p.Tables[i]
		t.stride = t.Row.Slots()
		if t.Kind == plan.KeyedTable {
			t.denseKeys()
		} else {
			t.list()
			t.denseNumbers()
		}
	}
	return out
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

// list makes one ascending list of where rows begin and end. Rows that overlap, which no compiler lets pass, have none.
func (t *table) list() {
	for _, row := range t.Order {
		if t.Kind == plan.BandsTable {
			t.begin(t.Lo[row], row)
			t.begin(math.Nextafter(t.Hi[row], math.Inf(1)), -1)
		} else if t.Above[row] {
			t.begin(math.Nextafter(t.Lo[row], math.Inf(1)), row)
		} else {
			t.begin(t.Lo[row], row)
		}
	}
	if t.Bounded {
		t.clip(t.OverMin, math.Nextafter(t.OverMax, math.Inf(1)))
	}
	if !slices.IsSorted(t.limits) {
		t.limits, t.begins = nil, nil
	}
}

// begin lets a row begin at a limit, where the one before it may end.
func (t *table) begin(limit float64, row int32) {
	if n := len(t.limits); n > 0 && t.limits[n-1] == limit {
		t.begins[n-1] = row
		return
	}
	t.limits, t.begins = append(t.limits, limit), append(t.begins, row)
}

// clip leaves only the keys from one up to but without another.
func (t *table) clip(from, to float64) {
	limits, begins, row := t.limits, t.begins, t.Find(from)
	t.limits, t.begins = nil, nil
	t.begin(from, int32(row))
	for i, limit := range limits {
		if from < limit && limit < to {
			t.begin(limit, begins[i])
		}
	}
	t.begin(to, -1)
}

// search is the number of the row of a number, -1 when there is none, as for NaN.
func (t *table) search(key float64) int64 {
	const few = 16 // limits that are all compared, because no branch depends on how that comes out
	n := 0
	switch {
	case len(t.limits) > few:
		n = t.passed(key)
	case len(t.limits) == 0:
		return t.Find(key)
	default:
		for _, limit := range t.limits {
			n += int(builtin.Bool(key >= limit))
		}
	}
	if n == 0 {
		return -1
	}
	return int64(t.begins[n-1])
}

// passed is how many limits a key has reached.
func (t *table) passed(key float64) int {
	low, high := 0, len(t.limits)
	for low < high {
		if middle := (low + high) / 2; key >= t.limits[middle] {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// cell is a slot of a row; 0 outside of the rows.
func (t *table) cell(row, slot int64) int64 {
	if at := row*int64(t.stride) + slot; row >= 0 && at < int64(len(t.Cells)) {
		return t.Cells[at]
	}
	return 0
}
