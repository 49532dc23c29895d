package vector

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Size is how many records columns hold.
// A column is 8 KiB. An instruction mostly touches three or four, which together stay in a first-level cache
// of 32 KiB.
const Size = 1024

// pitch is how many slots lie between the beginnings of two columns: a cache line more than a column has, so that the
// slots of one record do not compete for the same lines of the cache.
const pitch = Size + 8

// Columns execute code for a block of records, instruction by instruction: each instruction computes a whole column, so
// that what it costs to find out what an instruction does is paid once a block, and nothing branches. The frame holds
// what the block's records share: the arena, the texts, the faults.
//
// Invariant: every record ends as the same instructions end in a frame, to the bit.
type Columns struct {
	Frame  *vm.Frame
	Code   *schedule.Code
	single schedule.Code // the code with one instruction
	n      int           // records in the block
	// slot s of record i is slots[s*pitch+i]; only the first n records of a column are valid.
	// Columns of constants are filled once by NewColumns and hold for all blocks.
	slots   []int64                 // column by column
	zero    []bool                  // of each slot, whether its column is known to be 0 for all records
	looked  map[cellKey]*tableCells // what instructions look up
	ended   []vm.Ending             // of each record, why it ended before its end
	stopped bool                    // whether any record ended so
	// What follows is made only for code that rolls. rolledFaces has the faces of all records in the order of rolling,
	// which is by instruction and not by record; sortFaces sorts them into faces, record by record.
	rolls       int      // instructions that roll
	streams     []stream // of each record, where its faces come from
	rolledFaces []rolledBy
	faces       []vm.Face // of all records, record by record, once run has ended
	until       []int32   // of each record, where its faces end
}

// A stream gives the faces of one record, from its seed on.
type stream struct {
	*dice.Seeded
	seed, record, event uint64
	begun               bool
}

// source returns the stream where it stands.
func (s *stream) source() dice.Source {
	switch {
	case s.Seeded == nil:
		s.Seeded = dice.FromSeed(s.seed, s.record, s.event)
	case !s.begun:
		s.Reset(s.seed, s.record, s.event)
	}
	s.begun = true
	return s.Seeded
}

// A rolledBy is a face and the record that rolled it.
type rolledBy struct {
	record int32
	face   vm.Face
}

// CanRun reports whether code runs by columns: every instruction has a kernel or a step, for which a record's share of the
// work is bounded. Code with loops, lists that are made, lists of dice, or strings that are made has not, and runs in a
// frame, record by record.
//
// No record can run out of work. The longest single instruction is a look-up among the keys of a map or a chain of
// faces, so that instructions of this number never reach plan.MaxWork.
func CanRun(code *schedule.Code) bool {
	const longest = 1 + plan.MaxKeys + plan.MaxChain
	if len(code.Instructions) > plan.MaxWork/longest {
		return false
	}
	return !slices.ContainsFunc(code.Instructions, func(w schedule.Instruction) bool {
		rollsList := w.Op == plan.OpRoll && code.Graph().Dice[w.Imm].List
		return rollsList || KernelOf(w.Op) == nil && steps[w.Op] == nil
	})
}

func NewColumns(m *vm.Image, code *schedule.Code) *Columns {
	c := &Columns{
		Frame: vm.NewFrame(m, code), Code: code, single: *code,
		slots: make([]int64, code.Slots*pitch), zero: make([]bool, code.Slots), ended: make([]vm.Ending, Size),
		looked: map[cellKey]*tableCells{},
	}
	c.single.Instructions = nil
	for i, bits := range code.Consts {
		c.Fill(int(code.FirstConst)+i, bits)
	}
	for _, w := range code.Instructions {
		if w.Op == plan.OpRoll {
			c.rolls++
		}
	}
	if c.rolls > 0 {
		c.streams, c.until = make([]stream, Size), make([]int32, Size)
	}
	return c
}

// Column returns the column of a slot: a value for each record of the block.
func (c *Columns) Column(slot uint16) []int64 { return c.slots[int(slot)*pitch:][:c.n] }

