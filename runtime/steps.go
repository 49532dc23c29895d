package runtime

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/kernel"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A step executes a word on columns that needs more than the columns of its operands.
type step func(c *columns, w *schedule.Word)

// steps are the operations that have no kernel but run by columns.
var steps = [schedule.NumOps]step{
	plan.OpAddIntFault: func(c *columns, w *schedule.Word) { c.overflows(w, kernel.AddOverflows, builtin.AddOverflows) },
	plan.OpSubIntFault: func(c *columns, w *schedule.Word) { c.overflows(w, kernel.SubOverflows, builtin.SubOverflows) },
	plan.OpMulIntFault: func(c *columns, w *schedule.Word) { c.overflows(w, kernel.MulOverflows, builtin.MulOverflows) },
	plan.OpNegIntFault: (*columns).scalar,
	plan.OpAbsIntFault: (*columns).scalar,
	plan.OpDivFault:    (*columns).scalar,
	plan.OpModFault:    (*columns).scalar,
	plan.OpPowIntFault: (*columns).scalar,
	plan.OpToIntFault:  (*columns).scalar,
	plan.OpFail:        (*columns).scalar,
	plan.OpElemFault:   (*columns).scalar,
	plan.OpEmptyFault:  (*columns).scalar,
	plan.OpFindFault:   (*columns).scalar,

	plan.OpFirstFault:      func(c *columns, w *schedule.Word) { c.firstOf(w.D, w.A, w.B) },
	schedule.OpFirstOf:     func(c *columns, w *schedule.Word) { c.firstOf(w.D, w.A, w.B, w.C) },
	schedule.OpFirstOfFour: func(c *columns, w *schedule.Word) { c.firstOf(w.D, w.A, w.B, w.C, uint16(w.Imm)) },
	plan.OpAndFault:        func(c *columns, w *schedule.Word) { c.sideFaults(w, 1) },
	plan.OpOrFault:         func(c *columns, w *schedule.Word) { c.sideFaults(w, 0) },

	plan.OpElem: (*columns).elem,
	plan.OpFind: (*columns).find,

	plan.OpRow:                (*columns).row,
	plan.OpRowDouble:          (*columns).rowDouble,
	plan.OpRowFault:           func(c *columns, w *schedule.Word) { c.rowFault(w, noTextRow) },
	schedule.OpRowFaultInt:    func(c *columns, w *schedule.Word) { c.rowFault(w, noIntRow) },
	schedule.OpRowFaultDouble: func(c *columns, w *schedule.Word) { c.rowFault(w, noDoubleRow) },
	plan.OpCell:               (*columns).cell,
	schedule.OpRowCell:        (*columns).rowCell,
	schedule.OpRowDoubleCell:  (*columns).rowDoubleCell,

	schedule.OpDense:       denseWith(kernel.Dense),
	schedule.OpDenseAdd:    denseWith(kernel.DenseAdd),
	schedule.OpDenseSub:    denseWith(kernel.DenseSub),
	schedule.OpDenseMul:    denseWith(kernel.DenseMul),
	schedule.OpEqSelect:    fourth(kernel.EqSelect),
	schedule.OpLtSelect:    fourth(kernel.LtSelect),
	schedule.OpLeSelect:    fourth(kernel.LeSelect),
	schedule.OpMulMulAdd:   fourth(kernel.MulMulAdd),
	schedule.OpSelectMul:   fourth(kernel.SelectMul),
	schedule.OpDenseAddAdd: denseWithTwo(kernel.DenseAddAdd),
	schedule.OpDenseSubMax: denseWithTwo(kernel.DenseSubMax),

	schedule.OpDieFault: (*columns).dieFault,
	plan.OpRoll:         (*columns).roll,
	plan.OpRequire:      (*columns).require,
}

// clear makes a column 0, unless it is.
func (c *columns) clear(slot uint16) {
	if !c.zero[slot] {
		clear(c.slots[int(slot)*pitch:][:blockSize])
		c.zero[slot] = true
	}
}

// write is the column of a slot, to be written.
func (c *columns) write(slot uint16) []int64 {
	c.zero[slot] = false
	return c.column(slot)
}

