package kernel

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
)

// Breaks find rows by numbers without branches: a bucket tells how many limits lie in lower buckets, and the few in the same
// bucket are compared.
//
// Invariant: which bucket a number is in never falls as the number grows, so no other limit needs to be compared.
type Breaks struct {
	limits  []float64    // ascending, then NaN, which nothing reaches
	fours   [][4]float64 // likewise, four by four
	rows    []int64      // rows[n] is the row of a number that has reached n limits
	low     float64      // where the second bucket begins, nearly
	scale   float64      // buckets in 1
	before  [buckets]int32
	compare int // most limits in one bucket
}

const buckets = 256

// NewBreaks prepares limits, which ascend, and the rows of the numbers that have reached so many of them: one more than
// limits.
func NewBreaks(limits []float64, rows []int64) *Breaks {
	b := &Breaks{rows: rows, limits: append(append([]float64{}, limits...), math.NaN())}
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
		in[b.bucket(l)]++
	}
	n := 0
	for q := range in {
		b.before[q] = int32(n)
		n += in[q]
		b.compare = max(b.compare, in[q])
	}
	return b
}

// bucket is the bucket of a number; of NaN it is any.
func (b *Breaks) bucket(x float64) int {
	at := (x - b.low) * b.scale
	q := int(at)
	if uint(q) < buckets {
		return q
	}
	if at >= 0 {
		return buckets - 1
	}
	return 0
}

// Rows gives the row of each number of a column; -1 when b is nil.
func (b *Breaks) Rows(d, a []int64) {
	if b == nil {
		for i := range d {
			d[i] = -1
		}
		return
	}
	b.Of(d, a, b.rows)
}

// Map is what a function makes of the row of a number that has reached no limit, one, and so on; nil when b is nil.
func (b *Breaks) Map(f func(row int64) int64) []int64 {
	if b == nil {
		return nil
	}
	out := make([]int64, len(b.rows))
	for i, row := range b.rows {
		out[i] = f(row)
	}
	return out
}

// Of gives for each number of a column the value that Map made of its row; 0 when b is nil.
func (b *Breaks) Of(d, a, values []int64) {
	if b == nil {
		clear(d)
		return
	}
	a = a[:len(d)]
	limits, compare := b.limits, b.compare
	if compare == 1 { // as mostly
		for i := range d {
			x := builtin.Double(a[i])
			n := int(b.before[b.bucket(x)])
			d[i] = values[n+int(builtin.Bool(x >= limits[n]))]
		}
		return
	}
	for i := range d {
		x := builtin.Double(a[i])
		n := int(b.before[b.bucket(x)])
		for range compare {
			n += int(builtin.Bool(x >= limits[n]))
		}
		d[i] = values[n]
	}
}

// few fours of limits are all compared for a single number: no comparison waits for another.
const few = 5

// Row gives the row of a number; -1 when b is nil.
func (b *Breaks) Row(x float64) int64 {
	if b == nil {
		return -1
	}
	if len(b.fours) > few {
		n, _ := slices.BinarySearchFunc(b.limits[:len(b.limits)-1], x, reached)
		return b.rows[n]
	}
	n := int64(0)
	for i := range b.fours {
		l := &b.fours[i]
		n += builtin.Bool(x >= l[0]) + builtin.Bool(x >= l[1]) + builtin.Bool(x >= l[2]) + builtin.Bool(x >= l[3])
	}
	return b.rows[n]
}

// reached orders a limit before a number that has reached it.
func reached(limit, x float64) int {
	if x >= limit {
		return -1
	}
	return 1
}
