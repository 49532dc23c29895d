package vm

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// executeList executes an instruction on lists and maps, the last kinds of operations.
func executeList(f *Frame, w *schedule.Instruction, pool []uint16) {
	s := f.slots
	switch w.Op {
	case plan.OpNewSpan:
		s[w.D] = makeList(f, s[w.A], int64(w.Imm))
	case plan.OpConcat:
		s[w.D] = concatLists(f, s[w.A], s[w.B], f.strideAt(int64(w.Imm)))
	case plan.OpSlice:
		s[w.D] = sliceList(f, s[w.A], s[w.B], s[w.C], f.strideAt(int64(w.Imm)))
	case plan.OpSliceFault:
		s[w.D] = faultOfSlice(f, w)
	case plan.OpRange:
		s[w.D] = makeRange(f, s[w.A], s[w.B])
	case plan.OpRangeFault:
		s[w.D] = faultOfRange(f, w)
	case plan.OpSort:
		s[w.D] = sortList(f, s[w.A], f.typeAt(int64(w.Imm)).Elem.Kind)
	case plan.OpSortBy:
		s[w.D] = sortListBy(f, s[w.A], s[w.B], f.strideAt(int64(w.C)), f.typeAt(int64(w.Imm)).Elem.Kind)
	case plan.OpSumInt:
		s[w.D], _ = sumInts(f, s[w.A])
	case plan.OpSumIntFault:
		_, overflows := sumInts(f, s[w.A])
		s[w.D] = FaultIf(f, overflows, w.Imm, Overflow)
	case plan.OpSumDouble:
		s[w.D] = sumDoubles(f, s[w.A])
	case plan.OpLeast:
		s[w.D] = leastElement(f, s[w.A], f.typeAt(int64(w.Imm)).Elem.Kind)
	case plan.OpGreatest:
		s[w.D] = greatestElement(f, s[w.A], f.typeAt(int64(w.Imm)).Elem.Kind)
	case plan.OpHas:
		s[w.D] = builtin.Bool(hasElement(f, s[w.A], s[w.B], f.typeAt(int64(w.Imm)).Elem.Kind))
	case plan.OpEqual:
		s[w.D] = builtin.Bool(equalValues(f, f.typeAt(int64(w.Imm)), s[w.A], s[w.B]))
	case plan.OpFind:
		s[w.D] = FindKey(f, s[w.A], s[w.B], f.strideAt(int64(w.Imm)))
	case plan.OpFindFault:
		s[w.D] = faultOfKey(f, w)
	case plan.OpWith:
		s[w.D] = withEntry(f, w, pool)
	case plan.OpKeys:
		s[w.D] = listKeys(f, s[w.A], f.strideAt(int64(w.Imm)))
	case plan.OpPour:
		s[w.D] = pourAmount(f, s[w.A], s[w.B])
	case plan.OpCounts:
		s[w.D] = countElements(f, s[w.A], s[w.B], s[w.C])
	case plan.OpCountsFault:
		s[w.D] = faultOfCounts(f, w)
	case plan.OpPourFault:
		s[w.D] = FaultIf(f, s[w.A] < 0 || leastElement(f, s[w.B], plan.Int) < 0, w.Imm, negativePour)
	default:
		panic(unknownOperation(w.Op))
	}
}

// makeList returns an empty span with room for so many elements.
func makeList(f *Frame, most, stride int64) int64 {
	most = max(0, min(most, plan.MaxWork+1))
	at, _ := f.reserve(most * stride)
	return SpanOf(at, 0)
}

// pushElement writes an element behind the others, where newSpan has left room.
func pushElement(f *Frame, w *schedule.Instruction, pool []uint16) {
	list := f.slots[w.A]
	if f.slots[w.B] == 0 {
		f.slots[w.D] = list
		return
	}
	stride := int64(w.C)
	at := list>>32 + SpanSize(list)*stride
	for k, from := range pool[w.Imm:][:stride] {
		if to := at + int64(k); uint64(to) < uint64(len(f.arena)) {
			f.arena[to] = f.slots[from]
		}
	}
	f.slots[w.D] = list + 1
}

func concatLists(f *Frame, a, b int64, stride int) int64 {
	n := SpanSize(a) + SpanSize(b)
	at, out := f.reserve(n * int64(stride))
	if out == nil {
		return 0
	}
	copied := copy(out, f.Elements(a, stride))
	copy(out[copied:], f.Elements(b, stride))
	return SpanOf(at, int(n))
}

// hasSlice reports whether a list has a slice.
func hasSlice(list, from, to int64) bool { return 0 <= from && from <= to && to <= SpanSize(list) }

// sliceList returns a part of a list; it stands where the list stands.
func sliceList(f *Frame, list, from, to int64, stride int) int64 {
	if !hasSlice(list, from, to) {
		return 0
	}
	return list&^(1<<32-1) + (from*int64(stride))<<32 + (to - from)
}

