package interval

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Interval bounds what a slot can hold, whatever is given and however the dice fall. It bounds also what a slot holds
// beside a fault: the sum that wrapped, the 0 of a division by 0.
type Interval struct {
	Min, Max  int64      // of an int, a truth, a symbol, a row, a fault; of a list or a map: how many elements it has
	Low, High float64    // of a double that is a number
	NaN       bool       // whether a double may be none
	Words     []int64    // of a symbol: all that it can be, ascending; nil when only Min and Max are known
	Elem      []Interval // of a list or a map: each slot of an element; nil when nothing is known of them
}

// maxWords bounds the symbols that an interval tells apart.
// Sets are joined and compared at each node, so that long ones would cost more than they tell; 512
// is more than the words of any choice.
const maxWords = 512

// anyOfKind returns the interval of a kind of which nothing else is known.
func anyOfKind(k plan.Kind) Interval {
	switch k {
	case plan.Int:
		return Interval{Min: math.MinInt64, Max: math.MaxInt64}
	case plan.Double:
		return Interval{Low: math.Inf(-1), High: math.Inf(1), NaN: true}
	case plan.Bool:
		return Interval{Max: 1}
	case plan.List, plan.Map:
		return Interval{Max: math.MaxUint32}
	}
	return Interval{Max: math.MaxInt64}
}

func intInterval(lo, hi int64) Interval { return Interval{Min: lo, Max: hi} }

func doubleInterval(lo, hi float64) Interval { return Interval{Low: lo, High: hi} }

// constantInterval returns the interval of a constant that is no span.
func constantInterval(k plan.Kind, bits int64) Interval {
	switch k {
	case plan.Double:
		v := math.Float64frombits(uint64(bits))
		if v != v {
			return Interval{NaN: true}
		}
		return doubleInterval(v, v)
	case plan.String:
		return Interval{Min: bits, Max: bits, Words: []int64{bits}}
	}
	return intInterval(bits, bits)
}

// symbolInterval returns the interval of a symbol that is one of a list.
func symbolInterval(list []int64) Interval {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	out := intInterval(list[0], list[len(list)-1])
	if len(list) <= maxWords {
		out.Words = list
	}
	return out
}

// truthInterval returns the interval of a truth that always holds, never holds, or is not known.
func truthInterval(always, never bool) Interval {
	switch {
	case always:
		return intInterval(1, 1)
	case never:
		return intInterval(0, 0)
	}
	return intInterval(0, 1)
}

// Holds reports whether an int, a truth, a symbol or a row can be a value.
func (i Interval) Holds(v int64) bool {
	if i.Words != nil {
		return slices.Contains(i.Words, v)
	}
	return i.Min <= v && v <= i.Max
}

// Single reports whether an int, a truth, a symbol, a row or a fault is always the same.
func (i Interval) Single() bool { return i.Min == i.Max }

// equal reports whether two intervals of a kind are the same.
func (i Interval) equal(j Interval) bool {
	return i.Min == j.Min && i.Max == j.Max && i.Low == j.Low && i.High == j.High && i.NaN == j.NaN &&
		(i.Words == nil) == (j.Words == nil) && slices.Equal(i.Words, j.Words) &&
		(i.Elem == nil) == (j.Elem == nil) && slices.EqualFunc(i.Elem, j.Elem, Interval.equal)
}

// join returns the union of two intervals of a kind.
func (i Interval) join(j Interval) Interval {
	out := Interval{
		Min: min(i.Min, j.Min), Max: max(i.Max, j.Max),
		Low: min(i.Low, j.Low), High: max(i.High, j.High), NaN: i.NaN || j.NaN,
	}
	if i.Words != nil && j.Words != nil {
		out.Words = symbolInterval(slices.Concat(i.Words, j.Words)).Words
	}
	out.Elem = joinElems(i, j)
	return out
}

// joinElems returns the union of the elements of two spans. An empty list says nothing of elements, so that those of the
// other list hold.
func joinElems(i, j Interval) []Interval {
	switch {
	case i.Max == 0:
		return j.Elem
	case j.Max == 0:
		return i.Elem
	case len(i.Elem) != len(j.Elem):
		return nil
	}
	var out []Interval
	for k := range i.Elem {
		out = append(out, i.Elem[k].join(j.Elem[k]))
	}
	return out
}

// widen returns an interval that has grown, and may grow further, with nothing left of the ends that moved. This is the
// widening of Cousot and Cousot, applied to each end: an end that did not move in this round stays. Only ends that grew are
// lost, so a counter from 0 upwards keeps its 0.
func (i Interval) widen(grown Interval, k plan.Kind) Interval {
	all, out := anyOfKind(k), grown
	if grown.Min < i.Min {
		out.Min = all.Min
	}
	if grown.Max > i.Max {
		out.Max = all.Max
	}
	if grown.Low < i.Low {
		out.Low = all.Low
	}
	if grown.High > i.High {
		out.High = all.High
	}
	if !slices.Equal(i.Words, grown.Words) {
		out.Words = nil
	}
	if !slices.EqualFunc(i.Elem, grown.Elem, Interval.equal) {
		out.Elem = nil
	}
	return out
}

// or0 returns an interval when the slot may also be 0, as beside a fault, or where an optional field is absent.
func (i Interval) or0(k plan.Kind) Interval {
	if k == plan.List || k == plan.Map {
		return i.join(Interval{})
	}
	return i.join(constantInterval(k, 0))
}
