package eliminate

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// A Table is states: rows of values, each row once, with its weight. Weights that are whole numbers are over den. It is a
// factor, in the words of the literature; to package markov, which needs no weights, a numbering of rows.
//
// Row i stands in rows[i*width:(i+1)*width] and has the weight w[i]. Rows are in the order in which they first came.
// That order is part of the answer: sums of floats are taken in it, so it must not depend on the hash or on a map.
//
// The index of rows is a hash table with open addressing and linear probing (Knuth, volume 3, section 6.4). It holds
// row numbers and no keys; a probe compares with the row itself. It is at most half full, so a look-up takes few
// probes. appendRow empties it, because it does not say where its row belongs; the next NumberOf makes it anew from all
// rows.
//
// Invariant of finished tables with whole numbers: the weights of rows and endings add up to den. Two exceptions are
// states between two draws of a pool (count.go), and tables in which a decision is still open (strategy.go). With
// floats den is one, and the sum is 1 up to rounding.
type Table[W pmf.Weight[W]] struct {
	width int
	rows  []int64 // width each
	w     []W
	den   *big.Int
	slots []int32 // 1 + the number of a row, by its hash; a power of two of them, none while rows have only been pushed
	ended []ended[W]
	stays bool // it outlives the question
	// isTraced says that the order in which weights have come is kept in trace; rows are then added by addTraced.
	isTraced bool
	trace    []contribution[W]
}

// A contribution is weight that has come to a row or, if that is negative, to the ending ^row.
type contribution[W any] struct {
	row int32
	w   W
}

func NewTable[W pmf.Weight[W]](width int) *Table[W] { return &Table[W]{width: width, den: one} }

// one is the denominator of every table of floats. runStep compares den with this pointer to skip arithmetic, so tables
// without a denominator have this very number; another 1 would be as right, and slower. Nobody may write to it.
var one = big.NewInt(1)

// ended is weight that came to an end before the values were there.
type ended[W any] struct {
	why odds.Ending
	w   W
}

// addEnding adds weight to an ending.
//
// The list is searched from the front: a rule has few different messages.
func (t *Table[W]) addEnding(why odds.Ending, w W) {
	k := slices.IndexFunc(t.ended, func(x ended[W]) bool { return x.why == why })
	if k < 0 {
		k = len(t.ended)
		t.ended = append(t.ended, ended[W]{why: why})
	}
	t.ended[k].w = t.ended[k].w.Plus(w)
	if t.isTraced {
		t.trace = append(t.trace, contribution[W]{^int32(k), w})
	}
}

func (t *Table[W]) Row(i int) []int64 { return t.rows[i*t.width:][:t.width] }

// appendRow adds a row that is not there yet.
//
// The caller has to know that. A row that is there already would be there twice, and both would be counted as states.
func (t *Table[W]) appendRow(row []int64, w W) {
	t.rows, t.w, t.slots = append(t.rows, row...), append(t.w, w), t.slots[:0]
}

// addRow adds weight to a row.
func (t *Table[W]) addRow(row []int64, w W) {
	i := t.NumberOf(row)
	t.w[i] = t.w[i].Plus(w)
}

// NumberOf returns the number of a row, which is added without weight when it is not there.
func (t *Table[W]) NumberOf(row []int64) int {
	if 2*len(t.w) >= len(t.slots) {
		t.grow()
	}
	at := t.findSlot(row)
	if i := t.slots[at]; i > 0 {
		return int(i) - 1
	}
	var none W
	t.rows, t.w = append(t.rows, row...), append(t.w, none)
	t.slots[at] = int32(len(t.w))
	return len(t.w) - 1
}

// addTraced adds weight to a row, and remembers when.
func (t *Table[W]) addTraced(row []int64, w W) {
	i := t.NumberOf(row)
	t.w[i] = t.w[i].Plus(w)
	t.trace = append(t.trace, contribution[W]{int32(i), w})
}

// countNumbers returns the number of numbers in a table.
func (t *Table[W]) countNumbers() int { return len(t.rows) + 2*len(t.w) + 2*len(t.trace) }

// findSlot returns the slot of a row, or the one where it belongs.
//
// It ends because the slots are never full: NumberOf lets them grow before they are more than half full.
func (t *Table[W]) findSlot(row []int64) int {
	mask := len(t.slots) - 1
	for at := int(hashRow(row)) & mask; ; at = (at + 1) & mask {
		if i := t.slots[at]; i == 0 || slices.Equal(t.Row(int(i)-1), row) {
			return at
		}
	}
}

// grow makes room for more rows than there are.
//
// After it the slots are at most a quarter full, so that it is called again only when the rows have doubled: n rows
// cost O(n) in all.
func (t *Table[W]) grow() {
	n := 16
	for n < 4*len(t.w) {
		n *= 2
	}
	if n > cap(t.slots) {
		t.slots = make([]int32, n)
	} else {
		t.slots = t.slots[:n]
		clear(t.slots)
	}
	for i := range t.w {
		t.slots[t.findSlot(t.Row(i))] = int32(i) + 1
	}
}

// hashRow mixes the values of a row, two of them with each multiplication, as wyhash does: the product of 64-bit numbers is
// 128 bits long, and its halves are folded into each other. It decides only where a row is looked for, never the order
// of rows.
func hashRow(row []int64) uint64 {
	const seed, odd = 0x9e3779b97f4a7c15, 0x9fb21c651e98df25
	h := uint64(seed)
	for ; len(row) > 1; row = row[2:] {
		hi, lo := bits.Mul64(uint64(row[0])^odd, h^uint64(row[1]))
		h = hi ^ lo
	}
	if len(row) > 0 {
		hi, lo := bits.Mul64(h^uint64(row[0]), odd)
		h = hi ^ lo
	}
	return h ^ h>>29
}
