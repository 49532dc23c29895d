package vm

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Fragment is a part of a graph, or a graph made of parts of another, that is executed by itself. It rolls nothing.
type Fragment struct {
	graph *plan.Graph
	code  *schedule.Code
	outs  []layoutSlot
	at    []int32 // the slots of outs
	// scalars says that every output is a number, a truth value or a string, which stays as it is.
	scalars bool
}

// A FragmentOutput is a value of a fragment that outlives its execution.
type FragmentOutput struct {
	ID   plan.ID
	Kind plan.Kind
	List *plan.Type // of a list or a map, as plan.ListTypes derives it
}

// A layout says what the slots of an element are. A list or a map without one must be among the values that an executor
// began with, or empty.
type layout struct {
	stride int
	slots  []layoutSlot // nil when all are scalars
}

// A layoutSlot is one of an element: a list or a map when layout is set, otherwise of the kind; the zero layoutSlot is a
// scalar.
type layoutSlot struct {
	kind   plan.Kind
	layout *layout
}

// layoutOf returns the layout of the elements of a list or a map.
func layoutOf(t *plan.Type) *layout {
	if t == nil {
		return nil
	}
	out := &layout{stride: t.Stride()}
	if t.Kind == plan.Map {
		out.slots = append(out.slots, layoutSlot{})
	}
	out.slots = appendLayout(out.slots, t.Elem)
	if !slices.ContainsFunc(out.slots, func(s layoutSlot) bool { return s.kind != plan.Invalid }) {
		out.slots = nil
	}
	return out
}

// appendLayout appends the slots of a type.
func appendLayout(out []layoutSlot, t *plan.Type) []layoutSlot {
	switch t.Kind {
	case plan.List, plan.Map:
		return append(out, layoutSlot{t.Kind, layoutOf(t)})
	case plan.Record:
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Optional {
				out = append(out, layoutSlot{})
			}
			if f.Fallible {
				out = append(out, layoutSlot{kind: plan.Fault})
			}
			out = appendLayout(out, f.Type)
		}
		return out
	}
	return append(out, layoutSlot{})
}

// NewFragment schedules a fragment for the values of the plan's options. Its leaves name slots of the roots, which have
// so many of them.
func NewFragment(m *Image, g *plan.Graph, values []int, roots [plan.NumRoots]int, outs []FragmentOutput) (*Fragment,
	error) {
	code, err := schedule.Make(m.plan, g, schedule.Options{Values: values, Without: withoutBounds(), Roots: roots})
	if err != nil {
		return nil, err
	}
	m.PrepareTables(code)
	out := &Fragment{graph: g, code: code, scalars: true}
	for _, o := range outs {
		if o.Kind == plan.List || o.Kind == plan.Map || o.Kind == plan.Fault {
			out.scalars = false
		}
		slot, ok := code.Slot(o.ID)
		if !ok {
			return nil, errors.New("vm: a fragment does not compute what it gives")
		}
		out.outs, out.at = append(out.outs, layoutSlot{o.Kind, layoutOf(o.List)}), append(out.at, slot)
	}
	return out, nil
}

// Base returns the first slot of a root.
func (x *Fragment) Base(r plan.Root) int { return int(x.code.Base[r]) }

// withoutBounds returns the passes that a fragment must do without: those that rely on the bounds of a rule's own input. A
// fragment's leaves are nodes in the middle of a rule, for which no schema gives an interval. So only the four passes that
// are named here run.
func withoutBounds() []string {
	return slices.DeleteFunc(schedule.PassNames(), func(name string) bool {
		return name == "fold" || name == "share" || name == "dead" || name == "overwrite"
	})
}

// An Executor executes fragments one after the other, which hand values on to each other as slots: lists and strings that
// fragments have given stay where they are as long as the executor is not reset, and equal ones are the same slot
// (hash-consing), so that states are compared slot by slot. It serves one goroutine at a time.
type Executor struct {
	image    *Image
	frames   map[*Fragment]*Frame
	fragment *Fragment // that was executed last, and its frame
	latest   *Frame
	arena    []int64 // what stays
	given    int     // of arena: what is there from the beginning
	pending  []int64 // what will stay once the fragment has given everything
	slots    []int64 // of the lists that are being kept, one within the other
	spans    map[string]int64
	faults   []fault
	indices  map[fault]int64
	texts    []string
	symbols  map[string]int64
	key      []byte
	long     int64
	lasting  bool // nothing but the constants of the plan is given: all else is kept by what it holds
	begun    int  // slots of the arena that earlier questions have kept
	unknown  bool // a list of unknown layout would have had to be kept
}