// scalar executes a word record by record in the frame.
func (c *columns) scalar(w *schedule.Word) {
	c.single.Words = append(c.single.Words[:0], *w)
	s, d := c.frame.slots, c.write(w.D)
	for i := range d {
		for _, slot := range [...]uint16{w.A, w.B, w.C} {
			if int(slot) < len(s) { // an operand may be something else than a slot
				s[slot] = c.slots[int(slot)*pitch+i]
			}
		}
		c.frame.run(&c.single, nil) // ends nothing: only rolls, requirements and work do
		d[i] = s[w.D]
	}
}

// overflows records the faults of an operation. Mostly there are none, which any finds out for all records at once.
func (c *columns) overflows(w *schedule.Word, any func(a, b []int64) bool, one func(a, b int64) bool) {
	a, b := c.column(w.A), c.column(w.B)
	if !any(a, b) {
		c.clear(w.D)
		return
	}
	d := c.write(w.D)
	for i := range d {
		d[i] = c.frame.when(one(a[i], b[i]), w.Imm, overflow)
	}
}

// sideFaults are the faults of two sides, of which one that decides, being the opposite of not, absorbs the other's.
func (c *columns) sideFaults(w *schedule.Word, not int64) {
	fourth := uint16(w.Imm)
	if c.zero[w.B] && c.zero[fourth] {
		c.clear(w.D)
		return
	}
	left, fault, right, other := c.column(w.A), c.column(w.B), c.column(w.C), c.column(fourth)
	d := c.write(w.D)
	for i := range d {
		d[i] = sideFault(left[i]^not, fault[i], right[i]^not, other[i])
	}
}

func (c *columns) elem(w *schedule.Word) {
	d, a, b := c.write(w.D), c.column(w.A), c.column(w.B)
	for i := range d {
		d[i] = c.frame.elem(a[i], b[i], int64(w.C), int64(w.Imm))
	}
}

func (c *columns) find(w *schedule.Word) {
	d, a, b := c.write(w.D), c.column(w.A), c.column(w.B)
	stride := c.frame.typ(int64(w.Imm)).Stride()
	for i := range d {
		c.frame.work = plan.MaxWork
		d[i] = c.frame.find(a[i], b[i], stride)
	}
}

func (c *columns) row(w *schedule.Word) {
	d, a := c.write(w.D), c.column(w.A)
	t := &c.frame.image.tables[w.Imm]
	first, dense := t.First, t.Dense
	for i := range d {
		if k := uint64(a[i] - first); k < uint64(len(dense)) {
			d[i] = int64(dense[k])
		} else {
			d[i] = t.RowOf(a[i])
		}
	}
}

// fourth makes a step of a kernel of four columns, the last of which a word names in its immediate.
func fourth(k func(d, a, b, c, e []int64)) step {
	return func(c *columns, w *schedule.Word) {
		k(c.write(w.D), c.column(w.A), c.column(w.B), c.column(w.C), c.column(uint16(w.Imm)))
	}
}

// denseWith makes a step of a kernel that does something with the cells of a dense table.
func denseWith(k func(d, a, b, cells []int64, first int64)) step {
	return func(c *columns, w *schedule.Word) {
		t := &c.code.Dense[w.Imm]
		k(c.write(w.D), c.column(w.A), c.column(w.B), t.Cells, t.First)
	}
}

// denseWithTwo makes a step of a kernel that does something with the cells of a dense table and two columns.
func denseWithTwo(k func(d, a, b, c, cells []int64, first int64)) step {
	return func(c *columns, w *schedule.Word) {
		t := &c.code.Dense[w.Imm]
		k(c.write(w.D), c.column(w.A), c.column(w.B), c.column(w.C), t.Cells, t.First)
	}
}

func (c *columns) rowCell(w *schedule.Word) {
	c.row(&schedule.Word{D: w.D, A: w.A, Imm: int32(w.C)})
	c.cell(&schedule.Word{D: w.D, A: w.D, C: w.C, Imm: w.Imm})
}

func (c *columns) rowDoubleCell(w *schedule.Word) {
	c.frame.image.tables[w.C].Breakpoints.FindValues(c.write(w.D), c.column(w.A), c.cells(w).reached)
}

