package eliminate

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// How faces go through folds, from the cheapest way to the dearest:
//
//   - Every carried value grows by what the face alone decides (fold.sums), and one value varies: a convolution of
//     lines, by package pmf.
//   - Several vary: the sums are numbered on a grid, and the convolution is one of lines again (grid.go), or, where
//     the grid would be too large, of tables row by row.
//   - Anything else: the states are the values carried, and every state meets every face, once for each die. The
//     greatest of 4d6 takes 6 + 36 + 36 + 36 = 114 pairs, where there are 1,296 lists.
//
// All give the same rows, if in another order. A convolution is refused when a face has a fault, because of several
// faults the first counts and they do not add up, and when a sum might not fit into 64 bits.

// Leaves of what is done with one face, before what is carried.
const (
	elemLeaf = iota
	iterationLeaf
	countLeaf
	carriedLeaf
)

// runStream returns the values that folds carry in the end over so many faces. A class is the sizes of the lists, as
// spans of nothing else, and the results of the folds.
func (e *engine[W]) runStream(s *source, d *plan.Die, faces, count int64) (t *Table[W], err error) {
	f := s.fold
	begin := make([]int64, len(f.first))
	for k, id := range f.first {
		if id != plan.None {
			begin[k] = e.env[id]
		}
	}
	if t = e.unitTable(begin...); count > 0 {
		die, err := e.dieTotals(d, faces, s.id)
		if err != nil {
			return nil, err
		}
		if f.order != nil {
			t, err = e.foldSorted(s, die, begin, count)
		} else {
			t, err = e.foldFaces(s, die, begin, count)
		}
		if err != nil {
			return nil, err
		}
	}
	sizes := []int64{count, count, 0}
	if from, to := f.takenRange(count); to > from {
		sizes[2] = to - from
	}
	var last []ref
	for k := range f.replacedLists(s.id) {
		last = append(last, ref{inClass, int32(k)})
	}
	for _, k := range f.which {
		last = append(last, ref{inRow, int32(k)})
	}
	return e.rearrangeColumns(t, last, sizes), nil
}

// foldFaces carries values over at least one face.
func (e *engine[W]) foldFaces(s *source, die *Table[W], begin []int64, count int64) (*Table[W], error) {
	if s.fold.sums {
		t, err := e.convolveFaces(s, die, begin, count)
		if t != nil || err != nil {
			return t, err
		}
	}
	t := e.unitTable(begin...)
	walked := &foldWalk[W]{
		source: s.id, charged: float64(e.budget.spent), initial: begin, dice: int(count),
		faces: len(die.w), classes: len(die.w),
		meetFace: func(carried []int64, i, face int) error {
			return e.foldFace(s.fold, carried, die.rows[face], [2]int64{int64(i), count})
		},
	}
	var growth projection
	for i := range count {
		if err := e.foreseeFold(walked, len(t.w)*len(die.w)); err != nil {
			return nil, err
		}
		if needs := growth.projectWork(int64(len(t.w)), count-i); needs > float64(e.budget.all) {
			return nil, e.chargeWork(s.id, needs)
		}
		if err := e.chargeWork(s.id, float64(len(t.w)*len(die.w))); err != nil {
			return nil, err
		}
		next := e.emptyTable(len(begin))
		next.den = new(big.Int).Mul(t.den, die.den)
		if !e.isExact {
			next.den = one
		}
		for _, x := range t.ended {
			next.addEnding(x.why, e.scaleWeight(x.w, die.den, one))
		}
		for r, w := range t.w {
			if err := e.multiplyFaces(s.fold, die, t.Row(r), w, [2]int64{i, count}, next); err != nil {
				return nil, err
			}
			if err := e.chargeTable(s.id, next); err != nil {
				return nil, err
			}
		}
		e.releaseTable(t)
		t = next
	}
	return t, nil
}

// multiplyFaces combines the carried values with every face.
func (e *engine[W]) multiplyFaces(f *fold, die *Table[W], carried []int64, w W, at [2]int64, next *Table[W]) error {
	in := e.fillLeaves(f, carried, at)
	for k, x := range die.w {
		in[elemLeaf] = die.rows[k]
		if err := e.executor.Run(f.part, in, e.out[:len(carried)]); err != nil {
			why, ok := endingOf(err)
			if !ok {
				return err
			}
			next.addEnding(why, w.Times(x))
			continue
		}
		next.addRow(e.out[:len(carried)], w.Times(x))
	}
	for _, x := range die.ended {
		next.addEnding(x.why, w.Times(x.w))
	}
	return nil
}

// foldFace folds a face into the carried values.
func (e *engine[W]) foldFace(f *fold, carried []int64, face int64, at [2]int64) error {
	in := e.fillLeaves(f, carried, at)
	in[elemLeaf] = face
	if err := e.executor.Run(f.part, in, e.out[:len(carried)]); err != nil {
		return err
	}
	copy(carried, e.out)
	return nil
}

// fillLeaves returns the leaves of the fragment for one face, all but the face itself.
func (e *engine[W]) fillLeaves(f *fold, carried []int64, at [2]int64) []int64 {
	e.in = append(append(e.in[:0], 0, at[0], at[1]), carried...)
	for _, id := range f.frees {
		e.in = append(e.in, e.env[id])
	}
	e.out = resizeSlice(e.out, len(carried))
	return e.in
}