// MaxKeptSlots bounds the slots of the lists that an executor keeps.
const MaxKeptSlots = 1 << 24

// shortFragment is how many instructions of one execution are not counted as long.
const shortFragment = 1 << 10

// LongWork returns how many instructions were executed beyond the first thousand of each execution: the work of fragments
// that are long.
func (s *Executor) LongWork() int64 { return s.long }

// ErrMemory says that the lists of an executor take too much memory.
var ErrMemory = errors.New("the lists that the dice lead to take too much memory")

// ErrLayout says that an executor that proceeds from question to question meets a list or a map of which it does not know
// how it is made. After a Restart it can stay where it is.
var ErrLayout = errors.New("a list of unknown layout cannot outlive a question")

// NewExecutor returns an executor that has executed nothing.
func NewExecutor(m *Image) *Executor {
	s := &Executor{image: m, frames: map[*Fragment]*Frame{}, spans: map[string]int64{}, indices: map[fault]int64{},
		symbols: map[string]int64{}}
	s.Reset()
	return s
}

// Reset makes the executor as it was before anything was executed. Frames of a Snapshot stay as they are.
func (s *Executor) Reset() {
	s.restartIn(make([]int64, 0, max(cap(s.arena), len(s.image.plan.Consts))))
}

// Restart is Reset for a caller that has kept no Snapshot: the memory of the lists is used again.
func (s *Executor) Restart() { s.restartIn(s.arena[:0]) }

// restartIn begins anew with an empty arena. Spans, faults and symbols are numbers into the dropped arena, so all that
// remembers them is dropped with it.
func (s *Executor) restartIn(arena []int64) {
	s.arena = append(arena, s.image.plan.Consts...)
	s.given, s.long, s.faults, s.texts = 0, 0, nil, nil
	clear(s.spans)
	clear(s.indices)
	clear(s.symbols)
	s.lasting, s.begun, s.unknown = false, 0, false
}

// Proceed is Restart for a question that shares the memory of the ones before it: equal lists, strings and faults are the
// same slots in all of them. It reports false if there was too much of that, and the executor has forgotten it.
func (s *Executor) Proceed() bool {
	const most = 1 << 18 // slots, strings or faults
	if !s.lasting || max(len(s.arena), len(s.texts), len(s.faults)) > most {
		s.Restart()
		s.arena = append(s.arena, 0) // as in finish, for spans of nothing but a size
		s.lasting, s.given, s.begun = true, len(s.arena), len(s.arena)
		return false
	}
	s.long, s.begun = 0, len(s.arena)
	return true
}

// Begin executes the first fragment on the frame that fill has written the records into. The whole frame stays, or only the
// results of the fragment when the executor proceeds from question to question. It returns a *Refused or a *Failure that
// ends the evaluation.
func (s *Executor) Begin(x *Fragment, fill func(*Frame) error, out []int64) error {
	f := s.frame(x)
	if err := fill(f); err != nil {
		return err
	}
	return s.finish(f, x, out, !s.lasting)
}

// Run executes a fragment whose only root is the input. It gives a *Refused or a *Failure when that ends the evaluation.
func (s *Executor) Run(x *Fragment, in, out []int64) error {
	f := s.frame(x)
	copy(f.slots[x.Base(plan.InputRoot):], in)
	return s.finish(f, x, out, false)
}

// frame returns the frame of a fragment, in the memory of the executor.
func (s *Executor) frame(x *Fragment) *Frame {
	f := s.latest
	if x != s.fragment {
		if f = s.frames[x]; f == nil {
			f = NewFrame(s.image, x.code)
			s.frames[x] = f
		}
		s.fragment, s.latest = x, f
	}
	f.arena, f.faults, f.texts, f.symbols = s.arena, s.faults, s.texts, s.symbols
	return f
}

// finish executes the fragment and takes its results. All that the first fragment made stays as it is.
func (s *Executor) finish(f *Frame, x *Fragment, out []int64, first bool) error {
	err := Run(f, x.code, nil)
	s.long += max(0, plan.MaxWork-f.work-shortFragment)
	s.texts = f.texts // also of what has ended: they have their symbols
	if err != nil {
		return Explain(f, x.graph, err)
	}
	if first {
		s.arena = append(f.arena, 0) // so that a span of nothing but a size is among what is given
		s.given = len(s.arena)
		f.arena = s.arena
		s.knowFaults(f.faults)
	}
	if x.scalars {
		for i, slot := range x.at {
			out[i] = f.slots[slot]
		}
		s.arena = f.arena[:len(s.arena)] // whose memory may have grown
		return nil
	}
	s.pending = s.pending[:0]
	for i, o := range x.outs {
		out[i] = s.keep(f, f.slots[x.at[i]], o)
	}
	s.arena = append(f.arena[:len(s.arena)], s.pending...)
	switch {
	case len(s.arena)-s.begun > MaxKeptSlots:
		return ErrMemory
	case s.unknown:
		s.unknown = false
		return ErrLayout
	}
	return nil
}

