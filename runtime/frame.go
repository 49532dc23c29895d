package runtime

import (
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
type vmFrame struct {
	image   *Image
	code    *schedule.Code
	slots   []int64
	arena   []int64 // begins with the plan's constants
	work    int64   // words that may still be executed; below 0 the evaluation ends
	faults  []fault
	covered []int64 // of each branch of the graph, how often it was taken since the frame was made

	source dice.Source
	draw   dice.Draw
	faces  []fallen
	index  []int32 // of faces: the iterations around their dice

	texts   []string         // strings beyond the plan's symbols
	symbols map[string]int64 // of texts
	kept    int              // bytes of texts
	buf     []byte           // a string that is being made
	keys    []keyed          // a list that is being sorted

	ending ending // why the evaluation stopped before its end
}

// A fallen face is one that was rolled.
type fallen struct {
	die   int32 // index in Graph.Dice
	index int32 // in Frame.index, of the first iteration
	face  int64
}

// maxKept bounds the bytes of the strings that a frame keeps from one evaluation to the next.
const maxKept = 1 << 20

func newFrame(m *Image, code *schedule.Code) *vmFrame {
	f := &vmFrame{image: m, symbols: map[string]int64{}}
	f.reset(code)
	return f
}

// newStore is a frame without slots: it holds the lists and strings of records that no code reads.
func newStore(m *Image) *vmFrame {
	return &vmFrame{image: m, symbols: map[string]int64{}, arena: slices.Clone(m.plan.Consts)}
}

// reset makes the frame ready for an evaluation: its records may be written, then run.
func (f *vmFrame) reset(code *schedule.Code) {
	if f.code != code {
		f.load(code)
	}
	f.arena = append(f.arena[:0], f.image.plan.Consts...)
	f.faults, f.faces, f.index = f.faults[:0], f.faces[:0], f.index[:0]
	if f.kept > maxKept {
		clear(f.symbols)
		f.texts, f.kept = f.texts[:0], 0
	}
}

// load gives the frame the slots and the constants of code.
func (f *vmFrame) load(code *schedule.Code) {
	f.code = code
	f.slots = slices.Grow(f.slots[:0], code.Slots)[:code.Slots]
	clear(f.slots)
	copy(f.slots[code.FirstConst:], code.Consts)
	f.covered = make([]int64, len(code.Graph().Branches))
}

// A Mark is a state of a frame's arena and texts to which ResetTo goes back: what records hold, before an evaluation adds its own.
type Mark struct{ arena, texts int }

// Mark is the state as it is now.
func (f *vmFrame) Mark() Mark { return Mark{len(f.arena), len(f.texts)} }

// ResetTo drops what has been added since a mark: lists always, strings when there are many.
func (f *vmFrame) ResetTo(m Mark) {
	f.arena = f.arena[:m.arena]
	f.faults, f.faces, f.index = f.faults[:0], f.faces[:0], f.index[:0]
	if f.kept > maxKept {
		f.forgetTexts(m.texts)
	}
}

// forgetTexts drops the strings from a number on.
func (f *vmFrame) forgetTexts(from int) {
	f.kept = 0
	for i, text := range f.texts {
		if f.kept += len(text); i >= from {
			delete(f.symbols, text)
		}
	}
	f.texts = f.texts[:from]
}

// text is the string of a symbol; empty for what is none.
func (f *vmFrame) text(symbol int64) string {
	list := f.image.plan.Symbols
	if symbol >= int64(len(list)) {
		symbol, list = symbol-int64(len(list)), f.texts
	}
	if uint64(symbol) < uint64(len(list)) {
		return list[symbol]
	}
	return ""
}

// intern is the symbol of a string.
func (f *vmFrame) intern(text []byte) int64 {
	if symbol := f.image.symbols.Find(text); symbol >= 0 {
		return symbol
	}
	if symbol, ok := f.symbols[string(text)]; ok {
		return symbol
	}
	return f.add(string(text))
}

func (f *vmFrame) add(text string) int64 {
	symbol := int64(len(f.image.plan.Symbols) + len(f.texts))
	f.texts = append(f.texts, text)
	f.symbols[text] = symbol
	f.kept += len(text)
	return symbol
}

// indices are the iterations of the loops around the die of a face, outermost first.
func (f *vmFrame) indices(face fallen) []int32 {
	n := len(f.code.Loops[face.die])
	return f.index[face.index:][:n]
}

// span is n elements at an offset of the arena.
func span(offset, n int) int64 { return int64(offset)<<32 | int64(n) }

// size is how many elements a span has.
func size(span int64) int64 { return int64(uint32(span)) }

// elems are the slots of a span's elements.
func (f *vmFrame) elems(span int64, stride int) []int64 {
	at, end := span>>32, span>>32+size(span)*int64(stride)
	if at < 0 || end > int64(len(f.arena)) {
		return nil
	}
	return f.arena[at:end:end]
}

// elem is the slot of an element; 0 outside of the span.
func (f *vmFrame) elem(span, i, stride, offset int64) int64 {
	if uint64(i) >= uint64(size(span)) {
		return 0
	}
	if at := span>>32 + i*stride + offset; uint64(at) < uint64(len(f.arena)) {
		return f.arena[at]
	}
	return 0
}

// charge counts work that is not a word's.
func (f *vmFrame) charge(n int64) bool {
	if n > f.work {
		f.work = -1
		return false
	}
	f.work -= n
	return true
}

// room reserves n slots at the end of the arena. When that is more than may be done at all, it gives none, and the
// evaluation ends.
func (f *vmFrame) room(n int64) (offset int, slots []int64) {
	if n < 0 || !f.charge(n) {
		return 0, nil
	}
	offset = len(f.arena)
	f.arena = slices.Grow(f.arena, int(n))[:offset+int(n)]
	return offset, f.arena[offset:]
}

// typ is a type that words name by its index.
func (f *vmFrame) typ(i int64) *plan.Type { return f.image.plan.Types[i] }
