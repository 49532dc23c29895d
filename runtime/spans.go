package runtime

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// spans executes a word on lists and maps.
func (f *vmFrame) spans(w *schedule.Word, pool []uint16) {
	s := f.slots
	switch w.Op {
	case plan.OpNewSpan:
		s[w.D] = f.newSpan(s[w.A], int64(w.Imm))
	case plan.OpConcat:
		s[w.D] = f.concat(s[w.A], s[w.B], f.typ(int64(w.Imm)).Stride())
	case plan.OpSlice:
		s[w.D] = f.slice(s[w.A], s[w.B], s[w.C], f.typ(int64(w.Imm)).Stride())
	case plan.OpSliceFault:
		s[w.D] = f.sliceFault(w)
	case plan.OpRange:
		s[w.D] = f.integers(s[w.A], s[w.B])
	case plan.OpRangeFault:
		s[w.D] = f.rangeFault(w)
	case plan.OpSort:
		s[w.D] = f.sort(s[w.A], f.typ(int64(w.Imm)).Elem.Kind)
	case plan.OpSortBy:
		s[w.D] = f.sortBy(s[w.A], s[w.B], f.typ(int64(w.C)).Stride(), f.typ(int64(w.Imm)).Elem.Kind)
	case plan.OpSumInt:
		s[w.D], _ = f.sumInt(s[w.A])
	case plan.OpSumIntFault:
		_, overflows := f.sumInt(s[w.A])
		s[w.D] = f.when(overflows, w.Imm, overflow)
	case plan.OpSumDouble:
		s[w.D] = f.sumDouble(s[w.A])
	case plan.OpLeast:
		s[w.D] = f.least(s[w.A], f.typ(int64(w.Imm)).Elem.Kind)
	case plan.OpGreatest:
		s[w.D] = f.greatest(s[w.A], f.typ(int64(w.Imm)).Elem.Kind)
	case plan.OpHas:
		s[w.D] = builtin.Bool(f.has(s[w.A], s[w.B], f.typ(int64(w.Imm)).Elem.Kind))
	case plan.OpEqual:
		s[w.D] = builtin.Bool(f.equal(f.typ(int64(w.Imm)), s[w.A], s[w.B]))
	case plan.OpFind:
		s[w.D] = f.find(s[w.A], s[w.B], f.typ(int64(w.Imm)).Stride())
	case plan.OpFindFault:
		s[w.D] = f.findFault(w)
	case plan.OpWith:
		s[w.D] = f.with(w, pool)
	case plan.OpKeys:
		s[w.D] = f.keysOf(s[w.A], f.typ(int64(w.Imm)).Stride())
	case plan.OpPour:
		s[w.D] = f.pour(s[w.A], s[w.B])
	case plan.OpCounts:
		s[w.D] = f.counts(s[w.A], s[w.B], s[w.C])
	case plan.OpCountsFault:
		s[w.D] = f.countsFault(w)
	case plan.OpPourFault:
		s[w.D] = f.when(s[w.A] < 0 || f.least(s[w.B], plan.Int) < 0, w.Imm, negativePour)
	default:
		panic(unknown(w.Op))
	}
}

// newSpan is an empty span with room for so many elements.
func (f *vmFrame) newSpan(most, stride int64) int64 {
	most = max(0, min(most, plan.MaxWork+1))
	at, _ := f.room(most * stride)
	return span(at, 0)
}

// push writes an element behind the others, where newSpan has left room.
func (f *vmFrame) push(w *schedule.Word, pool []uint16) {
	list := f.slots[w.A]
	if f.slots[w.B] == 0 {
		f.slots[w.D] = list
		return
	}
	stride := int64(w.C)
	at := list>>32 + size(list)*stride
	for k, from := range pool[w.Imm:][:stride] {
		if to := at + int64(k); uint64(to) < uint64(len(f.arena)) {
			f.arena[to] = f.slots[from]
		}
	}
	f.slots[w.D] = list + 1
}

func (f *vmFrame) concat(a, b int64, stride int) int64 {
	n := size(a) + size(b)
	at, out := f.room(n * int64(stride))
	if out == nil {
		return 0
	}
	copied := copy(out, f.elems(a, stride))
	copy(out[copied:], f.elems(b, stride))
	return span(at, int(n))
}

// within reports whether a list has a slice.
func within(list, from, to int64) bool { return 0 <= from && from <= to && to <= size(list) }

// slice is a part of a list; it stands where the list stands.
func (f *vmFrame) slice(list, from, to int64, stride int) int64 {
	if !within(list, from, to) {
		return 0
	}
	return list&^(1<<32-1) + (from*int64(stride))<<32 + (to - from)
}