// knowFaults lets faults stay under their numbers: elements of spans that stay name them.
func (s *Executor) knowFaults(faults []fault) {
	s.faults = slices.Clone(faults)
	for i, x := range slices.Backward(faults) {
		s.indices[x] = int64(i) + 1
	}
}

// keep lets a value outlive its frame. Numbers do as they are. A fault is a number into the frame's faults, and a span one
// into its arena, and both are cut back before the next fragment runs: so they are copied and numbered anew, equal ones
// alike. Then two states of a network are equal exactly when their slots are, and the engine of odds may use slots as keys.
// All empty lists are 0, wherever they began.
func (s *Executor) keep(f *Frame, bits int64, is layoutSlot) int64 {
	switch {
	case is.kind == plan.Fault:
		return s.keepFault(f, bits)
	case is.kind != plan.List && is.kind != plan.Map || int(bits>>32) < s.given && SpanSize(bits) > 0:
		return bits
	case SpanSize(bits) == 0:
		return 0
	case is.layout == nil:
		if !s.lasting {
			panic("a span of unknown layout outlives its fragment")
		}
		s.unknown = true
		return 0
	}
	return s.keepSpan(f, bits, is.layout)
}

// keepFault numbers a fault anew, equal ones alike.
func (s *Executor) keepFault(f *Frame, bits int64) int64 {
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

// keepSpan keeps the elements first and then the list of them, so that lists within are already numbers that tell whether
// they are equal. slots is a stack for that: a list within uses the end of it and cuts it back.
func (s *Executor) keepSpan(f *Frame, bits int64, l *layout) int64 {
	from := len(s.slots)
	s.slots = append(s.slots, f.Elements(bits, l.stride)...)
	for i := range len(s.slots) - from {
		if l.slots != nil {
			kept := s.keep(f, s.slots[from+i], l.slots[i%l.stride]) // which may move the slots
			s.slots[from+i] = kept
		}
	}
	at := s.stay(s.slots[from:], int(SpanSize(bits)))
	s.slots = s.slots[:from]
	return at
}

// stay returns the span of n elements that stays; equal ones are one. New slots wait in pending, behind the arena that
// fragments still write to: finish appends them once all outputs have been read from there. Offsets count both.
func (s *Executor) stay(slots []int64, n int) int64 {
	s.key = binary.AppendVarint(s.key[:0], int64(n))
	for _, v := range slots {
		s.key = binary.AppendVarint(s.key, v)
	}
	if at, ok := s.spans[string(s.key)]; ok {
		return at
	}
	at := SpanOf(len(s.arena)+len(s.pending), n)
	s.pending = append(s.pending, slots...)
	s.spans[string(s.key)] = at
	return at
}

// List returns a list of ints, as a slot.
func (s *Executor) List(values []int64) int64 {
	s.pending = s.pending[:0]
	at := s.stay(values, len(values))
	s.arena = append(s.arena, s.pending...)
	return at
}

// Show lets a frame without slots resolve the spans, strings and faults of slots that the executor has given, until that
// goes on or is reset.
func (s *Executor) Show(f *Frame) {
	f.image, f.arena, f.faults, f.texts = s.image, s.arena, s.faults, s.texts
}

// Snapshot returns a frame without slots that resolves the spans, strings and faults of slots that the executor has given.
// It does not change when the executor goes on or is reset.
func (s *Executor) Snapshot() *Frame {
	return &Frame{image: s.image, arena: s.arena, faults: s.faults, texts: s.texts}
}

// Impossible says why dice cannot be rolled: their fault, their faces, or how many of them.
func (s *Executor) Impossible(g *plan.Graph, die int, faces, count, slot int64) *Failure {
	f := &Frame{image: s.image, faults: s.faults[:len(s.faults):len(s.faults)], texts: s.texts}
	if slot == 0 {
		why, a, b := impossible(&g.Dice[die], faces, count)
		if why == possible {
			return nil
		}
		slot = f.addFault(int32(die), why, a, b)
	}
	return FailureOf(f, g, slot)
}
