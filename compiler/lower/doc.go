// Package lower turns the typed tree of a ruleset into a plan: one graph for each rule, and for each step of a procedure.
// It knows neither CUE nor CEL.
//
// # Graphs without calls
//
// Functions, traits and used rules are written out where they are asked for, so that a rule is one graph in static single
// assignment form: a node is computed once, from nodes before it. The dice on which a value depends, its interval, and what
// a caller's question needs are then plain reachability. Nodes without an effect that compute the same are one node, and
// stand in the outermost block that has their operands: what does not change from one round of a loop to the next is
// computed before the loop (builder.go).
//
// A record is the tuple of its fields and no node of its own, so that reading a field costs nothing, and what nobody reads
// is dead code. Only elements of lists and entries of maps are laid out in memory (value.go).
//
// # Faults
//
// Errors of CEL are values: `false && error` is false, and a let that nobody needs keeps its error to itself. Exceptions
// would need a handler at each such place. Instead every value that can fail has a second node beside it, its fault: 0, or
// where and why it failed. The fault of an operation is the first of the faults of its operands and its own, in the order
// of evaluation; && and || take the fault of one side only where the other does not decide; a condition selects the fault
// of the arm that is taken, while both arms are computed. That a subtraction cannot overflow is found later, by intervals,
// and then its fault is dead code like any other.
//
// What has an effect stays where it is written: rolls, requirements, and lists that grow. A roll has a guard instead of a
// branch around it, for it consumes faces only where its rule is used.
//
// # Coverage
//
// Both arms being computed, a branch counts as taken only where its formula is needed as well. What is needed of a let is
// known when all its readers are lowered; until then its branches wait (cover.go).
//
// Invariant: it cannot fail. Whatever can be wrong with a ruleset was found before; a panic here is a defect of ours.
package lower