// firstOf is the first fault of several columns.
func (c *columns) firstOf(d uint16, of ...uint16) {
	of = slices.DeleteFunc(of, func(slot uint16) bool { return c.zero[slot] })
	switch len(of) {
	case 0:
		c.clear(d)
		return
	case 1:
		copy(c.write(d), c.column(of[0]))
		return
	}
	out := c.write(d)
	for i := range out {
		fault := int64(0)
		for _, slot := range of {
			fault = firstFault(fault, c.slots[int(slot)*pitch+i])
		}
		out[i] = fault
	}
}

func (c *columns) rowDouble(w *schedule.Word) {
	c.frame.image.tables[w.Imm].Breakpoints.FindRows(c.write(w.D), c.column(w.A))
}

func (c *columns) rowFault(w *schedule.Word, kind faultKind) {
	rows, keys := c.column(w.A), c.column(w.B)
	signs := int64(0)
	for _, row := range rows {
		signs |= row
	}
	if signs >= 0 {
		c.clear(w.D)
		return
	}
	d := c.write(w.D)
	for i := range d {
		d[i] = c.frame.unless(rows[i] >= 0, w.Imm, kind, keys[i])
	}
}

// cell may write the column that it reads.
func (c *columns) cell(w *schedule.Word) {
	kernel.Dense(c.write(w.D), c.column(w.A), nil, c.cells(w).rows, 0)
}

// cellsOf are the cells of a slot of a table's rows, in two orders.
type cellsOf struct {
	rows    []int64 // by the number of their row
	reached []int64 // by how many limits a number has reached; nil where nothing is looked up by numbers
}

// A cellKey is a table and a slot of its rows.
type cellKey struct {
	table uint16
	slot  int32
}

// cells are those that a word looks up.
func (c *columns) cells(w *schedule.Word) *cellsOf {
	k := cellKey{w.C, w.Imm}
	if found := c.looked[k]; found != nil {
		return found
	}
	t := &c.frame.image.tables[k.table]
	cell := func(row int64) int64 { return t.Cell(row, int64(k.slot)) }
	out := &cellsOf{reached: t.Breakpoints.ValuesByLimits(cell)}
	for at := int(k.slot); at < len(t.Cells); at += t.Stride {
		out.rows = append(out.rows, t.Cells[at])
	}
	c.looked[k] = out
	return out
}

func (c *columns) dieFault(w *schedule.Word) {
	if c.zero[w.B] {
		return
	}
	guards, faults := c.column(w.A), c.column(w.B)
	for i := range guards {
		if guards[i] != 0 && faults[i] != 0 {
			c.end(i, ending{failed, faults[i]})
		}
	}
}

func (c *columns) require(w *schedule.Word) {
	guards, holds, faults := c.column(w.A), c.column(w.B), c.column(w.C)
	for i := range guards {
		if guards[i] != 0 && (holds[i] == 0 || faults[i] != 0) {
			c.end(i, *c.frame.refusal(w, faults[i]))
		}
	}
}

// roll rolls a die for every record that has not ended.
func (c *columns) roll(w *schedule.Word) {
	guards, faces, d := c.column(w.A), c.column(w.B), c.write(w.D)
	die := &c.code.Graph().Dice[w.Imm]
	for i := range d {
		d[i] = 0
		if guards[i] != 0 && c.ended[i].why == going {
			d[i] = c.rollOne(w, die, faces[i], i)
		}
	}
}

// rollOne is what a die shows for a record.
func (c *columns) rollOne(w *schedule.Word, die *plan.Die, faces int64, row int) int64 {
	f := c.frame
	if why, a, b := impossible(die, faces, 1); why != possible {
		c.end(row, ending{failed, f.fail(w.Imm, why, a, b)})
		return 0
	}
	f.faces, f.work, f.source = f.faces[:0], plan.MaxWork, c.streams[row].source()
	f.draw = dice.Draw{Die: die, Faces: faces}
	total, err := f.chain(w)
	if end, ok := err.(*ending); ok {
		c.end(row, *end)
	}
	for _, face := range f.faces {
		c.fell = append(c.fell, rolledBy{int32(row), face})
	}
	return total
}
