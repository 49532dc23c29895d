package runtime

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Part is a piece of a graph that is executed on its own: it rolls nothing.
type Part struct {
	graph *plan.Graph
	code  *schedule.Code
	base  [plan.NumRoots]int
	outs  []Out
	at    []int32 // the slots of outs
}

// An Out is a value of a part that outlives its execution.
type Out struct {
	ID     plan.ID
	Kind   plan.Kind
	Layout *Layout // of a span
}

// A Layout says what the slots of a span's elements are. Without one a span must be among the values that a stage began with.
type Layout struct {
	Stride int
	Slots  []Slot // nil when all are scalars
}

// A Slot is one of an element: a span when Layout is set, else of the kind; the zero Slot is a scalar.
type Slot struct {
	Kind   plan.Kind
	Layout *Layout
}

// Part schedules a piece of a graph. Its leaves name slots of the roots, which have so many of them.
func (p *Program) Part(g *plan.Graph, roots [plan.NumRoots]int, outs []Out, c Choice) (*Part, error) {
	values, err := p.options(c)
	if err != nil {
		return nil, err
	}
	code, err := schedule.Make(p.plan, g, schedule.Options{Values: values, Without: withoutBounds(), Roots: roots})
	if err != nil {
		return nil, err
	}
	p.image.PrepareTables(code)
	out := &Part{graph: g, code: code, outs: outs}
	for r := range roots {
		out.base[r] = int(code.Base[r])
	}
	for _, o := range outs {
		slot, ok := code.Slot(o.ID)
		if !ok {
			return nil, errors.New("runtime: a part does not compute what it gives")
		}
		out.at = append(out.at, slot)
	}
	return out, nil
}

// withoutBounds are the passes that a part must do without: those that take for granted what a rule's own input is bound by.
func withoutBounds() []string {
	return slices.DeleteFunc(schedule.PassNames(), func(name string) bool {
		return name == "fold" || name == "share" || name == "dead" || name == "overwrite"
	})
}

// A Stage executes parts one after the other, which hand values on to each other: spans and strings that parts have given
// stay where they are as long as the stage lives, and equal ones are the same slot. It serves one goroutine at a time.
type Stage struct {
	program *Program
	frames  map[*Part]*vmFrame
	part    *Part // that was executed last, and its frame
	latest  *vmFrame
	arena   []int64 // what stays
	given   int     // of arena: what is there from the beginning
	pending []int64 // what will stay once the part has given everything
	slots   []int64 // of the spans that are being kept, one within the other
	spans   map[string]int64
	faults  []fault
	indices map[fault]int64
	texts   []string
	symbols map[string]int64
	key     []byte
	long    int64
	readers [plan.NumRoots]*reader // of the shapes with which it has begun
}

// maxStage bounds the slots of the spans that a stage keeps.
const maxStage = 1 << 24

// ordinary is how many words of one execution of a part are not counted as long.
const ordinary = 1 << 10

// Long is how many words were executed beyond the first of each part: the work of parts that are long.
func (s *Stage) Long() int64 { return s.long }

// ErrStage says that the spans of a stage take too much memory.
var ErrStage = errors.New("the lists that the dice lead to take too much memory")

// NewStage is a stage on which nothing has been executed.
func (p *Program) NewStage() *Stage {
	s := &Stage{program: p, frames: map[*Part]*vmFrame{}, spans: map[string]int64{}, indices: map[fault]int64{}, symbols: map[string]int64{}}
	s.Reset()
	return s
}

// Reset makes the stage as it was before anything was executed. What a Kept took from it stays.
func (s *Stage) Reset() {
	s.arena = append(make([]int64, 0, max(cap(s.arena), len(s.program.plan.Consts))), s.program.plan.Consts...)
	s.given, s.long, s.faults, s.texts = 0, 0, nil, nil
	clear(s.spans)
	clear(s.indices)
	clear(s.symbols)
}

// Records are what Begin reads: JSON by root, nil for a root that the part has not.
type Records [plan.NumRoots][]byte

// Begin reads the records that are given and executes the first part. What goes wrong is what goes wrong with Rule.Eval.
func (s *Stage) Begin(part *Part, shapes [plan.NumRoots]*plan.Shape, records Records, out []int64) error {
	f := s.frame(part)
	for root, shape := range shapes {
		if shape == nil {
			continue
		}
		if s.readers[root] == nil {
			s.readers[root] = s.program.reader(plan.Root(root), shape)
		}
		if err := newDecoder(f).decodeTo(s.readers[root], orEmpty(records[root]), part.base[root]); err != nil {
			return err
		}
	}
	return s.finish(f, part, out, true)
}

// reader reads a root; the character's knows which revision it may be pinned to.
func (p *Program) reader(root plan.Root, shape *plan.Shape) *reader {
	if root == plan.CharacterRoot {
		return p.character
	}
	return newReader(rootNames[root], shape, p.image.SymbolOf)
}

var rootNames = [plan.NumRoots]string{"character", "input", "state", "event"}

// Run executes a part whose only root is the input. It gives a *Refused or a *Failure when that ends the evaluation.
func (s *Stage) Run(part *Part, in, out []int64) error {
	f := s.frame(part)
	copy(f.slots[part.base[plan.InputRoot]:], in)
	return s.finish(f, part, out, false)
}

// frame is the frame of a part, on what the stage keeps.
func (s *Stage) frame(part *Part) *vmFrame {
	f := s.latest
	if part != s.part {
		if f = s.frames[part]; f == nil {
			f = newFrame(s.program.image, part.code)
			f.reset(part.code)
			s.frames[part] = f
		}
		s.part, s.latest = part, f
	}
	f.arena, f.faults, f.texts, f.symbols = s.arena, s.faults, s.texts, s.symbols
	return f
}

