// Package interval bounds what every node of a graph can hold, whatever is given and however the dice fall. Scheduling
// drops the faults that cannot happen, the analysis of rulesets warns of what always or never holds, and odds choose
// how densely to store a distribution: all three read the same bounds.
//
// The method is abstract interpretation over the lattice of intervals (P. and R. Cousot, "Abstract interpretation: a
// unified lattice model", POPL 1977). Each operation has a transfer function, which bounds its result from the bounds of
// its operands; a graph is in single static assignment and its nodes stand in the order of execution, so that one pass
// bounds all nodes that stand in no loop. The sources are the leaves, which the input schema bounds, the constants, the
// options and the dice.
//
// A loop carries values from one iteration to the next. Its body is followed with the bounds of the first values, these
// are joined with what the body gives, and so on until nothing grows any more: then the bounds hold in every iteration. A
// counter would grow for as many rounds as the loop has iterations, so after a number of rounds the ends that still move
// are given up at once (widening). What is lost by that is partly won back where a body only adds to a value: that many
// additions of a known range have a known range (narrowing).
//
// An interval also bounds what a slot holds beside a fault: the sum that wrapped, the 0 of a division by 0. So bounds never
// depend on whether a fault was looked at.
//
// Invariant: the bounds are sound. A value outside of its node's interval is a defect of this package; tests of the
// execution grow graphs at random and look for one.
package interval
