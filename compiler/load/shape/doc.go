// Package shape reads the constraints that CUE puts on an input as a plan.Shape, against which JSON can be held without
// CUE.
//
// A constraint has no value to walk, as any number of JSON objects satisfy it; and of ">=1 & <=10" the evaluator gives
// back something that only it can test. So the syntax is read. Everything that is written for a value (its sites) is
// brought to atoms, and these are unified as CUE would:
//
//	statistics: [string]: int & >=0
//
// The label [string] is a pattern, which makes the field a map (container.go). Its value is split at "&" into two atoms
// (atom.go): int says {Kind: Int}, and >=0 says {Min: 0} and that it is a number. Their unification (unify.go) is {Kind:
// Int, Min: 0}, the shape of the elements. Choices (choice.go) come down to an enumeration, to bounds, or to one type and
// a default of it.
//
// A shape says less than CUE can: it has no alternatives of different types, no regular expressions, nothing that
// depends on another field, but for bounds within a record of a character (limit.go). What it cannot say is reported
// and never left out, because a constraint that looks as if it bounded a field, and that nobody checks, is worse than
// none. What is reported has the shape of an int, or no value where one is asked for, so that the phases behind always
// have a type.
//
// Unification is commutative here as it is in CUE, so that the order of sites decides only which of two contradictions is
// noticed. Cost: each site is read once for each place that refers to it; a struct that contains itself is refused, or
// reading it would not end.
package shape
