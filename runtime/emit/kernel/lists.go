package kernel

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Entry is a key of a map with its value.
type Entry[K, V any] struct {
	Key   K
	Value V
}

// At returns an element of a list; the zero value outside.
func At[T any](list []T, i int64) (out T) {
	if uint64(i) < uint64(len(list)) {
		out = list[i]
	}
	return out
}

// Element returns a pointer to an element of a list, of which one slot is read; to a zero value outside.
//
//go:noinline
func Element[T any](list []T, i int64) *T {
	if uint64(i) < uint64(len(list)) {
		return &list[i]
	}
	return new(T)
}

// One returns 1 for true and 0 for false.
func One(b bool) (n int64) {
	if b {
		n = 1
	}
	return n
}

// And returns a && b without a branch, and Or a || b.

func And(a, b bool) bool { return One(a)&One(b) != 0 }
func Or(a, b bool) bool  { return One(a)|One(b) != 0 }

// Pick returns one of two doubles, without a branch.
func Pick(first bool, a, b float64) float64 {
	bits, other := math.Float64bits(b), math.Float64bits(a)
	if first {
		bits = other
	}
	return math.Float64frombits(bits)
}

// ValueOf returns the value of a field that may be absent; the zero value where it is.
func ValueOf[T any](p *T) (out T) {
	if p != nil {
		out = *p
	}
	return out
}

// Present returns a value that is there on a condition.
func Present[T any](there bool, v T) *T {
	if !there {
		return nil
	}
	return &v
}

// Convert returns a list with each of its elements converted.
//
//go:noinline
func Convert[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = convert(x)
	}
	return out
}

// Same returns a value as it is.
func Same[T any](v T) T { return v }

// Entries returns the entries of a map in the order of their keys.
//
//go:noinline
func Entries[T, U any](m map[string]T, convert func(T) U) []Entry[string, U] {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sortTexts(keys)
	return Convert(keys, func(key string) Entry[string, U] { return Entry[string, U]{key, convert(m[key])} })
}

// sortTexts is compiled here, and not anew in each generated package.
func sortTexts(list []string) { slices.Sort(list) }

// MapOf returns the map of some entries.
//
//go:noinline
func MapOf[K comparable, T, U any](entries []Entry[K, T], convert func(T) U) map[K]U {
	out := make(map[K]U, len(entries))
	for _, e := range entries {
		out[e.Key] = convert(e.Value)
	}
	return out
}

func hasSlice(n int, from, to int64) bool { return 0 <= from && from <= to && to <= int64(n) }

// Slice returns a part of a list; nil where the list does not have it.
//
//go:noinline
func Slice[T any](list []T, from, to int64) []T {
	if !hasSlice(len(list), from, to) {
		return nil
	}
	return list[from:to:to]
}

// Concat returns the elements of two lists.
//
//go:noinline
func Concat[T any](e *Evaluation, a, b []T) []T {
	if !e.Charge(int64(len(a) + len(b))) {
		return nil
	}
	return slices.Concat(a, b)
}

// isTooLong reports whether a range has more elements than may be.
func isTooLong(from, to int64) bool { return from < to && uint64(to-from) > plan.MaxRange }

// Range returns the ints from one up to but without another.
func Range(from, to int64) []int64 {
	if from >= to || isTooLong(from, to) {
		return nil
	}
	out := make([]int64, to-from)
	for i := range out {
		out[i] = from + int64(i)
	}
	return out
}

func hasCounts(from, to int64) bool { return from <= to && to-from >= 0 && to-from < plan.MaxRange }

// Counts returns how often each int from one to another stands in a list.
func Counts(list []int64, from, to int64) []int64 {
	if !hasCounts(from, to) {
		return nil
	}
	out := make([]int64, to-from+1)
	builtin.CountInts(out, list, from)
	return out
}

// CompareBools orders false before true.
func compareBools(a, b bool) int { return cmp.Compare(builtin.Bool(a), builtin.Bool(b)) }

// comparison returns the order of a kind of scalars: NaN before all other numbers.
func comparison[T comparable]() func(a, b T) int { return comparisonOf(*new(T)).(func(a, b T) int) }

func comparisonOf(scalar any) any {
	switch scalar.(type) {
	case int64:
		return cmp.Compare[int64]
	case float64:
		return cmp.Compare[float64]
	case string:
		return cmp.Compare[string]
	}
	return compareBools
}

// chargeSort counts the comparisons of a sort.
func chargeSort(e *Evaluation, n int) bool { return e.Charge(int64(n) * int64(bits.Len(uint(n)))) }

// Sort returns the scalars of a list in ascending order.
func Sort[T comparable](e *Evaluation, list []T) []T { return SortBy(e, list, list) }

// SortBy returns the elements of a list in ascending order of keys, of which there are as many.
func SortBy[T any, K comparable](e *Evaluation, list []T, keys []K) []T {
	if !chargeSort(e, len(list)) {
		return nil
	}
	compare := comparison[K]()
	order := sortedOrder(len(list), func(a, b int) int { return compare(keys[a], keys[b]) })
	return Convert(order, func(i int) T { return list[i] })
}

// sortedOrder returns the numbers below n in the order of a comparison; those that are equal in their own.
func sortedOrder(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// Sum returns the sum of a list.
//
//go:noinline
func Sum[T int64 | float64](list []T) (sum T) {
	for _, v := range list {
		sum += v
	}
	return sum
}

// Least returns the first of the least numbers of a list; 0 of an empty one.
func Least[T int64 | float64](list []T) (least T) {
	for i, v := range list {
		if i == 0 || v < least {
			least = v
		}
	}
	return least
}

// Greatest returns the first of the greatest numbers of a list; 0 of an empty one.
func Greatest[T int64 | float64](list []T) (greatest T) {
	for i, v := range list {
		if i == 0 || v > greatest {
			greatest = v
		}
	}
	return greatest
}

// Pour returns the share of each capacity in an amount that fills them in order.
func Pour(amount int64, capacities []int64) []int64 {
	return Convert(capacities, func(most int64) int64 {
		share := max(0, min(amount, most))
		amount -= share
		return share
	})
}

// Find returns the index of the entry of a key; -1 where there is none.
//
//go:noinline
func Find[K comparable, V any](entries []Entry[K, V], key K) int64 {
	return int64(slices.IndexFunc(entries, func(e Entry[K, V]) bool { return e.Key == key }))
}

// Keys returns the keys of a map.
//
//go:noinline
func Keys[K, V any](entries []Entry[K, V]) []K {
	return Convert(entries, func(e Entry[K, V]) K { return e.Key })
}

// With returns a map with another value under a key.
func With[K comparable, V any](e *Evaluation, entries []Entry[K, V], key K, value V) []Entry[K, V] {
	if !e.Charge(int64(len(entries))) {
		return nil
	}
	at, compare := 0, comparison[K]()
	for at < len(entries) && compare(entries[at].Key, key) < 0 {
		at++
	}
	rest := entries[at:]
	if len(rest) > 0 && compare(rest[0].Key, key) == 0 {
		key, rest = rest[0].Key, rest[1:] // 0.0 and -0.0 are one key
	}
	out := append(make([]Entry[K, V], 0, len(entries)+1), entries[:at]...)
	return append(append(out, Entry[K, V]{key, value}), rest...)
}

// AreEqual reports whether two maps are equal.
func AreEqual[K comparable, V any](a, b []Entry[K, V], equal func(a, b V) bool) bool {
	return slices.EqualFunc(a, b, func(x, y Entry[K, V]) bool { return x.Key == y.Key && equal(x.Value, y.Value) })
}
