package vector

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A stepFunc executes an instruction on columns that needs more than the columns of its operands.
type stepFunc func(c *Columns, w *schedule.Instruction)

// steps are the operations that have no kernel but run by columns.
var steps = [schedule.NumOps]stepFunc{
	plan.OpAddIntFault: func(c *Columns, w *schedule.Instruction) {
		c.markOverflows(w, AddOverflows, builtin.AddOverflows)
	},
	plan.OpSubIntFault: func(c *Columns, w *schedule.Instruction) {
		c.markOverflows(w, SubOverflows, builtin.SubOverflows)
	},
	plan.OpMulIntFault: func(c *Columns, w *schedule.Instruction) {
		c.markOverflows(w, MulOverflows, builtin.MulOverflows)
	},
	plan.OpNegIntFault: (*Columns).runScalar,
	plan.OpAbsIntFault: (*Columns).runScalar,
	plan.OpDivFault:    (*Columns).runScalar,
	plan.OpModFault:    (*Columns).runScalar,
	plan.OpPowIntFault: (*Columns).runScalar,
	plan.OpToIntFault:  (*Columns).runScalar,
	plan.OpFail:        (*Columns).runScalar,
	plan.OpElemFault:   (*Columns).runScalar,
	plan.OpEmptyFault:  (*Columns).runScalar,
	plan.OpFindFault:   (*Columns).runScalar,

	plan.OpFirstFault:      func(c *Columns, w *schedule.Instruction) { c.joinFaults(w.D, w.A, w.B) },
	schedule.OpFirstOf:     func(c *Columns, w *schedule.Instruction) { c.joinFaults(w.D, w.A, w.B, w.C) },
	schedule.OpFirstOfFour: func(c *Columns, w *schedule.Instruction) { c.joinFaults(w.D, w.A, w.B, w.C, uint16(w.Imm)) },
	plan.OpAndFault:        func(c *Columns, w *schedule.Instruction) { c.joinSideFaults(w, 1) },
	plan.OpOrFault:         func(c *Columns, w *schedule.Instruction) { c.joinSideFaults(w, 0) },

	plan.OpElem: (*Columns).readElements,
	plan.OpFind: (*Columns).findKeys,

	plan.OpRow:                (*Columns).findRows,
	plan.OpRowDouble:          (*Columns).findRowsByDouble,
	plan.OpRowFault:           func(c *Columns, w *schedule.Instruction) { c.markMissingRows(w, vm.NoTextRow) },
	schedule.OpRowFaultInt:    func(c *Columns, w *schedule.Instruction) { c.markMissingRows(w, vm.NoIntRow) },
	schedule.OpRowFaultDouble: func(c *Columns, w *schedule.Instruction) { c.markMissingRows(w, vm.NoDoubleRow) },
	plan.OpCell:               (*Columns).readCells,
	schedule.OpRowCell:        (*Columns).findCells,
	schedule.OpRowDoubleCell:  (*Columns).findCellsByDouble,

	schedule.OpDense:       denseWith(Dense),
	schedule.OpDenseAdd:    denseWith(DenseAdd),
	schedule.OpDenseSub:    denseWith(DenseSub),
	schedule.OpDenseMul:    denseWith(DenseMul),
	schedule.OpEqSelect:    withFourth(EqSelect),
	schedule.OpLtSelect:    withFourth(LtSelect),
	schedule.OpLeSelect:    withFourth(LeSelect),
	schedule.OpMulMulAdd:   withFourth(MulMulAdd),
	schedule.OpSelectMul:   withFourth(SelectMul),
	schedule.OpDenseAddAdd: denseWithTwo(DenseAddAdd),
	schedule.OpDenseSubMax: denseWithTwo(DenseSubMax),

	schedule.OpDieFault: (*Columns).endByFaults,
	plan.OpRoll:         (*Columns).rollDice,
	plan.OpRequire:      (*Columns).endByRequirement,
}

// clearColumn makes a column 0, unless it is.
func (c *Columns) clearColumn(slot uint16) {
	if !c.zero[slot] {
		clear(c.slots[int(slot)*pitch:][:Size])
		c.zero[slot] = true
	}
}

// columnToWrite returns the column of a slot, to be written.
func (c *Columns) columnToWrite(slot uint16) []int64 {
	c.zero[slot] = false
	return c.Column(slot)
}

