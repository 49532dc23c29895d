package kernel

import (
	"fmt"
	"math"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// Fail returns a fault at a site.
func Fail(at *Site, format string, args ...any) *Failure {
	return &Failure{Site: *at, Msg: fmt.Sprintf(format, args...)}
}

// Refuse returns the refusal of a requirement.
//
//go:noinline
func Refuse(message string, at *Site) *Refused {
	return &Refused{Require: plan.Require{Message: message, Place: at.Place, Name: at.Name, Cite: at.Cite}}
}

func failIf(happened bool, at *Site, message string) *Failure {
	if !happened {
		return nil
	}
	return Fail(at, "%s", message)
}

const overflow = "integer overflow"

// The fault of a + b, a - b, a * b, and of -a or |a|.

//go:noinline
func AddFault(a, b int64, at *Site) *Failure { return failIf(builtin.AddOverflows(a, b), at, overflow) }

//go:noinline
func SubFault(a, b int64, at *Site) *Failure { return failIf(builtin.SubOverflows(a, b), at, overflow) }

//go:noinline
func MulFault(a, b int64, at *Site) *Failure { return failIf(builtin.MulOverflows(a, b), at, overflow) }

func NegFault(a int64, at *Site) *Failure { return failIf(builtin.NegOverflows(a), at, overflow) }

// DivFault returns the fault of a quotient.
func DivFault(a, b int64, at *Site) *Failure {
	if b == 0 {
		return Fail(at, "division by zero")
	}
	return failIf(builtin.DivOverflows(a, b), at, overflow)
}

// ModFault returns the fault of the rest of a quotient.
func ModFault(a, b int64, at *Site) *Failure {
	if b == 0 {
		return Fail(at, "modulus by zero")
	}
	return failIf(builtin.DivOverflows(a, b), at, overflow)
}

// PowFault returns the fault of a power.
func PowFault(a, b int64, at *Site) *Failure {
	if b < 0 {
		return Fail(at, "pow of integers has no negative exponent: %d", b)
	}
	return failIf(builtin.PowOverflows(a, b), at, overflow)
}

// ToIntFault returns the fault of a double that rounds to no int.
func ToIntFault(a float64, at *Site) *Failure {
	if builtin.IsInt(math.Trunc(a)) {
		return nil
	}
	return Fail(at, "range error: %g is no int", a)
}

// IntTextFault returns the fault of a text that spells no int.
func IntTextFault(text string, at *Site) *Failure {
	if _, ok := builtin.ParseInt(text); ok {
		return nil
	}
	return Fail(at, "%q is no int", text)
}

// DoubleTextFault returns the fault of a text that spells no double.
func DoubleTextFault(text string, at *Site) *Failure {
	if _, ok := builtin.ParseDouble(text); ok {
		return nil
	}
	return Fail(at, "%q is no double", text)
}

// ElementFault returns the fault of an index of a list of n elements.
func ElementFault(n int, i int64, at *Site) *Failure {
	if 0 <= i && i < int64(n) {
		return nil
	}
	return Fail(at, "index out of bounds: %d, the list has %s", i, plural.Of(n, "element"))
}

// SliceFault returns the fault of a part of a list of n elements.
func SliceFault(n int, from, to int64, at *Site) *Failure {
	if hasSlice(n, from, to) {
		return nil
	}
	return Fail(at, "index out of bounds: the list has no slice from %d to %d", from, to)
}

// RangeFault returns the fault of a range.
func RangeFault(from, to int64, at *Site) *Failure {
	if !isTooLong(from, to) {
		return nil
	}
	return Fail(at, "range error: from %d to %d are more than %d elements", from, to, plan.MaxRange)
}

// CountsFault returns the fault of counts of the ints from one to another.
func CountsFault(from, to int64, at *Site) *Failure {
	if from > to || hasCounts(from, to) {
		return nil
	}
	return Fail(at, "range error: from %d to %d are more than %d elements", from, to, plan.MaxRange)
}

// EmptyFault returns the fault of a list of n elements that must not be empty.
func EmptyFault(n int, at *Site) *Failure { return failIf(n == 0, at, "the list is empty") }

// SumFault returns the fault of a sum.
func SumFault(list []int64, at *Site) *Failure {
	sum := int64(0)
	for _, v := range list {
		if builtin.AddOverflows(sum, v) {
			return Fail(at, overflow)
		}
		sum += v
	}
	return nil
}

// PourFault returns the fault of an amount that is poured.
func PourFault(amount int64, capacities []int64, at *Site) *Failure {
	return failIf(amount < 0 || Least(capacities) < 0, at, "range error: an amount or a capacity is negative")
}

// RowFault returns the fault of a key for which a table has no row.
func RowFault[K any](row int64, key K, at *Site) *Failure {
	if row >= 0 {
		return nil
	}
	return Fail(at, "no such key: %v", key)
}

// FindFault returns the fault of a key that a map does not have.
func FindFault[K comparable, V any](entries []Entry[K, V], key K, at *Site) *Failure {
	return RowFault(Find(entries, key), key, at)
}

// FailUnless returns a failure that the author declares.
//
//go:noinline
func FailUnless(holds bool, message string, at *Site) *Failure { return failIf(!holds, at, message) }

// FirstFault returns the first of two faults.
//
//go:noinline
func FirstFault(a, b *Failure) *Failure {
	if a != nil {
		return a
	}
	return b
}

// AndFault returns the fault of a && b: none where a side that has not failed is false.
func AndFault(a bool, failed *Failure, b bool, otherFailed *Failure) *Failure {
	if failed == nil && !a || otherFailed == nil && !b {
		return nil
	}
	return FirstFault(failed, otherFailed)
}

// OrFault returns the fault of a || b: none where a side that has not failed is true.
func OrFault(a bool, failed *Failure, b bool, otherFailed *Failure) *Failure {
	return AndFault(!a, failed, !b, otherFailed)
}

// FirstFailure returns the first failure in the elements of a list.
func FirstFailure[T any](list []T, failureOf func(T) *Failure) *Failure {
	for _, x := range list {
		if f := failureOf(x); f != nil {
			return f
		}
	}
	return nil
}
