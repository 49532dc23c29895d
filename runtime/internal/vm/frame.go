package vm

import (
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Frame is the memory of one evaluation: a flat array of slots, and an arena for what is longer than a slot. It is
// used again and again, and grows to what the largest evaluation needed, so that later ones allocate nothing. It
// serves one goroutine at a time.
//
// A slot is an int, the bits of a double, a truth, a symbol (an index into the plan's symbols or, beyond them, into
// texts), a row's number, a fault (0, or 1 + an index into faults), or a span: the offset in the arena in its upper
// half, the number of elements in the lower.
type Frame struct {
	image   *Image
	code    *schedule.Code
	slots   []int64
	arena   []int64 // begins with the plan's constants
	work    int64   // instructions that may still be executed; below 0 the evaluation ends
	faults  []fault
	covered []int64 // of each branch of the graph, how often it was taken since the frame was made

	source dice.Source
	draw   dice.Draw
	// leftOut are the dice that are not rolled at all; nil: none.
	leftOut []bool

	faces []Face
	index []int32 // of faces: the iterations around their dice

	texts     []string         // strings beyond the plan's symbols
	symbols   map[string]int64 // of texts
	textBytes int              // bytes of texts
	buf       []byte           // a string that is being made
	keys      []sortKey        // a list that is being sorted

	ending Ending // why the evaluation stopped before its end

	iterations *Iterations // nil unless the evaluation is traced
}

// A Face is what a die showed.
type Face struct {
	Die   int32 // index in Graph.Dice
	loops int32 // where in Frame.index the iterations of the loops around the die begin
	Face  int64
}

// maxKept bounds the bytes of the strings that a frame keeps from one evaluation to the next.
const maxKept = 1 << 20

func NewFrame(m *Image, code *schedule.Code) *Frame {
	f := &Frame{image: m, symbols: map[string]int64{}}
	f.Reset(code)
	return f
}

// NewStore returns a frame without slots: it holds the lists and strings of records that no code reads.
func NewStore(m *Image) *Frame {
	return &Frame{image: m, symbols: map[string]int64{}, arena: slices.Clone(m.plan.Consts)}
}

// Reset makes the frame ready for the records of an evaluation by code, then for the evaluation: it is ResetTo when only
// the plan's constants stay, and no die is left out and nothing traced any more.
func (f *Frame) Reset(code *schedule.Code) {
	if f.code != code {
		f.setCode(code)
	}
	f.leftOut, f.iterations = nil, nil
	f.arena = append(f.arena[:0], f.image.plan.Consts...)
	f.ResetTo(Mark{arena: len(f.arena)})
}

// setCode gives the frame the slots and the constants of code.
func (f *Frame) setCode(code *schedule.Code) {
	f.code = code
	f.slots = slices.Grow(f.slots[:0], code.Slots)[:code.Slots]
	clear(f.slots)
	copy(f.slots[code.FirstConst:], code.Consts)
	f.covered = make([]int64, len(code.Graph().Branches))
}

// Image returns the parts of the frame that all frames of the plan share.
func (f *Frame) Image() *Image { return f.image }

// Code returns the code for which the frame has slots.
func (f *Frame) Code() *schedule.Code { return f.code }

// Slots returns the frame's slots, which stay the same as long as it has slots for the same code.
func (f *Frame) Slots() []int64 { return f.slots }

// LeaveOut tells which dice the next evaluation does not roll, by their numbers: nothing that is wanted of it may read
// them. Their faults are none.
func (f *Frame) LeaveOut(which []bool) { f.leftOut = which }

// LeftOut returns the dice that are not rolled at all; nil for none.
func (f *Frame) LeftOut() []bool { return f.leftOut }

// leavesOut reports whether a die is not rolled at all.
func (f *Frame) leavesOut(die int32) bool { return f.leftOut != nil && f.leftOut[die] }

// leavesOutNext reports whether the first of some instructions rolls a die that is not rolled at all.
func (f *Frame) leavesOutNext(instructions []schedule.Instruction) bool {
	return len(instructions) > 0 && instructions[0].Op == plan.OpRoll && f.leavesOut(instructions[0].Imm)
}

// LastDraw returns the face that was asked for last.
func (f *Frame) LastDraw() *dice.Draw { return &f.draw }

// Faces returns those that fell in the last evaluation, in order. The next one overwrites them.
func (f *Frame) Faces() []Face { return f.faces }

// ForgetFaults drops the faults as ResetTo does, for a block of records: their lists and strings are all in one frame, and
// stay while the block is run again.
func (f *Frame) ForgetFaults() { f.faults = f.faults[:0] }

// RefillWork resets the work that is left to that of one evaluation.
func (f *Frame) RefillWork() { f.work = plan.MaxWork }

// Store puts the slots of n elements into the arena, and returns them as a list.
func (f *Frame) Store(slots []int64, n int) int64 {
	offset := len(f.arena)
	f.arena = append(f.arena, slots...)
	return SpanOf(offset, n)
}

// TakeFrom gives the frame the lists and the strings of another one in place of its own, so that spans and symbols mean
// in it what they mean there.
func (f *Frame) TakeFrom(other *Frame) {
	f.arena, f.texts = slices.Clone(other.arena), slices.Clone(other.texts)
	f.symbols, f.textBytes = maps.Clone(other.symbols), other.textBytes
}

// A Mark is a state of a frame's arena and texts to which ResetTo goes back: what records hold, before an evaluation adds
// its own.
type Mark struct{ arena, texts int }

// Mark returns the state as it is now.
func (f *Frame) Mark() Mark { return Mark{len(f.arena), len(f.texts)} }

// WithTextsOf returns the mark with the texts as they are now.
func (m Mark) WithTextsOf(f *Frame) Mark { return Mark{m.arena, len(f.texts)} }

// WithoutTexts returns a mark without strings, for records whose caller writes their strings again. A reset to it that
// drops strings then drops all of the frame's.
func (m Mark) WithoutTexts() Mark { return Mark{arena: m.arena} }

// ResetTo drops everything that has been added since a mark. Between two evaluations this holds, whichever way a frame was
// reset:
//
//   - the arena begins with the plan's constants, behind which stand the records' lists and strings, and nothing else,
//     so that spans in their slots are still right;
//   - there are no faults and no faces, because slots name both by number;
//   - slots that hold neither records nor constants have any value: the code writes each before it reads it.
//
// Strings are kept from evaluation to evaluation, up to maxKept bytes, because their symbols may stand in records and most
// records repeat them; beyond it those since the mark go.
func (f *Frame) ResetTo(m Mark) {
	f.arena = f.arena[:m.arena]
	f.ForgetFaults()
	f.faces, f.index = f.faces[:0], f.index[:0]
	if f.textBytes > maxKept {
		f.forgetTexts(m.texts)
	}
}

// forgetTexts drops the strings from a number on.
func (f *Frame) forgetTexts(from int) {
	for _, text := range f.texts[from:] {
		f.textBytes -= len(text)
		delete(f.symbols, text)
	}
	f.texts = f.texts[:from]
}

// Text returns the string of a symbol; empty for a number that is none.
func (f *Frame) Text(symbol int64) string {
	list := f.image.plan.Symbols
	if symbol >= int64(len(list)) {
		symbol, list = symbol-int64(len(list)), f.texts
	}
	if uint64(symbol) < uint64(len(list)) {
		return list[symbol]
	}
	return ""
}

// Intern gives a string its symbol: that of the plan, or else one that is the frame's own. A frame's own symbols mean
// nothing in another frame, and nothing in this one once ResetTo has dropped their strings.
func (f *Frame) Intern(text []byte) int64 {
	if symbol := f.image.symbols.Find(text); symbol >= 0 {
		return symbol
	}
	if symbol, ok := f.symbols[string(text)]; ok {
		return symbol
	}
	return f.addText(string(text))
}

func (f *Frame) addText(text string) int64 {
	symbol := int64(len(f.image.plan.Symbols) + len(f.texts))
	f.texts = append(f.texts, text)
	f.symbols[text] = symbol
	f.textBytes += len(text)
	return symbol
}

// SameDie reports whether two faces fell of the same source in the same iterations: the groups of a source share its id.
func (f *Frame) SameDie(g *plan.Graph, a, b Face) bool {
	return (a.Die == b.Die || g.Dice[a.Die].ID == g.Dice[b.Die].ID) && slices.Equal(f.LoopsOf(a), f.LoopsOf(b))
}

// LoopsOf returns the iterations of the loops around the die of a face, outermost first.
func (f *Frame) LoopsOf(face Face) []int32 {
	n := len(f.code.Loops[face.Die])
	return f.index[face.loops:][:n]
}

// SpanOf is n elements at an offset of the arena.
func SpanOf(offset, n int) int64 { return int64(offset)<<32 | int64(n) }

// SpanSize returns how many elements a span has.
func SpanSize(span int64) int64 { return int64(uint32(span)) }

// Elements returns the slots of a span's elements.
func (f *Frame) Elements(span int64, stride int) []int64 {
	at, end := span>>32, span>>32+SpanSize(span)*int64(stride)
	if at < 0 || end > int64(len(f.arena)) {
		return nil
	}
	return f.arena[at:end:end]
}

// Element returns the slot of an element; 0 outside of the span.
func (f *Frame) Element(span, i, stride, offset int64) int64 {
	if uint64(i) >= uint64(SpanSize(span)) {
		return 0
	}
	if at := span>>32 + i*stride + offset; uint64(at) < uint64(len(f.arena)) {
		return f.arena[at]
	}
	return 0
}

// chargeWork counts work that is not an instruction's.
func (f *Frame) chargeWork(n int64) bool {
	if n > f.work {
		f.work = -1
		return false
	}
	f.work -= n
	return true
}

// reserve reserves n slots at the end of the arena. When that is more than may be done at all, it gives none, and the
// evaluation ends.
func (f *Frame) reserve(n int64) (offset int, slots []int64) {
	if n < 0 || !f.chargeWork(n) {
		return 0, nil
	}
	offset = len(f.arena)
	f.arena = slices.Grow(f.arena, int(n))[:offset+int(n)]
	return offset, f.arena[offset:]
}

// typeAt returns a type that instructions name by its index.
func (f *Frame) typeAt(i int64) *plan.Type { return f.image.plan.Types[i] }

// strideAt returns the stride of such a type, which is one of lists or maps.
func (f *Frame) strideAt(i int64) int { return f.image.strides[i] }

// A sortKey is an element that is being sorted.
type sortKey struct {
	key int64
	at  int // in the list
}

// CountBranches adds a frame's counts of a graph's branches to the image's counts.
func (m *Image) CountBranches(f *Frame, g *plan.Graph) {
	if len(f.covered) == 0 {
		return
	}
	counters := m.Counters(g)
	for i, n := range f.covered {
		counters[i].Add(n)
	}
	clear(f.covered)
}
