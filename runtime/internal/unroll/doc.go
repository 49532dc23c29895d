// Package unroll makes of a graph with loops and lists straight code: without loops, and with numbers in place of
// lists. Then it runs by columns (package vector), for many states at once.
//
// # What is known
//
// A graph is lowered for all characters, all inputs and lists of every length. Whoever carries out one event ten
// thousand times, in as many plays of a fight, knows more: the records of the fight are the same in all of them, and in
// most so is how long the lists of the state are. Given says so. What follows from it is computed once, when the graph
// is unrolled; what depends on the numbers of the state or on dice remains, as operations on single numbers.
//
// This is partial evaluation with partially static data (N. Jones, C. Gomard, P. Sestoft, "Partial Evaluation and Automatic
// Program Generation", 1993). Package rewrite does the same for odds, with other aims: it makes counts of lists of
// dice, and may change the order in which dice fall. Here they fall as they did.
//
// # Operands
//
// Each value of the graph becomes an operand (operand.go): bits that are known; cells, where all is known but the index
// by which one was chosen; a list of operands; or a node of the graph that is made. Let it be the turn of fighter t of
// two, with the skills 40 and 55. The skill is the cells [40, 55] at t, skill / 5 the cells [8, 11], and a look-up of a
// table by it is cells as well; only skill + die is computed when the code runs, and the cells become one look-up.
//
// A list has the elements that it may have, each there under a condition (lists.go). The foes who stand,
// filter(i, left[i] > 0), are all foes, each under its condition; how many there are is the sum of the conditions, the
// first is a chain of choices. A list that is sorted keeps its place, with the keys beside it: the first by its keys is
// found by n comparisons, and mostly nobody asks for another one.
//
// # What may be different
//
// A fault is 1 and not the number of a place: whoever meets one must carry out the graph itself, which tells what
// failed. So must whoever meets a number outside of the bounds of the state (Layout.NoteMisfits), since the code relies
// on them. And an element at an index that is outside of its list may have any value, where the graph has 0: its fault
// decides, and nothing reads it.
//
// Everything else is the same to the bit: TestUnrolledGraphsComputeTheSame compares graphs that are made at random, with
// dice, with the graphs as they were.
package unroll