// finish executes the part and takes what it gives. All that the first part made stays as it is.
func (s *Stage) finish(f *vmFrame, part *Part, out []int64, first bool) error {
	err := f.run(part.code, nil)
	s.long += max(0, plan.MaxWork-f.work-ordinary)
	if err != nil {
		return f.explain(part.graph, err)
	}
	s.texts = f.texts
	if first {
		s.arena = append(f.arena, 0) // so that a span of nothing but a size is among what is given
		s.given = len(s.arena)
		f.arena = s.arena
		s.knowFaults(f.faults)
	}
	s.pending = s.pending[:0]
	for i, o := range part.outs {
		out[i] = s.keep(f, f.slots[part.at[i]], Slot{o.Kind, o.Layout})
	}
	s.arena = append(f.arena[:len(s.arena)], s.pending...)
	if len(s.arena) > maxStage {
		return ErrStage
	}
	return nil
}

// knowFaults lets faults stay under their numbers: elements of spans that stay name them.
func (s *Stage) knowFaults(faults []fault) {
	s.faults = slices.Clone(faults)
	for i, x := range slices.Backward(faults) {
		s.indices[x] = int64(i) + 1
	}
}

// keep lets a value outlive its frame.
func (s *Stage) keep(f *vmFrame, bits int64, is Slot) int64 {
	switch {
	case is.Kind == plan.Fault:
		return s.keepFault(f, bits)
	case is.Kind != plan.List && is.Kind != plan.Map || int(bits>>32) < s.given && size(bits) > 0:
		return bits
	case size(bits) == 0:
		return 0
	case is.Layout == nil:
		panic("runtime: a span of unknown layout outlives its part")
	}
	return s.keepSpan(f, bits, is.Layout)
}

// keepFault numbers a fault anew, equal ones alike.
func (s *Stage) keepFault(f *vmFrame, bits int64) int64 {
	if bits == 0 {
		return 0
	}
	x := f.faults[bits-1]
	i, ok := s.indices[x]
	if !ok {
		s.faults = append(s.faults[:len(s.faults):len(s.faults)], x)
		i = int64(len(s.faults))
		s.indices[x] = i
	}
	return i
}

func (s *Stage) keepSpan(f *vmFrame, bits int64, l *Layout) int64 {
	from := len(s.slots)
	s.slots = append(s.slots, f.elems(bits, l.Stride)...)
	for i := range len(s.slots) - from {
		if l.Slots != nil {
			kept := s.keep(f, s.slots[from+i], l.Slots[i%l.Stride]) // which may move the slots
			s.slots[from+i] = kept
		}
	}
	at := s.stay(s.slots[from:], int(size(bits)))
	s.slots = s.slots[:from]
	return at
}

// stay is the span of n elements that stays; equal ones are one.
func (s *Stage) stay(slots []int64, n int) int64 {
	s.key = binary.AppendVarint(s.key[:0], int64(n))
	for _, v := range slots {
		s.key = binary.AppendVarint(s.key, v)
	}
	if at, ok := s.spans[string(s.key)]; ok {
		return at
	}
	at := span(len(s.arena)+len(s.pending), n)
	s.pending = append(s.pending, slots...)
	s.spans[string(s.key)] = at
	return at
}

// List is a list of ints, as a slot.
func (s *Stage) List(values []int64) int64 {
	s.pending = s.pending[:0]
	at := s.stay(values, len(values))
	s.arena = append(s.arena, s.pending...)
	return at
}

// Kept is what the slots that a stage gave name. It does not change when the stage goes on or is reset.
type Kept struct{ frame vmFrame }

// Kept is what the stage keeps now.
func (s *Stage) Kept() *Kept {
	return &Kept{vmFrame{image: s.program.image, arena: s.arena, faults: s.faults, texts: s.texts}}
}

// Value reads a value of the graph from slots by node.
func (k *Kept) Value(g *plan.Graph, v *plan.Value, slot func(plan.ID) int64) (Value, *Failure) {
	x, fault := k.frame.value(v, slot)
	if fault != 0 {
		return Value{}, k.frame.failure(g, fault)
	}
	if bad := notANumber(x); bad != "" {
		return Value{}, &Failure{Msg: "the value is " + bad + ", not a number"}
	}
	return x, nil
}

// Impossible says why dice cannot be rolled: their fault, their faces, or how many of them.
func (s *Stage) Impossible(g *plan.Graph, die int, faces, count, slot int64) *Failure {
	f := &vmFrame{image: s.program.image, faults: s.faults[:len(s.faults):len(s.faults)], texts: s.texts}
	if slot == 0 {
		why, a, b := impossible(&g.Dice[die], faces, count)
		if why == possible {
			return nil
		}
		slot = f.fail(int32(die), why, a, b)
	}
	return f.failure(g, slot)
}

// Options are the values that are played under a choice, by index, of all options of the plan.
func (p *Program) Options(c Choice) ([]int, error) { return p.options(c) }

// IntValue is an int as a value.
func IntValue(n int64) Value { return Value{kind: plan.Int, bits: n} }

// At is a procedure as it is in a state, whatever led there: its status and outputs are judged.
func (d *Procedure) At(character, input, state []byte) (*Play, error) {
	p := &Play{procedure: d, Character: compact(character), Input: compact(input), State: compact(state)}
	return p, p.close()
}
