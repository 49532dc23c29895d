// Package rewrite makes of the graph of a rule the network that package eliminate solves: a graph without what nobody asked
// for, in which lists of dice that are read in no order are counts of their faces.
//
// A Network is a plan's graph in which the options are constants, every node knows who reads it, and some rolls are known
// to be counts. As in a Bayesian network, its random variables are the dice; everything else is a function of them.
//
// # Slicing
//
// Only what the asked values and the requirements need is looked at (graph.go), of the elements of lists only the slots
// that are read (elements.go), and of lists of which only sums or sizes are read no elements (narrow.go). Unlike in a play,
// a die that nothing reads is not rolled.
//
// # Counting
//
// A list of ten dice has sixty million values in their order, 3,003 as counts. So a list that is not only summed
// (matching sets, straights, a hand of cards, the third best) is replaced by how many of its dice show each face, before
// anything else is done: one small random variable for each face, a chain of conditional binomials, and readers that are
// formulas over these counts (expand.go, pool.go). It is partial evaluation: an expander walks the graph once, with every
// list whose elements it knows as a bag (bag.go), runs of equal elements each with a count that may be a node, and emits
// what is left to compute (emit.go). Loops over a bag are walked run by run (bag_loop.go), elements of two bags are
// compared face by face (bag_pairs.go), constants are sorted for good and few others by insertion (bag_sort.go). What
// such a walk learns, that faces are told apart by no reader or that a list is read in a way that counts cannot tell, is
// kept as settings, and the walk begins again with them until nothing changes (rewrite.go).
//
// Where a reader sees the order of dice, each of them is rolled by itself, so that a reader of neighbours is a scan
// (sequence.go).
//
// A list that is asked for whole is told by the counts of its elements, and made when its value is read (counted.go).
//
// What is rewritten is a graph of the same operations, so intervals, schedules and execution need nothing new. A draw
// stands in it as the roll of one die of left+1 faces; that its faces are not equally likely is what Network.Draws says.
package rewrite
