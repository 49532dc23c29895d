package builtin

import "github.com/tabletop-rules/rules/runtime/plan"

// A Scalar computes an operation of one or two slots: of their bits, the bits of the result; of a fault, 1 when it
// happens. One of a single slot ignores b.
type Scalar func(a, b int64) int64

// A scalar is the row of an operation that a Scalar computes.
type scalar struct {
	op      plan.Op
	compute Scalar
}

// tells makes a Scalar of a predicate.
func tells(f func(a, b int64) bool) Scalar { return func(a, b int64) int64 { return Bool(f(a, b)) } }