func (f *vmFrame) sliceFault(w *schedule.Word) int64 {
	from, to := f.slots[w.B], f.slots[w.C]
	if within(f.slots[w.A], from, to) {
		return 0
	}
	return f.fail(w.Imm, noSlice, from, to)
}

// tooLong reports whether a range has more elements than may be.
func tooLong(from, to int64) bool { return from < to && uint64(to-from) > plan.MaxRange }

func (f *vmFrame) integers(from, to int64) int64 {
	if from >= to || tooLong(from, to) {
		return 0
	}
	at, out := f.room(to - from)
	for i := range out {
		out[i] = from + int64(i)
	}
	return span(at, len(out))
}

func (f *vmFrame) rangeFault(w *schedule.Word) int64 {
	from, to := f.slots[w.A], f.slots[w.B]
	if !tooLong(from, to) {
		return 0
	}
	return f.fail(w.Imm, longRange, from, to)
}

// order compares two scalars: numbers and truths by value, NaN before all others, strings by their bytes.
func (f *vmFrame) order(kind plan.Kind, a, b int64) int {
	switch kind {
	case plan.Double:
		return cmp.Compare(builtin.Double(a), builtin.Double(b))
	case plan.String:
		return strings.Compare(f.text(a), f.text(b))
	}
	return cmp.Compare(a, b)
}

// chargeSort counts the comparisons of a sort.
func (f *vmFrame) chargeSort(n int) { f.charge(int64(n) * int64(bits.Len(uint(n)))) }

func (f *vmFrame) sort(list int64, kind plan.Kind) int64 {
	at, out := f.room(size(list))
	if f.chargeSort(len(out)); f.work < 0 {
		return 0
	}
	copy(out, f.elems(list, 1))
	slices.SortStableFunc(out, func(a, b int64) int { return f.order(kind, a, b) })
	return span(at, len(out))
}

// A keyed is an element that is being sorted.
type keyed struct {
	key int64
	at  int // in the list
}

func (f *vmFrame) sortBy(list, keys int64, stride int, kind plan.Kind) int64 {
	f.keys = f.keys[:0]
	for i, key := range f.elems(keys, 1) {
		f.keys = append(f.keys, keyed{key, i})
	}
	at, out := f.room(size(list) * int64(stride))
	if f.chargeSort(len(f.keys)); f.work < 0 {
		return 0
	}
	slices.SortStableFunc(f.keys, func(a, b keyed) int { return f.order(kind, a.key, b.key) })
	in := f.elems(list, stride)
	for i, k := range f.keys[:min(len(f.keys), int(size(list)))] {
		copy(out[i*stride:(i+1)*stride], in[min(k.at*stride, len(in)):])
	}
	return span(at, int(size(list)))
}

// reads are the elements of a list of scalars; reading them all is work.
func (f *vmFrame) reads(list int64) []int64 {
	f.charge(size(list) / 8)
	return f.elems(list, 1)
}

func (f *vmFrame) sumInt(list int64) (sum int64, overflows bool) {
	for _, v := range f.reads(list) {
		overflows = overflows || builtin.AddOverflows(sum, v)
		sum += v
	}
	return sum, overflows
}

func (f *vmFrame) sumDouble(list int64) int64 {
	sum := 0.0
	for _, v := range f.reads(list) {
		sum += builtin.Double(v)
	}
	return builtin.Bits(sum)
}

// least is the least element; 0 of an empty list.
func (f *vmFrame) least(list int64, kind plan.Kind) int64 {
	return f.best(list, func(a, b int64) bool {
		if kind == plan.Double {
			return builtin.Double(b) < builtin.Double(a)
		}
		return b < a
	})
}

func (f *vmFrame) greatest(list int64, kind plan.Kind) int64 {
	return f.best(list, func(a, b int64) bool {
		if kind == plan.Double {
			return builtin.Double(b) > builtin.Double(a)
		}
		return b > a
	})
}

// best is the first element that no later one beats.
func (f *vmFrame) best(list int64, beaten func(a, by int64) bool) int64 {
	all := f.reads(list)
	if len(all) == 0 {
		return 0
	}
	out := all[0]
	for _, v := range all[1:] {
		if beaten(out, v) {
			out = v
		}
	}
	return out
}

func (f *vmFrame) has(list, v int64, kind plan.Kind) bool {
	all := f.reads(list)
	if kind != plan.Double {
		return slices.Contains(all, v)
	}
	return slices.ContainsFunc(all, func(x int64) bool { return builtin.Double(x) == builtin.Double(v) })
}

// equal reports whether two values of one slot are equal: NaN equals nothing, lists are compared in order, maps, which
// are sorted, entry by entry.
func (f *vmFrame) equal(t *plan.Type, a, b int64) bool {
	switch t.Kind {
	case plan.Double:
		return builtin.Double(a) == builtin.Double(b)
	case plan.List, plan.Map:
		return size(a) == size(b) && f.equalElems(t, a, b)
	}
	return a == b
}

