package eliminate

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
)

// A grid numbers the rows that sums of so many steps can be, so that a step moves every number by as much.
//
// In numbers: three dice with their total and the number of sixes. A face adds 1 to 6 to the total and 0 or 1 to the
// sixes. So the total has 3·5+1 = 16 sums from 3 on, the sixes have 4 from 0 on, and the grid has 64 rows. A face f
// moves the number by (f-1) and, if it is a six, by 16 more: a 6 moves it by 21. The faces 6, 6, 1 lead to 21+21+0 =
// 42; its row is 3 + 42 mod 16 = 13 and 42/16 = 2 sixes.
//
// This is a mixed radix (Knuth, volume 2, section 4.1). No digit ever carries into the next, because each has room for
// the largest sum of all steps; so adding numbers adds all columns at once, and one convolution of a line does.
//
// What pays for it is two sums of one roll: the successes and the ones of 60d10 (botches_60d10 of the benchmark) take
// 12,366 units of work, and 115,361 without.
type grid struct {
	lo, size    []int64 // of each column, the least sum and how many there are
	moves       []int   // of each step
	longestMove int     // of moves
	all         int
}

// maxGrid bounds the rows of a grid, most of which may be none that there are.
const maxGrid = 1 << 16

// gridOf returns the grid of the sums of so many steps; nil when it is too large.
func gridOf[W pmf.Weight[W]](steps *Table[W], count int64) *grid {
	g := &grid{all: 1, moves: make([]int, len(steps.w))}
	for k := range steps.width {
		lo, hi := steps.rows[k], steps.rows[k]
		for i := range steps.w {
			v := steps.Row(i)[k]
			lo, hi = min(lo, v), max(hi, v)
		}
		size := (hi-lo)*count + 1
		if (hi-lo) > maxGrid || size > int64(maxGrid/g.all) {
			return nil
		}
		for i := range steps.w {
			g.moves[i] += int(steps.Row(i)[k]-lo) * g.all
			g.longestMove = max(g.longestMove, g.moves[i])
		}
		g.lo, g.size = append(g.lo, lo*count), append(g.size, size)
		g.all *= int(size)
	}
	return g
}

// fillRow writes the row of a number into to.
func (g *grid) fillRow(to []int64, n int) {
	for k, size := range g.size {
		to[k] = g.lo[k] + int64(n)%size
		n /= int(size)
	}
}

// convolveOnGrid returns the distribution of the sum of so many steps.
func (e *engine[W]) convolveOnGrid(s *source, g *grid, steps *Table[W], count int64) (*Table[W], error) {
	if err := e.chargeWork(s.id, float64(g.all)*float64(len(steps.w))*float64(count)/64); err != nil {
		return nil, err
	}
	one := pmf.Line[W]{Weights: make([]W, g.longestMove+1)}
	for i, by := range g.moves {
		one.Add(int64(by), steps.w[i])
	}
	all := e.raiseSparse(one, g.moves, int(count))
	out := e.emptyTable(steps.width)
	out.den = e.powerOfDenominator(steps.den, count)
	row := make([]int64, steps.width)
	for n, w := range all.Weights {
		if !w.IsZero() {
			g.fillRow(row, n+int(all.Lo))
			out.appendRow(row, w)
		}
	}
	return out, nil
}

// raiseWhole returns the power of a line of whole weights, of which it makes no difference where they are zero.
func raiseWhole(l pmf.Line[pmf.Numerator], _ []int, n int) pmf.Line[pmf.Numerator] {
	return pmf.RaiseExactly(l, n)
}

// powerOfSparse returns the distribution of the sum of so many steps of few lengths.
func powerOfSparse(one pmf.Line[pmf.Float], moves []int, count int) pmf.Line[pmf.Float] {
	now := []pmf.Float{1}
	for range count {
		next := make([]pmf.Float, len(now)+len(one.Weights)-1)
		for _, by := range slices.Compact(slices.Sorted(slices.Values(moves))) {
			pmf.AddScaledFloats(next[by:], now, one.Weights[by])
		}
		now = next
	}
	return pmf.Line[pmf.Float]{Weights: now}
}
