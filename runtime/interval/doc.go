// Package interval bounds what every node of a graph can hold, whatever is given and however the dice fall. Scheduling
// drops the faults that cannot happen, checking of ruleset sources warns of what always or never holds, and odds choose
// how densely to store a distribution: all three read the same bounds.
//
// Invariant: the bounds are sound. A value outside of its node's interval is a defect of this package.
package interval
