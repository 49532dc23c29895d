package vm

import "slices"

// maxIterationSlots bounds the slots that are kept of the iterations of one evaluation: 16 MB.
const maxIterationSlots = 1 << 21

// Iterations are the slots of a frame at the end of iterations of some of its loops. A frame has one slot for each value of
// a loop, which every iteration writes again; who traces needs the values of each.
type Iterations struct {
	watched []bool              // of each slot, whether it counts the iterations of a loop whose iterations are kept
	ended   map[int32][][]int64 // by that slot, in order
	room    int                 // slots that may still be kept
}

// KeepIterations lets the next evaluation keep the slots of each iteration of the loops whose iterations these slots count.
// It keeps iterations up to a bound, in the order in which they end.
func (f *Frame) KeepIterations(counters []int32) *Iterations {
	f.iterations = &Iterations{make([]bool, len(f.slots)), map[int32][][]int64{}, maxIterationSlots}
	for _, slot := range counters {
		f.iterations.watched[slot] = true
	}
	return f.iterations
}

// keep keeps the slots as they are at the end of an iteration that a slot counts.
func (x *Iterations) keep(counter uint16, slots []int64) {
	if !x.watched[counter] || len(slots) > x.room {
		return
	}
	x.room -= len(slots)
	x.ended[int32(counter)] = append(x.ended[int32(counter)], slices.Clone(slots))
}

// Of returns the iterations that a slot counts, during the iterations of the enclosing loops in which a view was taken: the
// slots that count those have the same values as in the view.
func (x *Iterations) Of(counter int32, enclosing []int32, during View) []View {
	var out []View
	for _, slots := range x.ended[counter] {
		same := func(s int32) bool { return slots[s] == during.Slot(s) }
		if !slices.ContainsFunc(enclosing, func(s int32) bool { return !same(s) }) {
			out = append(out, View{slots, 1})
		}
	}
	return out
}