// Fill gives every record the same value.
func (c *Columns) Fill(slot int, bits int64) {
	all := c.slots[slot*pitch:][:Size]
	for i := range all {
		all[i] = bits
	}
	c.zero[slot] = bits == 0
}

// Input returns the whole column of a slot of a root, for records that are written column by column.
func (c *Columns) Input(slot int) []int64 { return c.slots[slot*pitch:][:Size] }

// IsZero reports whether a column is known to be 0 for all records.
func (c *Columns) IsZero(slot int) bool { return c.zero[slot] }

// HasEnded reports whether a record ended before its end.
func (c *Columns) HasEnded(row int) bool { return c.ended[row].Stopped() }

// AnyEnded reports whether any record ended before its end.
func (c *Columns) AnyEnded() bool { return c.stopped }

// Reset makes the columns ready for another block: records may be put in.
func (c *Columns) Reset() {
	c.Frame.Reset(c.Code)
	c.n = 0
}

// Put writes a root of a record, which is never filled.
func (c *Columns) Put(row int, base int32, slots []int64) {
	at := int(base)*pitch + row
	for _, bits := range slots {
		c.slots[at] = bits
		at += pitch
	}
}

// SetSeed says where the faces of a row come from.
func (c *Columns) SetSeed(row int, seed, record, event uint64) {
	if c.rolls > 0 {
		s := &c.streams[row]
		s.seed, s.record, s.event, s.begun = seed, record, event, false
	}
}

// View returns one record of the block.
func (c *Columns) View(row int) vm.View { return vm.NewView(c.slots[row:], pitch) }

// Run executes the code for the first n records. err has the error of each record. A kernel's result is no longer known to
// be 0; steps keep zero themselves.
func (c *Columns) Run(n int) {
	c.n = n
	clear(c.ended[:n])
	c.stopped = false
	c.rolledFaces = c.rolledFaces[:0]
	for i := range c.Code.Instructions {
		w := &c.Code.Instructions[i]
		if k := KernelOf(w.Op); k != nil {
			k(c.Column(w.D), c.Column(w.A), c.Column(w.B), c.Column(w.C))
			c.zero[w.D] = false
		} else {
			steps[w.Op](c, w)
		}
	}
	c.sortFaces()
}

// sortFaces puts the faces of each record together. They were rolled instruction by instruction, so each record's are
// in order.
//
// This is a counting sort: until first counts the faces of each record, then has where they begin,
// and in the end, since each face moves it on by one, where they end. Faces(row) needs both ends,
// and the beginning is the end of the row before.
func (c *Columns) sortFaces() {
	if c.rolls == 0 {
		return
	}
	clear(c.until[:c.n])
	for _, r := range c.rolledFaces {
		c.until[r.record]++
	}
	at := int32(0)
	for i, n := range c.until[:c.n] {
		c.until[i], at = at, at+n
	}
	c.faces = slices.Grow(c.faces[:0], len(c.rolledFaces))[:len(c.rolledFaces)]
	for _, r := range c.rolledFaces {
		c.faces[c.until[r.record]] = r.face
		c.until[r.record]++
	}
}

// Faces returns the faces of a record.
func (c *Columns) Faces(row int) []vm.Face {
	switch {
	case c.rolls == 0:
		return nil
	case row == 0:
		return c.faces[:c.until[0]]
	}
	return c.faces[c.until[row-1]:c.until[row]]
}

// Err is why a record ended before its end; nil when it did not.
func (c *Columns) Err(row int) error {
	if !c.ended[row].Stopped() {
		return nil
	}
	return c.explainEnding(row)
}

// explainEnding returns the rare part of Err, apart so that the frequent part is inlined.
func (c *Columns) explainEnding(row int) error {
	return vm.Explain(c.Frame, c.Code.Graph(), &c.ended[row])
}

// endRecord ends a record, unless it has ended before.
func (c *Columns) endRecord(row int, e vm.Ending) {
	if !c.ended[row].Stopped() {
		c.ended[row], c.stopped = e, true
	}
}