func faultOfSlice(f *Frame, w *schedule.Instruction) int64 {
	from, to := f.slots[w.B], f.slots[w.C]
	if hasSlice(f.slots[w.A], from, to) {
		return 0
	}
	return f.addFault(w.Imm, noSlice, from, to)
}

// isTooLong reports whether a range has more elements than may be.
func isTooLong(from, to int64) bool { return from < to && uint64(to-from) > plan.MaxRange }

func makeRange(f *Frame, from, to int64) int64 {
	if from >= to || isTooLong(from, to) {
		return 0
	}
	at, out := f.reserve(to - from)
	for i := range out {
		out[i] = from + int64(i)
	}
	return SpanOf(at, len(out))
}

func faultOfRange(f *Frame, w *schedule.Instruction) int64 {
	from, to := f.slots[w.A], f.slots[w.B]
	if !isTooLong(from, to) {
		return 0
	}
	return f.addFault(w.Imm, longRange, from, to)
}

// compareScalars compares two scalars: numbers and truths by value, NaN before all others, strings by their bytes.
func compareScalars(f *Frame, kind plan.Kind, a, b int64) int {
	switch kind {
	case plan.Double:
		return cmp.Compare(builtin.Double(a), builtin.Double(b))
	case plan.String:
		return strings.Compare(f.Text(a), f.Text(b))
	}
	return cmp.Compare(a, b)
}

// chargeSort counts the comparisons of a sort.
func chargeSort(f *Frame, n int) { f.chargeWork(int64(n) * int64(bits.Len(uint(n)))) }

func sortList(f *Frame, list int64, kind plan.Kind) int64 {
	at, out := f.reserve(SpanSize(list))
	if chargeSort(f, len(out)); f.work < 0 {
		return 0
	}
	copy(out, f.Elements(list, 1))
	slices.SortStableFunc(out, func(a, b int64) int { return compareScalars(f, kind, a, b) })
	return SpanOf(at, len(out))
}

func sortListBy(f *Frame, list, keys int64, stride int, kind plan.Kind) int64 {
	f.keys = f.keys[:0]
	for i, key := range f.Elements(keys, 1) {
		f.keys = append(f.keys, sortKey{key, i})
	}
	at, out := f.reserve(SpanSize(list) * int64(stride))
	if chargeSort(f, len(f.keys)); f.work < 0 {
		return 0
	}
	slices.SortStableFunc(f.keys, func(a, b sortKey) int { return compareScalars(f, kind, a.key, b.key) })
	in := f.Elements(list, stride)
	for i, k := range f.keys[:min(len(f.keys), int(SpanSize(list)))] {
		copy(out[i*stride:(i+1)*stride], in[min(k.at*stride, len(in)):])
	}
	return SpanOf(at, int(SpanSize(list)))
}

// readElements returns the elements of a list of scalars; reading them all is work.
func readElements(f *Frame, list int64) []int64 {
	f.chargeWork(SpanSize(list) / 8)
	return f.Elements(list, 1)
}

func sumInts(f *Frame, list int64) (sum int64, overflows bool) {
	for _, v := range readElements(f, list) {
		overflows = overflows || builtin.AddOverflows(sum, v)
		sum += v
	}
	return sum, overflows
}

func sumDoubles(f *Frame, list int64) int64 {
	sum := 0.0
	for _, v := range readElements(f, list) {
		sum += builtin.Double(v)
	}
	return builtin.Bits(sum)
}

// leastElement returns the least element; 0 of an empty list.
func leastElement(f *Frame, list int64, kind plan.Kind) int64 {
	return bestElement(f, list, func(a, b int64) bool {
		if kind == plan.Double {
			return builtin.Double(b) < builtin.Double(a)
		}
		return b < a
	})
}

func greatestElement(f *Frame, list int64, kind plan.Kind) int64 {
	return bestElement(f, list, func(a, b int64) bool {
		if kind == plan.Double {
			return builtin.Double(b) > builtin.Double(a)
		}
		return b > a
	})
}