func (f *vmFrame) equalElems(t *plan.Type, a, b int64) bool {
	stride := t.Stride()
	x, y := f.elems(a, stride), f.elems(b, stride)
	f.charge(int64(len(x) / 8))
	for ; len(x) >= stride && len(y) >= stride && len(x) > 0 && f.work >= 0; x, y = x[stride:], y[stride:] {
		if !f.equalEntry(t, x, y) {
			return false
		}
	}
	return true
}

func (f *vmFrame) equalEntry(t *plan.Type, x, y []int64) bool {
	if t.Kind == plan.Map {
		return x[0] == y[0] && f.equalSlots(t.Elem, x[1:], y[1:])
	}
	return f.equalSlots(t.Elem, x, y)
}

// equalSlots compares two values in their layout.
func (f *vmFrame) equalSlots(t *plan.Type, x, y []int64) bool {
	if t.Kind != plan.Record {
		return f.equal(t, x[0], y[0])
	}
	at := 0
	for i := range t.Fields {
		field := &t.Fields[i]
		there := true
		if field.Optional {
			if x[at] != y[at] {
				return false
			}
			there = x[at] != 0
			at++
		}
		if field.Fallible {
			at++
		}
		if there && !f.equalSlots(field.Type, x[at:], y[at:]) {
			return false
		}
		at += field.Type.Slots()
	}
	return true
}

// find is the number of a key's entry in a map, -1 when there is none.
func (f *vmFrame) find(m, key int64, stride int) int64 {
	f.charge(size(m) / 8)
	all := f.elems(m, stride)
	for i := 0; i < len(all); i += stride {
		if all[i] == key {
			return int64(i / stride)
		}
	}
	return -1
}

func (f *vmFrame) findFault(w *schedule.Word) int64 {
	m, key, t := f.slots[w.A], f.slots[w.B], f.typ(int64(w.C))
	if f.find(m, key, t.Stride()) >= 0 {
		return 0
	}
	return f.fail(w.Imm, noKey(t.Key), key, 0)
}

// noKey says that a map has not a key of a kind.
func noKey(kind plan.Kind) faultKind {
	switch kind {
	case plan.Int:
		return noIntKey
	case plan.Bool:
		return noBoolKey
	}
	return noTextKey
}

// with is a map with another value under a key.
func (f *vmFrame) with(w *schedule.Word, pool []uint16) int64 {
	m, key, t := f.slots[w.A], f.slots[w.B], f.typ(int64(w.C))
	stride := t.Stride()
	before := f.before(m, key, stride, t.Key)
	after := before
	if f.find(m, key, stride) >= 0 {
		after++
	}
	n := int(size(m)) + 1 - (after - before)
	at, out := f.room(int64(n * stride))
	old := f.elems(m, stride)
	if out == nil || old == nil {
		return 0
	}
	copy(out, old[:before*stride])
	entry := out[before*stride:]
	entry[0] = key
	for k, from := range pool[w.Imm:][:stride-1] {
		entry[1+k] = f.slots[from]
	}
	copy(entry[stride:], old[after*stride:])
	return span(at, n)
}

// before is how many keys of a map stand before a key.
func (f *vmFrame) before(m, key int64, stride int, kind plan.Kind) (n int) {
	all := f.elems(m, stride)
	for i := 0; i < len(all) && f.order(kind, all[i], key) < 0; i += stride {
		n++
	}
	return n
}

func (f *vmFrame) keysOf(m int64, stride int) int64 {
	at, out := f.room(size(m))
	all := f.elems(m, stride)
	for i := range min(len(out), len(all)/stride) {
		out[i] = all[i*stride]
	}
	return span(at, len(out))
}

// pour is what each capacity gets of an amount that fills them in order.
// counts is the list of how often each integer of a range stands in a list; empty for a range that is too long.
func (f *vmFrame) counts(list, lo, hi int64) int64 {
	if lo > hi || hi-lo < 0 || hi-lo >= plan.MaxRange {
		return 0
	}
	at, out := f.room(hi - lo + 1)
	builtin.CountInts(out, f.reads(list), lo)
	return span(at, len(out))
}

func (f *vmFrame) countsFault(w *schedule.Word) int64 {
	lo, hi := f.slots[w.B], f.slots[w.C]
	if lo > hi || hi-lo >= 0 && hi-lo < plan.MaxRange {
		return 0
	}
	return f.fail(w.Imm, longRange, lo, hi)
}

func (f *vmFrame) pour(amount, capacities int64) int64 {
	at, out := f.room(size(capacities))
	all := f.elems(capacities, 1)
	for i := range min(len(out), len(all)) {
		out[i] = max(0, min(amount, all[i]))
		amount -= out[i]
	}
	return span(at, len(out))
}
