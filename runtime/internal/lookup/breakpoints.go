package lookup

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Breakpoints find the row of a table of bands or steps for a number. Between two neighbouring breakpoints every number has
// the same row, so that the row is known once it is known how many breakpoints a number has reached.
//
// Counting them one after the other would take a comparison for each, and a binary search a branch for each halving that no
// processor predicts. Here the range of the breakpoints is divided into equal buckets: the bucket of a number comes of one
// multiplication, it tells how many breakpoints lie in lower buckets, and only those in the same bucket, mostly one, are
// compared. Comparisons are added up as 0 or 1, so that a column of numbers is looked up without a branch.
//
// Invariant: the bucket never falls as the number grows, although the multiplication rounds; breakpoints were assigned to
// buckets by the same multiplication. So no breakpoint of another bucket needs to be compared.
type Breakpoints struct {
	limits []float64    // ascending, then NaN, which no number reaches
	fours  [][4]float64 // the same, four by four, filled up with NaN
	rows   []int64      // rows[n] is the row of a number that has reached n limits
	division
	before  [buckets]int32 // how many limits lie in lower buckets
	compare int            // most limits in one bucket
}

const buckets = 256

// A division of the numbers into buckets.
type division struct {
	low   float64 // where the second bucket begins, nearly
	scale float64 // buckets in 1
}

// newBreakpoints prepares limits, which ascend. rows has one element more: rows[n] is the row of a number that has
// reached n limits.
func newBreakpoints(limits []float64, rows []int64) *Breakpoints {
	b := &Breakpoints{rows: rows, limits: append(append([]float64{}, limits...), math.NaN())}
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range limits {
		if !math.IsInf(l, 0) {
			low, high = min(low, l), max(high, l)
		}
	}
	if low < high && high-low < math.MaxFloat64 {
		b.low, b.scale = low, (buckets-1)/(high-low)
	}
	for four := range slices.Chunk(limits, 4) {
		b.fours = append(b.fours, [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()})
		copy(b.fours[len(b.fours)-1][:], four)
	}
	var in [buckets]int
	for _, l := range limits {
		in[b.bucketOf(l)]++
	}
	n := 0
	for q := range in {
		b.before[q] = int32(n)
		n += in[q]
		b.compare = max(b.compare, in[q])
	}
	return b
}

// bucketOf returns the bucket of a number; that of NaN is any.
func (v division) bucketOf(x float64) int {
	at := (x - v.low) * v.scale
	q := int(at)
	if uint(q) < buckets {
		return q
	}
	if at >= 0 {
		return buckets - 1
	}
	return 0
}

// FindRows writes to d the row of each double in a, -1 for one without a row.
func (b *Breakpoints) FindRows(d, a []int64) {
	if b == nil {
		for i := range d {
			d[i] = -1
		}
		return
	}
	b.FindValues(d, a, b.rows)
}

// ValuesByLimits returns the values of f for the row of a number that has reached no breakpoint, one, two and so on: the
// list that FindValues reads. It is nil if b is nil.
func (b *Breakpoints) ValuesByLimits(f func(row int64) int64) []int64 {
	if b == nil {
		return nil
	}
	out := make([]int64, len(b.rows))
	for i, row := range b.rows {
		out[i] = f(row)
	}
	return out
}

// FindValues writes to d, for each double in a, the element of values for the number of breakpoints that it has reached;
// 0 when b is nil. It is FindRows followed by a look-up of the row's cell, in one step.
func (b *Breakpoints) FindValues(d, a, values []int64) {
	if b == nil {
		clear(d)
		return
	}
	a = a[:len(d)]
	// What the loops read is copied, for a write to d might change it in b as far as the compiler knows.
	limits, compare, within, before := b.limits, b.compare, b.division, &b.before
	if compare == 1 { // as mostly
		for i := range d {
			x := builtin.Double(a[i])
			n := int(before[within.bucketOf(x)])
			d[i] = values[n+int(builtin.Bool(x >= limits[n]))]
		}
		return
	}
	for i := range d {
		x := builtin.Double(a[i])
		n := int(before[within.bucketOf(x)])
		for range compare {
			n += int(builtin.Bool(x >= limits[n]))
		}
		d[i] = values[n]
	}
}

// maxCompared is how many fours of limits are compared one and all for a single number: the comparisons wait for no other
// one, so that this is faster than a search up to about twenty limits.
const maxCompared = 5

// findRow returns the row of a number; -1 when b is nil.
func (b *Breakpoints) findRow(x float64) int64 {
	if b == nil {
		return -1
	}
	if len(b.fours) > maxCompared {
		n, _ := slices.BinarySearchFunc(b.limits[:len(b.limits)-1], x, compareReached)
		return b.rows[n]
	}
	n := int64(0)
	for i := range b.fours {
		l := &b.fours[i]
		n += builtin.Bool(x >= l[0]) + builtin.Bool(x >= l[1]) + builtin.Bool(x >= l[2]) + builtin.Bool(x >= l[3])
	}
	return b.rows[n]
}

// compareReached orders a limit before every number that has reached it.
func compareReached(limit, x float64) int {
	if x >= limit {
		return -1
	}
	return 1
}

// breakpointsOf returns the breakpoints of a table of bands or steps: of the numbers at which its rows, or the bounds of
// its keys, begin or end, those at which the row changes.
func breakpointsOf(t *plan.Table) *Breakpoints {
	limits := []float64{math.Inf(-1), t.OverMin, nextAbove(t.OverMax)}
	for _, low := range t.Lo {
		limits = append(limits, low, nextAbove(low))
	}
	for _, high := range t.Hi { // of a table whose rows have no end, these are no breakpoints and change no row
		limits = append(limits, nextAbove(high))
	}
	slices.Sort(limits)
	rows := []int64{t.Find(math.NaN())}
	var changes []float64
	for _, limit := range limits {
		if row := t.Find(limit); row != rows[len(rows)-1] {
			changes, rows = append(changes, limit), append(rows, row)
		}
	}
	return newBreakpoints(changes, rows)
}

// nextAbove returns the least double above a limit.
func nextAbove(limit float64) float64 { return math.Nextafter(limit, math.Inf(1)) }