// bestElement returns the first element that no later one beats.
func bestElement(f *Frame, list int64, beaten func(a, by int64) bool) int64 {
	all := readElements(f, list)
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

func hasElement(f *Frame, list, v int64, kind plan.Kind) bool {
	all := readElements(f, list)
	if kind != plan.Double {
		return slices.Contains(all, v)
	}
	return slices.ContainsFunc(all, func(x int64) bool { return builtin.Double(x) == builtin.Double(v) })
}

// equalValues reports whether two values of one slot are equal: NaN equals nothing, lists are compared in order, maps,
// which are sorted, entry by entry.
func equalValues(f *Frame, t *plan.Type, a, b int64) bool {
	switch t.Kind {
	case plan.Double:
		return builtin.Double(a) == builtin.Double(b)
	case plan.List, plan.Map:
		return SpanSize(a) == SpanSize(b) && equalElements(f, t, a, b)
	}
	return a == b
}

func equalElements(f *Frame, t *plan.Type, a, b int64) bool {
	stride := t.Stride()
	x, y := f.Elements(a, stride), f.Elements(b, stride)
	f.chargeWork(int64(len(x) / 8))
	for ; len(x) >= stride && len(y) >= stride && len(x) > 0 && f.work >= 0; x, y = x[stride:], y[stride:] {
		if !equalEntries(f, t, x, y) {
			return false
		}
	}
	return true
}

func equalEntries(f *Frame, t *plan.Type, x, y []int64) bool {
	if t.Kind == plan.Map {
		return x[0] == y[0] && equalLayouts(f, t.Elem, x[1:], y[1:])
	}
	return equalLayouts(f, t.Elem, x, y)
}

// equalLayouts compares two values in their layout.
func equalLayouts(f *Frame, t *plan.Type, x, y []int64) bool {
	if t.Kind != plan.Record {
		return equalValues(f, t, x[0], y[0])
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
		if there && !equalLayouts(f, field.Type, x[at:], y[at:]) {
			return false
		}
		at += field.Type.Slots()
	}
	return true
}

// FindKey returns the number of a key's entry in a map, -1 when there is none.
func FindKey(f *Frame, m, key int64, stride int) int64 {
	f.chargeWork(SpanSize(m) / 8)
	all := f.Elements(m, stride)
	for i := 0; i < len(all); i += stride {
		if all[i] == key {
			return int64(i / stride)
		}
	}
	return -1
}

func faultOfKey(f *Frame, w *schedule.Instruction) int64 {
	m, key, t := f.slots[w.A], f.slots[w.B], f.typeAt(int64(w.C))
	if FindKey(f, m, key, t.Stride()) >= 0 {
		return 0
	}
	return f.addFault(w.Imm, faultKindOfKey(t.Key), key, 0)
}

// faultKindOfKey says that a map has not a key of a kind.
func faultKindOfKey(kind plan.Kind) FaultKind {
	switch kind {
	case plan.Int:
		return noIntKey
	case plan.Bool:
		return noBoolKey
	}
	return noTextKey
}

// withEntry returns a map with another value under a key.
func withEntry(f *Frame, w *schedule.Instruction, pool []uint16) int64 {
	m, key, t := f.slots[w.A], f.slots[w.B], f.typeAt(int64(w.C))
	stride := t.Stride()
	before := countKeysBefore(f, m, key, stride, t.Key)
	after := before
	if FindKey(f, m, key, stride) >= 0 {
		after++
	}
	n := int(SpanSize(m)) + 1 - (after - before)
	at, out := f.reserve(int64(n * stride))
	old := f.Elements(m, stride)
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
	return SpanOf(at, n)
}

// countKeysBefore returns how many keys of a map stand before a key.
func countKeysBefore(f *Frame, m, key int64, stride int, kind plan.Kind) (n int) {
	all := f.Elements(m, stride)
	for i := 0; i < len(all) && compareScalars(f, kind, all[i], key) < 0; i += stride {
		n++
	}
	return n
}

func listKeys(f *Frame, m int64, stride int) int64 {
	at, out := f.reserve(SpanSize(m))
	all := f.Elements(m, stride)
	for i := range min(len(out), len(all)/stride) {
		out[i] = all[i*stride]
	}
	return SpanOf(at, len(out))
}

// pourAmount returns the share of each capacity in an amount that fills them in order.
func pourAmount(f *Frame, amount, capacities int64) int64 {
	at, out := f.reserve(SpanSize(capacities))
	all := f.Elements(capacities, 1)
	for i := range min(len(out), len(all)) {
		out[i] = max(0, min(amount, all[i]))
		amount -= out[i]
	}
	return SpanOf(at, len(out))
}

// countElements returns the list of how often each integer of a range stands in a list; empty for a range that is too long.
func countElements(f *Frame, list, lo, hi int64) int64 {
	if lo > hi || hi-lo < 0 || hi-lo >= plan.MaxRange {
		return 0
	}
	at, out := f.reserve(hi - lo + 1)
	builtin.CountInts(out, readElements(f, list), lo)
	return SpanOf(at, len(out))
}

func faultOfCounts(f *Frame, w *schedule.Instruction) int64 {
	lo, hi := f.slots[w.B], f.slots[w.C]
	if lo > hi || hi-lo >= 0 && hi-lo < plan.MaxRange {
		return 0
	}
	return f.addFault(w.Imm, longRange, lo, hi)
}