// runScalar executes an instruction record by record in the frame.
func (c *Columns) runScalar(w *schedule.Instruction) {
	c.single.Instructions = append(c.single.Instructions[:0], *w)
	s, d := c.Frame.Slots(), c.columnToWrite(w.D)
	for i := range d {
		for _, slot := range [...]uint16{w.A, w.B, w.C} {
			if int(slot) < len(s) { // an operand may be something else than a slot
				s[slot] = c.slots[int(slot)*pitch+i]
			}
		}
		vm.Run(c.Frame, &c.single, nil) // ends nothing: only rolls, requirements and work do
		d[i] = s[w.D]
	}
}

// markOverflows records the faults of an operation. Mostly there are none, which any finds out for all records at once.
// any costs one pass of a few operations without a branch; only when some record overflows is each
// asked alone, to note its fault.
func (c *Columns) markOverflows(w *schedule.Instruction, any func(a, b []int64) bool, one func(a, b int64) bool) {
	a, b := c.Column(w.A), c.Column(w.B)
	if !any(a, b) {
		c.clearColumn(w.D)
		return
	}
	d := c.columnToWrite(w.D)
	for i := range d {
		d[i] = vm.FaultIf(c.Frame, one(a[i], b[i]), w.Imm, vm.Overflow)
	}
}

// joinSideFaults are the faults of two sides, of which one that decides, being the opposite of not, absorbs the other's.
func (c *Columns) joinSideFaults(w *schedule.Instruction, not int64) {
	fourth := uint16(w.Imm)
	if c.zero[w.B] && c.zero[fourth] {
		c.clearColumn(w.D)
		return
	}
	left, fault, right, other := c.Column(w.A), c.Column(w.B), c.Column(w.C), c.Column(fourth)
	d := c.columnToWrite(w.D)
	for i := range d {
		d[i] = vm.FaultOfSides(left[i]^not, fault[i], right[i]^not, other[i])
	}
}

func (c *Columns) readElements(w *schedule.Instruction) {
	d, a, b := c.columnToWrite(w.D), c.Column(w.A), c.Column(w.B)
	for i := range d {
		d[i] = c.Frame.Element(a[i], b[i], int64(w.C), int64(w.Imm))
	}
}

func (c *Columns) findKeys(w *schedule.Instruction) {
	d, a, b := c.columnToWrite(w.D), c.Column(w.A), c.Column(w.B)
	stride := c.Frame.Image().Plan().Types[w.Imm].Stride()
	for i := range d {
		c.Frame.RefillWork()
		d[i] = vm.FindKey(c.Frame, a[i], b[i], stride)
	}
}

func (c *Columns) findRows(w *schedule.Instruction) {
	d, a := c.columnToWrite(w.D), c.Column(w.A)
	t := c.Frame.Image().Table(int(w.Imm))
	first, dense := t.First, t.Dense
	for i := range d {
		if k := uint64(a[i] - first); k < uint64(len(dense)) {
			d[i] = int64(dense[k])
		} else {
			d[i] = t.RowOf(a[i])
		}
	}
}

// withFourth makes a step of a kernel of four columns, the last of which an instruction names in its immediate.
func withFourth(k func(d, a, b, c, e []int64)) stepFunc {
	return func(c *Columns, w *schedule.Instruction) {
		k(c.columnToWrite(w.D), c.Column(w.A), c.Column(w.B), c.Column(w.C), c.Column(uint16(w.Imm)))
	}
}

// denseWith makes a step of a kernel that does something with the cells of a dense table.
func denseWith(k func(d, a, b, cells []int64, first int64)) stepFunc {
	return func(c *Columns, w *schedule.Instruction) {
		t := &c.Code.Dense[w.Imm]
		k(c.columnToWrite(w.D), c.Column(w.A), c.Column(w.B), t.Cells, t.First)
	}
}

// denseWithTwo makes a step of a kernel that does something with the cells of a dense table and two columns.
func denseWithTwo(k func(d, a, b, c, cells []int64, first int64)) stepFunc {
	return func(c *Columns, w *schedule.Instruction) {
		t := &c.Code.Dense[w.Imm]
		k(c.columnToWrite(w.D), c.Column(w.A), c.Column(w.B), c.Column(w.C), t.Cells, t.First)
	}
}

func (c *Columns) findCells(w *schedule.Instruction) {
	c.findRows(&schedule.Instruction{D: w.D, A: w.A, Imm: int32(w.C)})
	c.readCells(&schedule.Instruction{D: w.D, A: w.D, C: w.C, Imm: w.Imm})
}

func (c *Columns) findCellsByDouble(w *schedule.Instruction) {
	c.Frame.Image().Table(int(w.C)).Breakpoints.FindValues(c.columnToWrite(w.D), c.Column(w.A), c.cellsOf(w).reached)
}