// convolveFaces returns the carried values when each face adds to them an amount that the face alone decides: the sum
// of so many equal and independent steps. It is nil when the sum might not fit.
func (e *engine[W]) convolveFaces(s *source, die *Table[W], begin []int64, count int64) (*Table[W], error) {
	steps := e.emptyTable(len(begin))
	steps.den = die.den
	if err := e.multiplyFaces(s.fold, die, make([]int64, len(begin)), e.unit, [2]int64{0, count}, steps); err != nil {
		return nil, err
	}
	for i := range steps.w {
		if slices.ContainsFunc(s.fold.faults, func(k int) bool { return steps.Row(i)[k] != 0 }) {
			return nil, nil // the first fault counts, not their sum
		}
	}
	for _, v := range slices.Concat(steps.rows, begin) {
		if v > 1<<40 || v < -1<<40 {
			return nil, nil
		}
	}
	defer e.releaseTable(steps)
	out, err := e.convolveEqual(s, steps, count)
	if err != nil {
		return nil, err
	}
	for i := range out.w {
		for k, v := range begin {
			out.Row(i)[k] += v
		}
	}
	out.slots = out.slots[:0]
	if len(die.ended) > 0 {
		out.addEnding(die.ended[0].why, e.weightOfEnded(die, int(count)))
	}
	return out, nil
}

// convolveEqual returns the sum of so many independent steps.
//
// In floats these ways round differently. Which one is taken depends only on the steps and the count, so equal
// questions have equal answers to the last bit.
func (e *engine[W]) convolveEqual(s *source, steps *Table[W], count int64) (*Table[W], error) {
	out := e.unitTable(make([]int64, steps.width)...)
	if steps.width == 0 {
		out.w[0] = powerOf(steps.w[0], count, e.unit)
		out.den = e.powerOfDenominator(steps.den, count)
		return out, nil
	}
	if steps.width == 1 {
		lo, hi := slices.Min(steps.rows), slices.Max(steps.rows)
		if size := float64(hi-lo+1) * float64(count); size <= pmf.MaxSupport {
			return e.toLine(s, steps, lo, hi, count)
		}
	}
	if k := onlyVarying(steps); k >= 0 && steps.width > 1 {
		e.releaseTable(out)
		return e.convolveAlongOne(s, steps, k, count)
	}
	if g := gridOf(steps, count); g != nil {
		e.releaseTable(out)
		return e.convolveOnGrid(s, g, steps, count)
	}
	walked := &foldWalk[W]{
		source: s.id, charged: float64(e.budget.spent), initial: make([]int64, steps.width), dice: int(count),
		faces: len(steps.w), classes: len(steps.w),
		meetFace: func(sum []int64, _, face int) error {
			for k, v := range steps.Row(face) {
				sum[k] += v
			}
			return nil
		},
	}
	for range count {
		if err := e.foreseeFold(walked, len(out.w)*len(steps.w)); err != nil {
			return nil, err
		}
		if err := e.chargeWork(s.id, float64(len(out.w)*len(steps.w))); err != nil {
			return nil, err
		}
		next := e.emptyTable(steps.width)
		addTables(out, steps, next)
		e.releaseTable(out)
		out = next
	}
	out.den = e.powerOfDenominator(steps.den, count)
	return out, nil
}

// onlyVarying returns the one column in which steps differ; -1 when there are more, or none.
//
// A sum and its overflow fault are such steps: the fault is 0 on every face, and need not make a grid of two columns.
func onlyVarying[W pmf.Weight[W]](steps *Table[W]) int {
	out := -1
	for k := range steps.width {
		for i := range steps.w {
			if steps.Row(i)[k] == steps.Row(0)[k] {
				continue
			}
			if out >= 0 && out != k {
				return -1
			}
			out = k
		}
	}
	return out
}

// convolveAlongOne adds steps that differ in one column. The sums of this column are a line; each other column has its
// constant step times the count.
func (e *engine[W]) convolveAlongOne(s *source, steps *Table[W], column int, count int64) (*Table[W], error) {
	single := e.emptyTable(1)
	single.den = steps.den
	for i, w := range steps.w {
		single.addRow(steps.Row(i)[column:column+1], w)
	}
	sums, err := e.convolveEqual(s, single, count)
	e.releaseTable(single)
	if err != nil {
		return nil, err
	}
	out := e.emptyTableFor(steps.width, len(sums.w))
	out.den = sums.den
	row := make([]int64, steps.width)
	for k := range row {
		row[k] = steps.Row(0)[k] * count
	}
	for i, w := range sums.w {
		row[column] = sums.rows[i]
		out.appendRow(row, w)
	}
	e.releaseTable(sums)
	return out, nil
}

func powerOf[W pmf.Weight[W]](w W, k int64, unit W) W {
	for range k {
		unit = unit.Times(w)
	}
	return unit
}

// addTables adds to out the distribution of the sum of two rows.
func addTables[W pmf.Weight[W]](a, b, out *Table[W]) {
	row := make([]int64, a.width)
	for i, x := range a.w {
		for k, y := range b.w {
			for c, v := range a.Row(i) {
				row[c] = v + b.Row(k)[c]
			}
			out.addRow(row, x.Times(y))
		}
	}
}

// toLine adds single values as distributions over successive integers.
func (e *engine[W]) toLine(s *source, steps *Table[W], lo, hi, count int64) (*Table[W], error) {
	width := float64(hi - lo + 1)
	if err := e.chargeWork(s.id, width*width*float64(count)*float64(count)/64); err != nil {
		return nil, err
	}
	l := pmf.Line[W]{Lo: lo, Weights: make([]W, hi-lo+1)}
	for i, w := range steps.w {
		l.Add(steps.rows[i], w)
	}
	l = e.raise(l, int(count))
	out := e.emptyTableFor(1, len(l.Weights))
	out.den = e.powerOfDenominator(steps.den, count)
	for i, w := range l.Weights {
		if !w.IsZero() {
			out.appendRow([]int64{l.Lo + int64(i)}, w)
		}
	}
	return out, nil
}
