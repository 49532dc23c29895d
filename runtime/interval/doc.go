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
// # One look-up and one loop
//
// In rule ability of haze (package compiler/lower has the graph) the input's aspect is one of three
// strings:
//
//	%9  = leaf input+0              Words [body mind soul], as symbols
//	%13 = row %9 ability            each word is looked up: 0 to 2
//	%14 = row.fault %13 %9 ability  0 to 0, since %13 is never -1
//	%15 = cell %13 ability+0        Words: the cells of the rows 0 to 2
//
// So the fault cannot happen, and scheduling drops it and whatever only selects among such faults.
//
// A loop adds up 100 dice of six faces: it carries acc, at first 0 to 0, and its body gives acc +
// face with a face from 1 to 6. Round 1 gives 0 to 6 for acc before an iteration, round 2 gives 0
// to 12, and so on. After maxRounds the upper end still moves and is given up. Then narrowSums sees
// that the body only adds 1 to 6 to acc, at most 99 times before the last iteration: 0 to 594.
// boundResult does the same for the value behind the loop, with all 100 times: 100 to 600.
//
// # In which order to read
//
// interval.go is the lattice; valuation.go and analysis.go the walk and the loops; transfer.go the
// table of transfer functions; leaves.go, schema.go and die.go what is given; ints.go, doubles.go,
// truths.go, faults.go, lists.go and tables.go the operations. TestIntervals, TestIntervalsOfLoops,
// TestIntervalsOfTables and TestIntervalsOfDice hold bounds that are written out.
//
// An interval also bounds what a slot holds beside a fault: the sum that wrapped, the 0 of a division by 0. So bounds never
// depend on whether a fault was looked at.
//
// Invariant: the bounds are sound. A value outside of its node's interval is a defect of this package; tests of the
// execution grow graphs at random and look for one.
package interval
