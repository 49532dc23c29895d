package schedule

import (
	"fmt"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Options are what code is made for.
type Options struct {
	Values  []int              // of each of the plan's options, the index of the value that is played
	Outputs []string           // the outputs that are asked for; nil: all
	Without []string           // names of passes that are left out
	Full    bool               // compute every node, whether it is needed or not, and leave out all passes
	Roots   [plan.NumRoots]int // slots of the records that are given; 0 for one that is not
	// Shapes of the records that are given, which whoever fills them has checked; nil where nothing is known.
	Shapes [plan.NumRoots]*plan.Shape
	// MostInt is the greatest int, by amount, of whoever carries the graph out; 0 where ints have 64 bits.
	MostInt int64
}

// ints returns all ints that there are.
func (o *Options) ints() interval.Interval {
	if o.MostInt == 0 {
		return interval.Interval{Min: math.MinInt64, Max: math.MaxInt64}
	}
	return interval.Interval{Min: -o.MostInt, Max: o.MostInt}
}

// Code is a graph ready to be executed. It is never changed, and many frames may execute it at once.
type Code struct {
	Instructions []Instruction
	Pool         []uint16             // operands of instructions that have many
	Slots        int                  // of a frame
	Base         [plan.NumRoots]int32 // first slot of each record that is given
	Consts       []int64              // the slots from FirstConst on, never written
	// FirstConst follows the records that are given; the slots that instructions write follow the constants.
	FirstConst int32
	Dense      []Dense    // tables of instructions
	Loops      [][]uint16 // of each die: the slots that hold the iterations of the loops around it
	slots      []int32    // of each node of the graph, -1 when it is not computed
	isReadable []bool     // of each node, whether its slot may be read in the end: it is a root, or everything is computed
	from       []plan.ID  // of each instruction, the node it computes
	outputs    []string
	graph      *plan.Graph
}

// layOutRecords returns the first slots of records of some sizes, and the slot behind them.
func layOutRecords(roots [plan.NumRoots]int) (base [plan.NumRoots]int32, end int32) {
	for r, n := range roots {
		base[r] = end
		end += int32(n)
	}
	return base, end
}

// Slot returns the slot that holds a node in the end, if there is one. Every root has one.
func (c *Code) Slot(id plan.ID) (int32, bool) {
	if id < 0 || int(id) >= len(c.isReadable) || !c.isReadable[id] {
		return 0, false
	}
	return c.slots[id], true
}

// Reads reports of each slot of the given records whether anything reads it.
func (c *Code) Reads() []bool {
	out := make([]bool, c.FirstConst)
	for id := range c.graph.Nodes {
		if slot := c.slots[id]; slot >= 0 && slot < c.FirstConst {
			out[slot] = true
		}
	}
	return out
}

// Constant reports whether a slot is never written.
func (c *Code) Constant(slot int32) bool {
	return slot >= c.FirstConst && int(slot-c.FirstConst) < len(c.Consts)
}

// Kept reports whether the frame holds a value with all that belongs to it.
func (c *Code) Kept(v *plan.Value) bool {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if _, ok := c.Slot(id); id != plan.None && !ok {
			return false
		}
	}
	for i := range v.Fields {
		if !c.Kept(&v.Fields[i]) {
			return false
		}
	}
	return true
}

// Asked reports whether an output was asked for.
func (c *Code) Asked(output string) bool {
	return c.outputs == nil || slices.Contains(c.outputs, output)
}

// Graph returns the graph that was scheduled. It must not be changed.
func (c *Code) Graph() *plan.Graph { return c.graph }

// An UnknownError names an output or a pass that there is not.
type UnknownError struct{ What, Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no %s %q", e.What, e.Name) }

// A SizeError is a graph that instructions cannot express.
type SizeError struct {
	What string // "slots", ...
	Has  int
	Most int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("too large a computation: %d %s, but at most %d fit", e.Has, e.What, e.Most)
}

// A Dense table holds what a part of a graph computes of a single slot, for each of the few values that the slot can hold.
type Dense struct {
	First int64   // the value that Cells begins with
	Cells []int64 // 0 outside of them, where no value ever is
}