// joinFaults is the first fault of several columns.
// Columns that are known to be 0 take no part. With none left the result is known to be 0, and so
// on to the end: where nothing fails, a block pays for its faults with a few comparisons.
func (c *Columns) joinFaults(d uint16, of ...uint16) {
	of = slices.DeleteFunc(of, func(slot uint16) bool { return c.zero[slot] })
	switch len(of) {
	case 0:
		c.clearColumn(d)
		return
	case 1:
		copy(c.columnToWrite(d), c.Column(of[0]))
		return
	}
	out := c.columnToWrite(d)
	for i := range out {
		fault := int64(0)
		for _, slot := range of {
			fault = vm.FirstOfFaults(fault, c.slots[int(slot)*pitch+i])
		}
		out[i] = fault
	}
}

func (c *Columns) findRowsByDouble(w *schedule.Instruction) {
	c.Frame.Image().Table(int(w.Imm)).Breakpoints.FindRows(c.columnToWrite(w.D), c.Column(w.A))
}

func (c *Columns) markMissingRows(w *schedule.Instruction, kind vm.FaultKind) {
	rows, keys := c.Column(w.A), c.Column(w.B)
	signs := int64(0)
	for _, row := range rows {
		signs |= row
	}
	if signs >= 0 {
		c.clearColumn(w.D)
		return
	}
	d := c.columnToWrite(w.D)
	for i := range d {
		d[i] = vm.FaultUnless(c.Frame, rows[i] >= 0, w.Imm, kind, keys[i])
	}
}

// readCells may write the column that it reads.
func (c *Columns) readCells(w *schedule.Instruction) {
	Dense(c.columnToWrite(w.D), c.Column(w.A), nil, c.cellsOf(w).rows, 0)
}

// tableCells are the cells of a slot of a table's rows, in two orders.
type tableCells struct {
	rows    []int64 // by the number of their row
	reached []int64 // by how many limits a number has reached; nil where nothing is looked up by numbers
}

// A cellKey is a table and a slot of its rows.
type cellKey struct {
	table uint16
	slot  int32
}

// cellsOf returns those that an instruction looks up.
func (c *Columns) cellsOf(w *schedule.Instruction) *tableCells {
	k := cellKey{w.C, w.Imm}
	if found := c.looked[k]; found != nil {
		return found
	}
	t := c.Frame.Image().Table(int(k.table))
	cell := func(row int64) int64 { return t.Cell(row, int64(k.slot)) }
	out := &tableCells{reached: t.Breakpoints.ValuesByLimits(cell)}
	for at := int(k.slot); at < len(t.Cells); at += t.Stride {
		out.rows = append(out.rows, t.Cells[at])
	}
	c.looked[k] = out
	return out
}

func (c *Columns) endByFaults(w *schedule.Instruction) {
	if c.zero[w.B] {
		return
	}
	guards, faults := c.Column(w.A), c.Column(w.B)
	for i := range guards {
		if guards[i] != 0 && faults[i] != 0 {
			c.endRecord(i, vm.FailedWith(faults[i]))
		}
	}
}

func (c *Columns) endByRequirement(w *schedule.Instruction) {
	guards, holds, faults := c.Column(w.A), c.Column(w.B), c.Column(w.C)
	for i := range guards {
		if guards[i] != 0 && (holds[i] == 0 || faults[i] != 0) {
			c.endRecord(i, *vm.RefuseRequirement(c.Frame, w, faults[i]))
		}
	}
}

// rollDice rolls a die for every record that has not ended.
func (c *Columns) rollDice(w *schedule.Instruction) {
	guards, faces, d := c.Column(w.A), c.Column(w.B), c.columnToWrite(w.D)
	die := &c.Code.Graph().Dice[w.Imm]
	for i := range d {
		d[i] = 0
		if guards[i] != 0 && !c.ended[i].Stopped() {
			d[i] = c.rollDie(w, die, faces[i], i)
		}
	}
}

// rollDie returns the value of a die for a record.
func (c *Columns) rollDie(w *schedule.Instruction, die *plan.Die, faces int64, row int) int64 {
	total, err := vm.RollFor(c.Frame, w, die, faces, c.streams[row].source())
	if end, ok := err.(*vm.Ending); ok {
		c.endRecord(row, *end)
	}
	for _, face := range c.Frame.Faces() {
		c.rolledFaces = append(c.rolledFaces, rolledBy{int32(row), face})
	}
	return total
}
