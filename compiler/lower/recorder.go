package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A termRecorder notes, while formulas are lowered, which part of a formula became which value: the terms of the graph.
// It follows lowerExpr: what is lowered within a part is gathered on a stack, and becomes the arguments of the part's term.
//
// A value that is computed in a loop has another value in each iteration. What is lowered in a loop becomes the arguments
// of one plan.ElementTerm, so that whoever reads terms knows that their values are those of an iteration.
type termRecorder struct {
	terms []plan.Term
	open  [][]int32 // of each part that is being lowered: the terms in it
}

// begin begins a part.
func (r *termRecorder) begin() { r.open = append(r.open, nil) }

// end ends a part, and gives the terms in it.
func (r *termRecorder) end() []int32 {
	last := len(r.open) - 1
	args := r.open[last]
	r.open = r.open[:last]
	return args
}

// current returns the terms in the part that is being lowered, so far.
func (r *termRecorder) current() []int32 {
	if last := len(r.open) - 1; last >= 0 {
		return slices.Clone(r.open[last])
	}
	return nil
}

// put adds terms to the part around them.
func (r *termRecorder) put(terms ...int32) {
	if last := len(r.open) - 1; last >= 0 {
		r.open[last] = append(r.open[last], terms...)
	}
}

// add appends a term.
func (r *termRecorder) add(t plan.Term) int32 {
	r.terms = append(r.terms, t)
	return int32(len(r.terms) - 1)
}

func newTerm(kind plan.TermKind, name string, v plan.Value, args []int32) plan.Term {
	return plan.Term{Kind: kind, Name: name, Value: v, Args: args, Named: -1, Row: plan.None}
}

// noValue returns the value of a term that shows none.
func noValue() plan.Value { return plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None} }
